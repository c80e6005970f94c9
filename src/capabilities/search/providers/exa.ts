// Exa, with a key.
import type { Provider } from '../provider.ts'
import { makeJsonProvider } from './provider-helpers.ts'

export const exa = (key: string): Provider =>
  makeJsonProvider({
    name: 'exa',
    base: 'https://api.exa.ai',
    sources: ['web'],
    perMinute: 60,
    suits: () => 0.95,
    request({ text: query, limit, includeDomains, excludeDomains }, base) {
      const body = {
        ...{ query, numResults: Math.min(limit, 50), contents: { highlights: true } },
        ...(includeDomains.length > 0 ? { includeDomains } : {}),
        ...(excludeDomains.length > 0 ? { excludeDomains } : {}),
      }
      return { url: `${base}/search`, method: 'POST', headers: { 'x-api-key': key }, body: JSON.stringify(body) }
    },
    rows: 'results',
    hit: (hit) => ({
      url: hit.text('url'),
      title: hit.plain('title'),
      snippet: hit.plain('highlights'),
      ...hit.date('publishedDate'),
    }),
  })
