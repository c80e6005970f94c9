// A job as it happens, over the same WebSocket that the released clients watch. The proof of the session is offered where
// they offer their key; the cookie goes along with the handshake.
import { useEffect, useRef, useState } from 'preact/hooks'
import { actsFor, proof, root } from './call.ts'
import type { JobShown } from './wire.ts'

export interface Arrived {
  url: string
  title: string
  status: number | undefined
  scrapeId: string | undefined
  /** Of its markdown. */
  words: number | undefined
  engine: string | undefined
  /** When it came, in this browser's time; undefined: it was there before we looked. */
  at: number | undefined
}

interface Document {
  markdown?: string
  metadata?: {
    sourceURL?: string
    url?: string
    title?: string | string[]
    statusCode?: number
    scrapeId?: string
    engine?: string
  }
}

interface Frame {
  type: 'catchup' | 'document' | 'done' | 'error'
  data?: Document & { data?: Document[] }
}

/** The last pages are shown; a job may have a hundred thousand. */
const KEPT = 500

export interface Live {
  arrived: readonly Arrived[]
  isOpen: boolean
}

export function useLive(job: Pick<JobShown, 'id' | 'kind'> | undefined, isRunning: boolean, onEnd: () => void): Live {
  const [live, setLive] = useState<Live>({ arrived: [], isOpen: false })
  const [run, setRun] = useState(0)
  const isClosed = useRef(false)
  const id = job?.id
  const path = job && `${job.kind === 'crawl' ? '/v2/crawl' : '/v2/batch/scrape'}/${job.id}`
  // A retried job runs again after its stream has ended.
  useEffect(() => {
    if (isRunning && isClosed.current) setRun((runs) => runs + 1)
  }, [isRunning])
  useEffect(() => {
    if (!path || !id) return
    isClosed.current = false
    setLive({ arrived: [], isOpen: true })
    const key = proof.get()
    const socket = new WebSocket(root + path, key ? [key, ...(actsFor ? [actsFor] : [])] : [])
    socket.onmessage = ({ data }) => {
      const frame = JSON.parse(String(data)) as Frame
      const now = frame.type === 'document' ? Date.now() : undefined
      const documents = frame.type === 'document' ? [frame.data ?? {}] : (frame.data?.data ?? [])
      if (documents.length === 0) return
      setLive(({ arrived, isOpen }) => ({
        isOpen,
        arrived: [...arrived, ...documents.map((document) => arrivedOf(document, now))].slice(-KEPT),
      }))
    }
    socket.onclose = () => {
      isClosed.current = true
      setLive(({ arrived }) => ({ arrived, isOpen: false }))
      onEnd()
    }
    return () => {
      socket.onclose = null
      socket.close()
    }
  }, [path, id, run, onEnd])
  return live
}

function arrivedOf({ metadata = {}, markdown }: Document, at: number | undefined): Arrived {
  const { sourceURL, url, title, statusCode, scrapeId, engine } = metadata
  return {
    url: sourceURL ?? url ?? '',
    title: (Array.isArray(title) ? title[0] : title) ?? '',
    status: statusCode,
    scrapeId,
    words: markdown === undefined ? undefined : (markdown.match(/\S+/g)?.length ?? 0),
    engine,
    at,
  }
}
