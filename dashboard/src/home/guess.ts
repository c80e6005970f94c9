// What somebody pasted into the one box: an address, several, or words; and what can be done with it, the likeliest first.
// Pure: text in, offers out.

export type Task = 'scrape' | 'crawl' | 'map' | 'batch' | 'search' | 'agent' | 'watch' | 'parse'

export interface Guess {
  kind: 'nothing' | 'address' | 'addresses' | 'words'
  urls: string[]
  /** Lines that are no address, where the others are. */
  dropped: { line: number; text: string }[]
  offers: Task[]
}

const ADDRESS =
  /^(?:https?:\/\/)?(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,})(?::\d{1,5})?(?:[/?#]\S*)?$/iu
const FILE = /\.(?:pdf|docx?|xlsx?|pptx?|odt|ods|odp|rtf|epub|csv)(?:[?#]|$)/i
const QUESTION = /\?\s*$|^(?:who|what|when|where|which|why|how|find|compare|list|tell|research)\b/i

/** An address with its scheme; undefined for anything else. */
function addressOf(text: string): string | undefined {
  const trimmed = text.trim().replace(/^[<("']+|[>)"',;]+$/g, '')
  if (!ADDRESS.test(trimmed)) return undefined
  return /^https?:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`
}

/** Addresses one per line, or parted by commas and spaces; what is none is told with its line. */
export function linesOf(text: string): Pick<Guess, 'urls' | 'dropped'> {
  const urls: string[] = []
  const dropped: Guess['dropped'] = []
  for (const [at, line] of text.split('\n').entries()) {
    const words = line.split(/[\s,;]+/).filter(Boolean)
    const found = words.map(addressOf)
    if (words.length > 0 && found.every((url) => url !== undefined)) urls.push(...found)
    else if (words.length > 0) dropped.push({ line: at + 1, text: line.trim() })
  }
  const unique = [...new Set(urls)]
  return { urls: unique, dropped }
}

export function guess(text: string): Guess {
  if (text.trim() === '') return { kind: 'nothing', urls: [], dropped: [], offers: [] }
  const { urls, dropped } = linesOf(text)
  const lines = text.split('\n').filter((line) => line.trim() !== '').length
  if (urls.length === 0 || (dropped.length > 0 && lines < 3 && urls.length < 2))
    return {
      kind: 'words',
      urls: [],
      dropped: [],
      offers:
        QUESTION.test(text.trim()) && text.trim().split(/\s+/).length > 5 ? ['agent', 'search'] : ['search', 'agent'],
    }
  if (urls.length > 1) return { kind: 'addresses', urls, dropped, offers: ['batch', 'watch'] }
  const [url = ''] = urls
  return {
    kind: 'address',
    urls,
    dropped,
    offers: FILE.test(url) ? ['scrape', 'watch'] : ['scrape', 'crawl', 'map', 'watch', 'agent'],
  }
}

export const tasks: Readonly<Record<Task, { label: string; why: string; path: string }>> = {
  scrape: { label: 'Scrape', why: 'this page as markdown, data or a picture', path: '/v2/scrape' },
  crawl: { label: 'Crawl', why: 'every page of the site, up to a limit', path: '/v2/crawl' },
  map: { label: 'Map', why: 'the addresses of the site, without reading them', path: '/v2/map' },
  batch: { label: 'Scrape all', why: 'each of these pages, as one job', path: '/v2/batch/scrape' },
  search: { label: 'Search', why: 'pages of the web about this', path: '/v2/search' },
  agent: { label: 'Ask', why: 'an agent that looks, reads and answers', path: '/v2/agent' },
  watch: { label: 'Watch', why: 'be told when something changes', path: '/v2/monitor' },
  parse: { label: 'Read the file', why: 'its text and tables as markdown', path: '/v2/parse' },
}

/** The body that a task begins with. Limits are small: Enter alone must not mean ten thousand pages. */
export function bodyFor(task: Task, { urls }: Pick<Guess, 'urls'>, text: string): Record<string, unknown> {
  const url = urls[0]
  switch (task) {
    case 'scrape':
      return { url, formats: ['markdown'] }
    case 'crawl':
      return { url, limit: 20, scrapeOptions: { formats: ['markdown'] } }
    case 'map':
      return { url, limit: 500 }
    case 'batch':
      return { urls, formats: ['markdown'] }
    case 'search':
      return { query: text.trim(), limit: 10 }
    case 'agent':
      return url ? { prompt: '', urls } : { prompt: text.trim() }
    case 'parse':
      return { formats: ['markdown'] }
    case 'watch':
      return {}
  }
}
