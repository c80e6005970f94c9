// Which link leads to what is still wanted. Links are judged by their words and their address, against the goal's terms
// and the kinds of pages where a kind of fact usually stands. Pure.
import { termsOf } from '../../understanding/passages/terms.ts'
import { type Goal, isNamed, spaced } from './goal.ts'
import { keyOf, type Link } from './notebook.ts'

/** Where a kind of fact usually stands: words of the fact, and words of links to such pages. */
const PLACES: readonly (readonly [facts: RegExp, places: RegExp])[] = [
  [
    /mail|phone|fax|address|contact|street|city|postcode|zip|office|location|hours/i,
    /contact|impress|imprint|about|locations?|visit|kontakt|reach|support/i,
  ],
  [
    /founde|history|year|mission|employees|headquarter|about|owner/i,
    /about|company|history|story|who-we|uber|über|team/i,
  ],
  [
    /ceo|founder|team|people|member|leader|staff|director|president|board/i,
    /team|people|leadership|about|management|staff|board/i,
  ],
  [
    /price|plan|cost|fee|tier|subscription|trial|currency/i,
    /pricing|prices?|plans?|tariff|subscribe|store|shop|product/i,
  ],
  [/job|position|career|salary|vacanc/i, /careers?|jobs|join|work-with|vacanc|hiring/i],
  [/ship|return|refund|warrant|deliver/i, /ship|deliver|returns?|refund|polic|terms|faq|warrant/i],
  [
    /spec|dimension|weight|material|feature|version|size|licen[sc]e|release/i,
    /spec|detail|features?|docs?|documentation|release|changelog|product|about|download/i,
  ],
  [/version|release/i, /install|download|release|changelog|what-?s-?new/i],
  [/port|default|option|setting|environment|flag/i, /config|setting|option|reference|install/i],
  [/event|date|speaker|venue|schedule|session/i, /events?|schedule|agenda|program|speakers?|venue/i],
  [/author|article|publish|news|press/i, /news|press|blog|articles?|authors?/i],
  [/question|answer|support|help/i, /faq|help|support|questions/i],
]
const USELESS =
  /log-?in|sign-?(?:in|up)|\/register\/?(?:[?#]|$)|cart|basket|checkout|privacy|cookie|terms-of|facebook\.com|twitter\.com|x\.com\/|instagram\.com|linkedin\.com\/share|mailto:|\.(?:png|jpe?g|gif|svg|webp|zip|css|js|mp4|mp3|ico|woff2?)(?:\?|$)/i
const NEXT_TEXT =
  /^(?:next(?: page)?|older(?: posts| entries)?|more|weiter|nächste(?: seite)?|suivante?|siguiente|avanti|próxima|далее|›|»|→|>|>>)\s*[›»→>]*$/i
const PAGE_NUMBER = /(?:[?&](?:page|p|pg|paged|start|offset)=|\/page\/|\/p)(\d+)/i

/** A link is weighed again for every step, and its words stay the same. */
const known = new WeakMap<Link, ReadonlySet<string>>()

function termsOfLink(link: Link, words: string): ReadonlySet<string> {
  const terms = known.get(link) ?? new Set(termsOf(words))
  known.set(link, terms)
  return terms
}

/** How much a link promises; 0 or less: nothing. */
export function promise(goal: Goal, open: readonly string[], link: Link): number {
  const { url, text } = link
  if (USELESS.test(url)) return -1
  const words = `${text} ${readable(url)}`
  const terms = termsOfLink(link, words)
  let score = 0
  for (const term of terms) if (goal.terms.has(term)) score += 1
  for (const field of open) {
    for (const term of termsOf(spaced(field))) if (terms.has(term)) score += 1.5
    for (const [facts, places] of PLACES) if (facts.test(field) && places.test(words)) score += 1
  }
  if (isNamed(goal, text)) score += 4
  if (isLetterOf(goal, { url, text })) score += 2
  for (const name of goal.subject) if (words.toLowerCase().includes(name)) score += 1.5
  // What has a name may stand on the next page of a list.
  if (goal.subject.length > 0 && (NEXT_TEXT.test(text.trim()) || (text === '' && PAGE_NUMBER.test(url)))) score += 1.2
  // Of two that promise the same, the shorter way is the more general page.
  return score === 0 ? 0 : score - Math.min(0.9, url.length / 400)
}

/** Where things stand by letter, the letter of the wanted one leads on. */
function isLetterOf({ subject }: Goal, { url, text }: Link): boolean {
  const letter = /(?:^|\s)(\p{L})$/u.exec((text || readable(url)).trim())?.[1]?.toLowerCase()
  // A name of several words stands under its first.
  const whole = subject.find((name) => name.includes(' '))
  return letter !== undefined && (whole === undefined ? subject : [whole]).some((name) => name.startsWith(letter))
}

/** True when a link is the wanted thing by its name, or its letter: no other need be read beside it. */
export const leadsStraight = (goal: Goal, link: Link): boolean =>
  !USELESS.test(link.url) && (isNamed(goal, link.text) || isLetterOf(goal, link))

/** The page after this one, of a list that goes on. */
export function nextPageOf(url: string, links: readonly Link[]): string | undefined {
  const here = keyOf(url)
  const marked = links.find((link) => NEXT_TEXT.test(link.text.trim()) && keyOf(link.url) !== here)
  if (marked) return marked.url
  const now = Number(PAGE_NUMBER.exec(url)?.[1] ?? 1)
  return links.find((link) => {
    const number = PAGE_NUMBER.exec(link.url)?.[1]
    return number !== undefined && Number(number) === now + 1 && sameBut(link.url, url)
  })?.url
}

/** Two addresses that differ in the number of a page at most. */
function sameBut(one: string, other: string): boolean {
  const bare = (url: string) => keyOf(url).replace(PAGE_NUMBER, '').replace(/[?&]$/, '')
  return new URL(bare(one)).pathname === new URL(bare(other)).pathname
}

const readable = (url: string): string => {
  try {
    const { pathname, search } = new URL(url)
    return decodeURIComponent(pathname + search).replace(/[^\p{L}\p{N}]+/gu, ' ')
  } catch {
    return url
  }
}
