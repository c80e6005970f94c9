// Brave Search, with a key.
import type { Provider } from '../provider.ts'
import { makeJsonProvider, makeUrl, queryWithDomains } from './provider-helpers.ts'

export const brave = (key: string): Provider =>
  makeJsonProvider({
    name: 'brave',
    base: 'https://api.search.brave.com',
    sources: ['web', 'news', 'images'],
    perMinute: 60,
    suits: () => 1,
    request(query, base) {
      const { source, limit, country, lang, safe } = query
      const parameters = {
        q: queryWithDomains(query),
        count: Math.min(limit, 20),
        country: country?.slice(0, 2),
        search_lang: lang?.slice(0, 2),
        safesearch: safe ? 'strict' : undefined,
      }
      const headers = { 'x-subscription-token': key, accept: 'application/json' }
      return { url: makeUrl(base, `/res/v1/${source}/search`, parameters), headers }
    },
    rows: ({ source }) => (source === 'web' ? 'web.results?' : 'results?'),
    hit: (hit) => ({
      url: hit.text('url'),
      title: hit.plain('title'),
      snippet: hit.plain('description'),
      ...hit.date('page_age'),
      ...hit.image('properties.url', 'thumbnail.src'),
      ...hit.size('properties.width', 'properties.height'),
    }),
  })
