// GDELT: news of the whole world.
import type { Provider } from '../provider.ts'
import { address, date, json, rows, text } from './http.ts'

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
    const answer = await json(web, { url: address(base, '/api/v2/doc/doc', parameters) }, signal)
    // Without a hit there is no list.
    return rows(answer.articles ?? []).map((article) => ({
      url: text(article.url),
      title: text(article.title),
      snippet: [text(article.domain), text(article.sourcecountry)].filter(Boolean).join(', '),
      ...date(text(article.seendate).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')),
      ...(text(article.socialimage) ? { imageUrl: text(article.socialimage) } : {}),
    }))
  },
}
