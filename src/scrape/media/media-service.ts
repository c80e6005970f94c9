// Turns a page's audio or video into a link: tries candidates in order, downloads and remuxes, and stores the file for
// an hour.
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Clock, HOUR_MS } from '../../base/clock.ts'
import { problemOfAbort } from '../../base/deadline.ts'
import type { Log } from '../../base/log.ts'
import { Problem } from '../../base/problem.ts'
import type { Transcribe } from '../../llm/transcribe.ts'
import type { Blobs } from '../../store/blobs.ts'
import type { AudioOrVideo, FoundMedia, MediaCandidate } from '../../understanding/media/find-media.ts'
import {
  type ByteBudget,
  CAPTIONS_SIZE_LIMIT,
  downloadStreamSegments,
  fetchManifestOrCaptions,
  type MediaFetch,
  type MediaHttpRequest,
} from './download-stream-segments.ts'
import type { ConvertedMedia } from './media-child-messages.ts'
import {
  MediaCandidateError,
  type MediaChildOptions,
  type MediaChildProcess,
  openMediaChildProcess,
} from './media-child-process.ts'
import type { StoredMediaLink } from './media-types.ts'
import type { Transcript } from './read-transcript.ts'
import { resolveStream } from './resolve-stream.ts'
import { runMediaExtractor } from './run-media-extractor.ts'

const MEDIA_LIFE_MS = HOUR_MS
const MAX_TRIES = 8
const MAX_FRAMES = 3

interface MediaParts {
  fetch: MediaFetch
  child: MediaChildOptions
  workDir: string
  maxBytes: number
  ffmpeg: string | undefined
  extractor: readonly string[]
  transcribe: Transcribe | undefined
  blobs: Pick<Blobs, 'put' | 'sign'>
  clock: Clock
  log: Log
}

export interface PageMediaRequest {
  want: AudioOrVideo
  pageUrl: string
  found: FoundMedia
  headersFor(url: string): MediaHttpRequest['headers']
  /** Hosts that keep the caller's headers after a redirect. */
  credentialHosts?: readonly string[] | undefined
  findMedia(answer: { url: string; body: Uint8Array; contentType: string | undefined }): Promise<MediaCandidate[]>
  /** Candidates found by a browser; undefined when rendering is disabled or already done. */
  render: (() => Promise<FoundMedia>) | undefined
  teamId: string
  baseUrl: string
}

export interface MediaService {
  take(request: PageMediaRequest, signal: AbortSignal): Promise<StoredMediaLink>
  /** What is said in the sound of the page, by a model; undefined: no endpoint is set. */
  transcribeAudio:
    | ((request: PageMediaRequest, language: string | undefined, signal: AbortSignal) => Promise<Transcript>)
    | undefined
  textAt(url: string, headers: MediaHttpRequest['headers'], signal: AbortSignal): Promise<string>
}

export function openMediaService(parts: MediaParts): MediaService {
  void clearWorkDir(parts.workDir, parts.log).catch((error: Error) =>
    parts.log.warn({ because: error.message }, 'the work folder could not be cleared'),
  )
  const within = async <T>(
    request: PageMediaRequest,
    signal: AbortSignal,
    use: (at: Search, found: Found) => Promise<T>,
  ): Promise<T> => {
    await mkdir(parts.workDir, { recursive: true, mode: 0o700 })
    const folder = await mkdtemp(join(parts.workDir, `media-${hostname()}-${process.pid}-`))
    const child = openMediaChildProcess(parts.child)
    try {
      const { credentialHosts } = request
      const fetch: MediaFetch = (part, within) => parts.fetch({ ...part, credentialHosts }, within)
      const at: Search = { ...parts, ...request, fetch, folder, worker: child, steps: [], reasons: [] }
      return await use(at, await search(at, signal))
    } finally {
      child.end()
      await rm(folder, { recursive: true, force: true })
    }
  }
  const { transcribe } = parts
  return {
    take: (request, signal) => within(request, signal, storeMedia),
    transcribeAudio:
      transcribe &&
      ((request, language, signal) =>
        within(request, signal, async (_at, { made: { path, contentType }, candidate }) => {
          const heard = await transcribe({ path, contentType, language }, signal)
          return { ...heard, label: null, source: candidate.url }
        })),
    textAt: async (url, headers, signal) =>
      new TextDecoder().decode(
        (await fetchManifestOrCaptions(parts.fetch, url, headers, signal, CAPTIONS_SIZE_LIMIT)).body,
      ),
  }
}

