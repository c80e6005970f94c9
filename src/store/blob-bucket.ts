// Blobs in an S3-compatible bucket. Objects are named by the id of their blob and never change, so that a copy in memory is
// always right.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { LRUCache } from 'lru-cache'
import { Problem } from '../base/problem.ts'
import type { BlobSource, BlobStorage, ListedBlob } from './blob-storage.ts'

export interface BucketOptions {
  endpoint: string
  bucket: string
  region: string
  accessKey: string
  secretKey: string
  /** `bucket.host/key` instead of `host/bucket/key`. */
  virtualHost: boolean
  /** Links to blobs redirect to ones that the bucket checks, so that their bytes do not pass through the service. */
  directLinks?: boolean
  /** Sends requests to a bucket that a caller named; otherwise they go out as they are. */
  fetch?: typeof fetch
  /** For an answer to begin and for each piece of it; default a minute. */
  patienceMs?: number
}

/** Above it an object is sent in parts; the protocol wants at least 5 MB in each but the last. */
const MULTIPART_PART_BYTES = 16 * 1024 * 1024
const ATTEMPTS = 4
const FIRST_PAUSE_MS = 200
/** Applies to sending a part, to the start of a response, and to each chunk of it. */
const BUCKET_TIMEOUT_MS = 60_000
/** A whole object is read again when it arrived damaged. */
const READ_ATTEMPTS = 2
const DIRECT_LINK_SECONDS = 300
/** Not for uploads in parts: their hash is known only after the headers are sent. */
const HASH_HEADER = 'x-amz-meta-sha256'
const CACHE_BYTES = 64 * 1024 * 1024
const CACHE_MS = 300_000

interface Call {
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Uint8Array
}

export function openBucket(options: BucketOptions): BlobStorage {
  const { patienceMs = BUCKET_TIMEOUT_MS } = options
  const call = openCaller({ ...options, patienceMs })
  const kept = new LRUCache<string, Uint8Array>({
    maxSize: CACHE_BYTES,
    maxEntrySize: CACHE_BYTES / 8,
    sizeCalculation: ({ byteLength }) => byteLength || 1,
    ttl: CACHE_MS,
  })
  return {
    write: (id, source, maxBytes) => write(call, id, source, maxBytes),
    async read(id) {
      const known = kept.get(id)
      if (known) return known
      const bytes = await readWhole(call, id, patienceMs)
      if (bytes) kept.set(id, bytes)
      return bytes
    },
    async stream(id, part) {
      const answer = await call('GET', {
        key: id,
        ...(part ? { headers: { range: `bytes=${part.start}-${part.end}` } } : {}),
      })
      return answer && Readable.from(readSteadily(answer, patienceMs))
    },
    ...(options.directLinks ? { link: (id, contentType) => call.link(id, contentType) } : {}),
    async remove(id) {
      kept.delete(id)
      await discard(await call('DELETE', { key: id }))
    },
    list: (signal) => list(call, signal),
  }
}

type Caller = ReturnType<typeof openCaller>

function openCaller(options: BucketOptions & { patienceMs: number }) {
  const { endpoint, bucket, region, accessKey, secretKey, virtualHost, patienceMs } = options
  const client = new AwsClient({ accessKeyId: accessKey, secretAccessKey: secretKey, region, service: 's3' })
  const base = new URL(endpoint)
  if (virtualHost) base.hostname = `${bucket}.${base.hostname}`
  else base.pathname = `${base.pathname.replace(/\/$/, '')}/${bucket}`
  const makeBucketProblem = (because: string, cause?: unknown) =>
    new Problem('unavailable', { because: `the bucket ${bucket} at ${new URL(endpoint).host} ${because}`, cause })

  const urlOf = (key: string) => new URL(key ? `${base.href.replace(/\/$/, '')}/${key}` : base)

  const call = async (
    method: string,
    { key = '', query = {}, headers = {}, body }: Call,
  ): Promise<Response | undefined> => {
    const url = urlOf(key)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    // With its hash the server refuses a body that was damaged on the way.
    const hash = sha256(body ?? '')
    const noted: Record<string, string> = method === 'PUT' && !query.uploadId ? { [HASH_HEADER]: hash } : {}
    for (let attempt = 1; ; attempt++) {
      const answer = await send(url, { method, headers: { ...headers, ...noted, 'x-amz-content-sha256': hash }, body })
      if (answer instanceof Response && (answer.ok || answer.status === 404)) {
        if (answer.ok) return answer
        const code = await errorCodeIn(answer)
        if (code === 'NoSuchBucket') throw makeBucketProblem('does not exist')
        return undefined
      }
      if (answer instanceof Problem && !answer.row.retry) throw answer
      const mayPass = !(answer instanceof Response) || answer.status >= 500 || answer.status === 429
      if (!mayPass || attempt === ATTEMPTS) {
        if (!(answer instanceof Response)) throw makeBucketProblem('cannot be reached', answer)
        throw makeBucketProblem(
          `returned status ${answer.status} (${(await errorCodeIn(answer)) ?? 'no reason given'})`,
        )
      }
      if (answer instanceof Response) await discard(answer)
      await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()))
    }
  }

  async function send(
    url: URL,
    init: { method: string; headers: Record<string, string>; body?: Uint8Array | undefined },
  ) {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new Error('no response in time')), patienceMs)
    try {
      const { method, headers, body } = init
      const signed = await client.sign(url.href, {
        method,
        headers,
        ...(body ? { body: body as RequestInit['body'] } : {}),
      })
      return await (options.fetch ?? fetch)(signed, { signal: late.signal, redirect: 'error' })
    } catch (error) {
      return error as Error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Undefined for what is not there, so that a link does not lead to the bucket's own error page. */
  const link = async (key: string, contentType: string): Promise<string | undefined> => {
    if (!(await call('HEAD', { key }))) return undefined
    const url = urlOf(key)
    url.searchParams.set('X-Amz-Expires', String(DIRECT_LINK_SECONDS))
    url.searchParams.set('response-content-type', contentType)
    return (await client.sign(url.href, { method: 'GET', aws: { signQuery: true } })).url
  }

  return Object.assign(call, { link, refused: makeBucketProblem })
}

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

