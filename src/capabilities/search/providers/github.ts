// GitHub: repositories.
import type { Provider } from '../provider.ts'
import { address, date, isAboutCode, json, rows, text, wantsOtherSites } from './http.ts'

export const github: Provider = {
  name: 'github',
  base: 'https://api.github.com',
  kind: 'open',
  sources: ['web'],
  perMinute: 9,
  suits: (query) =>
    wantsOtherSites(query, ['github.com'])
      ? 0
      : query.categories.includes('github')
        ? 1
        : isAboutCode(query)
          ? 0.6
          : 0.1,
  async ask({ text: words, limit }, base, web, signal) {
    const url = address(base, '/search/repositories', { q: words, per_page: Math.min(limit, 30) })
    const answer = await json(web, { url, headers: { accept: 'application/vnd.github+json' } }, signal)
    return rows(answer.items).map((item) => ({
      url: text(item.html_url),
      title: text(item.full_name),
      snippet: text(item.description),
      ...date(item.pushed_at),
    }))
  },
}
