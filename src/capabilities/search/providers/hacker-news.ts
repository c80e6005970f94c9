// Hacker News: what developers link to and talk about.
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

export const hackerNews: Provider = {
  name: 'hacker-news',
  base: 'https://hn.algolia.com',
  kind: 'open',
  sources: ['web', 'news'],
  perMinute: 60,
  suits: (query) =>
    isLimitedToOtherSites(query, ['news.ycombinator.com']) || query.categories.length > 0
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
    const url = makeUrl(base, '/api/v1/search', {
      query,
      tags: 'story',
      hitsPerPage: Math.min(limit, 50),
      numericFilters,
    })
    return hitRowsOrThrow((await fetchJson(web, { url }, signal)).hits).map((hit) => ({
      url: firstText(hit.url) || `https://news.ycombinator.com/item?id=${firstText(hit.objectID)}`,
      title: firstText(hit.title),
      snippet:
        htmlToPlainText(hit.story_text) ||
        `${String(hit.points ?? 0)} points, ${String(hit.num_comments ?? 0)} comments`,
      ...dateField(hit.created_at_i),
    }))
  },
}
