// OpenAlex: scholarly works, where they can be read.
import type { Provider } from '../provider.ts'
import {
  dateField,
  fetchJson,
  firstText,
  hitRowsOrThrow,
  isAboutScience,
  makeUrl,
  valueAtKeys,
} from './provider-helpers.ts'

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
    const answer = await fetchJson(
      web,
      { url: makeUrl(base, '/works', { search, 'per-page': Math.min(limit, 50) }) },
      signal,
    )
    return hitRowsOrThrow(answer.results).map((work) => ({
      url:
        firstText(valueAtKeys(work, 'primary_location', 'landing_page_url')) ||
        firstText(work.doi) ||
        firstText(work.id),
      title: firstText(work.display_name),
      snippet: [
        firstText(valueAtKeys(work, 'primary_location', 'source', 'display_name')),
        String(work.publication_year ?? ''),
      ]
        .filter(Boolean)
        .join(', '),
      ...dateField(work.publication_date),
    }))
  },
}
