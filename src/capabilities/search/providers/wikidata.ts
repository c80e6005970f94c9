// Wikidata: the official site of a named thing.
import type { Provider } from '../provider.ts'
import { address, at, isName, json, list, rows, text } from './http.ts'

export const wikidata: Provider = {
  name: 'wikidata',
  base: 'https://www.wikidata.org',
  kind: 'open',
  sources: ['web'],
  perMinute: 30,
  suits: (query) => (isName(query) && query.categories.length === 0 && query.parsed.sites.length === 0 ? 0.7 : 0),
  async ask({ text: words }, base, web, signal) {
    const found = await json(
      web,
      {
        url: address(base, '/w/api.php', {
          action: 'wbsearchentities',
          format: 'json',
          language: 'en',
          limit: 5,
          search: words,
        }),
      },
      signal,
    )
    const entities = rows(at(found, 'search'))
    const ids = entities.map(({ id }) => text(id)).filter(Boolean)
    if (ids.length === 0) return []
    const facts = await json(
      web,
      {
        url: address(base, '/w/api.php', {
          action: 'wbgetentities',
          format: 'json',
          props: 'claims',
          ids: ids.join('|'),
        }),
      },
      signal,
    )
    return entities.flatMap(({ id, label, description }) => {
      const [site] = list(at(facts, 'entities', text(id), 'claims', 'P856'))
      const url = text(at(site, 'mainsnak', 'datavalue', 'value'))
      return url ? [{ url, title: text(label), snippet: text(description) }] : []
    })
  },
}
