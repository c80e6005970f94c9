// DuckDuckGo's result page for browsers without scripts.
import { type Provider, ProviderError } from '../provider.ts'
import { fetchChecked, findElements, findInside, innerText, makeUrl, queryWithDomains } from './provider-helpers.ts'

function target(href: string): string {
  const url = new URL(href, 'https://duckduckgo.com')
  return url.searchParams.get('uddg') ?? url.href
}

export const duckDuckGo: Provider = {
  name: 'duckduckgo',
  base: 'https://html.duckduckgo.com',
  sources: ['web'],
  perMinute: 10,
  suits: () => 0.8,
  async ask(query, base, web, signal) {
    const ask = { url: makeUrl(base, '/html/', { q: queryWithDomains(query) }), asBrowser: true }
    const { text } = await fetchChecked(web, ask, signal)
    const results = findElements(text, (_name, classes) => classes.includes(' result '))
    if (results.length === 0 && !/no-results|No results/i.test(text))
      throw new ProviderError('changed', 'its page has no results that can be read')
    return results.flatMap((result) => {
      const link = findInside(result, (name, classes) => name === 'a' && classes.includes(' result__a '))
      const href = link?.attribs?.href
      if (!href || /duckduckgo\.com\/y\.js/.test(href)) return []
      const snippet = innerText(findInside(result, (_name, classes) => classes.includes(' result__snippet ')))
      return [{ url: target(href), title: innerText(link), snippet }]
    })
  },
}
