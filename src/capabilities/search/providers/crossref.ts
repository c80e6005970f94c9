// Crossref: published works by their DOI.
import type { Provider } from '../provider.ts'
import { address, at, date, isAboutScience, json, plain, rows, text } from './http.ts'

export const crossref: Provider = {
  name: 'crossref',
  base: 'https://api.crossref.org',
  kind: 'open',
  sources: ['web'],
  perMinute: 30,
  suits: (query) =>
    query.parsed.sites.length > 0 || query.includeDomains.length > 0
      ? 0
      : query.categories.includes('research')
        ? 0.8
        : isAboutScience(query)
          ? 0.35
          : 0,
  async ask({ text: query, limit }, base, web, signal) {
    const answer = await json(web, { url: address(base, '/works', { query, rows: Math.min(limit, 30) }) }, signal)
    return rows(at(answer, 'message', 'items')).map((item) => ({
      url: text(item.URL).replace('http://', 'https://'),
      title: plain(item.title),
      snippet: plain(item.abstract) || text(item['container-title']),
      ...date(text(at(item, 'created', 'date-time'))),
    }))
  },
}
