// Stack Exchange: questions of developers, with answers.
import type { Provider } from '../provider.ts'
import { address, date, isAboutCode, json, plain, rows, text, wantsOtherSites } from './http.ts'

export const stackExchange: Provider = {
  name: 'stack-exchange',
  base: 'https://api.stackexchange.com',
  kind: 'open',
  sources: ['web'],
  perMinute: 20,
  suits: (query) =>
    wantsOtherSites(query, ['stackoverflow.com'])
      ? 0
      : query.categories.includes('developer')
        ? 0.9
        : query.categories.length === 0 && isAboutCode(query)
          ? 0.7
          : 0,
  async ask({ text: q, limit }, base, web, signal) {
    const parameters = { q, site: 'stackoverflow', order: 'desc', sort: 'relevance', pagesize: Math.min(limit, 30) }
    return rows((await json(web, { url: address(base, '/2.3/search/advanced', parameters) }, signal)).items).map(
      (item) => ({
        url: text(item.link),
        title: plain(item.title),
        snippet: `${String(item.answer_count ?? 0)} answers; ${(Array.isArray(item.tags) ? item.tags : []).join(', ')}`,
        ...date(item.last_activity_date),
      }),
    )
  },
}
