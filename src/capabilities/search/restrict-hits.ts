// Checks provider hits against the caller's limits, because not every provider supports operators.
import { fits, isBelow, placeOf } from '../../search/engine/query.ts'
import { categoryOf } from './categories.ts'
import type { SearchCandidate } from './fuse.ts'
import type { ProviderQuery } from './provider.ts'

export function isAllowed(hit: SearchCandidate, query: ProviderQuery): boolean {
  const { includeDomains, excludeDomains, categories, parsed, from, until } = query
  const isOn = (domain: string) => {
    const place = placeOf(domain)
    return place !== undefined && isBelow(hit.url, place)
  }
  if (includeDomains.length > 0 && !includeDomains.some(isOn)) return false
  if (excludeDomains.some(isOn)) return false
  if (categories.length > 0 && categoryOf(hit.url, categories) === undefined) return false
  const extension = /\.([a-z0-9]{2,5})$/i.exec(new URL(hit.url).pathname)?.[1]?.toLowerCase() ?? ''
  if (parsed.types.length > 0 && !parsed.types.includes(extension)) return false
  if (parsed.withoutTypes.includes(extension)) return false
  if (hit.date !== undefined && ((from !== undefined && hit.date < from) || (until !== undefined && hit.date > until)))
    return false
  // A snippet is not the page: required words may occur outside of it.
  const page = { url: hit.url, title: hit.title, text: hit.description }
  return fits({ ...parsed, phrases: [] }, page)
}
