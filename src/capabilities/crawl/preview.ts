// Turns a prompt into crawl options by rules: limit, depth, sections, hosts, sitemaps, queries, delays. Parts that no
// rule matches are reported back. Pure.

import { tableOf } from '../../base/table.ts'
import { sectionsIn } from './sections.ts'
import type { CrawlSettings } from './settings.ts'

export interface FromWords {
  options: Partial<CrawlSettings>
  warning: string | undefined
}

const NUMBERS = tableOf<number>({
  a: 1,
  one: 1,
  single: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  dozen: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  hundred: 100,
  thousand: 1000,
})
const NUMBER = String.raw`(\d[\d,_]{0,12}(?:\.\d{1,6})?k?|(?:one|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty) (?:hundred|thousand)|a (?:dozen|hundred|thousand)|${Object.keys(
  NUMBERS,
)
  .filter((word) => word !== 'a')
  .join('|')})`
const THINGS = '(?:(?:web)? ?pages?|urls?|posts?|articles?|results?|documents?|docs|items?|entries)'

/** A prompt scanner: text that one rule has consumed is not seen by the next. */
function promptScanner(prompt: string) {
  let left = ` ${prompt.toLowerCase().replace(/[’‘]/g, "'").replace(/\s+/g, ' ')} `
  return {
    consume(pattern: string): RegExpExecArray | undefined {
      const found = new RegExp(pattern).exec(left)
      if (!found) return undefined
      left = `${left.slice(0, found.index)} ; ${left.slice(found.index + found[0].length)}`
      return found
    },
    rest: () => left,
  }
}
type PromptScanner = ReturnType<typeof promptScanner>

const NOT = `(?:no|not|don't|do not|never|without|exclude|excluding|skip|ignore|avoid|except)`
/** Up to three words between two related ones. */
const NEAR = String.raw`(?: [\w']+){0,3} `

export function crawlFromWords(prompt: string, url: string): FromWords {
  const words = promptScanner(prompt)
  const options: Partial<CrawlSettings> = {
    ...depthIn(words),
    ...delayIn(words),
    ...limitIn(words),
    ...switchesIn(words),
  }
  const { includePaths, excludePaths, unknown } = partsIn(words)
  if (excludePaths.length > 0) options.excludePaths = excludePaths
  if (includePaths.length > 0) {
    options.includePaths = includePaths
    // "Only the blog" on a start page outside the blog.
    if (new URL(url).pathname !== '/') options.crawlEntireDomain ??= true
  }
  const nothing = Object.keys(options).length === 0
  const warning = nothing
    ? 'Nothing in the prompt could be turned into crawl options, so the defaults apply.'
    : unknown.length > 0
      ? `These words of the prompt were not understood: ${unknown.map((word) => `"${word.slice(0, 60)}"`).join(', ')}.`
      : undefined
  return { options, warning }
}

function depthIn(words: PromptScanner): Partial<CrawlSettings> {
  if (
    words.consume(
      String.raw`\b(?:only|just) (?:this|the|that)(?: (?:single|one|start|home|landing|front))? ?(?:page|homepage)\b|\bsingle page\b`,
    )
  )
    return { limit: 1, maxDiscoveryDepth: 0 }
  const found =
    words.consume(
      String.raw`\b(?:max(?:imum)?\.? )?(?:discovery |crawl |link )?depth(?: (?:of|is|to|at|limit|level))*[ :=]+${NUMBER}\b`,
    ) ??
    words.consume(
      String.raw`\b(?:no|not)(?: more| deeper)? than ${NUMBER} (?:levels?|hops?|clicks?|layers?|steps?)(?: deep| away| down)?\b`,
    ) ??
    words.consume(
      String.raw`\b(?:go )?(?:only |up to |at most |max(?:imum)? )?${NUMBER} (?:levels?|hops?|clicks?|layers?|steps?)(?: deep| away| down)?\b`,
    ) ??
    words.consume(String.raw`\bno deeper than ${NUMBER}\b`)
  const depth = found && numberOf(found[1]!)
  if (depth !== undefined) return { maxDiscoveryDepth: depth }
  return words.consume(String.raw`\b(?:only )?(?:direct|first-level) (?:links|pages|children)\b`)
    ? { maxDiscoveryDepth: 1 }
    : {}
}

