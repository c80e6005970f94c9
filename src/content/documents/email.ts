// E-mail messages: who, to whom, when, about what, the text, and the names of what is attached.
import { decode } from '../charset.ts'
import { escaped, htmlPage } from '../markup.ts'
import type { Metadata } from '../metadata.ts'
import type { DocumentReading } from './document.ts'

const MAX_PARTS = 200
const MAX_DEPTH = 8
const MAX_FORWARDED = 3

interface Part {
  headers: Map<string, string>
  body: Buffer
}

export function readEmail(bytes: Uint8Array): DocumentReading {
  const message = partOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const subject = encodedWords(message.headers.get('subject') ?? '')
  const from = encodedWords(message.headers.get('from') ?? '')
  const sent = Date.parse(message.headers.get('date') ?? '')
  const metadata: Metadata = {
    ...(subject ? { title: subject } : {}),
    ...(from ? { author: from } : {}),
    ...(Number.isNaN(sent) ? {} : { publishedTime: new Date(sent).toISOString() }),
  }
  return { kind: 'email', html: htmlPage(subject || undefined, messageHtml(message, 1)), metadata, warnings: [] }
}

/** A message that was forwarded stands in the one that brings it, a heading lower. */
function messageHtml(message: Part, level: number): string {
  const parts = leaves(message)
  const isAttached = ({ headers }: Part) => /^attachment/i.test(headers.get('content-disposition') ?? '')
  const texts = parts.filter((part) => !isAttached(part))
  const html = texts.find((part) => /^text\/html/i.test(typeOf(part)))
  const plain = texts.find((part) => /^text\/plain/i.test(typeOf(part) || 'text/plain'))
  const forwarded = level > MAX_FORWARDED ? [] : parts.filter((part) => /^message\/rfc822/i.test(typeOf(part)))
  const subject = encodedWords(message.headers.get('subject') ?? '')
  const lines = ['from', 'to', 'cc', 'date'].flatMap((name) => {
    const value = message.headers.get(name)
    return value ? [`<strong>${name[0]!.toUpperCase()}${name.slice(1)}:</strong> ${escaped(encodedWords(value))}`] : []
  })
  const attached = parts.flatMap((part) => {
    const name = forwarded.includes(part) ? undefined : fileName(part)
    return name && (isAttached(part) || part !== html) ? [`<li>${escaped(name)}</li>`] : []
  })
  const isText = html !== undefined || plain !== undefined || forwarded.length === 0
  return [
    subject && `<h${level}>${escaped(subject)}</h${level}>`,
    `<p>${lines.join('<br>')}</p>`,
    isText ? (html ? bodyOf(textOf(html)) : plainHtml(textOf(plain ?? message))) : '',
    attached.length > 0 ? `<h${level + 1}>Attachments</h${level + 1}><ul>${attached.join('')}</ul>` : '',
    ...forwarded.map((part) => messageHtml(partOf(part.body), level + 1)),
  ].join('\n')
}

const typeOf = ({ headers }: Part): string => headers.get('content-type') ?? ''

/** What an answer quotes begins with an angle. */
function plainHtml(text: string): string {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => {
      const lines = paragraph.trim().split('\n')
      const isQuote = lines.every((line) => line.startsWith('>'))
      const html = lines.map((line) => escaped(isQuote ? line.replace(/^(?:> ?)+/, '') : line)).join('<br>')
      return isQuote ? `<blockquote><p>${html}</p></blockquote>` : `<p>${html}</p>`
    })
    .join('\n')
}

/** Of a whole page inside a message only the body. */
function bodyOf(html: string): string {
  const start = html.search(/<body[\s>]/i)
  return start === -1 ? html : html.slice(html.indexOf('>', start) + 1).replace(/<\/body[\s\S]*$/i, '')
}

function partOf(source: Buffer): Part {
  // A part that begins with a blank line has no headers.
  const blank = /^\r?\n/.exec(source.toString('latin1', 0, 2))?.[0]
  if (blank) return { headers: new Map(), body: source.subarray(blank.length) }
  const crlf = source.indexOf('\r\n\r\n')
  const lf = source.indexOf('\n\n')
  const isCrlf = crlf !== -1 && (lf === -1 || crlf < lf)
  const end = isCrlf ? crlf : lf
  const head = source
    .subarray(0, end === -1 ? Math.min(source.length, 100_000) : Math.min(end, 100_000))
    .toString('latin1')
  const headers = new Map<string, string>()
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim().toLowerCase()
    if (colon > 0 && !headers.has(name))
      headers.set(
        name,
        line
          .slice(colon + 1)
          .trim()
          .slice(0, 10_000),
      )
  }
  return { headers, body: end === -1 ? Buffer.alloc(0) : source.subarray(end + (isCrlf ? 4 : 2)) }
}

/** Parts that hold no parts, in order. */
function leaves(message: Part): Part[] {
  const found: Part[] = []
  const open: { part: Part; depth: number }[] = [{ part: message, depth: 0 }]
  while (open.length > 0 && found.length < MAX_PARTS) {
    const { part, depth } = open.pop()!
    const type = part.headers.get('content-type') ?? ''
    const boundary = /boundary="?([^";]{1,200})"?/i.exec(type)?.[1]
    if (!/^multipart\//i.test(type) || !boundary || depth > MAX_DEPTH) found.push(part)
    else for (const inner of split(part.body, boundary).reverse()) open.push({ part: partOf(inner), depth: depth + 1 })
  }
  return found
}

function split(body: Buffer, boundary: string): Buffer[] {
  const mark = Buffer.from(`--${boundary}`, 'latin1')
  const parts: Buffer[] = []
  let at = body.indexOf(mark)
  while (at !== -1 && parts.length < MAX_PARTS) {
    const start = body.indexOf(10, at + mark.length)
    const next = start === -1 ? -1 : body.indexOf(mark, start)
    if (next === -1) break
    parts.push(body.subarray(start + 1, next))
    at = next
  }
  return parts
}

function textOf({ headers, body }: Part): string {
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase() ?? ''
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body.toString('latin1'), 'base64')
      : encoding === 'quoted-printable'
        ? quotedPrintable(body.toString('latin1').replace(/=\r?\n/g, ''))
        : body
  const charset = /charset="?([\w.:-]{1,40})"?/i.exec(headers.get('content-type') ?? '')?.[1]
  return decode(bytes, `text/plain${charset ? `; charset=${charset}` : ''}`).text.replace(/\r\n/g, '\n')
}

const quotedPrintable = (text: string): Buffer =>
  Buffer.from(
    text.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

/** `=?utf-8?B?…?=` in headers. */
const encodedWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?([\w.-]{1,40})\?([BbQq])\?([^?]{0,2000})\?=/g, (_, charset: string, kind: string, data: string) => {
      const bytes = /b/i.test(kind) ? Buffer.from(data, 'base64') : quotedPrintable(data.replaceAll('_', ' '))
      return decode(bytes, `text/plain; charset=${charset}`).text
    })

function fileName({ headers }: Part): string | undefined {
  const source = `${headers.get('content-disposition') ?? ''};${headers.get('content-type') ?? ''}`
  const name = /(?:file)?name="?([^";]{1,300})"?/i.exec(source)?.[1]
  return name ? encodedWords(name) : undefined
}
