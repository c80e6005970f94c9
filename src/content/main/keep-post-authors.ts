// Keeps the author and date of each kept post in threads and comment sections.

import { appendTo } from '../../base/values.ts'
import type { FlatPage } from './flatten-page.ts'
import type { KeepState, PostsAndBylines } from './keep-state-types.ts'

const TYPED = /DiscussionForumPosting|schema\.org\/(?:Comment|Answer|Question)\b/i
const POST = /(?:^|[\s_-])(?:post|comment|message|reply|answer|topic-post|forum-post|blockpost|question)(?:[\s_-]|$)/i
const BOXES = new Set(['div', 'article', 'li', 'section', 'tr', 'table', 'td'])
const AUTHOR =
  /(?:^|[\s_-])(?:author|username|user-name|user_name|user-details|poster|message-name|nick(?:name)?|fn|creator)(?:[\s_-]|$)/i
const NOT_AUTHOR = /(?:^|[\s_-])(?:liked?|likes|reactions?|thanks?|quote|bbcode_quote|mention)(?:[\s_-]|$)/i
const PROFILE =
  /\/(?:users?|members?|profiles?|u|people|author)[/.=?]|[?&](?:u|uid|user|member)=(?!https?(?::|%3a))|member\.php|memberlist|profile\.php/i
const DATE = /(?:^|[\s_-])(?:date|time|posted|timestamp|datetime|published)(?:[\s_-]|$)/i
const MIN_POSTS = 2
const NAME_WORDS = 10
const DATE_WORDS = 12
const NAME_CHARS = 60
/** Posts with less kept text get no byline. */
const MIN_POST_WORDS = 5

export function keepPostBylines({ outline, keep }: KeepState): PostsAndBylines {
  const boxes = boxesOf(outline)
  const bylines: number[] = []
  if (boxes.length < MIN_POSTS) return { posts: [], bylines }
  const add = (block: number): void => {
    if (!keep[block]) bylines.push(block)
    keep[block] = 1
  }
  const { elements, end, parent, blocks, firstBlock, endBlock } = outline
  const isBox = new Uint8Array(elements.length)
  for (const e of boxes) isBox[e] = 1
  const post = new Int32Array(elements.length)
  for (let e = 0; e < elements.length; e++) post[e] = isBox[e] ? e : parent[e]! < 0 ? -1 : post[parent[e]!]!
  const words = new Float64Array(elements.length)
  for (let i = 0; i < blocks.length; i++) {
    const { element } = blocks[i]!
    if (keep[i] && element >= 0 && post[element]! >= 0) words[post[element]!]! += blocks[i]!.words
  }
  const kept = boxes.filter((e) => words[e]! >= MIN_POST_WORDS)
  const inside = new Map<number, number[]>(kept.map((e) => [e, []]))
  for (let e = 0; e < elements.length; e++) if (post[e] !== e) inside.get(post[e]!)?.push(e)
  const blockOf = blockFinder(outline)
  for (const box of kept) {
    const own = inside.get(box)!
    const lines = (is: (element: number) => boolean, limit: number): number[] =>
      own.flatMap((e) => (is(e) ? lineOf(outline, blockOf, e, limit) : []))
    // Order of preference: declared author, link to a user page, author-like class name.
    const name =
      lines((e) => isSaidAuthor(outline, e, box), NAME_WORDS)[0] ??
      lines((e) => elements[e]!.name === 'a' && isAuthor(outline, e, box), NAME_WORDS)[0] ??
      lines((e) => isAuthor(outline, e, box), NAME_WORDS)[0]
    if (name !== undefined) add(name)
    // A post may also show an edit date; the date nearest to the author is its own.
    const dates = lines((e) => isTime(outline, e) || isDated(outline, e), DATE_WORDS)
    const distanceTo = (block: number): number => Math.abs(block - (name ?? firstBlock[box]!))
    if (dates.length > 0) add(dates.reduce((a, b) => (distanceTo(b) < distanceTo(a) ? b : a)))
  }
  // Typed posts may contain their answers; nested boxes with only similar names are the same post.
  const isPosting = (e: number): boolean => TYPED.test(elements[e]!.attribs.itemtype ?? '')
  const out: number[] = []
  for (const e of kept) {
    const last = out.at(-1)
    const isOwn = last === undefined || e >= end[last]! || (isPosting(e) && firstBlock[e]! > firstBlock[last]!)
    if (isOwn && endBlock[e]! > firstBlock[e]!) out.push(e)
  }
  return { posts: out, bylines }
}

