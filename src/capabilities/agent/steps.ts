// The steps that a run may take, by tool name, and the limits of each effort.
import type { TokenLimits } from '../../llm/tokens.ts'

export type PlannedStep =
  | { tool: 'search'; input: { query: string } }
  | { tool: 'map'; input: { url: string; search: string } }
  | { tool: 'scrape' | 'parse'; input: ScrapeInput }
  | { tool: 'crawl'; input: { url: string; limit: number; from?: string } }
  | { tool: 'extract'; input: { urls: string[]; from?: string } }
  | { tool: 'interact'; input: InteractStep }
  | { tool: 'recall' | 'compose'; input: Record<string, never> }
  | { tool: 'reject'; input: { field: string; value: string | number | boolean; url: string } }

/** One action on a page; see tools/page-actions.ts. */
export type InteractStep = { url: string; from?: string } & (
  | { do: 'more' }
  | { do: 'press'; name: string }
  | { do: 'search'; words: string }
)

export interface ScrapeInput {
  url: string
  /** The page with the link; absent: the URL came from the caller or a search. */
  from?: string
  /** The list item that this page is about. */
  record?: string
}

export interface Effort {
  /** Maximum pages read. */
  pages: number
  /** Parallel steps. */
  breadth: number
  tokens: TokenLimits
}

export const EFFORTS: Readonly<Record<'low' | 'medium' | 'high', Effort>> = {
  low: { pages: 6, breadth: 2, tokens: { reads: 12_000, writes: 2000, total: 100_000 } },
  medium: { pages: 14, breadth: 3, tokens: { reads: 24_000, writes: 4000, total: 400_000 } },
  high: { pages: 40, breadth: 4, tokens: { reads: 32_000, writes: 8000, total: 1_500_000 } },
}

/** Maximum pages for one crawl or extract step. */
export const MOST_CRAWLED = 12
export const MOST_TOGETHER = 10

/** Identifies an interaction, so that it runs once. */
export const interactionKey = ({ url, ...step }: InteractStep): string =>
  [step.do, url, 'name' in step ? step.name : ''].join(' ')

const DOCUMENT = /\.(?:pdf|docx?|xlsx?|ods|odt|rtf|pptx?|odp|epub|csv|tsv)(?:$|[?#])/i
export const isDocument = (url: string): boolean => DOCUMENT.test(url)

export const readStep = (url: string, from?: string, record?: string): PlannedStep => ({
  tool: isDocument(url) ? 'parse' : 'scrape',
  input: { url, ...(from === undefined ? {} : { from }), ...(record === undefined ? {} : { record }) },
})

const SHOW = 'load|show|view|see|mehr|weitere|voir|afficher|charger|ver|mostrar|cargar|carica|mostra'
const ALL = 'more|all|laden|anzeigen|zeigen|plus|más|altr[io]'
/** Names of controls that reveal more of the same. */
export const SHOWS_MORE = new RegExp(`^(?:${SHOW})\\b.*\\b(?:${ALL})\\b|^more\\b`, 'i')
