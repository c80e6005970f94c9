// What belongs to a list besides the text of its elements: headings between items of prose, and signs around a part
// that the taught items have and the page does not write.
import { collapseSpaces } from '../../content/parse-tree.ts'
import { matchesOf } from './follow-ways.ts'
import type { PageIndex } from './index-page.ts'
import type { FieldProgram, SignsAround, Way } from './program-types.ts'
import { compoundsOf } from './propose-ways.ts'
import { squeezeText } from './squeeze-text.ts'

const MAX_HEADING = 80

type ListItemText = { text: string; at: number }

/** Each match of the way is an item. */
export const isPlainList = ({ css, take = 'text', split, nth }: Way): boolean =>
  css !== undefined && take === 'text' && split === undefined && nth === undefined

/** The texts of the items, with their signs and, if the field has them, the headings between. */
export function readListItems(page: PageIndex, items: readonly number[], field: FieldProgram): string[] {
  const texts = items.map(
    (index): ListItemText => ({ text: textWithSigns(page, index, field.signs), at: page.from[index]! }),
  )
  if (!field.headings) return texts.map(({ text }) => text)
  return [...texts, ...headingsBetween(page, items)].sort((a, b) => a.at - b.at).map(({ text }) => text)
}

/** Lines directly before an item, inside the smallest element around all items. */
function headingsBetween(page: PageIndex, items: readonly number[]): ListItemText[] {
  const [first, last] = [items[0], items.at(-1)]
  if (first === undefined || last === undefined || first === last) return []
  const around = smallestAround(page, first, last)
  if (around < 0) return []
  const found: ListItemText[] = []
  let before: number | undefined
  for (const item of items) {
    const from = page.from[item]!
    const end = before === undefined ? page.from[around]! : endOfPart(page, before, item)
    const heading = from > end ? lastLine(page.text.slice(end, from)) : undefined
    if (heading) found.push({ text: heading, at: from - 0.5 })
    before = item
  }
  // "Step 1", "Step 2" count the items.
  const kinds = new Set(found.map(({ text }) => text.replace(/\d+/g, '')))
  return found.length < items.length && kinds.size > found.length / 2 ? found : []
}

function smallestAround(page: PageIndex, first: number, last: number): number {
  let around = page.parent[first]!
  while (around >= 0 && !page.isWithin(last, around)) around = page.parent[around]!
  return around
}

/** Where the part of the page that holds an item, and not the next one, ends. */
function endOfPart(page: PageIndex, item: number, next: number): number {
  let part = item
  while (page.parent[part]! >= 0 && !page.isWithin(next, page.parent[part]!)) part = page.parent[part]!
  return page.to[part]!
}

function lastLine(text: string): string | undefined {
  const lines = text
    .slice(-2000)
    .split('\n')
    .filter((one) => /\p{L}{2}/u.test(one))
  const line = collapseSpaces(lines.at(-1) ?? '')
  return line !== '' && line.length <= MAX_HEADING && lines.length <= 3 ? line : undefined
}

/** The line above the list, which other pages repeat. */
export function lineBefore(page: PageIndex, items: readonly number[]): string | undefined {
  const from = items[0] === undefined ? 0 : page.from[items[0]]!
  const line = collapseSpaces(
    page.text
      .slice(Math.max(0, from - 300), from)
      .trimEnd()
      .split('\n')
      .at(-1) ?? '',
  )
  return line !== '' && line.length <= MAX_HEADING ? squeezeText(line) : undefined
}

function textWithSigns(page: PageIndex, index: number, signs: readonly SignsAround[] = []): string {
  const whole = page.textOf(index)
  let text = whole
  for (const { css, open, close } of signs)
    for (const part of matchesOf(page, css, page.scopeOf(index))) {
      const inner = page.textOf(part)
      if (inner === '' || inner === whole || inner.startsWith(open.trim()) || text.includes(`${open}${inner}`)) continue
      text = text.replace(inner, () => `${open}${inner}${close}`)
    }
  return text
}

/** Signs that most taught items have around the text of the same child: "(chopped)". */
export function learnSigns(page: PageIndex, items: readonly number[], taught: readonly string[]): SignsAround[] {
  const votes = new Map<string, { css: string; open: string; close: string; count: number; seen: number }>()
  for (const index of items) {
    const whole = page.textOf(index)
    const wanted = taught.find((one) => squeezeText(one) === squeezeText(whole))
    if (!wanted) continue
    for (let child = index + 1; child < Math.min(page.end[index]!, index + 30); child++) {
      const part = page.textOf(child)
      const [best] = compoundsOf(page, child)
      if (part.length < 2 || part === whole || !best || best.trust <= 0.5) continue
      const at = wanted.indexOf(part)
      const [, open = ''] = at < 0 ? [] : (/([([{"„“«]\s?)$/u.exec(wanted.slice(0, at)) ?? [])
      const [close = ''] = at < 0 ? [] : (/^\s?[)\]}"”»]/u.exec(wanted.slice(at + part.length)) ?? [])
      const vote = votes.get(best.css) ?? { css: best.css, open, close, count: 0, seen: 0 }
      vote.seen += 1
      if (open && close && !whole.includes(`${open}${part}`)) {
        vote.count += 1
        Object.assign(vote, { open, close: close.trim() })
      }
      votes.set(best.css, vote)
    }
  }
  return [...votes.values()]
    .filter(({ count, seen }) => count > seen / 2)
    .map(({ css, open, close }) => ({ css, open, close }))
}

const PROSE = 50
const SENTENCE_END = /\p{Sentence_Terminal}[^\p{L}\p{N}]*$/u

/**
 * Whether headings between the items are items: as taught, or, on a page without headings, for items that are sentences,
 * because prose without its headings is incomplete.
 */
export function hasHeadings(page: PageIndex, items: readonly number[], taught: readonly string[]): boolean {
  const between = headingsBetween(page, items)
  const known = new Set(taught.map(squeezeText))
  if (between.length > 0) return between.filter(({ text }) => known.has(squeezeText(text))).length > between.length / 2
  const [chars, sentences] = [taught.join('').length, taught.filter((one) => SENTENCE_END.test(one)).length]
  return taught.length > 1 && chars / taught.length >= PROSE && sentences >= taught.length / 2
}
