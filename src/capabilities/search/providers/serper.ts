// Serper, with a key.
import type { Provider } from '../provider.ts'
import {
  dateField,
  fetchJson,
  firstText,
  hitRowsOrThrow,
  htmlToPlainText,
  imageSizeFields,
  queryWithDomains,
} from './provider-helpers.ts'

const PATHS = { web: '/search', news: '/news', images: '/images' } as const
const LISTS = { web: 'organic', news: 'news', images: 'images' } as const

export const serper = (key: string): Provider => ({
  name: 'serper',
  base: 'https://google.serper.dev',
  kind: 'own',
  sources: ['web', 'news', 'images'],
  perMinute: 120,
  suits: () => 1,
  async ask(query, base, web, signal) {
    const { source, limit, country, lang } = query
    const body = JSON.stringify({
      q: queryWithDomains(query),
      num: Math.min(limit, 100),
      gl: country?.toLowerCase(),
      hl: lang,
    })
    const answer = await fetchJson(
      web,
      { url: base + PATHS[source], method: 'POST', headers: { 'x-api-key': key }, body },
      signal,
    )
    return hitRowsOrThrow(answer[LISTS[source]] ?? []).map((hit) => ({
      url: firstText(hit.link),
      title: htmlToPlainText(hit.title),
      snippet: htmlToPlainText(hit.snippet),
      ...dateField(hit.date),
      ...(firstText(hit.imageUrl) ? { imageUrl: firstText(hit.imageUrl) } : {}),
      ...imageSizeFields(hit.imageWidth, hit.imageHeight),
    }))
  },
})
