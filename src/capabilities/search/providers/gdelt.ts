// GDELT: news of the whole world.
import type { Provider } from '../provider.ts'
import { dateField, fetchJson, firstText, hitRowsOrThrow, makeUrl } from './provider-helpers.ts'

const stamp = (when: number): string => new Date(when).toISOString().replace(/\D/g, '').slice(0, 14)

export const gdelt: Provider = {
  name: 'gdelt',
  base: 'https://api.gdeltproject.org',
  kind: 'open',
  sources: ['news'],
  perMinute: 10,
  suits: () => 0.9,
  async ask({ text: query, limit, from, until }, base, web, signal) {
    const times = { startdatetime: from && stamp(from), enddatetime: until && stamp(until) }
    const parameters = {
      query,
      mode: 'artlist',
      format: 'json',
      sort: 'hybridrel',
      maxrecords: Math.min(limit, 75),
      ...times,
    }
    const answer = await fetchJson(web, { url: makeUrl(base, '/api/v2/doc/doc', parameters) }, signal)
    // Without a hit there is no list.
    return hitRowsOrThrow(answer.articles ?? []).map((article) => ({
      url: firstText(article.url),
      title: firstText(article.title),
      snippet: [firstText(article.domain), firstText(article.sourcecountry)].filter(Boolean).join(', '),
      ...dateField(
        firstText(article.seendate).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
      ),
      ...(firstText(article.socialimage) ? { imageUrl: firstText(article.socialimage) } : {}),
    }))
  },
}
