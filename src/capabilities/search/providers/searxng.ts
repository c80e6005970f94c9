// The operator's own SearXNG instance.
import type { Provider } from '../provider.ts'
import { address, date, json, plain, rows, text, withDomains } from './http.ts'

const KINDS = { web: 'general', news: 'news', images: 'images' } as const

export const searxng = (base: string): Provider => ({
  name: 'searxng',
  base,
  kind: 'own',
  sources: ['web', 'news', 'images'],
  perMinute: 120,
  suits: () => 1,
  async ask(query, home, web, signal) {
    const { source, lang, from, safe, limit } = query
    const age = from === undefined ? undefined : Date.now() - from
    const span =
      age === undefined ? undefined : age <= 86_400_000 * 1.5 ? 'day' : age <= 86_400_000 * 32 ? 'month' : 'year'
    const parameters = {
      q: withDomains(query),
      format: 'json',
      categories: KINDS[source],
      language: lang,
      time_range: span,
      safesearch: safe ? 2 : undefined,
    }
    const answer = await json(web, { url: address(home, '/search', parameters) }, signal)
    return rows(answer.results)
      .slice(0, limit * 2)
      .map((hit) => ({
        url: text(hit.url),
        title: plain(hit.title),
        snippet: plain(hit.content),
        ...date(hit.publishedDate),
        ...(text(hit.img_src) ? { imageUrl: text(hit.img_src) } : {}),
      }))
  },
})
