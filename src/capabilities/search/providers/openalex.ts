// OpenAlex: scholarly works, where they can be read.
import { isAboutScience, makeJsonProvider, makeUrl } from './provider-helpers.ts'

export const openAlex = makeJsonProvider({
  name: 'openalex',
  base: 'https://api.openalex.org',
  sources: ['web'],
  perMinute: 60,
  suits: (query) =>
    query.parsed.sites.length > 0 || query.includeDomains.length > 0
      ? 0
      : query.categories.includes('research')
        ? 0.95
        : isAboutScience(query)
          ? 0.55
          : 0,
  request: ({ text: search, limit }, base) => makeUrl(base, '/works', { search, 'per-page': Math.min(limit, 50) }),
  rows: 'results',
  hit: (hit) => ({
    url: hit.text('primary_location.landing_page_url') || hit.text('doi') || hit.text('id'),
    title: hit.text('display_name'),
    snippet: [hit.text('primary_location.source.display_name'), hit.value('publication_year')]
      .filter(Boolean)
      .join(', '),
    ...hit.date('publication_date'),
  }),
})
