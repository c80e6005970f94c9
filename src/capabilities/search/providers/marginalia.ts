// Marginalia: an independent index of the small and old web.
import type { Provider } from '../provider.ts'
import { fetchJson, firstText, hitRowsOrThrow, htmlToPlainText } from './provider-helpers.ts'

export const marginalia: Provider = {
  name: 'marginalia',
  base: 'https://api.marginalia.nu',
  kind: 'open',
  sources: ['web'],
  perMinute: 20,
  suits: ({ categories }) => (categories.length > 0 ? 0 : 0.5),
  async ask({ text: words, limit }, base, web, signal) {
    const url = `${base}/public/search/${encodeURIComponent(words)}?count=${Math.min(limit, 50)}`
    return hitRowsOrThrow((await fetchJson(web, { url }, signal)).results).map((hit) => ({
      url: firstText(hit.url),
      title: htmlToPlainText(hit.title),
      snippet: htmlToPlainText(hit.description),
    }))
  },
}
