// The steps that a run may take, by tool name, and the limits of each effort.
import type { TokenLimits } from '../../llm/token-budget.ts'

export type PlannedStep =
  | { tool: 'search'; input: { query: string } }
  | { tool: 'map'; input: { url: string; search: string } }
  | { tool: 'scrape' | 'parse'; input: ScrapeInput }
  | { tool: 'crawl'; input: { url: string; limit: number; from?: string } }
  | { tool: 'extract'; input: { urls: string[]; from?: string } }
  | { tool: 'interact'; input: InteractStep }
  | { tool: 'recall' | 'compose'; input: Record<string, never> }
  | { tool: 'reject'; input: { field: string; value: string | number | boolean; url: string } }

/** One action on a page; see tools/run-page-action.ts. */
export type InteractStep = { url: string; from?: string } & (
  | { do: 'more' }
  | { do: 'press'; name: string }
  | { do: 'search'; words: string }
)

export interface ScrapeInput {
  url: string
  /** The page with the link; absent: the URL came from the caller or a search. */
  from?: string
  record?: string
}

export interface EffortLimits {
  pages: number
  /** Parallel steps. */
  breadth: number
  tokens: TokenLimits
}

export const EFFORT_LIMITS: Readonly<Record<'low' | 'medium' | 'high', EffortLimits>> = {
  low: { pages: 6, breadth: 2, tokens: { reads: 12_000, writes: 2000, total: 100_000 } },
  medium: { pages: 14, breadth: 3, tokens: { reads: 24_000, writes: 4000, total: 400_000 } },
  high: { pages: 40, breadth: 4, tokens: { reads: 32_000, writes: 8000, total: 1_500_000 } },
}

/** What a run waits for a page: less than a scrape, because it reads several. A site that is silent then is left alone. */
export const PAGE_SECONDS = 45
/** Documents and pictures, which may have to be read by OCR. */
export const DOCUMENT_SECONDS = 120

export const MAX_CRAWLED_PAGES = 12
export const MAX_PAGES_PER_EXTRACT = 10

/** Identifies an interaction, so that it runs once. */
export const interactionKey = ({ url, ...step }: InteractStep): string =>
  [step.do, url, 'name' in step ? step.name : ''].join(' ')

const DOCUMENT = /\.(?:pdf|docx?|xlsx?|ods|odt|rtf|pptx?|odp|epub|csv|tsv)(?:$|[?#])/i
export const isDocumentUrl = (url: string): boolean => DOCUMENT.test(url)

export const makeReadStep = (url: string, from?: string, record?: string): PlannedStep => ({
  tool: isDocumentUrl(url) ? 'parse' : 'scrape',
  input: { url, ...(from === undefined ? {} : { from }), ...(record === undefined ? {} : { record }) },
})

const SHOW = 'load|show|view|see|mehr|weitere|voir|afficher|charger|ver|mostrar|cargar|carica|mostra'
const ALL = 'more|all|laden|anzeigen|zeigen|plus|más|altr[io]'
export const SHOW_MORE_BUTTON = new RegExp(`^(?:${SHOW})\\b.*\\b(?:${ALL})\\b|^more\\b`, 'i')
