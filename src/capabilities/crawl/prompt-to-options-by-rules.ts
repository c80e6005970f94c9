// Crawl options from a prompt without a model. Each clause sets a number, sets a switch, or names parts of the site to
// take or to leave out; clauses that do none of these are reported back.
import { foldNumberWord, parseNumberWordsAt } from '../../base/parse-number-words.ts'
import { parseNumbersIn } from '../../base/parse-numbers.ts'
import type { CrawlSettings } from './crawl-options.ts'
import siteSections from './site-sections.json' with { type: 'json' }

export type PromptedCrawlOptions = { options: Partial<CrawlSettings>; warning: string | undefined }

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))
const NOT = words("no not don't never without exclude excluding skip ignore ignoring avoid except strip drop remove")
const LEAVE = words("skip skipping exclude excluding except without ignore ignoring avoid omit leave not don't")
const TAKE = words('only just solely exclusively limit restrict focus stick stay under')
const FIND = words('crawl scrape get fetch find collect extract visit download include follow index')
const PAGES = words('page url post article result document doc item entry limit first most')
const LEVELS = words('depth level hop click layer step')
const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, millisecond: 0.001, s: 1, sec: 1, second: 1, minute: 60 }
const FILLER = words(
  'the all any every each our their its this that these those of on in at from to for below inside within with page section content url link path part area folder directory site anything everything',
)
const MAX_CLAUSES = 60
const MAX_WORDS = 40
const UNKNOWN_CHARS = 60

const singular = (word: string): string =>
  word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.length > 3 ? word.replace(/(?<=[^s])s$/, '') : word

const sections = new Map(
  Object.entries(siteSections.sections).flatMap(([names, path]) => names.split(', ').map((name) => [name, path])),
)

type Clause = { text: string; words: readonly string[] }

export function crawlOptionsByRules(prompt: string, url: string): PromptedCrawlOptions {
  const options: Partial<CrawlSettings> = {}
  const parts: SiteParts = { includePaths: [], excludePaths: [], unknown: [], mode: undefined }
  for (const clause of clausesOf(prompt)) {
    const set = numberOption(clause) ?? switchOption(clause)
    if (set) Object.assign(options, set)
    else readPart(clause, parts)
  }
  const { includePaths, excludePaths, unknown } = parts
  if (excludePaths.length > 0) options.excludePaths = excludePaths
  if (includePaths.length > 0) {
    options.includePaths = includePaths
    // "Only the blog" on a start page outside the blog.
    if (new URL(url).pathname !== '/') options.crawlEntireDomain ??= true
  }
  if (Object.keys(options).length === 0)
    return { options, warning: 'Nothing in the prompt could be turned into crawl options, so the defaults apply.' }
  const quoted = unknown.map((text) => `"${text.slice(0, UNKNOWN_CHARS)}"`).join(', ')
  return { options, warning: quoted ? `These words of the prompt were not understood: ${quoted}.` : undefined }
}

function clausesOf(prompt: string): Clause[] {
  const plain = prompt
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/[“”"`]/g, ' ')
  return plain
    .split(/[,;!?](?!\d)|\.(?=\s|$)|\s(?:and|or|but|plus)\s/)
    .slice(0, MAX_CLAUSES)
    .flatMap((text) => {
      const all = text.trim().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS).map(singular)
      return all.length > 0 ? [{ text: text.trim(), words: all }] : []
    })
}

const has = ({ words: all }: Clause, set: ReadonlySet<string>): boolean => all.some((word) => set.has(word))

/** "max depth 3", "at most 1,000 pages", "wait 2 seconds between pages", "just this page". */
function numberOption(clause: Clause): Partial<CrawlSettings> | undefined {
  if (/\b(?:only|just) (?:this|the|that)(?: \w+)? ?page$|\bsingle page$/.test(clause.text))
    return { limit: 1, maxDiscoveryDepth: 0 }
  const number = numberIn(clause)
  if (number === undefined) return undefined
  const unit = Object.keys(SECONDS).find(
    (name) => clause.words.includes(name) || new RegExp(`\\d${name}\\b`).test(clause.text),
  )
  if (unit && number > 0) return { delay: Math.min(60, number * SECONDS[unit]!) }
  if (has(clause, LEVELS)) return { maxDiscoveryDepth: Math.floor(number) }
  return has(clause, PAGES) && number >= 1 ? { limit: Math.min(100_000_000, Math.floor(number)) } : undefined
}

function numberIn({ text, words: all }: Clause): number | undefined {
  // A number that belongs to a path or a name counts nothing: "/docs/v2".
  const [digits] = parseNumbersIn(text.replace(/(\d)(?=(?:ms|s)\b)/g, '$1 ').replace(/\/\S+/g, ' '), 'en', 1)
  if (digits) return digits.value
  const plain = all.map(foldNumberWord)
  const at = plain.findIndex((_, place) => parseNumberWordsAt(plain, place) !== undefined)
  return at < 0 ? undefined : parseNumberWordsAt(plain, at)?.value
}

