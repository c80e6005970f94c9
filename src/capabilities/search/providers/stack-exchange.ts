// Stack Exchange: questions of developers, with answers.
import type { Provider } from '../provider.ts'
import {
  dateField,
  fetchJson,
  firstText,
  hitRowsOrThrow,
  htmlToPlainText,
  isAboutCode,
  isLimitedToOtherSites,
  makeUrl,
} from './provider-helpers.ts'

export const stackExchange: Provider = {
  name: 'stack-exchange',
  base: 'https://api.stackexchange.com',
  kind: 'open',
  sources: ['web'],
  perMinute: 20,
  suits: (query) =>
    isLimitedToOtherSites(query, ['stackoverflow.com'])
      ? 0
      : query.categories.includes('developer')
        ? 0.9
        : query.categories.length === 0 && isAboutCode(query)
          ? 0.7
          : 0,
  async ask({ text: q, limit }, base, web, signal) {
    const parameters = { q, site: 'stackoverflow', order: 'desc', sort: 'relevance', pagesize: Math.min(limit, 30) }
    return hitRowsOrThrow(
      (await fetchJson(web, { url: makeUrl(base, '/2.3/search/advanced', parameters) }, signal)).items,
    ).map((item) => ({
      url: firstText(item.link),
      title: htmlToPlainText(item.title),
      snippet: `${String(item.answer_count ?? 0)} answers; ${(Array.isArray(item.tags) ? item.tags : []).join(', ')}`,
      ...dateField(item.last_activity_date),
    }))
  },
}
