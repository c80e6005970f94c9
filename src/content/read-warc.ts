// Reads the pages of a WARC file (ISO 28500) as a stream: responses and resources with a body; other records are skipped.
import { pipeline, Readable } from 'node:stream'
import { brotliDecompressSync, createGunzip, inflateSync, unzipSync } from 'node:zlib'

export interface ArchivedPage {
  url: string
  /** When it was fetched, in epoch milliseconds. */
  at: number
  contentType: string
  body: Uint8Array
}

const MAX_HEAD_BYTES = 65_536
/** Larger records, such as films, are skipped; so is what a body would unpack to. */
const MAX_RECORD_BYTES = 20 * 1024 * 1024
const BLANK_LINE = Buffer.from('\r\n\r\n')

/** Throws an Error that says what is wrong with the file. */
export async function* readWarcPages(file: AsyncIterable<Uint8Array>): AsyncGenerator<ArchivedPage> {
  const input = await openInput(file)
  for (;;) {
    const head = await input.until(BLANK_LINE)
    if (head === undefined) return
    const text = head.toString('utf8').trimStart()
    if (text === '') continue
    if (!/^WARC\/[01]\.\d+\r\n/.test(text)) throw new Error('a record does not begin with WARC/1.0 or WARC/1.1')
    const fields = readFields(text)
    const length = Number(fields['content-length'])
    if (!Number.isSafeInteger(length) || length < 0) throw new Error('a record has no Content-Length')
    const isPage = /^(?:response|resource)$/.test(fields['warc-type'] ?? '') && length <= MAX_RECORD_BYTES
    const block = await input.take(length, isPage)
    const page = isPage ? pageOf(fields, block) : undefined
    if (page) yield page
  }
}

/** WARC/1.0 wrote URLs in angle brackets. */
function pageOf(fields: Fields, block: Buffer): ArchivedPage | undefined {
  const url = (fields['warc-target-uri'] ?? '').replace(/^<|>$/g, '')
  const at = Date.parse(fields['warc-date'] ?? '')
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url) || Number.isNaN(at)) return undefined
  const type = fields['content-type'] ?? ''
  if (fields['warc-type'] === 'resource') return { url, at, contentType: type, body: block }
  const end = block.indexOf(BLANK_LINE)
  if (!/^application\/http/i.test(type) || end < 0) return undefined
  const head = block.subarray(0, end).toString('latin1')
  if (!/^HTTP\/[\d.]+ 200\b/.test(head)) return undefined
  const headers = readFields(head)
  const body = decode(block.subarray(end + BLANK_LINE.length), headers)
  return body && { url, at, contentType: headers['content-type'] ?? '', body }
}

/** Undefined for a body that is damaged, or packed in another way. Some archives store it unpacked under its old headers. */
function decode(stored: Buffer, headers: Fields): Uint8Array | undefined {
  const body = /chunked/i.test(headers['transfer-encoding'] ?? '') ? (joinChunks(stored) ?? stored) : stored
  const limit = { maxOutputLength: MAX_RECORD_BYTES }
  try {
    switch ((headers['content-encoding'] ?? '').trim().toLowerCase()) {
      case '':
      case 'identity':
        return body
      case 'gzip':
      case 'x-gzip':
        return body[0] === 0x1f ? unzipSync(body, limit) : body
      case 'deflate':
        return inflateSync(body, limit)
      case 'br':
        return brotliDecompressSync(body, limit)
      default:
        return undefined
    }
  } catch {
    return undefined
  }
}

function joinChunks(body: Buffer): Buffer | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at)
    const size = end < 0 ? '' : body.toString('latin1', at, end).split(';', 1)[0]!.trim()
    if (!/^[0-9a-f]{1,8}$/i.test(size)) return undefined
    const length = Number.parseInt(size, 16)
    if (length === 0) return Buffer.concat(chunks)
    chunks.push(body.subarray(end + 2, end + 2 + length))
    at = end + 2 + length + 2
  }
}

type Fields = Partial<Record<string, string>>

const readFields = (head: string): Fields =>
  Object.fromEntries(
    head.split('\r\n').flatMap((line) => {
      const at = line.indexOf(':')
      return at > 0 ? [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]] : []
    }),
  )

/** Files are packed record by record, which unpacks as one. */
async function openInput(file: AsyncIterable<Uint8Array>) {
  const raw = file[Symbol.asyncIterator]()
  const first = await raw.next()
  const whole = (async function* () {
    if (!first.done) yield first.value
    yield* { [Symbol.asyncIterator]: () => raw }
  })()
  const isPacked = !first.done && first.value[0] === 0x1f && first.value[1] === 0x8b
  return bytesOf((isPacked ? unpackGzip(whole) : whole)[Symbol.asyncIterator]())
}

async function* unpackGzip(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip()
  pipeline(Readable.from(file), gunzip, () => undefined)
  yield* gunzip
}

function bytesOf(source: AsyncIterator<Uint8Array>) {
  let rest = Buffer.alloc(0)
  async function more(): Promise<boolean> {
    const { done, value } = await source.next()
    if (!done) rest = Buffer.concat([rest, value])
    return !done
  }
  return {
    /** What comes before the mark; undefined at the end. */
    async until(mark: Uint8Array): Promise<Buffer | undefined> {
      for (let at = rest.indexOf(mark); ; at = rest.indexOf(mark)) {
        if (at >= 0) {
          const found = rest.subarray(0, at)
          rest = rest.subarray(at + mark.length)
          return found
        }
        if (rest.length > MAX_HEAD_BYTES) throw new Error('the head of a record is too long')
        if (!(await more())) return undefined
      }
    },
    async take(length: number, keeps: boolean): Promise<Buffer> {
      const pieces: Buffer[] = []
      for (let left = length; left > 0; ) {
        if (rest.length === 0 && !(await more())) throw new Error('the last record is cut')
        const piece = rest.subarray(0, left)
        if (keeps) pieces.push(piece)
        left -= piece.length
        rest = rest.subarray(piece.length)
      }
      return Buffer.concat(pieces)
    },
  }
}
