// GDELT: news of the whole world.
import { dateField, makeJsonProvider, makeUrl } from './provider-helpers.ts'

const stamp = (when: number): string => new Date(when).toISOString().replace(/\D/g, '').slice(0, 14)

export const gdelt = makeJsonProvider({
  name: 'gdelt',
  base: 'https://api.gdeltproject.org',
  sources: ['news'],
  perMinute: 10,
  suits: () => 0.9,
  request({ text: query, limit, from, until }, base) {
    const times = { startdatetime: from && stamp(from), enddatetime: until && stamp(until) }
    const most = { sort: 'hybridrel', maxrecords: Math.min(limit, 75) }
    return makeUrl(base, '/api/v2/doc/doc', { query, mode: 'artlist', format: 'json', ...most, ...times })
  },
  rows: 'articles?',
  hit: (hit) => ({
    url: hit.text('url'),
    title: hit.text('title'),
    snippet: [hit.text('domain'), hit.text('sourcecountry')].filter(Boolean).join(', '),
    ...dateField(hit.text('seendate').replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')),
    ...hit.image('socialimage'),
  }),
})
