// What stands under a heading that names a field: its text, or the items of its list.
import type { Element } from 'domhandler'
import { elementChildren, flatText } from '../../content/tree.ts'
import { firstAt, type Heading, type Scope } from './scope.ts'
import { conceptsOf, SITE_WIDE } from './vocabulary.ts'
import type { Wanted } from './wanted.ts'
import { isSort, labelPhrase, tokensOf } from './words.ts'

const MAX_TEXT = 2000
const MAX_ITEMS = 500

/** The heading that carries the field's name or one that means the same. */
export function headingOf(scope: Scope, { phrases, concepts }: Wanted): Heading | undefined {
  const id = concepts[0]?.id
  const matches = scope.headings.filter(({ text, level }) => {
    if (level === 1 || text.length > 60) return false
    const phrase = labelPhrase(text)
    return (
      phrases.includes(phrase) ||
      (id !== undefined && id !== 'name' && conceptsOf(phrase).includes(id)) ||
      (id === undefined && phrases.some((one) => isSort(one, phrase)))
    )
  })
  // Beside the content a heading must say the very name.
  return matches.find(({ isMain }) => isMain) ?? matches.find(({ text }) => phrases.includes(labelPhrase(text)))
}

export function sectionText(scope: Scope, wanted: Wanted): string | undefined {
  const heading = headingOf(scope, wanted)
  if (!heading) return undefined
  // Beside the content headings are those of widgets; only how to reach a house stands there.
  if (!heading.isMain && !scope.isSmall && !SITE_WIDE.has(wanted.concepts[0]?.id ?? '')) return undefined
  const next = scope.headings.find(({ at, level }) => at > heading.at && level <= heading.level)
  const end = next?.at ?? Number.POSITIVE_INFINITY
  const pieces: string[] = []
  let chars = 0
  for (const { text, at, isMain } of scope.lines) {
    if (at <= heading.at || at >= end || text === heading.text) continue
    if (isMain !== heading.isMain) break
    pieces.push(text)
    chars += text.length
    if (chars > MAX_TEXT) break
  }
  const text = pieces.join('\n').slice(0, MAX_TEXT)
  return text === '' ? undefined : text
}

/** The first list after the heading; behind the next heading it is that one's. */
export function listUnder(scope: Scope, heading: Heading): string[] | undefined {
  const next = scope.headings.find(({ at }) => at > heading.at)?.at ?? Number.POSITIVE_INFINITY
  // After some lines of text a list is of what they say.
  const line = scope.lines[firstAt(scope.lines, heading.at) + MAX_BETWEEN]?.at ?? Number.POSITIVE_INFINITY
  const list = elementBetween(scope, heading.at + 1, Math.min(next, line), isList)
  return list && itemsOf(list)
}

const MAX_BETWEEN = 4

export function itemsOf(list: Element): string[] | undefined {
  const items = elementChildren(list)
    .filter(({ name }) => name === 'li')
    .slice(0, MAX_ITEMS)
  const texts = items.map((item) => flatText(item, 1000)).filter(Boolean)
  return texts.length > 0 ? texts : undefined
}

/** The list right after a line that is the field's name, "Pros:"; none when the page has several such. */
export function labelledList(scope: Scope, phrases: readonly string[]): string[] | undefined {
  let found: string[] | undefined
  for (const [n, { text, at }] of scope.lines.entries()) {
    if (text.length > MAX_NAME || !phrases.includes(labelPhrase(text))) continue
    const next = scope.lines[n + 1]?.at ?? Number.POSITIVE_INFINITY
    const list = elementBetween(scope, at, next, isList)
    const items = list && itemsOf(list)
    if (!items) continue
    if (found) return undefined
    found = items
  }
  return found
}

function elementBetween({ elements }: Scope, from: number, to: number, wanted: (element: Element) => boolean) {
  for (let n = firstAt(elements, from); n < elements.length && elements[n]!.at < to; n++)
    if (wanted(elements[n]!.element)) return elements[n]!.element
  return undefined
}

const isList = ({ name }: Element): boolean => name === 'ul' || name === 'ol'
const MAX_NAME = 60
/** Of what stands side by side under a heading no item is longer. */
const MAX_ITEM = 80

/** Short lines of one sort right under a heading: names of a team, links of a column. */
export function linesUnder({ lines, headings }: Scope, heading: Heading): string[] | undefined {
  const end = headings.find(({ at }) => at > heading.at)?.at ?? Number.POSITIVE_INFINITY
  const below: string[] = []
  let sort: string | undefined
  for (const { text, at, isMain, block } of lines) {
    if (at <= heading.at || text === heading.text || below.length >= MAX_ITEMS) continue
    const own = `${block?.name} ${block?.attribs.class ?? ''}`
    if (at >= end || isMain !== heading.isMain || (sort !== undefined && own !== sort)) break
    if (text.length > MAX_ITEM || /[.!?]$/.test(text)) return undefined
    sort = own
    below.push(text)
  }
  return below.length > 2 ? below : undefined
}

const MAX_HEADINGS = 500

/** A heading that shares most words with the field's name and description, when only one does. */
export function headingLike(scope: Scope, { name, shape }: Wanted): Heading | undefined {
  const asked = new Set(tokensOf(`${name} ${shape.description}`).map(stem))
  const named = new Set(shape.description === '' ? [] : tokensOf(name))
  const rated = scope.headings
    .slice(0, MAX_HEADINGS)
    .filter(({ isMain, level, text }) => isMain && level > 1 && text.length <= 100)
    .map((heading) => ({ heading, shared: sharedWords(heading.text, asked) }))
    // "In the box" for `boxContents`: its one word stands in the name itself.
    .filter(({ heading, shared }) => shared >= 2 || (shared === 1 && named.has(tokensOf(heading.text).join(' '))))
    .sort((a, b) => b.shared - a.shared)
  const [best, second] = rated
  return best && best.shared > (second?.shared ?? 0) ? best.heading : undefined
}

/** "Insurance we accept" says `insuranceAccepted`. */
const stem = (word: string): string => (word.length > 6 ? word.replace(/(?:ed|ing)$/, '') : word)

/** How many words of a text were asked for; none when those are the smaller part of it. */
function sharedWords(text: string, asked: ReadonlySet<string>): number {
  const words = new Set(
    tokensOf(text)
      .filter((word) => !/^(?:we|you|us|i|my)$/.test(word))
      .map(stem),
  )
  const shared = [...words].filter((word) => word.length > 2 && asked.has(word)).length
  return shared >= words.size / 2 ? shared : 0
}
