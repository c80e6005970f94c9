// Parses robots.txt per RFC 9309, with Content-Signal. Pure; site/fetch-robots.ts fetches it and handles missing or
// broken files.
import { PAGE_USES, type PageUse, parseContentSignal } from '../base/page-uses.ts'

interface RobotsRules {
  allows(url: string): boolean
  /** Uses that `Content-Signal` refuses for the page. */
  reserves(url: string): PageUse[]
  crawlDelay: number | undefined
  sitemaps: readonly string[]
  warnings: readonly string[]
}

/** RFC 9309 2.5: the minimum a crawler must read; the rest is ignored. */
export const MAX_ROBOTS_BYTES = 500 * 1024
/** Wildcard rules are tested one by one; 2,000 take about 2 ms per address. */
const MAX_WILD_RULES = 2000
const MAX_RULE_CHARS = 2000
const MAX_SITEMAPS = 200
const MAX_DELAY_DIGITS = 20

type Rule = { allow: boolean; path: string }

type Group = { agents: string[]; rules: Rule[]; signals: (Rule & { use: PageUse })[]; delay: number | undefined }

export function parseRobots(text: string, agent: string): RobotsRules {
  const { groups, sitemaps } = parse(text)
  const wanted = agent.toLowerCase()
  const named = groups.filter(({ agents }) => agents.includes(wanted))
  const mine = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'))
  const rules = mine.flatMap((group) => group.rules)
  const { allows, warnings } = compilePathRules(rules)
  const signals = mine.flatMap((group) => group.signals)
  const byUse = PAGE_USES.map((use) => ({ use, ...compilePathRules(signals.filter((signal) => signal.use === use)) }))
  const reserves = (url: string) => byUse.filter((one) => !one.allows(url)).map(({ use }) => use)
  return { allows, reserves, crawlDelay: mine.find(({ delay }) => delay !== undefined)?.delay, sitemaps, warnings }
}

/** HTML instead of rules: an error page or a single-page app. */
export const looksLikeMarkup = (text: string): boolean =>
  /^\s*<(?:!doctype|html|head|body|\?xml|!--)/i.test(text.slice(0, 1000))

function parse(text: string): { groups: Group[]; sitemaps: string[] } {
  const groups: Group[] = []
  const sitemaps: string[] = []
  /** Sites write Content-Signal above the groups too. */
  const everyone = newGroup(['*'])
  let group: Group | undefined
  let naming = false
  for (const line of lines(text)) {
    const colon = line.indexOf(':')
    if (colon < 0) continue
    const field = line.slice(0, colon).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (field === 'user-agent') {
      if (!group || !naming) {
        group = newGroup([])
        groups.push(group)
      }
      naming = true
      group.agents.push(token(value))
    } else if (field === 'sitemap') {
      if (value !== '' && sitemaps.length < MAX_SITEMAPS) sitemaps.push(value)
    } else if (field === 'allow' || field === 'disallow') {
      naming = false
      // An empty `Disallow:` allows everything.
      if (group && value !== '') group.rules.push({ allow: field === 'allow', path: value.slice(0, MAX_RULE_CHARS) })
    } else if (field === 'content-signal' || field === 'content-usage') {
      naming = false
      ;(group ?? everyone).signals.push(...signalsIn(value))
    } else if (field === 'crawl-delay') {
      naming = false
      if (group) group.delay = delayIn(value) ?? group.delay
    }
  }
  return { groups: [...groups, everyone], sitemaps }
}

function delayIn(value: string): number | undefined {
  const seconds = Number(value.slice(0, MAX_DELAY_DIGITS))
  return value !== '' && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

function signalsIn(value: string): Group['signals'] {
  const [, path = '/', signal = ''] = /^(?:(\/\S*)\s+)?(.*)$/.exec(value.slice(0, MAX_RULE_CHARS)) ?? []
  return Array.from(parseContentSignal(signal), ({ use, isAllowed }) => ({ allow: isAllowed, path, use }))
}

const newGroup = (agents: string[]): Group => ({ agents, rules: [], signals: [], delay: undefined })

function* lines(text: string): Generator<string> {
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)) {
    const hash = line.indexOf('#')
    const kept = hash < 0 ? line : line.slice(0, hash)
    if (kept !== '') yield kept
  }
}

const token = (value: string): string =>
  value === '*' ? '*' : (/^[a-z0-9_.-]+/i.exec(value)?.[0] ?? value.slice(0, 100)).toLowerCase()

/** The longest match decides; on a tie, allow wins. */
export function compilePathRules(rules: readonly Rule[]): { allows: RobotsRules['allows']; warnings: string[] } {
  const plain = new Map<string, boolean>()
  const wild: { allow: boolean; length: number; parts: string[]; ends: boolean }[] = []
  const warnings: string[] = []
  for (const { allow, path } of rules) {
    const ends = path.endsWith('$')
    const rule = spell(path.startsWith('/') || path.startsWith('*') ? path : `/${path}`)
    const spelled = (ends ? rule.slice(0, -1) : rule).replaceAll('$', '%24')
    if (!ends && !spelled.includes('*')) plain.set(spelled, allow || (plain.get(spelled) ?? false))
    else if (wild.length < MAX_WILD_RULES) wild.push({ allow, length: rule.length, ends, parts: spelled.split(/\*+/) })
    else if (warnings.length === 0)
      warnings.push(`robots.txt has more than ${MAX_WILD_RULES} rules with wildcards; the rest were not read`)
  }
  const lengths = [...new Set([...plain.keys()].map((path) => path.length))].sort((a, b) => b - a)
  const allows = (url: string): boolean => {
    const { pathname, search } = new URL(url)
    if (pathname === '/robots.txt') return true
    // In a rule `$` and `*` have a meaning, so there these characters themselves are escaped (RFC 9309 2.2.3).
    const path = spell(pathname + search)
      .replaceAll('$', '%24')
      .replaceAll('*', '%2A')
    let best = { length: -1, allow: true }
    for (const length of lengths) {
      if (length > path.length) continue
      const allow = plain.get(path.slice(0, length))
      if (allow === undefined) continue
      best = { length, allow }
      break
    }
    for (const { allow, length, parts, ends } of wild) {
      if (length < best.length || (length === best.length && best.allow)) continue
      if (fits(path, parts, ends)) best = { length, allow }
    }
    return best.allow
  }
  return { allows, warnings }
}

/** Matches the parts between wildcards in order, in one pass without backtracking. */
function fits(path: string, parts: readonly string[], ends: boolean): boolean {
  if (!path.startsWith(parts[0]!)) return false
  let at = parts[0]!.length
  const last = parts.length - 1
  if (last === 0) return !ends || at === path.length
  for (let part = 1; part < last; part++) {
    const found = path.indexOf(parts[part]!, at)
    if (found < 0) return false
    at = found + parts[part]!.length
  }
  const tail = parts[last]!
  if (ends) return path.length - tail.length >= at && path.endsWith(tail)
  return path.indexOf(tail, at) >= 0
}

/** Normalises percent-encoding: letters unescaped, non-ASCII escaped. */
function spell(path: string): string {
  const escaped = path.replace(/[^\x21-\x7e]/gu, (character) =>
    /\p{Cs}/u.test(character) ? '%EF%BF%BD' : encodeURIComponent(character),
  )
  if (!escaped.includes('%')) return escaped
  return escaped.replace(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[A-Za-z0-9\-._~]/.test(character) ? character : code.toUpperCase()
  })
}
