// Downloads the parts of a stream into one file through egress. The byte limit covers the whole item, whatever the
// manifest claims.
import { createDecipheriv } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { Problem } from '../../base/problem.ts'
import type { EgressRequest, EgressResponse } from '../../fetch/egress.ts'
import type { StreamSegment } from './media-child-messages.ts'
import { MediaCandidateError } from './media-child-process.ts'

export type MediaFetch = (request: MediaHttpRequest, signal: AbortSignal) => Promise<MediaAnswer>

export interface MediaHttpRequest extends Pick<EgressRequest, 'url' | 'headers' | 'credentialHosts' | 'into'> {
  maxBytes: number
}

type MediaAnswer = Pick<EgressResponse, 'url' | 'status' | 'headers' | 'body' | 'truncated'>

export interface ByteBudget {
  left: number
}

const KEY_BYTES = 16
const MEGABYTE = 1024 * 1024
const MANIFEST = { larger: 'its manifest is larger', megabytes: 4 }
/** A day of speech has less. */
export const CAPTIONS_SIZE_LIMIT = { larger: 'its captions are larger', megabytes: 8 }
const TRIES = 2
const DENIED = new Set([401, 402, 403, 451])

export async function fetchManifestOrCaptions(
  fetch: MediaFetch,
  url: string,
  headers: MediaHttpRequest['headers'],
  signal: AbortSignal,
  { larger, megabytes } = MANIFEST,
) {
  const answer = await fetch({ url, headers, maxBytes: megabytes * MEGABYTE }, signal)
  if (answer.status >= 400) throw statusFault(answer.status)
  if (answer.truncated) throw new MediaCandidateError(`${larger} than the ${megabytes} MB that are read`)
  return answer
}

export async function downloadStreamSegments(
  fetch: MediaFetch,
  parts: readonly StreamSegment[],
  path: string,
  headersFor: (url: string) => MediaHttpRequest['headers'],
  purse: ByteBudget,
  signal: AbortSignal,
): Promise<void> {
  const keys = new Map<string, Promise<Buffer>>()
  const keyAt = (url: string): Promise<Buffer> => {
    const known = keys.get(url) ?? fetchKey(fetch, url, headersFor(url), signal)
    keys.set(url, known)
    return known
  }
  const file = await open(path, 'w', 0o600)
  try {
    let position = 0
    for (const part of parts)
      position = await onePart(fetch, part, file, position, keyAt, headersFor(part.url), purse, signal)
    if (position === 0) throw new MediaCandidateError('it is empty')
  } finally {
    await file.close()
  }
}

async function fetchKey(fetch: MediaFetch, url: string, headers: MediaHttpRequest['headers'], signal: AbortSignal) {
  const { status, body } = await fetch({ url, headers, maxBytes: 4096 }, signal)
  if (status >= 400) throw statusFault(status)
  if (body.byteLength !== KEY_BYTES) throw new MediaCandidateError('its key is not a key', true)
  return Buffer.from(body)
}

async function onePart(
  fetch: MediaFetch,
  { url, range, lock }: StreamSegment,
  file: FileHandle,
  start: number,
  keyAt: (url: string) => Promise<Buffer>,
  headers: MediaHttpRequest['headers'],
  purse: ByteBudget,
  signal: AbortSignal,
): Promise<number> {
  const key = lock ? await keyAt(lock.keyUrl) : undefined
  for (let attempt = 1; ; attempt++) {
    const decipher = lock && key ? createDecipheriv('aes-128-cbc', key, Buffer.from(lock.iv, 'hex')) : undefined
    let position = start
    const write = async (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.byteLength; )
        at += (await file.write(bytes, at, bytes.byteLength - at, position + at)).bytesWritten
      position += bytes.byteLength
    }
    const into = async (chunk: Uint8Array) => {
      purse.left -= chunk.byteLength
      if (purse.left < 0)
        throw new Problem('too_large', { because: 'the media is larger than ORB_MEDIA_MAX_MB allows' })
      await write(decipher ? decipher.update(chunk) : chunk)
    }
    try {
      const asked: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {}
      const answer = await fetch({ url, headers: { ...headers, ...asked }, maxBytes: purse.left + 1, into }, signal)
      if (answer.status >= 400) throw statusFault(answer.status)
      if (answer.truncated)
        throw new Problem('too_large', { because: 'the media is larger than ORB_MEDIA_MAX_MB allows' })
      // The server ignored the range and sent the whole file.
      const isWhole = range !== undefined && answer.status === 200
      if (isWhole && decipher) throw new MediaCandidateError('its server does not give parts of a file')
      if (isWhole) position = await keepRange(file, start, position, range)
      if (decipher) await write(lastOf(decipher))
      await file.truncate(position)
      return position
    } catch (error) {
      const again = error instanceof Problem && error.row.retry && error.kind !== 'timeout' && !signal.aborted
      if (!again || attempt >= TRIES) throw error
    }
  }
}

async function keepRange(
  file: FileHandle,
  start: number,
  end: number,
  range: { start: number; end: number },
): Promise<number> {
  const length = Math.min(range.end + 1, end - start) - range.start
  if (length <= 0) throw new MediaCandidateError('a part of it lies beyond the end of its file')
  const block = Buffer.alloc(1024 * 1024)
  for (let at = 0; at < length; ) {
    const { bytesRead } = await file.read(block, 0, Math.min(block.length, length - at), start + range.start + at)
    if (bytesRead === 0) break
    await file.write(block, 0, bytesRead, start + at)
    at += bytesRead
  }
  return start + length
}

function lastOf(decipher: { final(): Buffer }): Buffer {
  try {
    return decipher.final()
  } catch {
    throw new MediaCandidateError('its key does not open it', true)
  }
}

const statusFault = (status: number): MediaCandidateError =>
  new MediaCandidateError(`its server returned ${status}`, DENIED.has(status))
