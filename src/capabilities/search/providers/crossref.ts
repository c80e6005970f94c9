// Crossref: published works by their DOI.
import { isAboutScience, makeJsonProvider, makeUrl } from './provider-helpers.ts'

export const crossref = makeJsonProvider({
  name: 'crossref',
  base: 'https://api.crossref.org',
  sources: ['web'],
  perMinute: 30,
  suits: (query) =>
    query.parsed.sites.length > 0 || query.includeDomains.length > 0
      ? 0
      : query.categories.includes('research')
        ? 0.8
        : isAboutScience(query)
          ? 0.35
          : 0,
  request: ({ text: query, limit }, base) => makeUrl(base, '/works', { query, rows: Math.min(limit, 30) }),
  rows: 'message.items',
  hit: (hit) => ({
    url: hit.text('URL').replace('http://', 'https://'),
    title: hit.plain('title'),
    snippet: hit.plain('abstract') || hit.text('container-title'),
    ...hit.date('created.date-time'),
  }),
})
