// Wikidata: the official site of a named thing.
import type { Provider } from '../provider.ts'
import {
  fetchJson,
  firstText,
  hitRowsOrThrow,
  looksLikeName,
  makeUrl,
  objectsIn,
  valueAtKeys,
} from './provider-helpers.ts'

export const wikidata: Provider = {
  name: 'wikidata',
  base: 'https://www.wikidata.org',
  kind: 'open',
  sources: ['web'],
  perMinute: 30,
  suits: (query) =>
    looksLikeName(query) && query.categories.length === 0 && query.parsed.sites.length === 0 ? 0.7 : 0,
  async ask({ text: words }, base, web, signal) {
    const found = await fetchJson(
      web,
      {
        url: makeUrl(base, '/w/api.php', {
          action: 'wbsearchentities',
          format: 'json',
          language: 'en',
          limit: 5,
          search: words,
        }),
      },
      signal,
    )
    const entities = hitRowsOrThrow(valueAtKeys(found, 'search'))
    const ids = entities.map(({ id }) => firstText(id)).filter(Boolean)
    if (ids.length === 0) return []
    const facts = await fetchJson(
      web,
      {
        url: makeUrl(base, '/w/api.php', {
          action: 'wbgetentities',
          format: 'json',
          props: 'claims',
          ids: ids.join('|'),
        }),
      },
      signal,
    )
    return entities.flatMap(({ id, label, description }) => {
      const [site] = objectsIn(valueAtKeys(facts, 'entities', firstText(id), 'claims', 'P856'))
      const url = firstText(valueAtKeys(site, 'mainsnak', 'datavalue', 'value'))
      return url ? [{ url, title: firstText(label), snippet: firstText(description) }] : []
    })
  },
}