function delayIn(words: PromptScanner): Partial<CrawlSettings> {
  const unit = `(ms|milliseconds?|s|secs?|seconds?|minutes?)`
  const found =
    words.consume(
      String.raw`\b(?:delay|wait|pause|sleep)(?: (?:of|for|is|about))*[ :=]+${NUMBER} ?${unit}?\b(?: (?:between|after|before)(?: (?:each|every|the))? (?:pages?|requests?|visits?|fetch(?:es)?))?`,
    ) ??
    words.consume(
      String.raw`\b${NUMBER} ?${unit} (?:delay|pause|wait|apart|between)(?: (?:each|every|pages?|requests?|visits?))*`,
    )
  const value = found && numberOf(found[1]!)
  if (value === undefined || value <= 0) return {}
  const named = found?.[2] ?? 's'
  const seconds = /^m(?:s|ill)/.test(named) ? value / 1000 : named.startsWith('min') ? value * 60 : value
  return { delay: Math.min(60, seconds) }
}

function limitIn(words: PromptScanner): Partial<CrawlSettings> {
  const found =
    words.consume(
      String.raw`\b(?:limit|limited|cap|stop)(?: (?:of|to|is|at|after|it|the|crawl|number|pages))*[ :=]+${NUMBER}\b(?: ${THINGS}\b)?`,
    ) ??
    words.consume(
      String.raw`\b(?:at most|max(?:imum)?(?: of)?|up to|no more than|not more than|only|just|the first|first|top|about|around|roughly)[ :=]+${NUMBER} (?:[a-z]+ )?${THINGS}\b`,
    ) ??
    words.consume(String.raw`\b(?:at most|max(?:imum)?(?: of)?|up to|no more than|not more than)[ :=]+${NUMBER}\b`) ??
    words.consume(String.raw`\b${NUMBER} ${THINGS}(?: (?:max(?:imum)?|at most|only|or (?:less|fewer)))?\b`)
  const limit = found && numberOf(found[1]!)
  return limit === undefined || limit < 1 ? {} : { limit: Math.min(100_000_000, Math.floor(limit)) }
}

function switchesIn(words: PromptScanner): Partial<CrawlSettings> {
  const options: Partial<CrawlSettings> = {}
  const has = (pattern: string) => words.consume(pattern) !== undefined
  if (has(String.raw`\b(?:only|just)${NEAR}?(?:the |its )?site ?maps?\b|\bsite ?maps? only\b`)) options.sitemap = 'only'
  else if (has(String.raw`\b${NOT}${NEAR}?site ?maps?\b`)) options.sitemap = 'skip'
  else if (has(String.raw`\b(?:use|using|with|include|read|follow)${NEAR}?site ?maps?\b`)) options.sitemap = 'include'

  if (has(String.raw`\b${NOT}${NEAR}?sub-? ?domains?\b`)) options.allowSubdomains = false
  else if (has(String.raw`\b(?:include|including|with|also|allow|follow|all|across|and|plus)${NEAR}?sub-? ?domains?\b`))
    options.allowSubdomains = true

  const outside = `(?:external|outbound|outgoing|off-?site|third-?party)(?: (?:links?|pages?|sites?|websites?|domains?|urls?))?`
  if (has(String.raw`\b${NOT}${NEAR}?${outside}\b`)) options.allowExternalLinks = false
  else if (has(String.raw`\b(?:include|including|with|also|allow|follow|and|plus)${NEAR}?${outside}\b`))
    options.allowExternalLinks = true

  const query = `(?:(?:url |query |search )?(?:parameters?|params?)|query ?strings?|queries)`
  if (has(String.raw`\b(?:ignore|ignoring|strip|drop|remove|without|skip|no)${NEAR}?${query}\b`))
    options.ignoreQueryParameters = true
  else if (has(String.raw`\b(?:keep|with|include|respect)${NEAR}?${query}\b`)) options.ignoreQueryParameters = false

  if (has(String.raw`\b(?:ignore|ignoring|bypass|disregard|skip)${NEAR}?robots(?:\.txt)?\b`))
    options.ignoreRobotsTxt = true
  else has(String.raw`\b(?:respect|follow|honou?r|obey)${NEAR}?robots(?:\.txt)?\b`)

  const same = String.raw`(?:de-?duplicat\w*|duplicates?|similar urls?)`
  if (has(String.raw`\b(?:don't|do not|never|no|without) (?:remove )?${same}\b|\bkeep${NEAR}?duplicates?\b`))
    options.deduplicateSimilarURLs = false
  else if (has(String.raw`\b(?:remove|skip|drop|ignore|no )? ?${same}\b`)) options.deduplicateSimilarURLs = true

  if (
    has(
      String.raw`\b(?:entire|whole|full|complete) (?:domain|site|website)\b|\ball(?: the)? pages (?:of|on|in) the (?:domain|site|website)\b|\beverything on the (?:domain|site|website)\b`,
    )
  )
    options.crawlEntireDomain = true
  return options
}

