// Stack Exchange: questions of developers, with answers.
import { isAboutCode, isLimitedToOtherSites, makeJsonProvider, makeUrl } from './provider-helpers.ts'

export const stackExchange = makeJsonProvider({
  name: 'stack-exchange',
  base: 'https://api.stackexchange.com',
  sources: ['web'],
  perMinute: 20,
  suits: (query) =>
    isLimitedToOtherSites(query, ['stackoverflow.com'])
      ? 0
      : query.categories.includes('developer')
        ? 0.9
        : query.categories.length === 0 && isAboutCode(query)
          ? 0.7
          : 0,
  request({ text: q, limit }, base) {
    const parameters = { q, site: 'stackoverflow', order: 'desc', sort: 'relevance', pagesize: Math.min(limit, 30) }
    return makeUrl(base, '/2.3/search/advanced', parameters)
  },
  rows: 'items',
  hit: (hit) => ({
    url: hit.text('link'),
    title: hit.plain('title'),
    snippet: `${hit.value('answer_count') ?? 0} answers; ${[hit.value('tags') ?? []].flat().join(', ')}`,
    ...hit.date('last_activity_date'),
  }),
})
