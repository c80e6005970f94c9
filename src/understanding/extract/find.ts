// One field out of a part of a page: everything that may be its value, from labels, names of elements, headings and
// patterns, each with how sure it is. The best that fits wins; below the bar nothing is said.
import type { Element } from 'domhandler'
import { imageSource } from '../../content/image-source.ts'
import { closest, collapse, findElement, isElement, textOf } from '../../content/tree.ts'
import { readLines } from '../facts/lines.ts'
import type { Candidate, FieldContext, Raw, WantedField } from './asking.ts'
import { isStruck } from './concepts/shop.ts'
import type { PagePart, SeenElement } from './page-part.ts'
import { saidIn } from './post-text.ts'
import { prose } from './prose.ts'
import { sectionText } from './sections.ts'
import { unlabelled } from './unlabelled.ts'
import { valueFor } from './value-for.ts'
import { conceptsOf, phrasesNaming } from './vocabulary.ts'
import { isLong } from './wanted.ts'
import { isSort, labelPhrase } from './words.ts'

export interface FoundValue {
  value: unknown
  score: number
  source: string
}

/** Answers to a field that is known by its last word only. */
const LOOSE = 0.87
/** What is less sure than this is left unsaid. */
export const BAR = 0.63

export function findIn(scope: PagePart, wanted: WantedField, ground: FieldContext): FoundValue | undefined {
  const candidates = [
    ...fromPairs(scope, wanted),
    ...unlabelled(scope, wanted, ground),
    ...fromNames(scope, wanted),
    ...fromSection(scope, wanted),
    ...prose(scope, wanted, ground),
  ]
  return bestOf(
    wanted.isLoose ? candidates.map((one) => ({ ...one, score: one.score * LOOSE })) : candidates,
    wanted,
    ground,
  )
}

export function bestOf(
  candidates: readonly Candidate[],
  wanted: WantedField,
  ground: FieldContext,
): FoundValue | undefined {
  for (const candidate of [...candidates].sort((a, b) => b.score - a.score)) {
    if (candidate.score < BAR) return undefined
    const value = valueFor(candidate, wanted, ground)
    // A label is not its own value.
    if (typeof value === 'string' && wanted.concepts.length > 0 && wanted.phrases.includes(ground.phrase(value)))
      continue
    if (value !== undefined && value !== '') return { value, score: candidate.score, source: candidate.source }
  }
  return undefined
}

// --- labels -----------------------------------------------------------------------------------------------------------

/** What menus say anywhere is nobody's value. */
const MENU =
  /^(?:about(?: us)?|contact(?: us)?|home|shop(?: now)?|menu|log ?in|sign ?(?:in|up)|search|(?:learn|read|see|view) more|view all|subscribe|cart|my account|share|faqs?|back|close|next|previous|more|all|terms(?: (?:of|&) (?:use|service|conditions?))?|privacy(?: policy)?|cookies?|legal|careers|jobs|blog|news|press|pricing|support|help(?: center)?|sitemap|features|products|solutions|resources|docs|documentation)$/i

function fromPairs(scope: PagePart, wanted: WantedField): Candidate[] {
  const found: Candidate[] = []
  const { concepts } = wanted
  const ids = new Set(concepts.map(({ id }) => id))
  const isSiteWide = wanted.concepts.some(({ rules }) => rules.isSiteWide)
  for (const [label, pairs] of scope.pairs) {
    const sure = likeness(label, wanted, ids)
    if (sure === 0) continue
    const shown = new Set(pairs.map(({ value }) => value))
    for (const { value, element, isMain, trust } of pairs.slice(0, 5)) {
      // A label that stands many times with different values belongs to many things, of which none is asked for.
      const crowd = !scope.isSmall && shown.size > 3 ? 0.7 : 1
      const place = isMain || isSiteWide ? 1 : 0.85
      // A label that is only like the name needs a value that looks like one.
      if (sure < 0.7 && value.length > 60) continue
      if (!isMain && !isSiteWide && value.length > 40) continue
      if (MENU.test(value) || /^(?:learn|read|see|view|find out) more\b/i.test(value) || /^[—–]\s/u.test(value))
        continue
      // A column of links beside the content is headed, not labelled.
      if (!isMain && !isSiteWide && wanted.kind === 'text' && element && isLinked(element, value)) continue
      // Where a page has a heading, a label "Name" is of something on it.
      const own = !scope.isSmall && scope.main && wanted.rules.isName ? 0.85 : 1
      found.push({ ...rawOf(element, value), score: sure * trust * place * crowd * own, source: 'label' })
    }
  }
  return found
}

/** The value is a link and nothing else, or a row of them. */
function isLinked(element: Element, value: string): boolean {
  if (linksIn(element) > 1) return true
  const link = element.name === 'a' ? element : findElement(element, ({ name }) => name === 'a', 10)
  return link !== undefined && collapse(textOf(link, value.length + 20)) === value
}

