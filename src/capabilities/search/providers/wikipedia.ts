// Wikipedia, in the language of the query: names, places, concepts.
import type { Provider } from '../provider.ts'
import { address, at, isName, json, plain, rows, text, wantsOtherSites } from './http.ts'

export const wikipedia: Provider = {
  name: 'wikipedia',
  base: 'https://en.wikipedia.org',
  kind: 'open',
  sources: ['web'],
  perMinute: 60,
  suits: (query) =>
    wantsOtherSites(query, ['wikipedia.org']) || query.categories.length > 0 ? 0 : isName(query) ? 0.9 : 0.6,
  async ask({ text: words, limit, lang }, base, web, signal) {
    const home =
      lang && /^[a-z]{2,3}$/.test(lang) ? base.replace('//en.wikipedia.org', `//${lang}.wikipedia.org`) : base
    const parameters = {
      action: 'query',
      list: 'search',
      format: 'json',
      srlimit: Math.min(limit, 20),
      srsearch: words,
    }
    const answer = await json(web, { url: address(home, '/w/api.php', parameters) }, signal)
    return rows(at(answer, 'query', 'search')).map(({ title, snippet }) => ({
      url: `${home}/wiki/${encodeURIComponent(text(title).replaceAll(' ', '_'))}`,
      title: text(title),
      snippet: plain(snippet),
    }))
  },
}
