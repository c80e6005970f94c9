// Tavily, with a key.
import type { Provider } from '../provider.ts'
import { makeJsonProvider } from './provider-helpers.ts'

export const tavily = (key: string): Provider =>
  makeJsonProvider({
    name: 'tavily',
    base: 'https://api.tavily.com',
    sources: ['web', 'news'],
    perMinute: 60,
    suits: () => 0.95,
    request({ text: query, limit, source, includeDomains, excludeDomains }, base) {
      const topic = source === 'news' ? 'news' : 'general'
      const domains = { include_domains: includeDomains, exclude_domains: excludeDomains }
      const body = JSON.stringify({ query, max_results: Math.min(limit, 20), topic, ...domains })
      return { url: `${base}/search`, method: 'POST', headers: { authorization: `Bearer ${key}` }, body }
    },
    rows: 'results',
    hit: (hit) => ({
      url: hit.text('url'),
      title: hit.plain('title'),
      snippet: hit.plain('content'),
      ...hit.date('published_date'),
    }),
  })