/** How well a label names the field: the same words, the same meaning, or the same words and one more. */
const TELLING = new Set<WantedField['kind']>(['date', 'money', 'duration', 'email', 'phone', 'clock'])

const PER = / (?:per|pro|par|por|je|ab|al) /
function likeness(label: string, { phrases, concepts, kind }: WantedField, ids: ReadonlySet<string>): number {
  const n = phrases.indexOf(label)
  if (n >= 0) return n === 0 ? 0.98 : 0.95
  const meant = conceptsOf(label)
  if (meant.some((id) => ids.has(id))) return meant[0] === concepts[0]?.id ? 0.93 : 0.88
  if (meant.length > 0 && concepts.length > 0) return 0
  const words = label.split(' ')
  // "Preis pro Nacht" is a price.
  const head = label.split(PER, 1)[0]!
  const headMeans = conceptsOf(head)[0]
  const isPer = head !== label && headMeans !== undefined && headMeans === concepts[0]?.id
  if (isPer && TELLING.has(kind)) return 0.8
  // "Vertreten durch den Geschäftsführer": the last word says who.
  const last = conceptsOf(words.at(-1)!)[0]
  const isMeant = last !== undefined && last === concepts[0]?.id && !concepts[0].rules.isOfAnything
  if (words.length > 1 && isMeant && kind === 'text') return 0.75
  // `headquarters` under "Headquarters location".
  const isHead = concepts.length === 0 && meant.length === 0 && words.length === 2 && words[0]!.length > 5
  if (isHead && kind === 'text' && phrases[0] === words[0]) return 0.72
  // `workplaceType` under "Workplace".
  if (phrases.some((phrase) => isSort(phrase, label))) return 0.8
  const near = phrases.some((phrase) => {
    const own = phrase.split(' ')
    const [small, large] = own.length < words.length ? [own, words] : [words, own]
    if (small.join('').length <= 3 || !small.every((word) => large.includes(word))) return false
    // "Deadline to apply" for a deadline: a date or an amount that fits shows that it is meant.
    if (TELLING.has(kind) && own.length <= words.length) return words.length - own.length <= 2
    return own.at(-1) === words.at(-1) && large.length - small.length === 1
  })
  // A value that fits the kind asked for speaks for the label.
  return near ? (TELLING.has(kind) ? 0.72 : 0.68) : 0
}

/** A text with the addresses and times that stand in its element. */
export function rawOf(element: Element | undefined, value: string): Raw {
  if (!element) return { value }
  const link = element.name === 'a' ? element : findElement(element, ({ name }) => name === 'a', 60)
  const image = element.name === 'img' ? element : findElement(element, ({ name }) => name === 'img', 60)
  const time = findElement(element, ({ attribs }) => attribs.datetime !== undefined, 60)
  return {
    value,
    href: link?.attribs.href?.trim(),
    src: image && imageSource(image),
    when: time?.attribs.datetime,
  }
}

// --- names of elements ------------------------------------------------------------------------------------------------

/** Nodes after the main heading that are still about the same thing. */
const NEAR = 220

function fromNames(scope: PagePart, wanted: WantedField): Candidate[] {
  const { main } = scope
  const isSiteWide = wanted.concepts.some(({ rules }) => rules.isSiteWide)
  const own = wanted.phrases.map((phrase, n) => ({ phrase, score: n === 0 ? 0.8 : 0.76 }))
  const meant = wanted.concepts
    .slice(0, 2)
    .flatMap(({ id }, n) => phrasesNaming(id).map((phrase) => ({ phrase, score: 0.74 - n * 0.06 })))
  const found: Candidate[] = []
  for (const { phrase, score } of [...own, ...meant]) {
    const seen = scope.named(phrase)
    if (seen.length === 0) continue
    const inMain = seen.filter(({ isMain }) => isMain)
    const choice = inMain.length > 0 ? inMain : seen
    const values = innermost(choice, wanted, scope)
    const distinct = new Set(values.map(({ text }) => text))
    const [first] = values
    if (!first) continue
    const isNear = main !== undefined && Math.abs(first.seen.at - main.at) < NEAR
    // Boxes that each name a company speak of others: clients, sponsors.
    const isMany = wanted.rules.isMaker && choice.length > 2
    const sure = scope.isSmall || (distinct.size === 1 && !isMany) ? 1 : isNear && wanted.kind === 'money' ? 0.92 : 0.72
    const place = inMain.length > 0 ? 1 : isSiteWide ? 0.85 : 0.7
    found.push({ ...rawOf(first.seen.element, first.text), score: score * sure * place, source: 'name' })
  }
  return found
}

const MAX_NAMED = 40

