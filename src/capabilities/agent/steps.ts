// The steps that a run may take, by the name of their tool, and how much an effort allows.
import type { TokenLimits } from '../../llm/tokens.ts'

/** A step by the name of its tool. */
export type PlannedStep =
  | { tool: 'search'; input: { query: string } }
  | { tool: 'map'; input: { url: string; search: string } }
  | { tool: 'scrape' | 'parse'; input: ScrapeInput }
  | { tool: 'crawl'; input: { url: string; limit: number; from?: string } }
  | { tool: 'extract'; input: { urls: string[]; from?: string } }
  | { tool: 'interact'; input: InteractStep }
  | { tool: 'recall'; input: Record<string, never> }

/** One thing that is done on a page; see tools/page-actions.ts. */
export type InteractStep = { url: string; from?: string } & (
  | { do: 'more' }
  | { do: 'press'; name: string }
  | { do: 'search'; words: string }
)

export interface ScrapeInput {
  url: string
  /** The page that has the link; absent: the caller or a search named the address. */
  from?: string
  /** The item of the list that this page is about. */
  record?: string
}

export interface Effort {
  /** Pages that may be read. */
  pages: number
  /** Steps at once. */
  breadth: number
  /** What a model may use, for one request and for the whole run. */
  tokens: TokenLimits
}

export const EFFORTS: Readonly<Record<'low' | 'medium' | 'high', Effort>> = {
  low: { pages: 6, breadth: 2, tokens: { reads: 12_000, writes: 2000, total: 100_000 } },
  medium: { pages: 14, breadth: 3, tokens: { reads: 24_000, writes: 4000, total: 400_000 } },
  high: { pages: 40, breadth: 4, tokens: { reads: 32_000, writes: 8000, total: 1_500_000 } },
}

/** Pages that one step of a crawl, and of several addresses, may read. */
export const MOST_CRAWLED = 12
export const MOST_TOGETHER = 10

/** Names an interaction, so that it is done once. */
export const interactionKey = ({ url, ...step }: InteractStep): string =>
  [step.do, url, 'name' in step ? step.name : ''].join(' ')

const DOCUMENT = /\.(?:pdf|docx?|xlsx?|ods|odt|rtf|pptx?|odp|epub|csv|tsv)(?:$|[?#])/i
export const isDocument = (url: string): boolean => DOCUMENT.test(url)

/** The step that reads one address. */
export const readStep = (url: string, from?: string, record?: string): PlannedStep => ({
  tool: isDocument(url) ? 'parse' : 'scrape',
  input: { url, ...(from === undefined ? {} : { from }), ...(record === undefined ? {} : { record }) },
})

const SHOW = 'load|show|view|see|mehr|weitere|voir|afficher|charger|ver|mostrar|cargar|carica|mostra'
const ALL = 'more|all|laden|anzeigen|zeigen|plus|más|altr[io]'
/** The name of a control that shows more of the same. */
export const SHOWS_MORE = new RegExp(`^(?:${SHOW})\\b.*\\b(?:${ALL})\\b|^more\\b`, 'i')
