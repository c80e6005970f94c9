// Crossref: published works by their DOI.
import type { Provider } from '../provider.ts'
import {
  dateField,
  fetchJson,
  firstText,
  hitRowsOrThrow,
  htmlToPlainText,
  isAboutScience,
  makeUrl,
  valueAtKeys,
} from './provider-helpers.ts'

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
    const answer = await fetchJson(web, { url: makeUrl(base, '/works', { query, rows: Math.min(limit, 30) }) }, signal)
    return hitRowsOrThrow(valueAtKeys(answer, 'message', 'items')).map((item) => ({
      url: firstText(item.URL).replace('http://', 'https://'),
      title: htmlToPlainText(item.title),
      snippet: htmlToPlainText(item.abstract) || firstText(item['container-title']),
      ...dateField(firstText(valueAtKeys(item, 'created', 'date-time'))),
    }))
  },
}
