// The operator's own SearXNG instance.
import { DAY_MS } from '../../../base/clock.ts'
import type { Provider } from '../provider.ts'
import {
  dateField,
  fetchJson,
  firstText,
  hitRowsOrThrow,
  htmlToPlainText,
  makeUrl,
  queryWithDomains,
} from './provider-helpers.ts'

const KINDS = { web: 'general', news: 'news', images: 'images' } as const

export const searxng = (base: string): Provider => ({
  name: 'searxng',
  base,
  kind: 'own',
  sources: ['web', 'news', 'images'],
  perMinute: 120,
  suits: () => 1,
  async ask(query, home, web, signal) {
    const { source, lang, from, safe, limit } = query
    const age = from === undefined ? undefined : Date.now() - from
    const span = age === undefined ? undefined : age <= DAY_MS * 1.5 ? 'day' : age <= DAY_MS * 32 ? 'month' : 'year'
    const parameters = {
      q: queryWithDomains(query),
      format: 'json',
      categories: KINDS[source],
      language: lang,
      time_range: span,
      safesearch: safe ? 2 : undefined,
    }
    const answer = await fetchJson(web, { url: makeUrl(home, '/search', parameters) }, signal)
    return hitRowsOrThrow(answer.results)
      .slice(0, limit * 2)
      .map((hit) => ({
        url: firstText(hit.url),
        title: htmlToPlainText(hit.title),
        snippet: htmlToPlainText(hit.content),
        ...dateField(hit.publishedDate),
        ...(firstText(hit.img_src) ? { imageUrl: firstText(hit.img_src) } : {}),
      }))
  },
})
