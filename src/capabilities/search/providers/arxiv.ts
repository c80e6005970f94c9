// arXiv: preprints, as Atom.
import { type Provider, ProviderTrouble } from '../provider.ts'
import { address, date, fetchChecked, isAboutScience, plain, wantsOtherSites } from './http.ts'

const part = (entry: string, name: string): string =>
  new RegExp(`<${name}[^>]*>([\\s\\S]{0,20000}?)</${name}>`).exec(entry)?.[1] ?? ''

export const arxiv: Provider = {
  name: 'arxiv',
  base: 'https://export.arxiv.org',
  kind: 'open',
  sources: ['web'],
  perMinute: 15,
  suits: (query) =>
    wantsOtherSites(query, ['arxiv.org'])
      ? 0
      : query.categories.includes('research')
        ? 0.9
        : isAboutScience(query)
          ? 0.5
          : 0,
  async ask({ text: words, limit }, base, web, signal) {
    const query = words
      .split(/\s+/)
      .filter(Boolean)
      .map((word) => `all:${word}`)
      .join(' AND ')
    const { text } = await fetchChecked(
      web,
      { url: address(base, '/api/query', { search_query: query, max_results: Math.min(limit, 30) }) },
      signal,
    )
    if (!text.includes('<feed')) throw new ProviderTrouble('changed', 'its answer is no feed')
    return text
      .split('<entry>')
      .slice(1)
      .map((entry) => ({
        url: plain(part(entry, 'id')).replace('http://', 'https://'),
        title: plain(part(entry, 'title')),
        snippet: plain(part(entry, 'summary')),
        ...date(part(entry, 'published')),
      }))
  },
}