/** The elements that hold just the value: short ones, and not a box around another of the same name. */
function innermost(
  seen: readonly SeenElement[],
  { kind, concepts, rules }: WantedField,
  { isSmall, elements, lines, main }: PagePart,
): { seen: SeenElement; text: string }[] {
  const isProse = concepts.some((concept) => concept.rules.isProse)
  const most = kind === 'text' ? (isProse ? 5000 : 200) : 80
  const values: { seen: SeenElement; text: string }[] = []
  for (const [n, one] of seen.slice(0, MAX_NAMED).entries()) {
    const { attribs, name } = one.element
    // The box of a whole card holds more than its text.
    if (isProse && isSmall && lines.length > 4 && elements.slice(0, 3).some(({ element }) => element === one.element))
      continue
    if (kind === 'text' && !isProse && closest(seen[n + 1]?.element.parent, 8, (up) => up === one.element)) continue
    // A box that holds the heading of the page is the page, whatever it is called.
    if (isProse && main && closest(main.element, 40, (up) => up === one.element)) continue
    const text = collapse(attribs.content ?? attribs['aria-label'] ?? shown(one.element, most, isProse, kind))
    if (text.length > most || (text === '' && name !== 'img' && kind !== 'image' && kind !== 'url')) continue
    // A menu is called by what it leads to, and is not that.
    if (kind === 'text' && !isProse && (linksIn(one.element) > 2 || MENU.test(text))) continue
    // A name and a number are no prose.
    if (isProse && text.length < 25 && !/[.!?…]/u.test(text)) continue
    // An empty cart costs nothing.
    if (kind === 'money' && !isSmall && /^\D*0+(?:[.,]0+)?\D*$/.test(text)) continue
    if (rules.mostWords && text.split(' ').length > rules.mostWords) continue
    // The first line of a box may be a label for something else in it.
    if (kind === 'text' && !isProse && /^[\p{Lu}\s]+$/u.test(text) && conceptsOf(labelPhrase(text)).length > 0) continue
    values.push({ seen: one, text })
  }
  return values
}

function linksIn(element: Element): number {
  let links = 0
  const open = [element]
  for (let looked = 0; open.length > 0 && looked < 80; looked++) {
    const one = open.pop()!
    if (one.name === 'a' || one.name === 'button' || one.name === 'option') links += 1
    for (const child of one.children) if (isElement(child)) open.push(child)
  }
  return links
}

/** What stands in an element: all of it for long texts, else its first line; of words side by side the first. */
function shown(element: Element, most: number, isProse: boolean, kind: WantedField['kind']): string {
  // Spaces between tags are many, and what is cut short is no value.
  const all = collapse(textOf(element, most * 4 + 400))
  if (all.length > most || element.children.length < 2) return all
  const { lines } = readLines(element, () => false)
  // What was asked before is not what is asked now.
  const now = kind === 'money' ? (lines[0]?.runs.filter((run) => !isStruck(run.element)) ?? []) : []
  if (now.length > 0 && now.length < lines[0]!.runs.length) return now.map((run) => run.text).join(' ')
  if (isProse)
    return saidIn(lines)
      .map(({ text }) => text)
      .join(' ')
  const [line] = lines
  const [run, next] = line?.runs ?? []
  if (
    kind === 'text' &&
    run &&
    next &&
    run.element !== next.element &&
    isElement(next.element?.parent) &&
    /\p{L}{3}/u.test(run.text)
  )
    return run.element === element ? line!.text : run.text
  return line?.text ?? ''
}

// --- sections ---------------------------------------------------------------------------------------------------------

const MAX_ADDRESS = 7

function fromSection(scope: PagePart, wanted: WantedField): Candidate[] {
  // Hours and addresses have forms of their own, and much else may stand under their headings.
  const given = sectionText(scope, wanted)
  const text = given && wanted.rules.under ? wanted.rules.under(given) : given
  if (!text) return []
  const long = isLong(wanted)
  const lines = text.split('\n')
  const [line = ''] = lines
  // `shippingAddress`: an address has several lines, each of a few words.
  if (/address$/i.test(wanted.name) && wanted.concepts.length === 0 && wanted.kind === 'text')
    return lines.length <= MAX_ADDRESS && lines.every((one) => one.length <= 60)
      ? [{ value: lines.join(', '), score: 0.78, source: 'section' }]
      : []
  // A number that is asked for stands alone: more is a list, or a sentence.
  if (wanted.kind !== 'text' && /^(?:number|count)$/.test(wanted.kind) && (line.length > 30 || /\d:\d/.test(line)))
    return []
  // A field of a few words is the first line, when that is short; a heading over prose is not a label.
  if ((!long || wanted.kind !== 'text') && line.length > 80) return []
  return [{ value: long ? text : line, score: 0.78, source: 'section' }]
}
