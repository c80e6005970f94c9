// Serper, with a key.
import type { Provider } from '../provider.ts'
import { date, json, plain, rows, size, text, withDomains } from './http.ts'

const PATHS = { web: '/search', news: '/news', images: '/images' } as const
const LISTS = { web: 'organic', news: 'news', images: 'images' } as const

export const serper = (key: string): Provider => ({
  name: 'serper',
  base: 'https://google.serper.dev',
  kind: 'own',
  sources: ['web', 'news', 'images'],
  perMinute: 120,
  suits: () => 1,
  async ask(query, base, web, signal) {
    const { source, limit, country, lang } = query
    const body = JSON.stringify({
      q: withDomains(query),
      num: Math.min(limit, 100),
      gl: country?.toLowerCase(),
      hl: lang,
    })
    const answer = await json(
      web,
      { url: base + PATHS[source], method: 'POST', headers: { 'x-api-key': key }, body },
      signal,
    )
    return rows(answer[LISTS[source]] ?? []).map((hit) => ({
      url: text(hit.link),
      title: plain(hit.title),
      snippet: plain(hit.snippet),
      ...date(hit.date),
      ...(text(hit.imageUrl) ? { imageUrl: text(hit.imageUrl) } : {}),
      ...size(hit.imageWidth, hit.imageHeight),
    }))
  },
})
