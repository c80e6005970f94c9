// Wikipedia, in the language of the query: names, places, concepts.
import { isLimitedToOtherSites, looksLikeName, makeJsonProvider, makeUrl } from './provider-helpers.ts'

export const wikipedia = makeJsonProvider({
  name: 'wikipedia',
  base: 'https://en.wikipedia.org',
  sources: ['web'],
  perMinute: 60,
  suits: (query) =>
    isLimitedToOtherSites(query, ['wikipedia.org']) || query.categories.length > 0
      ? 0
      : looksLikeName(query)
        ? 0.9
        : 0.6,
  request({ text: srsearch, limit, lang }, base) {
    const parameters = { action: 'query', list: 'search', format: 'json', srlimit: Math.min(limit, 20), srsearch }
    return makeUrl(homeOf(base, lang), '/w/api.php', parameters)
  },
  rows: 'query.search',
  hit: (hit, { lang }, base) => ({
    url: `${homeOf(base, lang)}/wiki/${encodeURIComponent(hit.text('title').replaceAll(' ', '_'))}`,
    title: hit.text('title'),
    snippet: hit.plain('snippet'),
  }),
})

const homeOf = (base: string, lang: string | undefined): string =>
  lang && /^[a-z]{2,3}$/.test(lang) ? base.replace('//en.wikipedia.org', `//${lang}.wikipedia.org`) : base
