// A sitemap as a stream of text: addresses out, as soon as they are complete. It reads sitemaps, sitemap indexes, feeds
// and plain lists; it expands no entities but the five of XML, and refuses a document type. Memory is one address.
import { decodeXML } from 'entities'
import { tableOf } from '../base/table.ts'

export interface SitemapEntry {
  kind: 'page' | 'sitemap'
  url: string
  /** As written: a W3C date. */
  lastmod?: string
}

export interface SitemapReader {
  /** What became complete with this piece of text. */
  push(text: string): SitemapEntry[]
  /** The rest; call once, after the last piece. */
  end(): SitemapEntry[]
  /** Set when the file is refused; nothing more comes out. */
  readonly refused: string | undefined
}

const MAX_TEXT = 8192
/** Comments, declarations and tags longer than this are not those of a sitemap. */
const MAX_MARK = 65_536
const MAX_ENTITY = 12

type Mode = 'unknown' | 'xml' | 'list'

export function readSitemap(): SitemapReader {
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
      const url = line.trim()
      if (/^https?:\/\//i.test(url) && url.length <= MAX_TEXT) made.push({ kind: 'page', url })
    }
  }

  /** Whole marks and the text before them; what is not complete waits for the next piece. */
  function takeMarks(): void {
    let at = 0
    while (refused === undefined) {
      const open = rest.indexOf('<', at)
      if (open < 0) {
        // An entity may be cut in two by the end of this piece.
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
        if (rest.length - open > MAX_MARK) refuse('it holds a mark without an end')
        break
      }
      const mark = rest.slice(open, close)
      if (mark.startsWith('<![CDATA[')) elements.raw(mark.slice(9, -3))
      else if (/^<!doctype/i.test(mark)) refuse('it has a document type, and those are not read')
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

/** One past the mark that begins at `open`, or nothing when it is not all here. */
function endOfMark(text: string, open: number): number | undefined {
  const ending = text.startsWith('<!--', open) ? '-->' : text.startsWith('<![CDATA[', open) ? ']]>' : '>'
  const from = ending === '-->' ? open + 4 : open + 1
  const found = text.indexOf(ending, from)
  return found < 0 ? undefined : found + ending.length
}

interface Elements {
  text(text: string): void
  raw(text: string): void
  mark(mark: string): void
}

const HOLDERS = tableOf<SitemapEntry['kind']>({
  url: 'page',
  sitemap: 'sitemap',
  item: 'page',
  entry: 'page',
})

/** `<url><loc>…</loc><lastmod>…</lastmod></url>`, and the same under the names that indexes and feeds use. */
function elementReader(give: (entry: SitemapEntry) => void): Elements {
  let holder: string | undefined
  /** Open elements inside the holder; only its own children count, so an image's address is not a page's. */
  let depth = 0
  let field: 'url' | 'lastmod' | undefined
  let text = ''
  let entry: { url?: string; lastmod?: string } = {}

  function add(more: string): void {
    if (field !== undefined && text.length < MAX_TEXT) text += more
  }

  function closed(name: string): void {
    if (holder === undefined) return
    if (depth === 0) {
      if (name !== holder) return
      const { url, lastmod } = entry
      if (url) give({ kind: HOLDERS[holder]!, url, ...(lastmod ? { lastmod } : {}) })
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

  function opened(name: string, mark: string): void {
    if (holder === undefined) {
      if (!Object.hasOwn(HOLDERS, name)) return
      holder = name
      depth = 0
      entry = {}
      return
    }
    depth++
    if (depth !== 1) return
    text = ''
    field = fieldOf(name, holder)
    // Atom writes the address into the element itself.
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
      if (ending) return closed(local(name))
      opened(local(name), mark)
      if (mark.endsWith('/>')) closed(local(name))
    },
  }
}

/** A prefix is a matter of taste on the elements of sitemaps; `image:loc` and its kind stand deeper and never count. */
const local = (name: string): string => name.slice(name.indexOf(':') + 1)

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
