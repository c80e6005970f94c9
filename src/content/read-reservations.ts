// Reads what a page or site reserves: X-Robots-Tag, robots meta tags, Content-Usage, and the TDM Reservation Protocol.
// Pure; every statement counts, and a malformed one reserves nothing.
import { parseJson } from '../base/attempt.ts'
import {
  PAGE_USES,
  type PageUse,
  parseContentSignal,
  type Reservation,
  TDM_USES,
  USES_OF_DIRECTIVE,
} from '../base/page-uses.ts'
import { compilePathRules } from './parse-robots.ts'

type Headers = Readonly<Record<string, string>>

/** Directives with a value, which is no user agent's name. */
const VALUED = /^(?:unavailable_after|max-(?:snippet|image-preview|video-preview))$/
const MAX_DIRECTIVE_CHARS = 5000
const MAX_TDM_RULES = 2000

export function readPageReservations(
  headers: Headers,
  metadata: Readonly<Record<string, unknown>>,
  product: string,
): Reservation[] {
  const [robots, tdm] = ['robots', 'tdm-reservation'].map((name) => firstText(metadata[name]))
  const signal = headers['content-usage'] ?? headers['content-signal'] ?? ''
  const refused = [...parseContentSignal(signal)].filter(({ isAllowed }) => !isAllowed).map(({ use }) => use)
  const found: Reservation[] = [
    ...ofDirectives(headers['x-robots-tag'] ?? '', product, 'X-Robots-Tag'),
    ...ofDirectives(robots!, product, 'meta robots'),
    { uses: refused, by: `Content-Usage: ${signal.slice(0, 100)}` },
    { uses: headers['tdm-reservation']?.trim() === '1' ? TDM_USES : [], by: 'tdm-reservation: 1' },
    { uses: tdm === '1' ? TDM_USES : [], by: 'meta tdm-reservation' },
  ]
  return found.filter(({ uses }) => uses.length > 0)
}

/** Directives for other crawlers do not apply. Repeated headers arrive joined, so `noai` counts after any name. */
function* ofDirectives(text: string, product: string, by: string): Generator<Reservation> {
  let isOurs = true
  for (const part of text.slice(0, MAX_DIRECTIVE_CHARS).toLowerCase().split(',')) {
    const [, name, rest] = /^\s*([a-z0-9_.-]+)\s*:(.*)$/.exec(part) ?? []
    const isNamed = name !== undefined && !VALUED.test(name)
    if (isNamed) isOurs = name === '*' || name === product.toLowerCase()
    const directive = (isNamed ? rest! : part).trim()
    const uses = USES_OF_DIRECTIVE.get(directive)
    if (uses && (isOurs || directive === 'noai')) yield { uses, by: `${by}: ${directive}` }
  }
}

/** Address of the terms under which a reserved use may be licensed. */
export function readTdmPolicy(headers: Headers, metadata: Readonly<Record<string, unknown>>): string | undefined {
  const given = firstText(metadata['tdm-policy']) || headers['tdm-policy']?.trim() || ''
  return /^https?:/i.test(given) && URL.canParse(given) ? given.slice(0, 2000) : undefined
}

/** Rules of /.well-known/tdmrep.json; the longest matching location decides. */
export function parseTdmrep(text: string): (url: string) => Reservation[] {
  const read = parseJson(text)
  const entries: unknown[] = Array.isArray(read) ? read.slice(0, MAX_TDM_RULES) : []
  const rules = entries.flatMap((entry) => {
    const { location, 'tdm-reservation': reservation } = (entry ?? {}) as Record<string, unknown>
    const isRule = typeof location === 'string' && location !== '' && (reservation === 0 || reservation === 1)
    return isRule ? [{ allow: reservation === 0, path: location.slice(0, 2000) }] : []
  })
  const { allows } = compilePathRules(rules)
  return (url) => (allows(url) ? [] : [{ uses: TDM_USES, by: '/.well-known/tdmrep.json' }])
}

export const usesOf = (reservations: readonly Reservation[]): PageUse[] =>
  PAGE_USES.filter((use) => reservations.some(({ uses }) => uses.includes(use)))

const firstText = (value: unknown): string => String([value].flat()[0] ?? '').trim()