/** Typed posts, else groups of similarly named elements that have authors and dates. */
function boxesOf(outline: FlatPage): number[] {
  const { elements, endBlock, firstBlock } = outline
  const typed: number[] = []
  const lots = new Map<string, number[]>()
  elements.forEach(({ name, attribs }, e) => {
    if (endBlock[e] === firstBlock[e]) return
    if (attribs.itemtype !== undefined && TYPED.test(attribs.itemtype)) typed.push(e)
    if (!BOXES.has(name)) return
    const { class: names = '', id = '' } = attribs
    if (names.length + id.length > 1000 || names.length + id.length === 0) return
    if (attribs['data-author'] === undefined && !POST.test(names) && !POST.test(id)) return
    const own = names.split(/\s+/).find((one) => POST.test(one)) ?? ''
    appendTo(lots, `${name}.${own}`, e)
  })
  if (typed.length >= MIN_POSTS) return typed
  const posts = [...lots.values()].filter((lot) => lot.length >= MIN_POSTS && areSigned(outline, lot)).flat()
  return [...new Set(posts)].sort((a, b) => a - b)
}

const SIGNED = 0.6
const SPEAKING = 0.3
const LOOKED_AT = 40
const MAX_INSIDE = 400
const TEXT_WORDS = 12

/** Tests a sample: most boxes have an author and a date, and many have text. */
function areSigned(outline: FlatPage, boxes: readonly number[]): boolean {
  const { end, blocks, firstBlock, endBlock } = outline
  const sample = boxes.slice(0, LOOKED_AT)
  let signed = 0
  let speaking = 0
  for (const box of sample) {
    let named = false
    let dated = false
    for (let e = box + 1; e < end[box]! && e < box + MAX_INSIDE && !(named && dated); e++) {
      named ||= isSaidAuthor(outline, e, box) || isAuthor(outline, e, box)
      dated ||= isTime(outline, e) || isDated(outline, e)
    }
    if (named && dated) signed++
    const last = Math.min(endBlock[box]!, firstBlock[box]! + MAX_INSIDE)
    for (let i = firstBlock[box]!; i < last; i++)
      if (blocks[i]!.words >= TEXT_WORDS) {
        speaking++
        break
      }
  }
  return signed >= sample.length * SIGNED && speaking >= sample.length * SPEAKING
}

const isSaidAuthor = (outline: FlatPage, e: number, box: number): boolean =>
  /author|creator/.test(outline.elements[e]!.attribs.itemprop ?? '') && !isOthers(outline, e, box)

function isAuthor(outline: FlatPage, e: number, box: number): boolean {
  const { name, attribs } = outline.elements[e]!
  const { class: names = '', rel, href = '' } = attribs
  const isLinked = name === 'a' && (rel === 'author' || PROFILE.test(href.slice(0, 300)))
  return (isLinked || (names.length < 300 && AUTHOR.test(names))) && !isOthers(outline, e, box)
}

/** People who liked the post or are quoted in it. */
function isOthers({ elements, parent }: FlatPage, e: number, box: number): boolean {
  for (let up = e, step = 0; up > box && step < 12; step++, up = parent[up]!) {
    const { name, attribs } = elements[up]!
    if (name === 'blockquote' || NOT_AUTHOR.test(attribs.class ?? '')) return true
  }
  return false
}

const isTime = ({ elements }: FlatPage, e: number): boolean => /^(?:relative-)?time$/.test(elements[e]!.name)

function isDated({ elements, texts, firstText, endText }: FlatPage, e: number): boolean {
  const names = elements[e]!.attribs.class
  if (names === undefined || !DATE.test(names.slice(0, 300))) return false
  for (let t = firstText[e]!; t < endText[e]! && t < firstText[e]! + 6; t++) if (/\d/.test(texts[t]!.data)) return true
  return false
}

type BlockOf = (text: number) => number

function lineOf({ texts, firstText, endText, blocks }: FlatPage, blockOf: BlockOf, e: number, limit: number): number[] {
  for (let t = firstText[e]!; t < endText[e]! && t < firstText[e]! + 12; t++) {
    const said = texts[t]!.data.trim()
    if (said.length < 2 || said.length > NAME_CHARS || !/[\p{L}\p{N}]/u.test(said)) continue
    const block = blockOf(t)
    return blocks[block]!.words > limit ? [] : [block]
  }
  return []
}

function blockFinder({ blocks }: FlatPage): BlockOf {
  return (text) => {
    let low = 0
    let high = blocks.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (blocks[middle]!.firstText <= text) low = middle
      else high = middle - 1
    }
    return low
  }
}
