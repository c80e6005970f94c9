// The Internet Archive: books, recordings, collections.
import { isLimitedToOtherSites, makeJsonProvider, makeUrl } from './provider-helpers.ts'

export const internetArchive = makeJsonProvider({
  name: 'internet-archive',
  base: 'https://archive.org',
  sources: ['web'],
  perMinute: 20,
  suits: (query) =>
    isLimitedToOtherSites(query, ['archive.org']) || query.categories.length > 0
      ? 0
      : /\b(book|film|recording|archive|magazine|manual)s?\b/i.test(query.text)
        ? 0.6
        : 0.1,
  request: ({ text: q, limit }, base) =>
    `${makeUrl(base, '/advancedsearch.php', { q, rows: Math.min(limit, 30), output: 'json' })}&fl[]=identifier&fl[]=title&fl[]=description&fl[]=publicdate`,
  rows: 'response.docs',
  hit: (hit) => ({
    url: `https://archive.org/details/${encodeURIComponent(hit.text('identifier'))}`,
    title: hit.text('title'),
    snippet: hit.plain('description'),
    ...hit.date('publicdate'),
  }),
})
