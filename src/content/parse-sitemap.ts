// Streaming parser for sitemaps, indexes, feeds, plain lists and Markdown lists (llms.txt). Memory is bounded by one
// entry.
import { decodeXML } from 'entities'
import { makeLookupTable } from '../base/lookup-table.ts'

export interface SitemapEntry {
  kind: 'page' | 'sitemap'
  url: string
  lastmod?: string
  /** By the alternate of the entry that is the entry itself. */
  language?: string
}

type SitemapReader = { push(text: string): SitemapEntry[]; end(): SitemapEntry[]; readonly refused: string | undefined }

const MAX_TEXT = 8192
/** Longer comments, declarations and tags do not occur in sitemaps. */
const MAX_MARKUP_CHARS = 65_536
const MAX_ENTITY = 12
const MAX_LANGUAGES = 200
const MARKDOWN_LINK = /\]\(\s*((?:https?:\/)?\/[^()\s]+)/gi

type Mode = 'unknown' | 'xml' | 'list'

export function openSitemapParser(): SitemapReader {
  let mode: Mode = 'unknown'
  let rest = ''
  let refused: string | undefined
  const made: SitemapEntry[] = []
  const elements = elementReader((entry) => made.push(entry))

  function refuse(because: string): void {
    refused = because
    rest = ''
  }

  function take(final: boolean): void {
    if (mode === 'unknown') {
      rest = rest.replace(/^\uFEFF/, '').trimStart()
      if (rest !== '') mode = rest.startsWith('<') ? 'xml' : 'list'
    }
    if (mode === 'list') takeLines(final)
    else if (mode === 'xml') takeMarks()
  }

  function takeLines(final: boolean): void {
    const lines = rest.split(/\r\n?|\n/)
    rest = final ? '' : (lines.pop() ?? '')
    if (rest.length > MAX_TEXT) rest = ''
    for (const line of lines) {
      const text = line.trim()
      const isUrl = /^https?:\/\//i.test(text)
      const urls = isUrl ? [text] : [...text.slice(0, MAX_TEXT).matchAll(MARKDOWN_LINK)].map(([, url]) => url!)
      for (const url of urls) if (url.length <= MAX_TEXT) made.push({ kind: 'page', url })
    }
  }

  /** Processes complete marks and the text before them; the rest waits for the next chunk. */
  function takeMarks(): void {
    let at = 0
    while (refused === undefined) {
      const open = rest.indexOf('<', at)
      if (open < 0) {
        // A chunk may end inside an entity.
        const amp = rest.indexOf('&', Math.max(at, rest.length - MAX_ENTITY))
        const until = amp < 0 ? rest.length : amp
        elements.text(rest.slice(at, until))
        at = until
        break
      }
      if (open > at) elements.text(rest.slice(at, open))
      at = open
      const close = endOfMark(rest, open)
      if (close === undefined) {
        if (rest.length - open > MAX_MARKUP_CHARS) refuse('it holds a mark without an end')
        break
      }
      const mark = rest.slice(open, close)
      if (mark.startsWith('<![CDATA[')) elements.raw(mark.slice(9, -3))
      else if (/^<!doctype/i.test(mark)) refuse('it has a document type, which is not supported')
      else if (!mark.startsWith('<!') && !mark.startsWith('<?')) elements.mark(mark)
      at = close
    }
    rest = refused === undefined ? rest.slice(at) : ''
  }

  const flush = () => made.splice(0)
  return {
    push(text) {
      if (refused !== undefined) return []
      rest += text
      take(false)
      return flush()
    },
    end() {
      if (refused !== undefined) return []
      take(true)
      return flush()
    },
    get refused() {
      return refused
    },
  }
}

function endOfMark(text: string, open: number): number | undefined {
  const ending = text.startsWith('<!--', open) ? '-->' : text.startsWith('<![CDATA[', open) ? ']]>' : '>'
  const from = ending === '-->' ? open + 4 : open + 1
  const found = text.indexOf(ending, from)
  return found < 0 ? undefined : found + ending.length
}

type Elements = { text(text: string): void; raw(text: string): void; mark(mark: string): void }

const HOLDERS = makeLookupTable<SitemapEntry['kind']>({ url: 'page', sitemap: 'sitemap', item: 'page', entry: 'page' })

function elementReader(give: (entry: SitemapEntry) => void): Elements {
  let holder: string | undefined
  /** Depth inside the holder; only direct children count, so image addresses are ignored. */
  let depth = 0
  let field: 'url' | 'lastmod' | undefined
  let text = ''
  let entry: { url?: string; lastmod?: string } = {}
  const languages = new Map<string, string>()

  function add(more: string): void {
    if (field !== undefined && text.length < MAX_TEXT) text += more
  }

  function closeElement(name: string): void {
    if (holder === undefined) return
    if (depth === 0) {
      if (name !== holder) return
      const { url, lastmod } = entry
      const language = languages.get(url ?? '')
      if (url) give({ kind: HOLDERS[holder]!, url, ...(lastmod ? { lastmod } : {}), ...(language ? { language } : {}) })
      holder = undefined
      return
    }
    depth--
    if (depth === 0 && field !== undefined) {
      const value = text.trim()
      if (value !== '' && value.length < MAX_TEXT) entry[field] ??= field === 'lastmod' ? value.slice(0, 40) : value
      field = undefined
    }
  }

  function openElement(name: string, mark: string): void {
    if (holder === undefined) {
      if (!Object.hasOwn(HOLDERS, name)) return
      holder = name
      depth = 0
      entry = {}
      languages.clear()
      return
    }
    depth++
    if (depth !== 1) return
    text = ''
    field = fieldOf(name, holder)
    const language = name === 'link' && holder === 'url' ? attribute(mark, 'hreflang') : undefined
    if (language && languages.size < MAX_LANGUAGES) languages.set(attribute(mark, 'href') ?? '', language.slice(0, 35))
    const href = field === 'url' && holder === 'entry' ? attribute(mark, 'href') : undefined
    if (href !== undefined) entry.url ??= href
  }

  return {
    text: (more) => add(more.includes('&') ? decodeXML(more) : more),
    raw: add,
    mark(mark) {
      const ending = mark.startsWith('</')
      const name = /^<\/?([^\s/>]+)/.exec(mark)?.[1]?.toLowerCase()
      if (name === undefined) return
      if (ending) return closeElement(localNameOf(name))
      openElement(localNameOf(name), mark)
      if (mark.endsWith('/>')) closeElement(localNameOf(name))
    },
  }
}

/** Prefixes vary between sitemaps; `image:loc` and similar are nested deeper and never match. */
const localNameOf = (name: string): string => name.slice(name.indexOf(':') + 1)

function fieldOf(name: string, holder: string): 'url' | 'lastmod' | undefined {
  if (holder === 'url' || holder === 'sitemap')
    return name === 'loc' ? 'url' : name === 'lastmod' ? 'lastmod' : undefined
  if (name === 'link') return 'url'
  return name === 'pubdate' || name === 'updated' ? 'lastmod' : undefined
}

function attribute(mark: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(mark)
  const value = found?.[1] ?? found?.[2]
  return value === undefined ? undefined : decodeXML(value)
}
