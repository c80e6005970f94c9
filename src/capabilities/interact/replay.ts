// What a session takes over from its scrape: the final URL and the steps.
import { metadataIn } from '../../base/packed-document.ts'
import type { Visit } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import type { ScrapeBody } from '../../scrape/options.ts'
import { planFor } from '../../scrape/plan.ts'
import type { StoredScrape } from '../../store/pages.ts'

export interface Replay {
  visit: Visit
  profile: ScrapeBody['profile']
}

/** Steps that change the page. The caller's scripts are not repeated, and screenshots have no recipient. */
const REPLAYED = new Set(['wait', 'click', 'write', 'press', 'scroll'])

export function replayOf({ options, documentBody }: StoredScrape, maker: string): Replay {
  const body = options as ScrapeBody | null
  if (!body?.url) throw new Problem('no_replay')
  const { url, contentType, sourceFile } = metadataIn(documentBody)
  const isPage = contentType === undefined || /html|xml|text\/plain/.test(String(contentType))
  if (!isPage || sourceFile !== undefined || !/^https?:/.test(String(url))) throw new Problem('no_replay')
  const { visit } = planFor(body, maker)
  const actions = visit.actions.filter(({ type }) => REPLAYED.has(type))
  return { visit: { ...visit, url: String(url), actions }, profile: body.profile }
}

/** The device of a session without a scrape. */
export const freshVisit = (): Visit => ({
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
