// OpenAlex: scholarly works, where they can be read.
import type { Provider } from '../provider.ts'
import { address, at, date, isAboutScience, json, rows, text } from './http.ts'

export const openAlex: Provider = {
  name: 'openalex',
  base: 'https://api.openalex.org',
  kind: 'open',
  sources: ['web'],
  perMinute: 60,
  suits: (query) =>
    query.parsed.sites.length > 0 || query.includeDomains.length > 0
      ? 0
      : query.categories.includes('research')
        ? 0.95
        : isAboutScience(query)
          ? 0.55
          : 0,
  async ask({ text: search, limit }, base, web, signal) {
    const answer = await json(
      web,
      { url: address(base, '/works', { search, 'per-page': Math.min(limit, 50) }) },
      signal,
    )
    return rows(answer.results).map((work) => ({
      url: text(at(work, 'primary_location', 'landing_page_url')) || text(work.doi) || text(work.id),
      title: text(work.display_name),
      snippet: [text(at(work, 'primary_location', 'source', 'display_name')), String(work.publication_year ?? '')]
        .filter(Boolean)
        .join(', '),
      ...date(work.publication_date),
    }))
  },
}
