// GitHub: repositories.
import { isAboutCode, isLimitedToOtherSites, makeJsonProvider, makeUrl } from './provider-helpers.ts'

export const github = makeJsonProvider({
  name: 'github',
  base: 'https://api.github.com',
  sources: ['web'],
  perMinute: 9,
  suits: (query) =>
    isLimitedToOtherSites(query, ['github.com'])
      ? 0
      : query.categories.includes('github')
        ? 1
        : isAboutCode(query)
          ? 0.6
          : 0.1,
  request: ({ text: q, limit }, base) => ({
    url: makeUrl(base, '/search/repositories', { q, per_page: Math.min(limit, 30) }),
    headers: { accept: 'application/vnd.github+json' },
  }),
  rows: 'items',
  hit: (hit) => ({
    url: hit.text('html_url'),
    title: hit.text('full_name'),
    snippet: hit.text('description'),
    ...hit.date('pushed_at'),
  }),
})
