// Encodes timed pictures as video in a browser, which has an encoder wherever the service runs.
import { Problem } from '../../base/problem.ts'
import type { BrowserPool } from './browser-pool.ts'
import { makeOpenEncoderScript } from './page-scripts.ts'

export interface TimedPicture {
  atMs: number
  jpeg: Buffer
}

interface VideoPacket {
  isKey: boolean
  atMs: number
  durationMs: number
  bytes: Buffer
}

export interface EncodedVideo {
  codec: 'avc' | 'vp9'
  decoder: { codec: string; codedWidth: number; codedHeight: number; description?: Buffer }
  packets: VideoPacket[]
}

interface Frame {
  atMs: number
  durationMs: number
  isKey: boolean
  /** Absent: the picture before it stays. */
  jpeg?: Buffer
}

/** A segment begins with a key frame, so that a player can start there. */
export const VIDEO_SEGMENT_MS = 10_000
/** Players stall on frames that last minutes. */
const MAX_FRAME_MS = 2000
const BATCH = 20
const LEASE_MS = 120_000
/** WebCodecs needs a secure origin; the page is answered here and never requested. */
const ENCODER_PAGE_URL = 'https://recording.invalid/'

export async function encodeVideo(
  pool: BrowserPool,
  pictures: readonly TimedPicture[],
  { team, endMs }: { team: string; endMs: number },
  signal: AbortSignal,
): Promise<EncodedVideo> {
  const lease = await pool.lease(
    { owner: 'recording', team, kind: 'drawn', profile: () => ({}), ttlMs: LEASE_MS },
    signal,
  )
  try {
    if (lease.context.undrawn !== false) throw new Error('a drawn context was leased')
    const { page } = lease.context
    await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }))
    await page.goto(ENCODER_PAGE_URL)
    await page.evaluate(`globalThis.recording = ${makeOpenEncoderScript()}`)
    const run = (what: string, given: unknown = '') =>
      page.evaluate(`recording.${what}(${JSON.stringify(given)})`) as Promise<unknown>
    const frames = framesOf(pictures, endMs)
    const codec = (await run('begin', frames[0]?.jpeg?.toString('base64'))) as string | undefined
    if (!codec) throw new Problem('no_browser', { because: 'it cannot encode video' })
    const packets: VideoPacket[] = []
    for (let at = 0; at < frames.length; at += BATCH) {
      signal.throwIfAborted()
      const some = frames.slice(at, at + BATCH).map(({ jpeg, ...frame }) => ({
        ...frame,
        jpeg: jpeg?.toString('base64') ?? '',
      }))
      packets.push(...((await run('encode', some)) as RawPacket[]).map(packetOf))
    }
    const { rest, decoder } = (await run('finish')) as Finished
    packets.push(...rest.map(packetOf))
    const { description, ...config } = decoder
    return {
      codec: codec.startsWith('avc') ? 'avc' : 'vp9',
      decoder: { ...config, ...(description ? { description: Buffer.from(description, 'base64') } : {}) },
      packets,
    }
  } finally {
    await lease.release()
  }
}

function framesOf(pictures: readonly TimedPicture[], endMs: number): Frame[] {
  const frames: Frame[] = []
  let keyAt = Number.NEGATIVE_INFINITY
  const add = (atMs: number, untilMs: number, jpeg?: Buffer) => {
    const isKey = atMs - keyAt >= VIDEO_SEGMENT_MS
    if (isKey) keyAt = atMs
    frames.push({ atMs, durationMs: Math.max(1, untilMs - atMs), isKey, ...(jpeg ? { jpeg } : {}) })
  }
  for (const [index, { atMs, jpeg }] of pictures.entries()) {
    const until = Math.max(pictures[index + 1]?.atMs ?? endMs, atMs + 1)
    for (let at = atMs; at < until; at += MAX_FRAME_MS)
      add(at, Math.min(at + MAX_FRAME_MS, until), at === atMs ? jpeg : undefined)
  }
  return frames
}

type RawPacket = Omit<VideoPacket, 'bytes'> & { bytes: string }

interface Finished {
  rest: RawPacket[]
  decoder: { codec: string; codedWidth: number; codedHeight: number; description?: string }
}

const packetOf = ({ bytes, ...packet }: RawPacket): VideoPacket => ({ ...packet, bytes: Buffer.from(bytes, 'base64') })
