// What work costs in credits: one table, and the sums it is made for. Pure; who pays is the business of teams/.

export const prices = {
  /** One page, cached or fresh, whatever status the site answered with. A PDF counts each page that was read. */
  page: 1,
  /** Formats that cost extra, once each; those not named here are free. */
  formats: { json: 4, question: 4, highlights: 4, query: 4, audio: 4, video: 4 } as Readonly<Record<string, number>>,
  /** `changeTracking` in its `json` mode extracts as `json` does, and the two together are extracted once. */
  changeTrackingJson: 4,
  redactPiiPerPage: 4,
  /** `checkPromptInjection` of the request, once for a page or document. */
  injectionCheck: 4,
  zeroDataRetentionPerPage: 1,
  /** For each address whose risk was looked up; what a team's own lists decide is free. */
  threatScan: 2,
  /** Asking only the cache costs this in place of the page. */
  lockdown: { hit: 5, miss: 1 },
  /** A map, whatever it finds. */
  map: 1,
  /** A live browser session; the higher price holds for the whole session once it was given a prompt. */
  session: { perMinute: 2, promptedPerMinute: 7 },
  /** For every started ten hits, over all sources together; scraped hits cost what their pages cost. */
  search: { per: 10, credits: 2, zeroDataRetention: 10 },
} as const

export interface PagePriceQuestion {
  formats: readonly { type: string; modes?: readonly string[] }[]
  /** Pages of a PDF that were read; 1 for everything else. */
  pages: number
  redactPii: boolean
  checkInjection?: boolean
  zeroDataRetention: boolean
  /** Undefined: the page may be visited. */
  lockdown: 'hit' | 'miss' | undefined
}

/** The price of one scraped or parsed page. */
export function pagePrice(question: PagePriceQuestion): number {
  const { lockdown, redactPii, zeroDataRetention } = question
  if (lockdown === 'miss') return prices.lockdown.miss
  const pages = Math.max(1, question.pages)
  const base = lockdown === 'hit' ? prices.lockdown.hit + (pages - 1) * prices.page : pages * prices.page
  const perPage =
    (redactPii ? prices.redactPiiPerPage : 0) +
    // Lockdown keeps nothing anyway, so keeping nothing is not charged.
    (zeroDataRetention && lockdown === undefined ? prices.zeroDataRetentionPerPage : 0)
  const check = question.checkInjection ? prices.injectionCheck : 0
  return base + perPage * pages + check + formatsPrice(question.formats)
}

function formatsPrice(formats: PagePriceQuestion['formats']): number {
  const charged = new Map<string, number>()
  for (const { type, modes } of formats) {
    const tracksJson = type === 'changeTracking' && modes?.includes('json')
    const price = tracksJson
      ? prices.changeTrackingJson
      : Object.hasOwn(prices.formats, type)
        ? prices.formats[type]!
        : 0
    charged.set(tracksJson ? 'json' : type, price)
  }
  return [...charged.values()].reduce((sum, price) => sum + price, 0)
}

/** The price of a search, without what scraping its hits costs. */
export const searchPrice = (hits: number, zeroDataRetention = false): number =>
  Math.ceil(hits / prices.search.per) * (zeroDataRetention ? prices.search.zeroDataRetention : prices.search.credits)

/** A live session costs by the second, and a minute at least; whole credits, rounded up. */
export function sessionPrice(ms: number, prompted: boolean): number {
  const perMinute = prompted ? prices.session.promptedPerMinute : prices.session.perMinute
  return Math.ceil((perMinute * Math.max(60_000, ms)) / 60_000)
}

/** The page prices as users read them in docs/credits.md. */
export const pagePriceRows: readonly { what: string; credits: number }[] = [
  { what: 'A page, cached or fresh; each page of a PDF', credits: prices.page },
  ...Object.entries(prices.formats).map(([name, credits]) => ({
    what: `The format \`${name}\`, in addition`,
    credits,
  })),
  { what: '`changeTracking` in its `json` mode, in addition', credits: prices.changeTrackingJson },
  { what: '`redactPII`, per page, in addition', credits: prices.redactPiiPerPage },
  { what: '`checkPromptInjection` of the request, in addition', credits: prices.injectionCheck },
  { what: 'Zero data retention, per page, in addition', credits: prices.zeroDataRetentionPerPage },
  { what: '`lockdown`, when the cache has the page, instead of the page', credits: prices.lockdown.hit },
  { what: '`lockdown`, when the cache does not have it', credits: prices.lockdown.miss },
]
