// File input for tools: a URL, base64 bytes, or an upload reference; exactly one.
import { Problem } from '../../base/problem.ts'
import { makeOperationRequest, type Operation, type OperationSchema } from '../../capabilities/operation.ts'

/** A message may have 10 MB, and base64 adds a third. */
const MAX_CONTENT_MB = 7

export const FILE_INPUT_NOTE =
  'Give one of `url`, `content` with `filename`, or `uploadRef` (from parse_upload_url, for large files).'

export const fileInputSchemas: Readonly<Record<string, OperationSchema>> = {
  url: { type: 'string', format: 'uri', description: 'Its URL' },
  content: { type: 'string', description: `Its bytes as base64, up to ${MAX_CONTENT_MB} MB` },
  filename: { type: 'string', description: 'Its name with its extension; required with `content`' },
}

interface InnerRequest {
  method: Operation['method']
  path: string
  headers: Record<string, string>
  payload: Record<string, unknown> | Buffer | undefined
}

const READS_WEB = 'scrape'

export async function makeToolRouteRequest(
  operation: Operation,
  given: Record<string, unknown>,
  tools: ReadonlyMap<string, Operation>,
): Promise<InnerRequest> {
  if (!operation.takesFile) return makeJsonRequest(operation, given)
  const { url, content, filename, uploadRef, ...options } = given
  assertOne({ url, content, uploadRef })
  if (url !== undefined) return makeJsonRequest(tools.get(READS_WEB) ?? operation, { url, ...options })
  if (content === undefined) return makeJsonRequest(operation, { uploadRef, ...options })
  if (typeof filename !== 'string' || filename === '')
    throw new Problem('bad_request', { because: 'filename: is missing; its extension determines the file type' })
  const form = new FormData()
  form.append('options', JSON.stringify(options))
  form.append('file', new Blob([bytesOf(content)]), filename)
  const encoded = new Response(form)
  return {
    ...makeJsonRequest(operation, {}),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  }
}

function makeJsonRequest(operation: Operation, given: Record<string, unknown>): InnerRequest {
  const { method, path, body } = makeOperationRequest(operation, given)
  return { method, path, headers: {}, payload: body }
}

function assertOne(ways: Record<string, unknown>): void {
  const found = Object.keys(ways).filter((name) => ways[name] !== undefined)
  if (found.length === 1) return
  const said = found.length === 0 ? 'None was given' : `${found.map((name) => `\`${name}\``).join(' and ')} were given`
  throw new Problem('bad_request', { instead: `${FILE_INPUT_NOTE} ${said}.` })
}

function bytesOf(content: unknown): Uint8Array<ArrayBuffer> {
  const text = typeof content === 'string' ? content.replace(/^data:[^,]{0,200};base64,/, '').replace(/\s+/g, '') : ''
  const bytes = new Uint8Array(Buffer.from(text, 'base64'))
  // The decoder skips invalid characters, which yields fewer bytes than expected.
  const promised = Math.floor((text.replace(/=+$/, '').length * 3) / 4)
  if (text === '' || bytes.byteLength !== promised)
    throw new Problem('bad_request', { because: 'content: must be the bytes of the file as base64' })
  return bytes
}
