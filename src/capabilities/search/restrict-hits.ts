// Checks provider hits against the caller's limits, because not every provider supports operators.
import { matchesQueryOperators, matchesSiteOperator, parseSiteOperator } from '../../search/engine/parse-query.ts'
import { findCategoryOfUrl } from './categories.ts'
import type { SearchCandidate } from './fuse-hits.ts'
import type { ProviderQuery } from './provider.ts'

export function isHitAllowed(hit: SearchCandidate, query: ProviderQuery): boolean {
  const { includeDomains, excludeDomains, categories, parsed, from, until } = query
  const isOn = (domain: string) => {
    const place = parseSiteOperator(domain)
    return place !== undefined && matchesSiteOperator(hit.url, place)
  }
  if (includeDomains.length > 0 && !includeDomains.some(isOn)) return false
  if (excludeDomains.some(isOn)) return false
  if (categories.length > 0 && findCategoryOfUrl(hit.url, categories) === undefined) return false
  const extension = /\.([a-z0-9]{2,5})$/i.exec(new URL(hit.url).pathname)?.[1]?.toLowerCase() ?? ''
  if (parsed.types.length > 0 && !parsed.types.includes(extension)) return false
  if (parsed.withoutTypes.includes(extension)) return false
  if (hit.date !== undefined && ((from !== undefined && hit.date < from) || (until !== undefined && hit.date > until)))
    return false
  // A snippet is not the page: required words may occur outside of it.
  const page = { url: hit.url, title: hit.title, text: hit.description }
  return matchesQueryOperators({ ...parsed, phrases: [] }, page)
}
