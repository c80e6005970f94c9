// Wikidata: the official site of a named thing.
import type { Provider } from '../provider.ts'
import { fetchJson, hitRowsOrThrow, looksLikeName, makeUrl, readJsonHit } from './provider-helpers.ts'

export const wikidata: Provider = {
  name: 'wikidata',
  base: 'https://www.wikidata.org',
  sources: ['web'],
  perMinute: 30,
  suits: (query) =>
    looksLikeName(query) && query.categories.length === 0 && query.parsed.sites.length === 0 ? 0.7 : 0,
  async ask({ text: search }, base, web, signal) {
    const ask = async (parameters: Record<string, string | number>) =>
      readJsonHit(await fetchJson(web, { url: makeUrl(base, '/w/api.php', { format: 'json', ...parameters }) }, signal))
    const found = await ask({ action: 'wbsearchentities', language: 'en', limit: 5, search })
    const entities = hitRowsOrThrow(found.value('search')).map(readJsonHit)
    const ids = entities.map((entity) => entity.text('id')).filter(Boolean)
    if (ids.length === 0) return []
    const facts = await ask({ action: 'wbgetentities', props: 'claims', ids: ids.join('|') })
    return entities.flatMap((entity) => {
      const [site] = [facts.value(`entities.${entity.text('id')}.claims.P856`)].flat()
      const url = readJsonHit(site).text('mainsnak.datavalue.value')
      return url ? [{ url, title: entity.text('label'), snippet: entity.text('description') }] : []
    })
  },
}
