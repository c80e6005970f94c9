// Google Programmable Search, with a key and a search engine id.
import type { Provider } from '../provider.ts'
import {
  fetchJson,
  firstText,
  hitRowsOrThrow,
  htmlToPlainText,
  imageSizeFields,
  makeUrl,
  queryWithDomains,
  valueAtKeys,
} from './provider-helpers.ts'

export const google = (key: string, cx: string): Provider => ({
  name: 'google',
  base: 'https://www.googleapis.com',
  kind: 'own',
  sources: ['web', 'images'],
  perMinute: 60,
  suits: () => 1,
  async ask(query, base, web, signal) {
    const { source, limit, safe } = query
    const parameters = {
      key,
      cx,
      q: queryWithDomains(query),
      num: Math.min(limit, 10),
      searchType: source === 'images' ? 'image' : undefined,
      safe: safe ? 'active' : undefined,
    }
    const answer = await fetchJson(web, { url: makeUrl(base, '/customsearch/v1', parameters) }, signal)
    return hitRowsOrThrow(answer.items ?? []).map((hit) =>
      source === 'images'
        ? {
            url: firstText(valueAtKeys(hit, 'image', 'contextLink')),
            title: htmlToPlainText(hit.title),
            snippet: htmlToPlainText(hit.snippet),
            imageUrl: firstText(hit.link),
            ...imageSizeFields(valueAtKeys(hit, 'image', 'width'), valueAtKeys(hit, 'image', 'height')),
          }
        : { url: firstText(hit.link), title: htmlToPlainText(hit.title), snippet: htmlToPlainText(hit.snippet) },
    )
  },
})
