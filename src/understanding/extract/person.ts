// Whether a few words are somebody's name, and the name out of a line that signs a text. Pure.
import { dateIn } from '../values/dates.ts'

const LEADS =
  /^(?:view (?:all )?posts? by|more (?:posts )?(?:by|from)|posts by|(?:written|posted|article|story|words|photos?|started|asked|created|published|reviewed)?\s?by|von|par|por|di|door|author|автор:?)[:\s]+/iu
/** What ends a name: a mark, a date, a place of work. */
const ENDS =
  /\s*(?:[|•·–—(/»]|\s-\s|,?\s(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}$|,?\s(?:on|in|at|am|le|el|updated|posted|published|last)\s|\d+\s(?:min|hours?|days?|weeks?|months?|years?)\b|,\s(?:staff|contributor|senior|editor|reporter|writer|correspondent|ph\.?d|m\.?d)).*$/isu
const PARTICLE = /^(?:van|von|de|der|den|del|da|di|la|le|bin|al|el|y|dos|du|ter|af|zu|mc|o')$/iu
const ROLE =
  /\b(?:officer|chief|director|manager|editor|president|ceo|cto|cfo|engineer|professor|analyst|founder|head|vice|partner|consultant|reporter|writer|staff|team|university|college|institute|company|inc|ltd|llc|blog|post|free|audit|news|press|release|guide|reviews?|article|service|today)\b/i
const NOT_NAMES =
  /^(?:read|share|view|more|home|about|contact|the|your|our|this|all|new|log|sign|search|menu|subscribe|follow|comments?|reply|posted|updated|published|share|print|email|join|date|edit|next|previous|back|skip|admin login|sign (?:in|up|out)|log ?(?:in|out)|register|in|on|at|by|to|of|for|and|or|op|edited|answered|asked|commented|offline|online|members?|guest|moderator|newbie|author|anon|staff|recent (?:posts|comments)|categories|archives|tags|reviews?)$/iu

/** The name that a line gives, without what stands around it. */
export function personIn(text: string): string | undefined {
  let said = text.trim().slice(0, 160)
  for (let n = 0; n < 2; n++) said = said.replace(LEADS, '')
  // "Category: Garden" labels something else.
  if (/^\p{L}[\p{L} ]{2,20}:\s/u.test(said)) return undefined
  said = said.replace(/\s+(?:offline|online)$/i, '')
  const date = dateIn(said)
  if (date) said = said.slice(0, date.at)
  said = said
    .replace(ENDS, '')
    .replace(/^[@\s"“]+|[\s,:;"”]+$/gu, '')
    .trim()
  // "Paul Miller, Chief Technology Officer": the name, unless more names follow.
  const [one = '', two] = said.split(/\s*,\s*/)
  if (two !== undefined && isPerson(one) && !isPerson(two.replace(/^(?:and|und|et|y|e)\s/i, ''))) said = one
  return said.length >= 2 &&
    said.length <= 80 &&
    said.split(/\s+/).length <= 8 &&
    /\p{L}/u.test(said) &&
    !/^\d[\d.,]*[kKmM]?\s\p{L}+$/u.test(said) &&
    !/^(?:has|is|was|with|and|who)\s.*\d/u.test(said) &&
    !NOT_NAMES.test(said)
    ? said
    : undefined
}

/** Two to four words with capitals, none of which belongs to a menu. */
export function isPerson(text: string): boolean {
  const words = text.trim().split(/\s+/)
  if (words.length < 2 || words.length > 5 || text.length > 60 || ROLE.test(text)) return false
  let capitals = 0
  for (const word of words) {
    if (PARTICLE.test(word)) continue
    if (NOT_NAMES.test(word) || !/^\p{Lu}[\p{L}.'’-]*$/u.test(word)) return false
    capitals += 1
  }
  return capitals >= 2
}
