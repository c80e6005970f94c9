// Exa, with a key.
import type { Provider } from '../provider.ts'
import { date, json, plain, rows, text } from './http.ts'

export const exa = (key: string): Provider => ({
  name: 'exa',
  base: 'https://api.exa.ai',
  kind: 'own',
  sources: ['web'],
  perMinute: 60,
  suits: () => 0.95,
  async ask({ text: query, limit, includeDomains, excludeDomains }, base, web, signal) {
    const domains = {
      ...(includeDomains.length > 0 ? { includeDomains } : {}),
      ...(excludeDomains.length > 0 ? { excludeDomains } : {}),
    }
    const body = JSON.stringify({ query, numResults: Math.min(limit, 50), contents: { highlights: true }, ...domains })
    const answer = await json(
      web,
      { url: `${base}/search`, method: 'POST', headers: { 'x-api-key': key }, body },
      signal,
    )
    return rows(answer.results).map((hit) => ({
      url: text(hit.url),
      title: plain(hit.title),
      snippet: plain(hit.highlights),
      ...date(hit.publishedDate),
    }))
  },
})
