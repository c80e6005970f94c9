// Determines the media type of a body. The header is used unless the first bytes contradict it.

const mediaType = (contentType: string | undefined): string =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase().slice(0, 200) ?? ''

const SIGNATURES: readonly (readonly [string, string])[] = [
  ['%PDF-', 'application/pdf'],
  ['PK\x03\x04', 'application/zip'],
  ['PK\x05\x06', 'application/zip'],
  ['\x89PNG\r\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['II*\0', 'image/tiff'],
  ['MM\0*', 'image/tiff'],
  ['\0\0\0\x0cjP  ', 'image/jp2'],
  ['RIFF', 'application/riff'],
  ['\x1f\x8b', 'application/gzip'],
  ['\x28\xb5\x2f\xfd', 'application/zstd'],
  ['BZh', 'application/x-bzip2'],
  ['7z\xbc\xaf\x27\x1c', 'application/x-7z-compressed'],
  ['Rar!\x1a', 'application/vnd.rar'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'application/x-ole-storage'],
  ['{\\rtf', 'application/rtf'],
  ['%!PS', 'application/postscript'],
  ['\x7fELF', 'application/x-executable'],
  ['MZ\x90\x00', 'application/x-executable'],
  ['\x00asm', 'application/wasm'],
  ['OggS', 'application/ogg'],
  ['ID3', 'audio/mpeg'],
  ['fLaC', 'audio/flac'],
  ['\x1aE\xdf\xa3', 'video/webm'],
  ['wOFF', 'font/woff'],
  ['wOF2', 'font/woff2'],
  ['SQLite format 3\x00', 'application/vnd.sqlite3'],
]

export const typeBySignature = (head: string): string | undefined =>
  SIGNATURES.find(([start]) => head.startsWith(start))?.[1]

const HTML_START =
  /^\s*(?:<!--[\s\S]{0,400}?-->\s*)*<(?:!doctype\s+html|html|head|body|script|title|meta|div|h1|table|style|p|br|a|iframe)[\s>/]/i

export function sniffMediaType(bytes: Uint8Array, contentType: string | undefined): string {
  const named = mediaType(contentType)
  const head = readLatin(bytes)
  // Pages may begin with spaces or a BOM; binary formats do not.
  for (const [start, type] of SIGNATURES) {
    if (head.startsWith(start) && !(start.length < 4 && isTextual(named) && !hasControls(head)))
      return preferSpecific(type, named)
  }
  if (head.slice(4, 8) === 'ftyp' && head.charCodeAt(0) === 0) return 'video/mp4'
  if (isTextual(named)) {
    if (isBinary(head)) return 'application/octet-stream'
    // JSON, feeds or text that are really HTML, such as error pages sent with the original header.
    const isPage = /^\s*(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html)[\s>]/i.test(head)
    return isPage && !named.includes('html') ? 'text/html' : named
  }
  if (named !== '' && named !== 'application/octet-stream' && named !== 'application/unknown') {
    return HTML_START.test(head) && !named.startsWith('image/svg') ? 'text/html' : named
  }
  return guess(head)
}

export function mediaTypeBySignatureOrHeader(bytes: Uint8Array, contentType: string | undefined): string {
  const type = sniffMediaType(bytes.subarray(0, 1024), contentType)
  return UNAMBIGUOUS_TYPES.has(type) ? type : mediaType(contentType)
}

/** Types with unambiguous signatures: no containers, and no prefix a text could have. */
const UNAMBIGUOUS_TYPES = new Set(['application/pdf', 'image/png', 'image/jpeg', 'image/gif'])

function guess(head: string): string {
  const text = head.replace(/^\xef\xbb\xbf/, '')
  if (HTML_START.test(text)) return 'text/html'
  if (/^\s*<\?xml|^\s*<(?:rss|feed|rdf:RDF|urlset|sitemapindex)[\s>]/i.test(text)) return 'application/xml'
  if (/^\s*[[{]\s*(?:["{[\]}\d-]|true|false|null)/.test(text)) return 'application/json'
  if (/^(?:\xff\xfe|\xfe\xff)/.test(head)) return 'text/html'
  if (hasControls(head)) return 'application/octet-stream'
  return /<[a-z][^>]{0,200}>/i.test(text) ? 'text/html' : 'text/plain'
}

/** For containers the header is more specific: .docx is a zip. */
const preferSpecific = (type: string, named: string): string =>
  (type === 'application/zip' || type === 'application/x-ole-storage' || type === 'application/riff') &&
  named !== '' &&
  !isTextual(named)
    ? named
    : type

const isTextual = (type: string): boolean =>
  type.startsWith('text/') ||
  /^application\/(?:.*\+)?(?:json|xml|xhtml|javascript|ecmascript|yaml|x-yaml|toml|ld|ndjson|x-ndjson|rss|atom|graphql|sql)/.test(
    type,
  )

/**
 * Declared as text but full of control characters. NULs are not counted, because UTF-16 and damaged pages contain them.
 */
function isBinary(head: string): boolean {
  const controls = head.match(/[\u0001-\u0008\u000e-\u001a\u001c-\u001f]/g)?.length ?? 0
  return head.length >= 256 && controls * 20 > head.length
}

const hasControls = (head: string): boolean => /[\u0000-\u0008\u000e-\u001a]/.test(head)

const readLatin = (bytes: Uint8Array): string => {
  let text = ''
  const end = Math.min(bytes.length, 1024)
  for (let at = 0; at < end; at++) text += String.fromCharCode(bytes[at]!)
  return text
}
