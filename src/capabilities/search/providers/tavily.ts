// Tavily, with a key.
import type { Provider } from '../provider.ts'
import { dateField, fetchJson, firstText, hitRowsOrThrow, htmlToPlainText } from './provider-helpers.ts'

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
    const answer = await fetchJson(web, { url: `${base}/search`, method: 'POST', headers, body }, signal)
    return hitRowsOrThrow(answer.results).map((hit) => ({
      url: firstText(hit.url),
      title: htmlToPlainText(hit.title),
      snippet: htmlToPlainText(hit.content),
      ...dateField(hit.published_date),
    }))
  },
})
