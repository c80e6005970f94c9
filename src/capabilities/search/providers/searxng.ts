// The operator's own SearXNG instance.
import { DAY_MS } from '../../../base/clock.ts'
import type { Provider } from '../provider.ts'
import { makeJsonProvider, makeUrl, queryWithDomains } from './provider-helpers.ts'

const KINDS = { web: 'general', news: 'news', images: 'images' } as const

export const searxng = (home: string): Provider =>
  makeJsonProvider({
    name: 'searxng',
    base: home,
    sources: ['web', 'news', 'images'],
    perMinute: 120,
    suits: () => 1,
    request(query, base) {
      const { source, lang, from, safe } = query
      const age = from === undefined ? undefined : Date.now() - from
      const span = age === undefined ? undefined : age <= DAY_MS * 1.5 ? 'day' : age <= DAY_MS * 32 ? 'month' : 'year'
      return makeUrl(base, '/search', {
        q: queryWithDomains(query),
        format: 'json',
        categories: KINDS[source],
        language: lang,
        time_range: span,
        safesearch: safe ? 2 : undefined,
      })
    },
    rows: 'results',
    hit: (hit) => ({
      url: hit.text('url'),
      title: hit.plain('title'),
      snippet: hit.plain('content'),
      ...hit.date('publishedDate'),
      ...hit.image('img_src'),
    }),
  })
