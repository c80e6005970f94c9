// Brave Search, with a key.
import type { Provider } from '../provider.ts'
import {
  dateField,
  fetchJson,
  firstText,
  hitRowsOrThrow,
  htmlToPlainText,
  imageSizeFields,
  makeUrl,
  queryWithDomains,
  valueAtKeys,
} from './provider-helpers.ts'

export const brave = (key: string): Provider => ({
  name: 'brave',
  base: 'https://api.search.brave.com',
  kind: 'own',
  sources: ['web', 'news', 'images'],
  perMinute: 60,
  suits: () => 1,
  async ask(query, base, web, signal) {
    const { source, limit, country, lang, safe } = query
    const parameters = {
      q: queryWithDomains(query),
      count: Math.min(limit, 20),
      country: country?.slice(0, 2),
      search_lang: lang?.slice(0, 2),
      safesearch: safe ? 'strict' : undefined,
    }
    const headers = { 'x-subscription-token': key, accept: 'application/json' }
    const answer = await fetchJson(web, { url: makeUrl(base, `/res/v1/${source}/search`, parameters), headers }, signal)
    const results = source === 'web' ? (valueAtKeys(answer, 'web', 'results') ?? []) : (answer.results ?? [])
    return hitRowsOrThrow(results).map((hit) => ({
      url: firstText(hit.url),
      title: htmlToPlainText(hit.title),
      snippet: htmlToPlainText(hit.description),
      ...dateField(hit.page_age),
      ...(firstText(valueAtKeys(hit, 'properties', 'url'))
        ? { imageUrl: firstText(valueAtKeys(hit, 'properties', 'url')) }
        : firstText(valueAtKeys(hit, 'thumbnail', 'src'))
          ? { imageUrl: firstText(valueAtKeys(hit, 'thumbnail', 'src')) }
          : {}),
      ...imageSizeFields(valueAtKeys(hit, 'properties', 'width'), valueAtKeys(hit, 'properties', 'height')),
    }))
  },
})
