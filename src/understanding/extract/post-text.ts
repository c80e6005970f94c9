// What somebody says in a post, without what a forum sets around it: who and when above, what others said before in quotes,
// buttons below. It knows lines only.
import type { Element } from 'domhandler'
import { closest } from '../../content/tree.ts'
import type { Line } from '../facts/lines.ts'
import { dateIn } from '../values/dates.ts'

const MAX_ABOVE = 12
const MAX_MARK = 60
const MARK =
  /^#?\d{1,6}$|\b(?:ago|yesterday|today)\b|^\p{L}$|^(?:joined|posts?|messages|location|member|moderator|reputation|likes|op|discussion starter|add to quote|author|thread starter|registered|\d+ posts?)\b/iu
const BUTTON =
  /^(?:(?:save|share|reply|quote|like|report|edit|flag|follow|upvote|downvote|permalink|award|copy link|link|more|thanks|\d+)\s?)+$/i

/** The lines of the text itself; all of them when nothing else is left. */
export function saidIn(lines: readonly Line[]): Line[] {
  const own = lines.filter(({ block }) => !isQuoted(block))
  const told = own.length > 0 ? own : [...lines]
  const long = told.findIndex(({ text }) => text.length > MAX_MARK || /[.!?]$/.test(text))
  const above = told
    .slice(0, long < 0 ? MAX_ABOVE : Math.min(long, MAX_ABOVE))
    .findLastIndex(({ text }) => isMark(text))
  const below = told.findLastIndex(({ text }) => !BUTTON.test(text))
  const kept = told.slice(above + 1, below + 1)
  return kept.some(({ text }) => /\p{L}{2}/u.test(text)) ? kept : [...lines]
}

const isMark = (text: string): boolean => text.length <= MAX_MARK && (MARK.test(text) || isDated(text))

function isDated(text: string): boolean {
  const date = dateIn(text)
  return date !== undefined && text.length - (date.end - date.at) <= MAX_MARK / 2
}

const QUOTED = /(?:^|[\s_-])(?:quote|quoted|blockquote|bbcode_?quote)(?:$|[\s_-])/i
const MAX_UP = 6

const quotes = ({ name, attribs }: Element): boolean =>
  name === 'blockquote' || (name !== 'body' && QUOTED.test((attribs.class ?? '').slice(0, 100)))
const isQuoted = (element: Element | undefined): boolean => closest(element, MAX_UP, quotes) !== undefined
