// Extracts the searchable content of a stored document: title, headings, text, place, date, pictures.
import { decodeHTMLStrict } from 'entities'
import { parseStatedDate } from './date-filter.ts'
import { extractLinks, type PageLink } from './extract-links.ts'
import { type IndexedPicture, listPictures, MARKDOWN_IMAGE } from './page-pictures.ts'
import { firstText, type StoredDocument } from './stored-fields.ts'
import { detectTextLanguage, LANGUAGE_SAMPLE_CHARS } from './text-language.ts'

export interface PageContent {
  url: string
  title: string
  description: string
  headings: string[]
  text: string
  language: string
  type: string
  date: number | undefined
  /** Dated, and declared as an article. */
  isNews: boolean
  image: string | undefined
  pictures: IndexedPicture[]
  /** From the markdown only, which is the main content. */
  links: PageLink[]
}

const MAX_TEXT = 400_000
const HEADING = /^#{1,6}\s+(.{1,300})$/m
const LINK = /\[([^\]\n]{0,600})\]\((?:[^()\n]|\([^()\n]*\)){0,2000}\)/g
const KINDS: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/rtf', 'rtf'],
  ['application/json', 'json'],
  ['application/xml', 'xml'],
  ['text/xml', 'xml'],
  ['text/plain', 'txt'],
  ['text/csv', 'csv'],
  ['text/markdown', 'md'],
])

export function readPageContent(document: StoredDocument, address: string, now: number): PageContent {
  const { metadata } = document
  const markdown = textIn(document).slice(0, MAX_TEXT)
  const url = typeof metadata.url === 'string' && URL.canParse(metadata.url) ? metadata.url : address
  const { text, headings } = toReadableText(markdown)
  const title = firstText(metadata.title) || headings[0] || ''
  const description = firstText(metadata.description).slice(0, 1000)
  const date = parseStatedDate(metadata.publishedTime ?? metadata.modifiedTime, now)
  const sample = `${title}\n${text.slice(0, LANGUAGE_SAMPLE_CHARS)}`
  const language = detectTextLanguage(sample, firstText(metadata.language).slice(0, 2).toLowerCase())
  return {
    url,
    title: title.slice(0, 500),
    description,
    headings: headings.filter(Boolean).slice(0, 200),
    text,
    language,
    type: typeOf(url, firstText(metadata.contentType)),
    date,
    isNews: date !== undefined && isArticle(metadata),
    image: firstText(metadata.ogImage) || undefined,
    pictures: listPictures(document, markdown, { url, title, description }, readableLine),
    links: typeof document.markdown === 'string' ? extractLinks(markdown, { url, language }, readableLine) : [],
  }
}

const isArticle = (metadata: Record<string, unknown>): boolean =>
  metadata.publishedTime !== undefined ||
  /article|news/i.test(firstText(metadata['og:type'])) ||
  metadata.articleSection !== undefined

/** Falls back to HTML or the summary when the scrape has no markdown. */
function textIn({ markdown, html, rawHtml, summary }: StoredDocument): string {
  if (typeof markdown === 'string') return markdown
  const markup = typeof html === 'string' ? html : typeof rawHtml === 'string' ? rawHtml : undefined
  if (markup !== undefined) return stripMarkup(markup.slice(0, MAX_TEXT * 4))
  return typeof summary === 'string' ? summary : ''
}

const stripMarkup = (markup: string): string =>
  decodeHTMLStrict(
    markup
      .replace(/<(script|style|noscript|template|svg)\b[^>]*>[\s\S]*?<\/\1\s*>/gi, ' ')
      .replace(/<h[1-6]\b[^>]*>/gi, '\n# ')
      .replace(/<(?:br|p|div|li|tr|section|article|\/h[1-6]|\/p|\/div|\/li|\/tr)\b[^>]*>/gi, '\n')
      .replace(/<[^>]{0,5000}>/g, ' '),
  )

const MARKS = 1
const ESCAPES = 2
const BRACKETS = 4
const SPACES = 8
/** May start a heading, quote, list item, rule or indented line. */
const LINE_START_BIT = 16
/** Marks and all kinds of spaces. */
const SPACE_OR_MARK_BIT = 32
const LINE_END = 10
const SPACE = 32
const HASH = 35

const kinds = new Uint8Array(0x10000)
for (let code = 0; code < kinds.length; code++)
  if (/\s/.test(String.fromCharCode(code)))
    kinds[code] = (code === SPACE ? 0 : SPACES) | LINE_START_BIT | SPACE_OR_MARK_BIT
const mean = (characters: string, kind: number) => {
  for (const character of characters) kinds[character.charCodeAt(0)]! |= kind
}
mean('*`|', MARKS | SPACE_OR_MARK_BIT)
mean('\\', ESCAPES)
mean(']', BRACKETS)
mean('#>*+|:=_-0123456789', LINE_START_BIT)

/** A shared buffer of char codes: much faster to scan than a string. */
const buffer = Buffer.alloc(2 * MAX_TEXT)
const codes = new Uint16Array(buffer.buffer, buffer.byteOffset, MAX_TEXT)

function toReadableText(markdown: string): { text: string; headings: string[] } {
  const lines: string[] = []
  const headings: string[] = []
  const size = buffer.write(markdown, 'utf16le') / 2
  for (let from = 0; from < size; ) {
    let has = 0
    let before = SPACE
    let until = from
    for (; until < size; until++) {
      const code = codes[until]!
      if (code === LINE_END) break
      has |= code === SPACE && before === SPACE ? SPACES : kinds[code]!
      before = code
    }
    if (until > from) {
      const line = markdown.slice(from, until)
      const heading = codes[from] === HASH ? HEADING.exec(line)?.[1] : undefined
      if (heading !== undefined) headings.push(readableLine(heading))
      const text = readableLine(line, has)
      if (text !== '') lines.push(text)
    }
    from = until + 1
  }
  return { text: lines.join('\n'), headings }
}

/** `has`: classes of the line's characters; only applicable replacements run. */
function readableLine(line: string, has = 255): string {
  let text = line
  if (has & BRACKETS && text.includes('](')) text = text.replace(MARKDOWN_IMAGE, ' ').replace(LINK, '$1')
  if (kinds[text.charCodeAt(0)]! & LINE_START_BIT)
    text = text.replace(/^\s*(?:#{1,6}|>|[-*+]|\d{1,4}[.)])\s+/, '').replace(/^[\s|:=_-]+$/, '')
  if (has & (MARKS | SPACES) || text.includes('  ')) text = collapseWhitespace(text)
  if (has & ESCAPES) text = text.replace(/\\([!-/:-@[-`{-~])/g, '$1')
  return text.trim()
}

function collapseWhitespace(text: string): string {
  let even = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (!(kinds[code]! & SPACE_OR_MARK_BIT)) continue
    let end = at + 1
    while (end < text.length && kinds[text.charCodeAt(end)]! & SPACE_OR_MARK_BIT) end++
    // Skip single spaces: there are as many as words.
    if (end === at + 1 && code === SPACE) continue
    even += `${text.slice(from, at)} `
    from = end
    at = end - 1
  }
  return from === 0 ? text : even + text.slice(from)
}

function typeOf(url: string, contentType: string): string {
  const kind = KINDS.get(contentType.split(';')[0]!.trim().toLowerCase())
  if (kind) return kind
  if (/html/.test(contentType)) return 'html'
  const extension = /\.([a-z0-9]{2,5})$/i.exec(URL.canParse(url) ? new URL(url).pathname : '')?.[1]?.toLowerCase()
  return extension ?? 'html'
}