const LEAVE = `(?:skip(?:ping)?|exclud(?:e|es|ing)|except(?: for)?|without|ignor(?:e|ing)|avoid(?:ing)?|omit(?:ting)?|leav(?:e|ing) out|not including|but not|(?:don't|do not) (?:crawl|include|visit|scrape|follow|want|go to|touch))`
const TAKE = `(?:only|just|solely|exclusively|limited to|restrict(?:ed)? to|focus(?:ing)? on|stick to|stay (?:in|under|within|below))`
const FIND = `(?:crawl|scrape|get|fetch|find|collect|extract|visit|download|grab|index)`
/** What follows such a word, up to the next stop. */
const REST = String.raw`([^;.!?]{1,200}?|[^;!?]{1,200}?\.(?:pdf|html)[^;.!?]{0,20})(?=$|[;!?]|\.(?: |$)| (?:but|${LEAVE}|${TAKE}|with a|please|then)\b)`

function partsIn(words: PromptScanner) {
  const includePaths: string[] = []
  const excludePaths: string[] = []
  const unknown: string[] = []
  const gather = (cue: string, into: string[], { mayGuess, reports }: { mayGuess: boolean; reports: boolean }) => {
    for (let times = 0; times < 10; times++) {
      const found = words.consume(String.raw`\b${cue} ${REST}`)
      if (!found) return
      // In "only crawl the blog" and "only include pages under /docs" the verb is not a section.
      const named = found[1]!.replace(new RegExp(String.raw`^\s*(?:${FIND}|include|follow|visit)\b`), '')
      // A wrong guess about exclusions costs little; one about inclusions would leave no pages.
      const strict = !mayGuess && !/\b(?:sections?|folders?|director(?:y|ies)|area)\b/.test(named)
      const reading = sectionsIn(named, strict)
      for (const pattern of reading.patterns) if (!into.includes(pattern)) into.push(pattern)
      if (reports) unknown.push(...reading.unknown)
    }
  }
  gather(LEAVE, excludePaths, { mayGuess: true, reports: true })
  gather(TAKE, includePaths, { mayGuess: false, reports: true })
  const only = words.consume(String.raw`\b([\w/*.-]{1,60}(?: (?:pages?|posts?|sections?|articles?))?) only\b`)
  if (only) includePaths.push(...sectionsIn(only[1]!, true).patterns)
  gather(FIND, includePaths, { mayGuess: false, reports: false })
  for (let times = 0; times < 10; times++) {
    const path = words.consume(String.raw`(?:under|below|in|within|inside|from|matching|like) (/[\w./~%*-]{1,200})`)
    if (!path) break
    includePaths.push(...sectionsIn(path[1]!, true).patterns)
  }
  return { includePaths: [...new Set(includePaths)], excludePaths, unknown }
}

function numberOf(text: string): number | undefined {
  const [first = '', second = ''] = text.split(' ')
  if (second) return (NUMBERS[first] ?? 1) * (NUMBERS[second] ?? 1)
  if (Object.hasOwn(NUMBERS, first)) return NUMBERS[first]
  const thousands = first.endsWith('k') ? 1000 : 1
  const value = Number(first.replace(/[,_k]/g, '')) * thousands
  return Number.isFinite(value) ? value : undefined
}