async function clearWorkDir(workDir: string, log: Log): Promise<void> {
  const mine = `media-${hostname()}-`
  for (const name of await readdir(workDir).catch(() => [] as string[])) {
    const pid = name.startsWith(mine) ? Number(/^\d+/.exec(name.slice(mine.length))?.[0]) : Number.NaN
    if (Number.isNaN(pid) || (pid !== process.pid && isAlive(pid))) continue
    await rm(join(workDir, name), { recursive: true, force: true })
    log.info({ name }, 'removed what a scrape of media had left behind')
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

interface Search extends MediaParts, PageMediaRequest {
  folder: string
  worker: MediaChildProcess
  steps: object[]
  reasons: MediaCandidateError[]
}

type Found = Taken & { poster: string | undefined }

async function search(at: Search, signal: AbortSignal): Promise<Found> {
  const tried = new Set<string>()
  let poster = at.found.poster
  let taken = await tryAll(at, at.found.candidates, tried, signal)
  if (!taken && at.render && !at.reasons.some(({ denied }) => denied)) {
    const seen = await at.render()
    poster ??= seen.poster
    taken = await tryAll(at, seen.candidates, tried, signal)
  }
  if (!taken && at.extractor.length > 0 && !at.reasons.some(({ denied }) => denied)) {
    const found = await extractMedia(at, signal)
    poster ??= found.poster
    taken = await tryAll(at, found.candidates, new Set(), signal)
  }
  if (!taken) throw nothingFor(at)
  return { ...taken, poster }
}

async function storeMedia(at: Search, { made, candidate, poster }: Found): Promise<StoredMediaLink> {
  const { size } = await stat(made.path)
  const expiresAt = at.clock.now() + MEDIA_LIFE_MS
  const { contentType, seconds, codecs, width, height, by } = made
  const { id } = await at.blobs.put(createReadStream(made.path), { contentType, teamId: at.teamId, expiresAt })
  return {
    link: `${at.baseUrl}/v2/media/${at.blobs.sign(id, expiresAt)}`,
    details: {
      contentType,
      bytes: size,
      duration: Math.round(seconds * 1000) / 1000,
      codecs,
      ...(width && height ? { width, height } : {}),
      ...(poster && at.want === 'video' ? { poster } : {}),
      source: candidate.url,
      expiresAt: new Date(expiresAt).toISOString(),
    },
    steps: [...at.steps, { media: at.want, from: candidate.from, form: candidate.form, by, bytes: size }],
  }
}

/** A failure is recorded and yields no candidates. */
async function extractMedia(at: Search, signal: AbortSignal): Promise<FoundMedia> {
  try {
    const found = await runMediaExtractor({ command: at.extractor, log: at.log }, at, signal)
    at.steps.push({ media: at.want, extractor: found.candidates.length })
    return found
  } catch (error) {
    if (!(error instanceof MediaCandidateError)) throw error
    at.reasons.unshift(error)
    at.steps.push({ media: at.want, extractor: 0, refused: error.message })
    return { candidates: [] }
  }
}

type Taken = { made: ConvertedMedia; candidate: MediaCandidate }

async function tryAll(
  at: Search,
  candidates: readonly MediaCandidate[],
  tried: Set<string>,
  signal: AbortSignal,
): Promise<Taken | undefined> {
  const waiting = inOrder(candidates, at.want)
  let frames = 0
  while (waiting.length > 0) {
    const candidate = waiting.shift()!
    if (tried.has(candidate.url)) continue
    if (tried.size >= MAX_TRIES) break
    if (candidate.form === 'frame' && ++frames > MAX_FRAMES) continue
    tried.add(candidate.url)
    try {
      if (candidate.form === 'frame') {
        const inside = await findInFrame(at, candidate, signal)
        waiting.unshift(...inOrder(inside, at.want).filter(({ form }) => form !== 'frame'))
      } else return { made: await makeMedia(at, candidate, signal), candidate }
    } catch (error) {
      if (signal.aborted) throw problemOfAbort(signal)
      if (!(error instanceof MediaCandidateError || error instanceof Problem)) throw error
      at.reasons.push(error instanceof MediaCandidateError ? error : new MediaCandidateError(error.message))
      at.steps.push({ media: at.want, from: candidate.from, form: candidate.form, refused: error.message })
    }
  }
  return undefined
}

/** For audio, prefer audio-only candidates; for video, exclude them. */
function inOrder(candidates: readonly MediaCandidate[], want: AudioOrVideo): MediaCandidate[] {
  if (want === 'video') return candidates.filter(({ kind }) => kind !== 'audio')
  const rank = ({ kind, form }: MediaCandidate) =>
    kind === 'audio' ? 0 : form === 'frame' ? 3 : kind === undefined ? 1 : 2
  return candidates.toSorted((a, b) => rank(a) - rank(b))
}

async function findInFrame(at: Search, { url }: MediaCandidate, signal: AbortSignal): Promise<MediaCandidate[]> {
  const answer = await fetchManifestOrCaptions(at.fetch, url, { ...at.headersFor(url), referer: at.pageUrl }, signal)
  const { body, headers } = answer
  return at.findMedia({ url: answer.url, body, contentType: headers['content-type'] })
}

async function makeMedia(at: Search, candidate: MediaCandidate, signal: AbortSignal): Promise<ConvertedMedia> {
  const purse: ByteBudget = { left: at.maxBytes }
  const headers = (url: string) => ({ ...at.headersFor(url), referer: at.pageUrl, 'accept-encoding': 'identity' })
  const tracks =
    candidate.form === 'file'
      ? [[{ url: candidate.url, seconds: 0 }]]
      : await resolveStream({ ...at, headers, maxBytes: purse.left }, candidate.url, candidate.form as 'hls', signal)
  const inputs: string[] = []
  for (const [n, parts] of tracks.entries()) {
    const path = join(at.folder, `${at.want}-${n}`)
    await downloadStreamSegments(at.fetch, parts, path, headers, purse, signal)
    inputs.push(path)
  }
  const output = join(at.folder, `${at.want}-made`)
  return at.worker.make({ want: at.want, inputs, output, ffmpeg: at.ffmpeg }, signal)
}

function nothingFor({ want, reasons }: Search): Problem {
  const denied = reasons.find((reason) => reason.denied)
  if (denied) return new Problem('media_denied', { because: denied.message })
  const because =
    reasons.length === 0
      ? `the page has no ${want}`
      : [...new Set(reasons.map(({ message }) => message))].slice(0, 3).join('; ')
  return new Problem(want === 'audio' ? 'no_audio' : 'no_video', { because })
}
