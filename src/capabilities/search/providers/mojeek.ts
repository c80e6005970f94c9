// Mojeek's result page, an independent index.
import { type Provider, ProviderError } from '../provider.ts'
import { fetchChecked, findElements, findInside, innerText, makeUrl, queryWithDomains } from './provider-helpers.ts'

export const mojeek: Provider = {
  name: 'mojeek',
  base: 'https://www.mojeek.com',
  sources: ['web'],
  perMinute: 10,
  suits: () => 0.65,
  async ask(query, base, web, signal) {
    const ask = { url: makeUrl(base, '/search', { q: queryWithDomains(query) }), asBrowser: true }
    const { text } = await fetchChecked(web, ask, signal)
    const [list] = findElements(text, (name, classes) => name === 'ul' && classes.includes(' results-standard '))
    if (!list) {
      if (/no pages found|No results/i.test(text)) return []
      throw new ProviderError('changed', 'its page has no results that can be read')
    }
    return (list.children ?? []).flatMap((item) => {
      const link = findInside(item, (name, classes) => name === 'a' && classes.includes(' title '))
      const href = link?.attribs?.href
      if (!href) return []
      const snippet = innerText(findInside(item, (name, classes) => name === 'p' && classes.includes(' s ')))
      return [{ url: href, title: innerText(link), snippet }]
    })
  },
}
