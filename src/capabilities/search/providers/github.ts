// GitHub: repositories.
import type { Provider } from '../provider.ts'
import {
  dateField,
  fetchJson,
  firstText,
  hitRowsOrThrow,
  isAboutCode,
  isLimitedToOtherSites,
  makeUrl,
} from './provider-helpers.ts'

export const github: Provider = {
  name: 'github',
  base: 'https://api.github.com',
  kind: 'open',
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
  async ask({ text: words, limit }, base, web, signal) {
    const url = makeUrl(base, '/search/repositories', { q: words, per_page: Math.min(limit, 30) })
    const answer = await fetchJson(web, { url, headers: { accept: 'application/vnd.github+json' } }, signal)
    return hitRowsOrThrow(answer.items).map((item) => ({
      url: firstText(item.html_url),
      title: firstText(item.full_name),
      snippet: firstText(item.description),
      ...dateField(item.pushed_at),
    }))
  },
}