const SWITCHES: readonly [about: RegExp, set: (isOff: boolean, clause: Clause) => Partial<CrawlSettings>][] = [
  [
    /\bsite ?maps?\b/,
    (isOff, { words: all }) => ({
      sitemap: isOff ? 'skip' : all.includes('only') || all.includes('just') ? 'only' : 'include',
    }),
  ],
  [/\bsub-? ?domains?\b/, (isOff) => ({ allowSubdomains: !isOff })],
  [/\b(?:external|outbound|off-?site|third-?party)\b/, (isOff) => ({ allowExternalLinks: !isOff })],
  [/\b(?:query|queries|param(?:eter)?s?)\b/, (isOff) => ({ ignoreQueryParameters: isOff })],
  [/\brobots\b/, (isOff) => (isOff ? { ignoreRobotsTxt: true } : {})],
  [/duplicat|\bsimilar url/, (_, { text }) => ({ deduplicateSimilarURLs: !/\b(?:keep|not|don't|no de)/.test(text) })],
  [/\b(?:entire|whole|full) (?:domain|site|website)\b/, () => ({ crawlEntireDomain: true })],
]

function switchOption(clause: Clause): Partial<CrawlSettings> | undefined {
  return SWITCHES.find(([about]) => about.test(clause.text))?.[1](has(clause, NOT), clause)
}

interface SiteParts {
  includePaths: string[]
  excludePaths: string[]
  unknown: string[]
  /** Carried on through an enumeration: "skip the blog, careers and legal pages". */
  mode: 'take' | 'leave' | 'find' | undefined
}

function readPart(clause: Clause, parts: SiteParts): void {
  const cue = clause.words.find((word) => LEAVE.has(word) || TAKE.has(word) || FIND.has(word))
  if (has(clause, LEAVE)) parts.mode = 'leave'
  else if (has(clause, TAKE)) parts.mode = 'take'
  else if (cue) parts.mode = 'find'
  if (!parts.mode) return
  // "Get the blog but skip tags" is two clauses; "get the blog skip tags" is one, and its last cue counts.
  const isCue = (word: string) => LEAVE.has(word) || TAKE.has(word) || FIND.has(word) || word === 'do'
  const start = clause.words.findLastIndex(isCue) + 1
  const named = start < clause.words.length ? clause.words.slice(start) : clause.words.filter((word) => !isCue(word))
  const text = stripFillers(named)
  if (text.length === 0) return
  const isSection = named.some((word) => word === 'section' || word === 'folder' || word === 'directory')
  // A wrong guess about exclusions costs little; one about inclusions would leave no pages.
  const pattern = patternIn(text, parts.mode === 'leave' || isSection)
  const into = parts.mode === 'leave' ? parts.excludePaths : parts.includePaths
  if (pattern === undefined) {
    if (parts.mode !== 'find') parts.unknown.push(text.join(' '))
  } else if (!into.includes(pattern)) into.push(pattern)
}

const stripFillers = (all: readonly string[]): string[] => {
  const from = all.findIndex((word) => !FILLER.has(word))
  const to = all.findLastIndex((word) => !FILLER.has(word))
  return from < 0 ? [] : all.slice(from, to + 1)
}

/** The longest known name at either end: "blog posts from last year", "anything below /shop". */
function patternIn(text: readonly string[], mayGuess: boolean): string | undefined {
  for (let length = text.length; length > 0; length--)
    for (const piece of [text.slice(0, length), text.slice(-length)]) {
      const known = patternFor(piece.join(' '))
      if (known) return known
    }
  const [only] = text
  return mayGuess && text.length === 1 && /^[a-z0-9][a-z0-9-]{2,40}$/.test(only!) ? segment(`${only}s?`) : undefined
}

function patternFor(name: string): string | undefined {
  if (name.startsWith('/')) return pathPattern(name)
  const path = sections.get(name)
  if (path) return segment(path)
  const file = /^(pdf|docx?|xlsx?|pptx?|csv|txt|xml|json|html)(?: file| document)?$/.exec(name)?.[1]
  return file && `\\.${file}$`
}

const segment = (alternatives: string): string => `(^|/)(${alternatives})(/|$)`

/** `/docs/*` → everything below; `/docs` → also the page itself. */
function pathPattern(path: string): string {
  const escaped = path
    .replace(/\/?\*+$/, '')
    .replace(/[^\w/%*-]/g, '\\$&')
    .replaceAll('*', '[^/]*')
  if (escaped === '') return '^/'
  return path.endsWith('*') ? `^${escaped}/` : `^${escaped.replace(/\/$/, '')}(/|$)`
}
