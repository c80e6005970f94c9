// The Internet Archive: books, recordings, collections.
import type { Provider } from '../provider.ts'
import {
  dateField,
  fetchJson,
  firstText,
  hitRowsOrThrow,
  htmlToPlainText,
  isLimitedToOtherSites,
  makeUrl,
  valueAtKeys,
} from './provider-helpers.ts'

export const internetArchive: Provider = {
  name: 'internet-archive',
  base: 'https://archive.org',
  kind: 'open',
  sources: ['web'],
  perMinute: 20,
  suits: (query) =>
    isLimitedToOtherSites(query, ['archive.org']) || query.categories.length > 0
      ? 0
      : /\b(book|film|recording|archive|magazine|manual)s?\b/i.test(query.text)
        ? 0.6
        : 0.1,
  async ask({ text: q, limit }, base, web, signal) {
    const url = `${makeUrl(base, '/advancedsearch.php', { q, rows: Math.min(limit, 30), output: 'json' })}&fl[]=identifier&fl[]=title&fl[]=description&fl[]=publicdate`
    return hitRowsOrThrow(valueAtKeys(await fetchJson(web, { url }, signal), 'response', 'docs')).map((doc) => ({
      url: `https://archive.org/details/${encodeURIComponent(firstText(doc.identifier))}`,
      title: firstText(doc.title),
      snippet: htmlToPlainText(doc.description),
      ...dateField(doc.publicdate),
    }))
  },
}
