// The Internet Archive: books, recordings, collections.
import type { Provider } from '../provider.ts'
import { address, at, date, json, plain, rows, text, wantsOtherSites } from './http.ts'

export const internetArchive: Provider = {
  name: 'internet-archive',
  base: 'https://archive.org',
  kind: 'open',
  sources: ['web'],
  perMinute: 20,
  suits: (query) =>
    wantsOtherSites(query, ['archive.org']) || query.categories.length > 0
      ? 0
      : /\b(book|film|recording|archive|magazine|manual)s?\b/i.test(query.text)
        ? 0.6
        : 0.1,
  async ask({ text: q, limit }, base, web, signal) {
    const url = `${address(base, '/advancedsearch.php', { q, rows: Math.min(limit, 30), output: 'json' })}&fl[]=identifier&fl[]=title&fl[]=description&fl[]=publicdate`
    return rows(at(await json(web, { url }, signal), 'response', 'docs')).map((doc) => ({
      url: `https://archive.org/details/${encodeURIComponent(text(doc.identifier))}`,
      title: text(doc.title),
      snippet: plain(doc.description),
      ...date(doc.publicdate),
    }))
  },
}
