// Brave Search, with a key.
import type { Provider } from '../provider.ts'
import { address, at, date, json, plain, rows, size, text, withDomains } from './http.ts'

export const brave = (key: string): Provider => ({
  name: 'brave',
  base: 'https://api.search.brave.com',
  kind: 'own',
  sources: ['web', 'news', 'images'],
  perMinute: 60,
  suits: () => 1,
  async ask(query, base, web, signal) {
    const { source, limit, country, lang, safe } = query
    const parameters = {
      q: withDomains(query),
      count: Math.min(limit, 20),
      country: country?.slice(0, 2),
      search_lang: lang?.slice(0, 2),
      safesearch: safe ? 'strict' : undefined,
    }
    const headers = { 'x-subscription-token': key, accept: 'application/json' }
    const answer = await json(web, { url: address(base, `/res/v1/${source}/search`, parameters), headers }, signal)
    const results = source === 'web' ? (at(answer, 'web', 'results') ?? []) : (answer.results ?? [])
    return rows(results).map((hit) => ({
      url: text(hit.url),
      title: plain(hit.title),
      snippet: plain(hit.description),
      ...date(hit.page_age),
      ...(text(at(hit, 'properties', 'url'))
        ? { imageUrl: text(at(hit, 'properties', 'url')) }
        : text(at(hit, 'thumbnail', 'src'))
          ? { imageUrl: text(at(hit, 'thumbnail', 'src')) }
          : {}),
      ...size(at(hit, 'properties', 'width'), at(hit, 'properties', 'height')),
    }))
  },
})
