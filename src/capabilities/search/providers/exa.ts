// Exa, with a key.
import type { Provider } from '../provider.ts'
import { dateField, fetchJson, firstText, hitRowsOrThrow, htmlToPlainText } from './provider-helpers.ts'

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
    const answer = await fetchJson(
      web,
      { url: `${base}/search`, method: 'POST', headers: { 'x-api-key': key }, body },
      signal,
    )
    return hitRowsOrThrow(answer.results).map((hit) => ({
      url: firstText(hit.url),
      title: htmlToPlainText(hit.title),
      snippet: htmlToPlainText(hit.highlights),
      ...dateField(hit.publishedDate),
    }))
  },
})
