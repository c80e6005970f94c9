// Path patterns for site sections named in words ("the blog", "release notes", "/api/*", "PDFs"). Pure.

/** Names of a section, and the path segments that sites use for it. */
const SECTIONS: readonly (readonly [string, string])[] = [
  ['blogs?|blog ?posts?', 'blogs?'],
  ['news|newsroom', 'news|newsroom'],
  ['articles?', 'articles?'],
  ['posts?', 'posts?'],
  ['press|press releases?', 'press|press-releases?|newsroom'],
  ['docs?|documentation|manuals?|handbook', 'docs?|documentation|manual|handbook'],
  ['guides?', 'guides?'],
  ['tutorials?', 'tutorials?'],
  ['api|api reference|api docs', 'api|api-reference|reference'],
  ['references?', 'references?'],
  ['examples?', 'examples?'],
  ['products?', 'products?'],
  ['shop|store', 'shop|store'],
  ['categor(?:y|ies)', 'category|categories'],
  ['tags?', 'tags?'],
  ['authors?', 'authors?'],
  ['archives?', 'archives?'],
  ['pricing|prices|plans', 'pricing|plans'],
  ['features?', 'features?'],
  ['solutions?', 'solutions?'],
  ['integrations?', 'integrations?'],
  ['customers?|case stud(?:y|ies)|customer stories', 'customers?|case-stud(?:y|ies)|stories'],
  ['about|about us|company', 'about|about-us|company'],
  ['team', 'team'],
  ['contact|contact us', 'contact|contact-us'],
  ['careers?|jobs?|job listings', 'careers?|jobs?'],
  ['help|help cent(?:er|re)|support', 'help|help-cent(?:er|re)|support'],
  ['faqs?|questions', 'faqs?|questions'],
  ['forums?|community|discussions?', 'forums?|community|discussions?'],
  ['events?|calendar', 'events?|calendar'],
  ['webinars?', 'webinars?'],
  ['resources?', 'resources?'],
  ['research|papers|publications?', 'research|papers|publications?'],
  ['changelog|release notes|releases|whats new', 'changelog|release-notes|releases|whats-new'],
  ['legal|terms|privacy|privacy policy|imprint', 'legal|terms|privacy|privacy-policy|imprint'],
  ['log ?in|sign ?in|sign ?up|register|accounts?|auth', 'login|signin|sign-in|signup|sign-up|register|account|auth'],
  ['search|search results', 'search'],
  ['cart|checkout|basket', 'cart|checkout|basket'],
  ['gallery|photos|images', 'gallery|photos|images'],
  ['videos?', 'videos?'],
  ['downloads?', 'downloads?'],
  ['wiki', 'wiki'],
  ['recipes?', 'recipes?'],
  ['reviews?', 'reviews?'],
  ['courses?|lessons?', 'courses?|lessons?'],
  ['status', 'status'],
  ['security', 'security'],
  ['partners?', 'partners?'],
]

const FILES = /^(pdf|docx?|xlsx?|pptx?|csv|txt|xml|json|html)(?:s|'s| files?| documents?)?$/
const FILLER =
  /^(?:the|all|any|every|each|our|their|its|his|her|this|that|these|those|of|on|in|at|from|to|for|under|below|inside|within|with|about|related|regarding|pages?|sections?|content|contents|urls?|links?|paths?|parts?|area|director(?:y|ies)|folders?|sub-?pages?|site|website|stuff|things?|part)$/
const PATH = /^\/?[\w.~%-]+(?:\/[\w.~%*-]*)+$|^\/[\w.~%*-]*$/
const MAX_ITEMS = 20
const MAX_WORDS = 12

interface SectionReading {
  patterns: string[]
  /** Words that match no known section. */
  unknown: string[]
}

/** `"the blog, /api/* and PDFs"` → one pattern each. `strict`: known sections only, no guesses. */
export function sectionsIn(words: string, strict: boolean): SectionReading {
  const reading: SectionReading = { patterns: [], unknown: [] }
  for (const item of words.split(/,|;|\band\b|\bor\b|&|\+/).slice(0, MAX_ITEMS)) {
    const name = bare(item)
    if (name === '') continue
    const pattern = patternFor(name, strict) ?? partOf(name)
    if (pattern === undefined) reading.unknown.push(name)
    else if (!reading.patterns.includes(pattern)) reading.patterns.push(pattern)
  }
  return reading
}

/** "blog posts from last year", "anything below /shop": the longest prefix or suffix that names a known section. */
function partOf(name: string): string | undefined {
  const words = name.split(' ').slice(0, MAX_WORDS)
  for (let length = words.length - 1; length > 0; length--) {
    const found = patternFor(words.slice(0, length).join(' '), true) ?? patternFor(words.slice(-length).join(' '), true)
    if (found !== undefined) return found
  }
  return undefined
}

function patternFor(name: string, strict: boolean): string | undefined {
  if (PATH.test(name)) return fromPath(name)
  for (const [words, segments] of SECTIONS) if (new RegExp(`^(?:${words})$`).test(name)) return segment(segments)
  const file = FILES.exec(name)?.[1]
  if (file) return `\\.${file}$`
  // A single word after "only" or "skip" is most likely a section of this site.
  return !strict && /^[a-z0-9][a-z0-9-]{2,40}$/.test(name) ? segment(name) : undefined
}

const segment = (alternatives: string): string => `(^|/)(${alternatives})(/|$)`

/** `/docs/*` → everything below; `/docs` → also the page itself. */
function fromPath(path: string): string {
  const slashed = path.startsWith('/') ? path : `/${path}`
  const body = slashed
    .replace(/\/?\*+$/, '')
    .split('*')
    .map((piece) => piece.replace(/[.~]/g, '\\$&'))
    .join('[^/]*')
  if (body === '') return '^/'
  return slashed.endsWith('*') ? `^${body}/` : `^${body.replace(/\/$/, '')}(/|$)`
}

/** Strips quotes and filler words. */
function bare(item: string): string {
  const words = item
    .toLowerCase()
    .replace(/["'`“”‘’()]/g, '')
    .split(/\s+/)
    .filter(Boolean)
  const known = (some: readonly string[]) =>
    SECTIONS.some(([names]) => new RegExp(`^(?:${names})$`).test(some.join(' ')))
  // Strip from the end first: "about pages" means the section "about".
  while (words.length > 0 && FILLER.test(words.at(-1)!) && !known(words)) words.pop()
  while (words.length > 0 && FILLER.test(words[0]!) && !known(words)) words.shift()
  return words.join(' ').replace(/[.!?:]+$/, '')
}
