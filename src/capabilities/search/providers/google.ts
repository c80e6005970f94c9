// Google Programmable Search, with a key and a search engine id.
import type { Provider } from '../provider.ts'
import { makeJsonProvider, makeUrl, queryWithDomains } from './provider-helpers.ts'

export const google = (key: string, cx: string): Provider =>
  makeJsonProvider({
    name: 'google',
    base: 'https://www.googleapis.com',
    sources: ['web', 'images'],
    perMinute: 60,
    suits: () => 1,
    request(query, base) {
      const { source, limit, safe } = query
      return makeUrl(base, '/customsearch/v1', {
        key,
        cx,
        q: queryWithDomains(query),
        num: Math.min(limit, 10),
        searchType: source === 'images' ? 'image' : undefined,
        safe: safe ? 'active' : undefined,
      })
    },
    rows: 'items?',
    hit(hit, { source }) {
      const isImage = source === 'images'
      return {
        url: hit.text(isImage ? 'image.contextLink' : 'link'),
        title: hit.plain('title'),
        snippet: hit.plain('snippet'),
        ...(isImage ? { imageUrl: hit.text('link'), ...hit.size('image.width', 'image.height') } : {}),
      }
    },
  })
