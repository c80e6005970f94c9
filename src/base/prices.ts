// Prices in credits and their sums. Charging is in teams/.

export const prices = {
  /** One page, cached or fresh, of any status. Each page read of a PDF counts. */
  page: 1,
  /** Extra cost, once each; other formats are free. */
  formats: { json: 4, question: 4, highlights: 4, query: 4, audio: 4, video: 4 } as Readonly<Record<string, number>>,
  /** `changeTracking` in `json` mode extracts as `json` does; both together are charged once. */
  changeTrackingJson: 4,
  redactPiiPerPage: 4,
  injectionCheck: 4,
  zeroDataRetentionPerPage: 1,
  /** For each address whose risk was looked up; decisions by a team's own lists are free. */
  threatScan: 2,
  /** Replaces the page price when only the cache may answer. */
  lockdown: { hit: 5, miss: 1 },
  map: 1,
  /** After a prompt the higher price applies to the whole session. */
  session: { perMinute: 2, promptedPerMinute: 7 },
  /** For every started ten hits over all sources; scraped hits cost their pages in addition. */
  search: { per: 10, credits: 2, zeroDataRetention: 10 },
} as const

export interface PagePriceInput {
  formats: readonly { type: string; modes?: readonly string[]; extractor?: unknown }[]
  pages: number
  redactPii: boolean
  checkInjection?: boolean
  zeroDataRetention: boolean
  lockdown: 'hit' | 'miss' | undefined
}

export function priceOfPage(question: PagePriceInput): number {
  const { lockdown, redactPii, zeroDataRetention } = question
  if (lockdown === 'miss') return prices.lockdown.miss
  const pages = Math.max(1, question.pages)
  const base = lockdown === 'hit' ? prices.lockdown.hit : pages * prices.page
  const perPage =
    (redactPii ? prices.redactPiiPerPage : 0) +
    // Lockdown stores nothing anyway, so zero data retention is not charged.
    (zeroDataRetention && lockdown === undefined ? prices.zeroDataRetentionPerPage : 0)
  const check = question.checkInjection ? prices.injectionCheck : 0
  return base + perPage * pages + check + formatsPrice(question.formats)
}

function formatsPrice(formats: PagePriceInput['formats']): number {
  const charged = new Map<string, number>()
  for (const { type, modes, extractor } of formats) {
    const tracksJson = type === 'changeTracking' && modes?.includes('json')
    // No model is asked.
    if (extractor !== undefined && (type === 'json' || tracksJson)) continue
    const price = tracksJson
      ? prices.changeTrackingJson
      : Object.hasOwn(prices.formats, type)
        ? prices.formats[type]!
        : 0
    charged.set(tracksJson ? 'json' : type, price)
  }
  return [...charged.values()].reduce((sum, price) => sum + price, 0)
}

export const priceOfSearch = (hits: number, zeroDataRetention = false): number =>
  Math.ceil(hits / prices.search.per) * (zeroDataRetention ? prices.search.zeroDataRetention : prices.search.credits)

/** Charged by the second, at least a minute; rounded up to whole credits. */
export function priceOfSession(ms: number, prompted: boolean): number {
  const perMinute = prompted ? prices.session.promptedPerMinute : prices.session.perMinute
  return Math.ceil((perMinute * Math.max(60_000, ms)) / 60_000)
}

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
