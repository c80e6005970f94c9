// Tavily, with a key.
import type { Provider } from '../provider.ts'
import { date, json, plain, rows, text } from './http.ts'

export const tavily = (key: string): Provider => ({
  name: 'tavily',
  base: 'https://api.tavily.com',
  kind: 'own',
  sources: ['web', 'news'],
  perMinute: 60,
  suits: () => 0.95,
  async ask({ text: words, limit, source, includeDomains, excludeDomains }, base, web, signal) {
    const domains = { include_domains: includeDomains, exclude_domains: excludeDomains }
    const body = JSON.stringify({
      query: words,
      max_results: Math.min(limit, 20),
      topic: source === 'news' ? 'news' : 'general',
      ...domains,
    })
    const headers = { authorization: `Bearer ${key}` }
    const answer = await json(web, { url: `${base}/search`, method: 'POST', headers, body }, signal)
    return rows(answer.results).map((hit) => ({
      url: text(hit.url),
      title: plain(hit.title),
      snippet: plain(hit.content),
      ...date(hit.published_date),
    }))
  },
})
