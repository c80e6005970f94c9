// What a session takes over from its scrape: the final URL and the steps.
import { readMetadataOfJson } from '../../base/document-json.ts'
import { Problem } from '../../base/problem.ts'
import type { Visit } from '../../base/visit-and-capture-types.ts'
import type { ScrapeBody } from '../../scrape/scrape-options.ts'
import { makeScrapePlan } from '../../scrape/scrape-plan.ts'
import type { StoredScrape } from '../../store/captures-and-scrapes.ts'

/** Steps that change the page. The caller's scripts are not repeated, and screenshots have no recipient. */
const REPLAYED_ACTION_TYPES = new Set(['wait', 'click', 'write', 'press', 'scroll'])

export function sessionStartOfScrape({ options, documentBody }: StoredScrape, maker: string) {
  const body = options as ScrapeBody | null
  if (!body?.url) throw new Problem('no_replay')
  const { url, contentType, sourceFile } = readMetadataOfJson(documentBody)
  const isPage = contentType === undefined || /html|xml|text\/plain/.test(String(contentType))
  if (!isPage || sourceFile !== undefined || !/^https?:/.test(String(url))) throw new Problem('no_replay')
  const { visit } = makeScrapePlan(body, maker)
  const actions = visit.actions.filter(({ type }) => REPLAYED_ACTION_TYPES.has(type))
  return { visit: { ...visit, url: String(url), actions }, profile: body.profile }
}

/** The device of a session without a scrape. */
export const visitOfBlankSession = (): Visit => ({
  url: '',
  headers: {},
  languages: ['en-US', 'en'],
  country: 'US',
  mobile: false,
  blockAds: false,
  waitForMs: 0,
  geolocate: false,
  actions: [],
  skipTlsVerification: true,
  proxy: 'auto',
  cache: { read: false, maxAgeMs: 0, minAgeMs: undefined, only: false },
})
