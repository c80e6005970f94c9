// Wikipedia, in the language of the query: names, places, concepts.
import type { Provider } from '../provider.ts'
import {
  fetchJson,
  firstText,
  hitRowsOrThrow,
  htmlToPlainText,
  isLimitedToOtherSites,
  looksLikeName,
  makeUrl,
  valueAtKeys,
} from './provider-helpers.ts'

export const wikipedia: Provider = {
  name: 'wikipedia',
  base: 'https://en.wikipedia.org',
  kind: 'open',
  sources: ['web'],
  perMinute: 60,
  suits: (query) =>
    isLimitedToOtherSites(query, ['wikipedia.org']) || query.categories.length > 0
      ? 0
      : looksLikeName(query)
        ? 0.9
        : 0.6,
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
    const answer = await fetchJson(web, { url: makeUrl(home, '/w/api.php', parameters) }, signal)
    return hitRowsOrThrow(valueAtKeys(answer, 'query', 'search')).map(({ title, snippet }) => ({
      url: `${home}/wiki/${encodeURIComponent(firstText(title).replaceAll(' ', '_'))}`,
      title: firstText(title),
      snippet: htmlToPlainText(snippet),
    }))
  },
}
