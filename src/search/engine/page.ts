// A document as the service stores it → what of it is searched: title, headings, text, its place, its date, its pictures.
import { decodeHTMLStrict } from 'entities'
import { textLanguage } from './text-language.ts'
import { dateOf } from './when.ts'

export interface PageContent {
  url: string
  title: string
  description: string
  headings: string[]
  /** What a reader sees, a line for each block. */
  text: string
  language: string
  /** File kind: `html`, `pdf`, … */
  type: string
  /** When the page says it was published or changed. */
  date: number | undefined
  /** Dated, and an article by its own word. */
  isNews: boolean
  image: string | undefined
  pictures: Picture[]
}

export interface Picture {
  url: string
  /** Its alternative text. */
  alt: string
  /** What stands around it. */
  near: string
  width?: number
  height?: number
}

/** More of a page is not searched. */
const MAX_TEXT = 400_000
const MAX_PICTURES = 40
const IMAGE = /!\[([^\]\n]{0,400})\]\(\s*<?([^\s)>]{1,2000})>?(?:\s+"[^"\n]*")?\s*\)/g
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

export interface StoredDocument {
  metadata: Record<string, unknown>
  markdown?: unknown
  html?: unknown
  rawHtml?: unknown
  summary?: unknown
}

export function contentOf(document: StoredDocument, address: string, now: number): PageContent {
  const { metadata } = document
  const markdown = textIn(document).slice(0, MAX_TEXT)
  const url = typeof metadata.url === 'string' && URL.canParse(metadata.url) ? metadata.url : address
  const headings = markdown.includes('#')
    ? [...markdown.matchAll(/^#{1,6}\s+(.{1,300})$/gm)].map(([, line = '']) => readableLine(line))
    : []
  const title = first(metadata.title) || headings[0] || ''
  const stated = metadata.publishedTime ?? metadata.modifiedTime ?? metadata.dcDate ?? metadata.dcDateCreated
  const date = dateOf(stated, now)
  const text = readable(markdown)
  return {
    url,
    title: title.slice(0, 500),
    description: first(metadata.description).slice(0, 1000),
    headings: headings.filter(Boolean).slice(0, 200),
    text,
    language: textLanguage(`${title}\n${text}`, first(metadata.language).slice(0, 2).toLowerCase()),
    type: typeOf(url, first(metadata.contentType)),
    date,
    isNews: date !== undefined && isArticle(metadata),
    image: first(metadata.ogImage) || undefined,
    pictures: picturesOf(markdown, url),
  }
}

const first = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) && typeof value[0] === 'string' ? value[0] : ''

const isArticle = (metadata: Record<string, unknown>): boolean =>
  metadata.publishedTime !== undefined ||
  /article|news/i.test(first(metadata['og:type'])) ||
  metadata.articleSection !== undefined

/** The best text that the document has: a scrape may have asked for HTML alone. */
function textIn({ markdown, html, rawHtml, summary }: StoredDocument): string {
  if (typeof markdown === 'string') return markdown
  const markup = typeof html === 'string' ? html : typeof rawHtml === 'string' ? rawHtml : undefined
  if (markup !== undefined) return stripped(markup.slice(0, MAX_TEXT * 4))
  return typeof summary === 'string' ? summary : ''
}

const stripped = (markup: string): string =>
  decodeHTMLStrict(
    markup
      .replace(/<(script|style|noscript|template|svg)\b[^>]*>[\s\S]*?<\/\1\s*>/gi, ' ')
      .replace(/<h[1-6]\b[^>]*>/gi, '\n# ')
      .replace(/<(?:br|p|div|li|tr|section|article|\/h[1-6]|\/p|\/div|\/li|\/tr)\b[^>]*>/gi, '\n')
      .replace(/<[^>]{0,5000}>/g, ' '),
  )

/** Markdown without its marks: enough for words and passages, in one pass of each pattern. */
export function readable(markdown: string): string {
  const lines: string[] = []
  for (const line of markdown.split('\n')) {
    const text = readableLine(line)
    if (text !== '') lines.push(text)
  }
  return lines.join('\n')
}

/** A line that is nothing but sentences. */
const SENTENCES = /^[A-Za-z][^*`|\\[\]\s]*(?: [^*`|\\[\]\s]+)* ?$/

function readableLine(line: string): string {
  if (SENTENCES.test(line)) return line.trimEnd()
  let text = line
  if (text.includes('](')) text = text.replace(IMAGE, ' ').replace(LINK, '$1')
  return text
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\d{1,4}[.)])\s+/, '')
    .replace(/^[\s|:=_-]+$/, '')
    .replace(/[*`|]+/g, ' ')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

function typeOf(url: string, contentType: string): string {
  const kind = KINDS.get(contentType.split(';')[0]!.trim().toLowerCase())
  if (kind) return kind
  if (/html/.test(contentType)) return 'html'
  const extension = /\.([a-z0-9]{2,5})$/i.exec(URL.canParse(url) ? new URL(url).pathname : '')?.[1]?.toLowerCase()
  return extension ?? 'html'
}

function picturesOf(markdown: string, base: string): Picture[] {
  if (!markdown.includes('![')) return []
  const found = new Map<string, Picture>()
  const lines = markdown.split('\n')
  let heading = ''
  for (const [at, line] of lines.entries()) {
    if (/^#{1,6}\s/.test(line)) heading = readableLine(line)
    if (!line.includes('![')) continue
    for (const [, alt = '', source = ''] of line.matchAll(IMAGE)) {
      if (found.size >= MAX_PICTURES) return [...found.values()]
      if (source.startsWith('data:') || !URL.canParse(source, base)) continue
      const { href } = new URL(source, base)
      if (!/^https?:/.test(href) || found.has(href)) continue
      const around = [line, lines[at + 1], lines[at + 2], lines[at - 1]].map((text) => readableLine(text ?? ''))
      const near = [heading, ...around].filter(Boolean).join(' · ').slice(0, 300)
      found.set(href, { url: href, alt: alt.trim(), near, ...sizeIn(href) })
    }
  }
  return [...found.values()]
}

/** Many addresses say how large their picture is. */
function sizeIn(url: string): { width?: number; height?: number } {
  const [, width, height] = /(?:^|[^0-9])([1-9]\d{1,3})x([1-9]\d{1,3})(?:[^0-9]|$)/.exec(url) ?? []
  if (width && height) return { width: Number(width), height: Number(height) }
  const { searchParams } = new URL(url)
  const number = (...names: string[]) =>
    Number(names.map((name) => searchParams.get(name)).find((text) => text !== null))
  const [w, h] = [number('w', 'width'), number('h', 'height')]
  return { ...(w >= 10 && w <= 9999 ? { width: w } : {}), ...(h >= 10 && h <= 9999 ? { height: h } : {}) }
}
