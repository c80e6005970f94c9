// Limits for endless parts of sites: repeating paths, calendars, filter combinations, changing ids.
import type { ParsedPageUrl } from './url-key.ts'

const MAX_SEGMENTS = 30
const MAX_PARAMETERS = 12
const MAX_CYCLE = 4
const MAX_SAME_SEGMENT = 5

type CrawlTrap = 'REPEATING_PATH' | 'TOO_DEEP_PATH' | 'TOO_MANY_PARAMETERS'

export function findCrawlTrap({ path, query }: ParsedPageUrl): CrawlTrap | undefined {
  if (query.length > MAX_PARAMETERS) return 'TOO_MANY_PARAMETERS'
  const segments = path.split('/').filter(Boolean)
  if (segments.length > MAX_SEGMENTS) return 'TOO_DEEP_PATH'
  return repeats(segments) ? 'REPEATING_PATH' : undefined
}

/** `/x/x/x` and `/a/b/a/b/a/b`: three times in a row. Dates may contain 11 three times. */
function repeats(segments: readonly string[]): boolean {
  for (let cycle = 1; cycle <= MAX_CYCLE; cycle++) {
    let run = 0
    for (let at = cycle; at < segments.length; at++) {
      run = segments[at] === segments[at - cycle] ? run + 1 : 0
      const times = cycle === 1 && /^\d+$/.test(segments[at]!) ? 3 : 2
      if (run >= times * cycle) return true
    }
  }
  const seen = new Map<string, number>()
  for (const segment of segments) {
    const count = (seen.get(segment) ?? 0) + 1
    if (count >= MAX_SAME_SEGMENT) return true
    seen.set(segment, count)
  }
  return false
}

export interface UrlShape {
  pattern: string
  cap: number
  kind: 'calendar' | 'filters' | 'tokens' | 'query'
}

const DATE_PATH = /\/(?:19|20|21)\d\d[/-](?:0?[1-9]|1[0-2])(?:[/-](?:0?[1-9]|[12]\d|3[01]))?\/?$/
const DATE_NAME = /^(?:date|day|month|year|week|start_?date|end_?date|calendar|cal|tribe-bar-date|mini|ical)$/
const DATE_VALUE = /^(?:19|20|21)\d\d-?(?:0[1-9]|1[0-2])(?:-?\d\d)?$/
const TOKEN = /^(?=.*\d)[0-9a-z_-]{20,}$|^[0-9a-f]{16,}$/i

/** A hundred years of months are 1,200 mostly empty pages; two hundred are enough. */
const CALENDAR_CAP = 200
/** Ten filters with ten values each make 10^10 addresses of one list. */
const FILTERS_CAP = 300
const TOKENS_CAP = 500
/** Older forums and shops name every page by a query; `limit` bounds it as well. */
const QUERY_CAP = 5000

export function urlShapeOf({ site, path, query }: ParsedPageUrl): UrlShape | undefined {
  const place = `${site}${path.replace(/\d+/g, '#')}`
  if (query.length === 0)
    return DATE_PATH.test(path) ? { kind: 'calendar', pattern: place, cap: CALENDAR_CAP } : undefined
  const pairs = query.map((piece) => {
    const at = piece.indexOf('=')
    return at < 0
      ? { name: piece.toLowerCase(), value: '' }
      : { name: piece.slice(0, at).toLowerCase(), value: piece.slice(at + 1) }
  })
  const names = pairs.map(({ name }) => name).sort()
  const named = `${place}?${names.join('&')}`
  if (pairs.some(({ name, value }) => DATE_NAME.test(name) || DATE_VALUE.test(value)))
    return { kind: 'calendar', pattern: place, cap: CALENDAR_CAP }
  if (pairs.some(({ value }) => TOKEN.test(value))) return { kind: 'tokens', pattern: named, cap: TOKENS_CAP }
  const words = pairs.filter(({ value }) => !/^\d*$/.test(value)).length
  if (pairs.length > 3 || words > 1) return { kind: 'filters', pattern: `${site}${path}`, cap: FILTERS_CAP }
  return { kind: 'query', pattern: named, cap: QUERY_CAP }
}

const MAX_REMEMBERED = 200_000

export function makeUrlShapeLimiter(): (shape: UrlShape, key: string) => boolean {
  const taken = new Map<string, Set<string>>()
  let remembered = 0
  return ({ kind, pattern, cap }, key) => {
    const name = `${kind} ${pattern}`
    const keys = taken.get(name)
    if (keys?.has(key)) return true
    if ((keys?.size ?? 0) >= cap || remembered >= MAX_REMEMBERED) return false
    if (keys) keys.add(key)
    else taken.set(name, new Set([key]))
    remembered++
    return true
  }
}
