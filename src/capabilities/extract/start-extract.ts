// Starts an extraction: a job that scrapes pages for the wanted data; complete-extract.ts merges them after the last page.

import { normalizeTargetUrl } from '../../base/normalize-target-url.ts'
import { Problem } from '../../base/problem.ts'
import type { NewJobPage } from '../../store/frontier-types.ts'
import { newId } from '../../store/id.ts'
import type { RouteCall, Services } from '../route.ts'
import { checkQueueAndCredits, startJob } from '../start-job.ts'
import type { JobSettings } from '../visit-job-page.ts'
import { type ExtractBody, extractScrapeOptions, MAX_EXTRACT_PAGES } from './schema.ts'

const DEFAULT_SITE_PAGES = 25

export const MIN_EXTRACT_CREDITS = 20

export interface StoredExtract extends JobSettings {
  sites: string[]
  /** URLs that the caller named; only their origins get the caller's headers. */
  named?: string[]
  limit: number
  includeSubdomains: boolean
  ignoreSitemap: boolean
  showSources: boolean
  words: string
  /** No schema was given: the fields of the first page are kept for all others. */
  needsSchema?: true
  firstSchema?: Record<string, unknown>
  result?: CompletedExtract
}

export interface CompletedExtract {
  data: unknown
  sources: Record<string, string[]>
  warnings: string[]
  tokens: number
  cost?: number
}

export async function startExtract(services: Services, body: ExtractBody, call: RouteCall) {
  const { clock } = services
  const { caller } = call
  if (caller.zeroDataRetention === 'forced')
    throw new Problem('bad_request', {
      instead: 'Your team has zero data retention enabled. This is not supported on extract.',
    })
  const left = await checkQueueAndCredits(services, call)
  if (left !== null && left < MIN_EXTRACT_CREDITS)
    throw new Problem('no_credit', {
      because: `an extraction needs ${MIN_EXTRACT_CREDITS} remaining credits, and there are ${left}`,
    })
  const { pages, sites, invalidURLs } = sortUrls(body, clock.now())
  const limit = body.limit ?? (sites.length > 0 ? DEFAULT_SITE_PAGES : MAX_EXTRACT_PAGES)
  const hasModel = services.llm.by === 'model'
  const needsSchema = hasModel && !body.schema && (sites.length > 0 || pages.length > 1)
  const settings: StoredExtract = {
    ...(needsSchema ? { needsSchema } : {}),
    plan: caller.plan,
    sites,
    named: [...sites, ...pages.map(({ url }) => url)],
    limit,
    includeSubdomains: body.includeSubdomains,
    ignoreSitemap: body.ignoreSitemap,
    showSources: body.showSources,
    words: [body.prompt ?? '', ...Object.keys((body.schema?.properties as object | undefined) ?? {})].join(' '),
  }
  const warnings = idleOptions(body, hasModel)
  const id = await startJob(
    services,
    call,
    {
      kind: 'extract',
      url: null,
      settings,
      webhook: body.webhook ?? null,
      zeroDataRetention: false,
      pageLimit: limit,
      maxActive: needsSchema ? 1 : null,
      delayMs: 0,
      discovering: sites.length > 0,
      warning: warnings.join(' ') || null,
      options: pageOptions(body, hasModel),
    },
    pages,
  )
  return { id, invalidURLs, warnings }
}

/** Scrape options of each page: the caller's, with the data as the only format. */
function pageOptions(body: ExtractBody, hasModel: boolean): object {
  const { schema, prompt, systemPrompt, scrapeOptions, timeout, threatProtection } = body
  const own = {
    ...(scrapeOptions ?? extractScrapeOptions.parse({})),
    ...(threatProtection ? { threatProtection } : {}),
  }
  // Without a model, every prompt word is searched for on the page, so instructions in the system prompt are left out.
  const words = [prompt, hasModel ? systemPrompt : ''].filter(Boolean).join('\n\n')
  const format = { type: 'json', ...(schema ? { schema } : {}), ...(words ? { prompt: words } : {}) }
  return {
    ...own,
    zeroDataRetention: false,
    formats: [format],
    ...(timeout === undefined ? {} : { timeout: own.timeout ?? timeout }),
  }
}

function sortUrls({ urls = [], ignoreInvalidURLs }: ExtractBody, now: number) {
  const pages: NewJobPage[] = []
  const sites: string[] = []
  const invalidURLs: string[] = []
  for (const given of urls) {
    try {
      if (/\*$/.test(given.trim())) sites.push(normalizeTargetUrl(given.trim().replace(/\*+$/, '')))
      else pages.push({ key: newId(now), url: normalizeTargetUrl(given), depth: 0 })
    } catch (error) {
      if (!ignoreInvalidURLs || !(error instanceof Problem)) throw error
      invalidURLs.push(given)
    }
  }
  if (pages.length + sites.length === 0) throw new Problem('bad_request', { instead: 'No valid URLs provided' })
  return { pages, sites, invalidURLs }
}

function idleOptions(body: ExtractBody, hasModel: boolean): string[] {
  const formats = body.scrapeOptions?.formats ?? []
  return [
    body.enableWebSearch
      ? '`enableWebSearch` has no effect: this build has no web search, and only the given pages and sites were read.'
      : '',
    body.allowExternalLinks ? '`allowExternalLinks` has no effect here: only the given pages and sites are read.' : '',
    body.agent ? '`agent` has no effect here: the pages are read one by one, and nothing is navigated.' : '',
    body.urlTrace ? '`urlTrace` has no effect here; `showSources` returns the source pages of the data.' : '',
    body.systemPrompt && !hasModel
      ? '`systemPrompt` has no effect without a language model (ORB_LLM_URL, ORB_LLM_MODEL).'
      : '',
    formats.some(({ type }) => type !== 'markdown')
      ? '`scrapeOptions.formats` has no effect here: an extraction returns only the data.'
      : '',
  ].filter(Boolean)
}
