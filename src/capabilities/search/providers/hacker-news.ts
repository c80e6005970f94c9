// Hacker News: what developers link to and talk about.
import { isAboutCode, isLimitedToOtherSites, makeJsonProvider, makeUrl } from './provider-helpers.ts'

export const hackerNews = makeJsonProvider({
  name: 'hacker-news',
  base: 'https://hn.algolia.com',
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
  request({ text: query, limit, from, until }, base) {
    const times = [
      from ? `created_at_i>=${Math.floor(from / 1000)}` : '',
      until ? `created_at_i<=${Math.floor(until / 1000)}` : '',
    ]
    const numericFilters = times.filter(Boolean).join(',')
    return makeUrl(base, '/api/v1/search', { query, tags: 'story', hitsPerPage: Math.min(limit, 50), numericFilters })
  },
  rows: 'hits',
  hit: (hit) => ({
    url: hit.text('url') || `https://news.ycombinator.com/item?id=${hit.text('objectID')}`,
    title: hit.text('title'),
    snippet:
      hit.plain('story_text') || `${hit.value('points') ?? 0} points, ${hit.value('num_comments') ?? 0} comments`,
    ...hit.date('created_at_i'),
  }),
})
