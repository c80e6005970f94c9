// Splits a reply into its main text and the remaining data. The CLI prints only the text; MCP agents get both.
import { isObject } from '../base/values.ts'

interface AnswerParts {
  /** The page's text or the list of URLs, when the reply has one such main text. */
  main: string | undefined
  rest: Record<string, unknown>
  isAll: boolean
}

type Fields = Readonly<Record<string, unknown>>

export function splitReplyText(answer: Fields): AnswerParts {
  const { success: _, ...fields } = answer
  const { data, links, ...around } = fields
  if (Array.isArray(links)) return { main: links.map(addressOf).join('\n'), rest: withData(around, data), isAll: true }
  if (isDocuments(data)) return { main: data.map(sectionOf).join('\n\n'), rest: around, isAll: true }
  if (isHits(data)) return { main: hitsText(data), rest: around, isAll: true }
  const asItIs = { main: undefined, rest: fields, isAll: false }
  if (!isObject(data)) return asItIs
  const { metadata, warning, ...made } = data
  const texts = Object.entries(made).filter(([, value]) => textOf(value) !== undefined)
  const [only] = texts
  if (texts.length !== 1 || !only) return asItIs
  const others = Object.fromEntries(Object.entries(made).filter(([name]) => name !== only[0]))
  const isAll = Object.keys(others).length === 0
  // A document has metadata and its text is the result; elsewhere a string is only one field of many.
  if (!isAll && !metadata) return asItIs
  return {
    main: textOf(only[1]),
    rest: { ...around, ...(warning ? { warning } : {}), ...others, ...(metadata ? { metadata } : {}) },
    isAll,
  }
}

const isDocuments = (data: unknown): data is Fields[] =>
  Array.isArray(data) && data.length > 0 && data.every((item) => isObject(item) && isObject(item.metadata))

function sectionOf(page: Fields): string {
  const { main, rest } = splitReplyText({ data: page })
  const metadata = (rest.metadata ?? page.metadata) as Fields
  const address = metadata.url ?? metadata.sourceURL
  const head = typeof address === 'string' ? `<!-- ${address} -->\n\n` : ''
  return `${head}${main ?? JSON.stringify(page)}`
}

const VERTICALS = ['web', 'news', 'images'] as const

const isHits = (data: unknown): data is Fields =>
  isObject(data) && VERTICALS.some((name) => Array.isArray(data[name])) && data.metadata === undefined

function hitsText(data: Fields): string {
  const lists = VERTICALS.flatMap((name) => (Array.isArray(data[name]) ? [{ name, hits: data[name] as Fields[] }] : []))
  const texts = lists.map(({ name, hits }) => {
    const head = lists.length > 1 ? `${name}\n\n` : ''
    return head + (hits.length > 0 ? hits.map(hitText).join('\n\n') : 'Nothing was found.')
  })
  return texts.join('\n\n')
}

/** Rank, title, URL, date and description of a hit, and its page's markdown if scraped. */
function hitText(hit: Fields, at: number): string {
  const { title, url, description, snippet, date, imageUrl, imageWidth, imageHeight, markdown, metadata } = hit
  const size = imageWidth && imageHeight ? `${imageWidth} × ${imageHeight}` : ''
  const failed = isObject(metadata) && typeof metadata.error === 'string' ? `(${metadata.error})` : ''
  const facts = [imageUrl, size, date, failed].filter(Boolean).join('  ')
  const lines = [String(url), facts, description ?? snippet].filter(Boolean).map((line) => `   ${String(line)}`)
  const page = typeof markdown === 'string' ? `\n\n${markdown.trim()}` : ''
  return `${at + 1}. ${String(title || url)}\n${lines.join('\n')}${page}`
}

const withData = (around: Fields, data: unknown): Record<string, unknown> =>
  data === undefined ? { ...around } : { ...around, data }

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string'))
    return value.join('\n')
  return undefined
}

const addressOf = (link: unknown): string => {
  if (!isObject(link)) return String(link)
  return String(link.url ?? JSON.stringify(link))
}
