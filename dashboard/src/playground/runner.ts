// What is asked in the playground, kept while the page is open, and running it. What was run is remembered.
import { signal } from '@preact/signals'
import { useRef, useState } from 'preact/hooks'
import { call } from '../call.ts'
import { aboutOf, remember } from '../home/past.ts'
import { tickSeen } from '../home/progress.ts'
import { go } from '../route.ts'
import type { Values } from './field-parts.tsx'
import { unread } from './fields.tsx'
import type { Answer } from './result.tsx'
import type { Capability } from './schema.ts'
import { FIRST, playgroundAddress } from './state.ts'

export interface Asked {
  path: string
  values: Record<string, Values>
  answer?: Answer | undefined
  ms?: number | undefined
}

/** Going elsewhere and back loses nothing. */
export const asked = signal<Asked>({ path: FIRST, values: {} })

/** The part of the address that we wrote ourselves: coming to it is no news. */
export const written = { query: '' }

interface Runner {
  error: Error | undefined
  /** Why it was not sent. */
  stopped: string | undefined
  running: AbortController | undefined
  startedAt: number
  run(capability: Capability, body: Values, file: File | undefined): Promise<void>
  clear(): void
}

export function useRunner(): Runner {
  const [error, setError] = useState<Error>()
  const [stopped, setStopped] = useState<string>()
  const [running, setRunning] = useState<AbortController>()
  const started = useRef(0)
  const run = async (one: Capability, body: Values, upload: File | undefined) => {
    const wrong = Object.values(unread.peek())[0]
    setStopped(wrong ? `${wrong.name}: ${wrong.because}` : undefined)
    if (wrong) return
    const stop = new AbortController()
    setRunning(stop)
    setError(undefined)
    started.current = performance.now()
    const { answer: _answer, ms: _ms, ...rest } = asked.peek()
    asked.value = rest
    const about = aboutOf(body, upload?.name)
    try {
      const given = await call<Answer>({
        method: 'POST',
        path: one.path,
        body: one.box === 'file' ? formOf(upload, body) : body,
        signal: stop.signal,
      })
      showAnswer(one, body, given, { about, ms: performance.now() - started.current })
    } catch (failure) {
      if (stop.signal.aborted) return
      setError(failure as Error)
      remember({ at: Date.now(), path: one.path, body, about, error: (failure as Error).message })
    } finally {
      setRunning(undefined)
    }
  }
  return { error, stopped, running, startedAt: started.current, run, clear: () => setError(undefined) }
}

function showAnswer(one: Capability, body: Values, given: Answer, { about, ms }: { about: string; ms: number }): void {
  tickSeen([one.path.split('/')[2] ?? ''])
  const id = idOf(given)
  remember({ at: Date.now(), path: one.path, body, about, ms, ...(id ? { id } : {}), ...statusIn(given) })
  // A job that outlives its request is watched where jobs are watched.
  if (typeof given.id === 'string' && typeof given.url === 'string' && given.data === undefined) {
    go(`jobs/${given.id}`)
    return
  }
  asked.value = { ...asked.peek(), answer: given, ms }
  // A step of its own: the way back leads to the run before.
  const next = playgroundAddress(one.path, body, one.path === '/v2/scrape' ? id : undefined)
  written.query = next.slice('playground?'.length)
  go(next)
}

const idOf = (answer: Answer): string | undefined => {
  const { metadata } = (answer.data ?? {}) as { metadata?: { scrapeId?: unknown } }
  const id = answer.scrape_id ?? metadata?.scrapeId ?? answer.id
  return typeof id === 'string' ? id : undefined
}

const statusIn = (answer: Answer): { status?: number } => {
  const { metadata } = (answer.data ?? {}) as { metadata?: { statusCode?: unknown } }
  return typeof metadata?.statusCode === 'number' ? { status: metadata.statusCode } : {}
}

function formOf(file: File | undefined, values: Values): FormData {
  const form = new FormData()
  if (file) form.append('file', file)
  if (Object.keys(values).length > 0) form.append('options', JSON.stringify(values))
  return form
}
