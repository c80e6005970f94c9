// Options in the groups in which people look for them, and times in the units in which people count. Pure.
import type { Schema } from './schema.ts'

const GROUPS: readonly (readonly [string, RegExp])[] = [
  [
    'Which pages',
    /^(includePaths|excludePaths|regexOnFullURL|maxDiscoveryDepth|sitemap|ignoreQueryParameters|deduplicateSimilarURLs|crawlEntireDomain|allowExternalLinks|allowSubdomains|includeSubdomains|ignoreRobotsTxt|robotsUserAgent|delay|search|filterByPath|useIndex|ignoreCache|prompt|limit)$/,
  ],
  ['Search scope', /^(sources|categories|includeDomains|excludeDomains|tbs|lang|country|safe|highlights)$/],
  [
    'Page content',
    /^(onlyMainContent|onlyCleanContent|includeTags|excludeTags|removeBase64Images|parsers|scrapeOptions)$/,
  ],
  ['Browser', /^(waitFor|mobile|actions|profile|blockAds|location|fastMode)$/],
  ['Visit and cache', /^(timeout|headers|proxy|skipTlsVerification|maxAge|minAge|storeInCache|lockdown)$/],
  ['Privacy and safety', /^(redactPII|zeroDataRetention|threatProtection|auditMetadata|enterprise)$/],
  ['Delivery', /^(webhook|maxConcurrency|ignoreInvalidURLs|appendToId|asyncScraping)$/],
]

/** The options of a call, group by group; what nobody put into one comes last. */
export function grouped(fields: Readonly<Record<string, Schema>>): [string, [string, Schema][]][] {
  const groups = new Map<string, [string, Schema][]>([
    ...GROUPS.map(([title]): [string, []] => [title, []]),
    ['More', []],
  ])
  for (const [name, schema] of Object.entries(fields)) {
    const title = GROUPS.find(([, names]) => names.test(name))?.[0] ?? 'More'
    groups.get(title)?.push([name, schema])
  }
  return [...groups].filter(([, list]) => list.length > 0)
}

const AGES = new Set(['maxAge', 'minAge'])

/** How long one unit of a number is, when it is a time. */
export function unitOf(name: string, { description = '', type }: Schema): number | undefined {
  if (type !== 'integer' && type !== 'number') return undefined
  if (AGES.has(name) || /\bmilliseconds?\b/i.test(description)) return 1
  return /^seconds\b|\bin seconds\b|^Seconds\b/.test(description) ? 1000 : undefined
}

export const UNITS: readonly (readonly [string, number])[] = [
  ['ms', 1],
  ['seconds', 1000],
  ['minutes', 60_000],
  ['hours', 3_600_000],
  ['days', 86_400_000],
]

/** The largest unit in which the time is a whole number. */
export function inUnits(ms: number): { amount: number; unit: number } {
  const [, unit] = [...UNITS].reverse().find(([, size]) => ms >= size && ms % size === 0) ?? ['ms', 1]
  return { amount: ms / unit, unit }
}

/** `2 days`, not `172800000`. */
export function spokenTime(ms: number): string {
  const { amount, unit } = inUnits(ms)
  const name = UNITS.find(([, size]) => size === unit)?.[0] ?? 'ms'
  return `${amount} ${amount === 1 ? name.replace(/s$/, '') : name}`
}

/** A description of a time with its long numbers in words. */
export const humanly = (description: string): string =>
  description
    .replace(/\b(\d{4,})\b/g, (_, digits: string) => spokenTime(Number(digits)))
    .replace(/^Milliseconds for/, 'Time for')
    .replace(/^Milliseconds to wait/, 'How long to wait')

/** What each format gives, in a few words. */
export const FORMAT_WORDS: Readonly<Record<string, string>> = {
  markdown: 'clean text with headings, links and tables',
  html: 'the cleaned page as HTML',
  rawHtml: 'the HTML as it was received',
  rawBase64: 'the file as it was received',
  links: 'every link on the page',
  images: 'every image on the page',
  items: 'the entries of a list page',
  chunks: 'chunks for a search index',
  transcript: 'a transcript with timestamps',
  screenshot: 'an image of the page',
  summary: 'a few sentences',
  json: 'fields by your schema or words',
  deterministicJson: 'the same fields on every page',
  question: 'an answer from the page',
  highlights: 'the passages that answer',
  query: 'an answer (older clients)',
  product: 'name, price, stock, variants',
  menu: 'dishes and prices',
  branding: 'colours, fonts and logo',
  changeTracking: 'what changed since last time',
  attributes: 'attributes by selector',
  audio: 'its audio as a file',
  video: 'its video as a file',
}
