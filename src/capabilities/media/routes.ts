// Serves files that responses link to (screenshots, audio, video). The signed, expiring link is the credential; ranges
// are supported.
import { Problem } from '../../base/problem.ts'
import type { ByteRange } from '../../store/blob-storage.ts'
import { defineCapability } from '../capability.ts'
import { defineRoute, RedirectReply, StreamReply } from '../route.ts'

/** Undefined: send everything (no range, or one that may be ignored). `beyond`: out of bounds (416). */
function parseRangeHeader(header: string | undefined, bytes: number): ByteRange | 'beyond' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), bytes)
    return length === 0 ? 'beyond' : { start: bytes - length, end: bytes - 1 }
  }
  const start = Number(first)
  if (start >= bytes) return 'beyond'
  if (last !== '' && Number(last) < start) return undefined
  return { start, end: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) }
}

const getMedia = defineRoute({
  method: 'GET',
  path: '/v2/media/:token',
  summary: 'Download a file that a response links to',
  command: null,
  serves: ['*/*'],
  async handle({ store }, { params }, { range }) {
    const elsewhere = await store.blobs.directLink(params.token ?? '')
    if (elsewhere) return new RedirectReply(elsewhere)
    let asked: ReturnType<typeof parseRangeHeader>
    const blob = await store.blobs.open(params.token ?? '', (bytes) => {
      asked = parseRangeHeader(range, bytes)
      return asked === 'beyond' ? { start: 0, end: 0 } : asked
    })
    if (!blob) throw new Problem('not_found')
    const { part, bytes } = blob
    if (asked === 'beyond') {
      blob.stream.destroy()
      throw new Problem('no_such_range', { because: `the file has ${bytes} bytes` })
    }
    return new StreamReply(
      blob.stream,
      blob.contentType,
      {
        'content-length': String(part ? part.end - part.start + 1 : bytes),
        ...(part ? { 'content-range': `bytes ${part.start}-${part.end}/${bytes}` } : {}),
        'accept-ranges': 'bytes',
        'cache-control': 'private, no-store',
        // Stored pages are untrusted: they may be displayed but must not run scripts in this origin.
        'content-security-policy': "sandbox; default-src 'none'; img-src 'self'; media-src 'self'",
        'content-disposition': 'inline',
      },
      part !== undefined,
    )
  },
})

export const mediaCapability = defineCapability({
  name: 'media',
  tag: 'Media',
  right: 'none',
  routes: [getMedia],
})
