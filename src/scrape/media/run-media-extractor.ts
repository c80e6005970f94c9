// Runs the operator's extractor program, which prints media for a page URL as JSON like `yt-dlp -J`, without a shell or
// our environment.

import { spawn } from 'node:child_process'
import { lowerProcessPriority } from '../../base/cpu-priority.ts'
import { problemOfAbort } from '../../base/deadline.ts'
import type { Log } from '../../base/log.ts'
import { isObject } from '../../base/values.ts'
import { classifyMediaUrl, type FoundMedia, type MediaCandidate } from '../../understanding/media/find-media.ts'
import { killWithDescendants, readResidentMb } from '../workshop/document-process-pool.ts'
import { MediaCandidateError } from './media-child-process.ts'

interface Extractor {
  command: readonly string[]
  log: Log
  maxMs?: number
}

const MAX_MS = 30_000
const MAX_BYTES = 8 * 1024 * 1024
const MAX_MB = 600
const LOOK_MS = 250
const MAX_FORMATS = 500
const MAX_URL = 8192

export async function runMediaExtractor(
  { command, log, maxMs = MAX_MS }: Extractor,
  { pageUrl, folder }: { pageUrl: string; folder: string },
  signal: AbortSignal,
): Promise<FoundMedia> {
  const { text, fault, said } = await run(command, pageUrl, folder, maxMs, signal)
  if (signal.aborted) throw problemOfAbort(signal)
  if (fault !== undefined) {
    // The program's output is for the operator's log, not the caller.
    log.warn({ extractor: command[0], fault, said }, 'the media extractor failed')
    throw new MediaCandidateError(`the extractor of this service failed: ${fault}`)
  }
  const found = parseMediaExtractorOutput(text)
  if (!found) throw new MediaCandidateError('the extractor of this service failed: it did not respond in JSON')
  if (found.candidates.length === 0) throw new MediaCandidateError('the extractor of this service found nothing either')
  return found
}

interface Ran {
  text: string
  fault: string | undefined
  said: string
}

function run(
  [program = '', ...args]: readonly string[],
  pageUrl: string,
  folder: string,
  maxMs: number,
  signal: AbortSignal,
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(program, [...args, pageUrl], {
      cwd: folder,
      env: {},
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    lowerProcessPriority(child.pid, 'helpers')
    const chunks: Buffer[] = []
    let [bytes, said] = [0, '']
    let fault: string | undefined
    const end = (because: string) => {
      fault ??= because
      killWithDescendants(child)
    }
    const timer = setTimeout(() => end(`it took longer than ${maxMs / 1000} s`), maxMs)
    const watch = setInterval(() => {
      void readResidentMb(child.pid).then((megabytes) => megabytes > MAX_MB && end(`it took more than ${MAX_MB} MB`))
    }, LOOK_MS)
    const onAbort = () => end('the request is over')
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MAX_BYTES) chunks.push(chunk)
      else end(`it printed more than ${MAX_BYTES / 1024 / 1024} MB`)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-500)
    })
    child.once('error', () => {
      fault ??= 'it cannot be run'
    })
    child.once('exit', (code, killed) => {
      if (code !== 0) fault ??= `it ended with ${code ?? killed}`
      // Its child processes may hold the output open.
      killWithDescendants(child)
    })
    child.once('close', () => {
      clearTimeout(timer)
      clearInterval(watch)
      signal.removeEventListener('abort', onAbort)
      resolve({ text: Buffer.concat(chunks).toString('utf8'), fault, said: said.trim() })
    })
  })
}

type Said = Record<string, unknown>

export function parseMediaExtractorOutput(text: string): FoundMedia | undefined {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(given)) return undefined
  const first = listOf(given.entries).find(isObject)
  const said = first ?? given
  const formats = listOf(said.formats).slice(-MAX_FORMATS).filter(isObject)
  const candidates = [said, ...formats.toSorted((a, b) => worth(b) - worth(a))].flatMap(candidateOf)
  const poster = addressIn(said.thumbnail)
  return { candidates: withoutDoubles(candidates), ...(poster ? { poster } : {}) }
}

function candidateOf(said: Said): MediaCandidate[] {
  const protocol = String(said.protocol ?? '')
  const isDash = /dash/.test(protocol)
  // The output lists DASH parts one by one; the manifest is more complete.
  const url = addressIn(isDash ? said.manifest_url : said.url)
  if (!url) return []
  const [hasPicture, hasSound] = [said.vcodec !== 'none', said.acodec !== 'none']
  const kind = hasPicture && hasSound ? undefined : hasPicture ? 'video' : 'audio'
  const form = isDash ? 'dash' : /m3u8/.test(protocol) ? 'hls' : (classifyMediaUrl(url)?.form ?? 'file')
  return [{ url, form, kind, from: 'extractor' }]
}

function worth({ vcodec, acodec, height, tbr }: Said): number {
  const whole = vcodec !== 'none' && acodec !== 'none' ? 1e9 : 0
  return whole + numberIn(height) * 1e5 + Math.min(numberIn(tbr), 99_999)
}

const withoutDoubles = (candidates: readonly MediaCandidate[]): MediaCandidate[] => [
  ...new Map(candidates.map((candidate) => [candidate.url, candidate])).values(),
]
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const numberIn = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.min(Math.max(value, 0), 9000) : 0

function addressIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_URL || !URL.canParse(value)) return undefined
  return /^https?:$/.test(new URL(value).protocol) ? value : undefined
}
