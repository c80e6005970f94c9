// What stands under a heading that names a field: its text, or the items of its list.
import type { AnyNode, Element } from 'domhandler'
import { elementChildren, flatText, isElement, nodeAfter } from '../../content/tree.ts'
import type { WantedField } from './asking.ts'
import { firstAt, type Heading, type PagePart } from './page-part.ts'
import { conceptsOf } from './vocabulary.ts'
import { isSort, labelPhrase, tokensOf } from './words.ts'

const MAX_TEXT = 2000
const MAX_ITEMS = 500

/** The heading that carries the field's name or one that means the same. */
export function headingOf(scope: PagePart, { phrases, concepts }: WantedField): Heading | undefined {
  const [concept] = concepts
  const matches = scope.headings.filter(({ text, level }) => {
    if (level === 1 || text.length > 60) return false
    const phrase = labelPhrase(text)
    return (
      phrases.includes(phrase) ||
      (concept && !concept.rules.isName && conceptsOf(phrase).includes(concept.id)) ||
      (!concept && phrases.some((one) => isSort(one, phrase)))
    )
  })
  // Beside the content a heading must say the very name.
  return matches.find(({ isMain }) => isMain) ?? matches.find(({ text }) => phrases.includes(labelPhrase(text)))
}

export function sectionText(scope: PagePart, wanted: WantedField): string | undefined {
  const heading = headingOf(scope, wanted)
  if (!heading) return undefined
  // Beside the content headings are those of widgets; only how to reach a house stands there.
  if (!heading.isMain && !scope.isSmall && !wanted.rules.isSiteWide) return undefined
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
export function listUnder(scope: PagePart, heading: Heading): string[] | undefined {
  const next = scope.headings.find(({ at }) => at > heading.at)?.at ?? Number.POSITIVE_INFINITY
  // After some lines of text a list is of what they say.
  const line = scope.lines[firstAt(scope.lines, heading.at) + MAX_BETWEEN]?.at ?? Number.POSITIVE_INFINITY
  const list = elementBetween(scope, heading.at + 1, Math.min(next, line), isList)
  return list && [list, ...listsBehind(scope, list, next)].flatMap((one) => itemsOf(one) ?? [])
}

/** Lists that follow the first, each after one short line: the filling and the topping. */
function listsBehind(scope: PagePart, list: Element, end: number): Element[] {
  const found: Element[] = []
  let last = list
  for (let steps = 0; steps < MAX_LISTS; steps++) {
    const between = sibling(last)
    const next = between && !isList(between) ? sibling(between) : between
    const isShort = between && (isList(between) || flatText(between, MAX_ITEM + 1).length <= MAX_ITEM)
    const at = next && scope.elements.find(({ element }) => element === next)?.at
    if (!next || !isShort || !isList(next) || /^h[1-6]$/.test(between.name) || at === undefined || at >= end) break
    found.push(next)
    last = next
  }
  return found
}

const MAX_LISTS = 10

function sibling(element: Element): Element | undefined {
  let node = element.next
  for (let steps = 0; node && !isElement(node) && steps < 4; steps++) node = node.next
  return node && isElement(node) ? node : undefined
}

const MAX_BETWEEN = 4

export function itemsOf(list: Element): string[] | undefined {
  const items = elementChildren(list)
    .filter(({ name }) => name === 'li')
    .slice(0, MAX_ITEMS)
  const texts = items.map((item) => flatText(item, 1000)).filter(Boolean)
  // "Wyoming: low taxes": items that are all named so are told by their names.
  const names = items.flatMap(nameOfItem)
  if (items.length > 1 && names.length === items.length) return names
  const leads = texts.flatMap((text) => LEAD.exec(text)?.[1] ?? [])
  if (texts.length > 2 && leads.length === texts.length) return leads
  return texts.length > 0 ? texts : undefined
}

/** "PDF - Perfect for manuals": a name, a dash, and what there is to say of it. */
const LEAD = /^([^.,:;–—]{1,40}?)\s[-–—]\s.{20,}$/su

function nameOfItem(item: Element): string[] {
  const strong = elementChildren(item).find(({ name }) => name === 'strong' || name === 'b')
  const text = strong && flatText(strong, 200)
  const rest = text && flatText(item, 1000)
  return text && rest?.startsWith(text) && (/[:：]$/u.test(text) || /^\s*[:：–—]/u.test(rest.slice(text.length)))
    ? [text.replace(/\s*[:：]$/u, '')]
    : []
}

/** The list right after a line that is the field's name, "Pros:"; none when the page has several such. */
export function labelledList(scope: PagePart, phrases: readonly string[]): string[] | undefined {
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

function elementBetween({ elements }: PagePart, from: number, to: number, wanted: (element: Element) => boolean) {
  for (let n = firstAt(elements, from); n < elements.length && elements[n]!.at < to; n++)
    if (wanted(elements[n]!.element)) return elements[n]!.element
  return undefined
}

const isList = ({ name }: Element): boolean => name === 'ul' || name === 'ol'
const MAX_NAME = 60
/** Of what stands side by side under a heading no item is longer. */
const MAX_ITEM = 80

/** Short lines of one sort right under a heading: names of a team, links of a column. */
export function linesUnder({ lines, headings }: PagePart, heading: Heading): string[] | undefined {
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
  return below.length > 2 ? below : spansUnder({ lines }, heading, end)
}

/** Tags and badges side by side in the one line below a heading. */
function spansUnder({ lines }: Pick<PagePart, 'lines'>, heading: Heading, end: number): string[] | undefined {
  const below = lines.filter(({ at, text }) => at > heading.at && at < end && text !== heading.text).slice(0, 2)
  const [line, more] = below
  const isApart = line?.runs.every(({ element, text }) => element !== line.block && text.length <= MAX_ITEM)
  return line &&
    !more &&
    isApart &&
    line.runs.length > 1 &&
    new Set(line.runs.map(({ element }) => element)).size === line.runs.length
    ? line.runs.map(({ text }) => text)
    : undefined
}

const MAX_HEADINGS = 500

/** A heading that shares most words with the field's name and description, when only one does. */
export function headingLike(scope: PagePart, { name, shape }: WantedField): Heading | undefined {
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

const NUMBERED = /^(?:(?:step|schritt|étape|paso|passo|stap)\s*)?#?(\d{1,3})\s?[.):–—-]?\s/iu

/** Headings that count themselves: "Step 1: …", "2. …". */
export function numberedHeadings({ headings }: PagePart, isAny: boolean): string[] | undefined {
  const texts: string[] = []
  for (const { text, isMain } of headings) {
    const found = isMain ? NUMBERED.exec(text) : null
    const number = found && (isAny || /^\p{L}/u.test(found[0])) ? Number(found[1]) : 0
    if (number === texts.length + 1) texts.push(text)
  }
  return texts.length > 2 ? texts : undefined
}

/** Headings of one level that all end with the field's word: "Starter Plan", "Family Plan". */
export function headingsCalled({ headings }: PagePart, phrases: readonly string[]): string[] | undefined {
  const [word] = phrases.filter((phrase) => phrase.length > 3 && !phrase.includes(' '))
  const called = word
    ? headings.filter(({ text, level, isMain }) => isMain && level > 1 && tokensOf(text).at(-1) === word)
    : []
  const alike = [2, 3, 4, 5, 6].map((level) => called.filter((one) => one.level === level && one.text.includes(' ')))
  return alike.find((one) => one.length > 2)?.map(({ text }) => text)
}

/** Headings of the next level below one. */
export function headingsUnder({ headings }: PagePart, over: Heading): string[] | undefined {
  const from = headings.indexOf(over)
  const below: Heading[] = []
  for (const heading of headings.slice(from + 1, from + 1 + MAX_ITEMS)) {
    if (heading.level <= over.level) break
    if (below.length === 0 || heading.level === below[0]!.level) below.push(heading)
  }
  return below.length > 1 ? below.map(({ text }) => text) : undefined
}

/** The list after a line such as "The best places to retire are:", when it speaks of the field. */
export function ledList(scope: PagePart, { name, shape }: WantedField, root: AnyNode): string[] | undefined {
  const asked = new Set(tokensOf(`${name} ${shape.description}`))
  let best: { list: Element; shared: number } | undefined
  for (const { text, isMain, block } of scope.lines.slice(0, MAX_LINES)) {
    if (!isMain || !block || !/[:：]$/u.test(text)) continue
    const shared = tokensOf(text.slice(-150)).filter((word) => word.length > 2 && asked.has(word)).length
    const after: AnyNode | null = shared >= 2 ? nextElement(block, root) : null
    if (!isElement(after) || (after.name !== 'ul' && after.name !== 'ol')) continue
    if (best && best.shared === shared) return undefined
    if (!best || shared > best.shared) best = { list: after, shared }
  }
  return best && itemsOf(best.list)
}

const MAX_LINES = 3000

function nextElement(element: Element, root: AnyNode): AnyNode | null {
  let node = nodeAfter(element, root)
  for (let steps = 0; node && !isElement(node) && steps < 5; steps++) node = nodeAfter(node, root)
  return node
}

/** The headings of the highest level below the page's own. */
export function outlineOf({ headings }: PagePart): string[] | undefined {
  const main = headings.filter(({ isMain, level }) => isMain && level > 1).slice(0, MAX_ITEMS)
  // A single heading over all others divides nothing.
  const top = [2, 3, 4, 5, 6].find((level) => main.filter((one) => one.level === level).length > 1)
  return top ? main.filter(({ level }) => level === top).map(({ text }) => text) : undefined
}
