// Hacker News: what developers link to and talk about.
import type { Provider } from '../provider.ts'
import { address, date, isAboutCode, json, plain, rows, text, wantsOtherSites } from './http.ts'

export const hackerNews: Provider = {
  name: 'hacker-news',
  base: 'https://hn.algolia.com',
  kind: 'open',
  sources: ['web', 'news'],
  perMinute: 60,
  suits: (query) =>
    wantsOtherSites(query, ['news.ycombinator.com']) || query.categories.length > 0
      ? 0
      : isAboutCode(query)
        ? 0.6
        : query.source === 'news'
          ? 0.4
          : 0.2,
  async ask({ text: query, limit, from, until }, base, web, signal) {
    const times = [
      from ? `created_at_i>=${Math.floor(from / 1000)}` : '',
      until ? `created_at_i<=${Math.floor(until / 1000)}` : '',
    ]
    const numericFilters = times.filter(Boolean).join(',')
    const url = address(base, '/api/v1/search', {
      query,
      tags: 'story',
      hitsPerPage: Math.min(limit, 50),
      numericFilters,
    })
    return rows((await json(web, { url }, signal)).hits).map((hit) => ({
      url: text(hit.url) || `https://news.ycombinator.com/item?id=${text(hit.objectID)}`,
      title: text(hit.title),
      snippet: plain(hit.story_text) || `${String(hit.points ?? 0)} points, ${String(hit.num_comments ?? 0)} comments`,
      ...date(hit.created_at_i),
    }))
  },
}
