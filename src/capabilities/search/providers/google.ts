// Google Programmable Search, with a key and a search engine id.
import type { Provider } from '../provider.ts'
import { address, at, json, plain, rows, size, text, withDomains } from './http.ts'

export const google = (key: string, cx: string): Provider => ({
  name: 'google',
  base: 'https://www.googleapis.com',
  kind: 'own',
  sources: ['web', 'images'],
  perMinute: 60,
  suits: () => 1,
  async ask(query, base, web, signal) {
    const { source, limit, safe } = query
    const parameters = {
      key,
      cx,
      q: withDomains(query),
      num: Math.min(limit, 10),
      searchType: source === 'images' ? 'image' : undefined,
      safe: safe ? 'active' : undefined,
    }
    const answer = await json(web, { url: address(base, '/customsearch/v1', parameters) }, signal)
    return rows(answer.items ?? []).map((hit) =>
      source === 'images'
        ? {
            url: text(at(hit, 'image', 'contextLink')),
            title: plain(hit.title),
            snippet: plain(hit.snippet),
            imageUrl: text(hit.link),
            ...size(at(hit, 'image', 'width'), at(hit, 'image', 'height')),
          }
        : { url: text(hit.link), title: plain(hit.title), snippet: plain(hit.snippet) },
    )
  },
})
