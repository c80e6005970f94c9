// arXiv: preprints, as Atom.
import { type Provider, ProviderError } from '../provider.ts'
import {
  dateField,
  fetchChecked,
  htmlToPlainText,
  isAboutScience,
  isLimitedToOtherSites,
  makeUrl,
} from './provider-helpers.ts'

const part = (entry: string, name: string): string =>
  new RegExp(`<${name}[^>]*>([\\s\\S]{0,20000}?)</${name}>`).exec(entry)?.[1] ?? ''

export const arxiv: Provider = {
  name: 'arxiv',
  base: 'https://export.arxiv.org',
  sources: ['web'],
  perMinute: 15,
  suits: (query) =>
    isLimitedToOtherSites(query, ['arxiv.org'])
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
      { url: makeUrl(base, '/api/query', { search_query: query, max_results: Math.min(limit, 30) }) },
      signal,
    )
    if (!text.includes('<feed')) throw new ProviderError('changed', 'its answer is no feed')
    return text
      .split('<entry>')
      .slice(1)
      .map((entry) => ({
        url: htmlToPlainText(part(entry, 'id')).replace('http://', 'https://'),
        title: htmlToPlainText(part(entry, 'title')),
        snippet: htmlToPlainText(part(entry, 'summary')),
        ...dateField(part(entry, 'published')),
      }))
  },
}