async function readWhole(call: Caller, key: string, patienceMs: number): Promise<Uint8Array | undefined> {
  for (let attempt = 1; ; attempt++) {
    const answer = await call('GET', { key })
    if (!answer) return undefined
    const hash = answer.headers.get(HASH_HEADER)
    const bytes = await buffer(readSteadily(answer, patienceMs)).catch((error: Error) => error)
    if (!(bytes instanceof Error) && (hash === null || hash === sha256(bytes))) return bytes
    if (attempt < READ_ATTEMPTS) continue
    const because = bytes instanceof Error ? 'broke off in the middle of an object' : `damaged the object ${key}`
    throw call.refused(because, bytes)
  }
}

/** Ends when the bucket stops sending. A reader that is slow itself may take its time. */
async function* readSteadily({ body }: Response, patienceMs: number): AsyncGenerator<Uint8Array> {
  if (!body) return
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined
      const stalled = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error('the bucket stopped sending')), patienceMs)
      })
      const { done, value } = await Promise.race([reader.read(), stalled]).finally(() => clearTimeout(timer))
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function errorCodeIn(answer: Response): Promise<string | undefined> {
  return /<Code>(\w+)<\/Code>/.exec(await answer.text())?.[1]
}

/** A response whose body is not read would keep its connection busy. */
const discard = async (answer: Response | undefined): Promise<void> => answer?.body?.cancel()

async function write(call: Caller, key: string, source: BlobSource, maxBytes: number): Promise<number> {
  let bytes = 0
  const counted = (async function* () {
    for await (const chunk of source instanceof Uint8Array ? [source] : source) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw new Problem('too_large', { because: `more than ${maxBytes} bytes` })
      yield chunk
    }
  })()
  const parts = inParts(counted)
  const { value: first = new Uint8Array() } = await parts.next()
  const { value: second } = await parts.next()
  if (!second) await discard(await call('PUT', { key, body: first }))
  else await writeInParts(call, key, [first, second], parts)
  return bytes
}

async function* inParts(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  let waiting: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    waiting.push(chunk)
    size += chunk.byteLength
    if (size < MULTIPART_PART_BYTES) continue
    yield Buffer.concat(waiting)
    waiting = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(waiting)
  return undefined
}

async function writeInParts(
  call: Caller,
  key: string,
  begun: readonly Uint8Array[],
  rest: AsyncIterable<Uint8Array>,
): Promise<void> {
  const answer = await call('POST', { key, query: { uploads: '' } })
  const uploadId = /<UploadId>([^<]+)<\/UploadId>/.exec((await answer?.text()) ?? '')?.[1]
  if (!uploadId) throw call.refused('did not begin an upload in parts')
  const tags: string[] = []
  const put = async (body: Uint8Array) => {
    const taken = await call('PUT', { key, query: { partNumber: String(tags.length + 1), uploadId }, body })
    await discard(taken)
    const tag = taken?.headers.get('etag')
    if (!tag) throw call.refused('took a part of an upload without naming it')
    tags.push(tag)
  }
  try {
    for (const part of begun) await put(part)
    for await (const part of rest) await put(part)
    const listed = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`).join('')
    const body = Buffer.from(`<CompleteMultipartUpload>${listed}</CompleteMultipartUpload>`)
    const done = await call('POST', { key, query: { uploadId }, headers: { 'content-type': 'application/xml' }, body })
    // The protocol may answer 200 and fail in the body.
    if (!done || /<Error>/.test(await done.text())) throw call.refused('did not join the parts of an upload')
  } catch (error) {
    await call('DELETE', { key, query: { uploadId } }).then(discard, () => undefined)
    throw error
  }
}

async function* list(call: Caller, signal: AbortSignal): AsyncGenerator<ListedBlob> {
  for (let next: string | undefined = ''; next !== undefined && !signal.aborted; ) {
    const query = { 'list-type': '2', ...(next ? { 'continuation-token': next } : {}) }
    const text: string = (await (await call('GET', { query }))?.text()) ?? ''
    for (const [, entry = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      const name = /<Key>([^<]+)<\/Key>/.exec(entry)?.[1]
      const modified = Date.parse(/<LastModified>([^<]+)<\/LastModified>/.exec(entry)?.[1] ?? '')
      // Other programs may keep theirs in the same bucket.
      if (!name || !OBJECT_NAME.test(name)) continue
      const remove = async () => discard(await call('DELETE', { key: name }))
      yield { name, modifiedAt: async () => (Number.isNaN(modified) ? Number.POSITIVE_INFINITY : modified), remove }
    }
    next = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(text)?.[1]
  }
}

const OBJECT_NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
