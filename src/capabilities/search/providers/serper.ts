// Serper, with a key.
import type { Provider } from '../provider.ts'
import { makeJsonProvider, queryWithDomains } from './provider-helpers.ts'

const PATHS = { web: '/search', news: '/news', images: '/images' } as const
const LISTS = { web: 'organic?', news: 'news?', images: 'images?' } as const

export const serper = (key: string): Provider =>
  makeJsonProvider({
    name: 'serper',
    base: 'https://google.serper.dev',
    sources: ['web', 'news', 'images'],
    perMinute: 120,
    suits: () => 1,
    request(query, base) {
      const { source, limit, country, lang } = query
      const body = { q: queryWithDomains(query), num: Math.min(limit, 100), gl: country?.toLowerCase(), hl: lang }
      const headers = { 'x-api-key': key }
      return { url: base + PATHS[source], method: 'POST', headers, body: JSON.stringify(body) }
    },
    rows: ({ source }) => LISTS[source],
    hit: (hit) => ({
      url: hit.text('link'),
      title: hit.plain('title'),
      snippet: hit.plain('snippet'),
      ...hit.date('date'),
      ...hit.image('imageUrl'),
      ...hit.size('imageWidth', 'imageHeight'),
    }),
  })
