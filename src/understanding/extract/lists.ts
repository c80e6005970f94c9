// Fields that hold many: lists in the page's objects and state, rows of tables, cards, lists under a heading, tags.
import type { Element } from 'domhandler'
import { elementChildren, findElement, flatText, isElement, textOf } from '../../content/tree.ts'
import type { Pair } from '../facts/pairs.ts'
import type { FieldContext, WantedField } from './asking.ts'
import { rulesOf } from './concepts/index.ts'
import { crumbsIn } from './crumbs.ts'
import type { Fill, Report } from './filling.ts'
import { rawOf as elementRaw } from './find.ts'
import { isProfileAt, NETWORKS } from './networks.ts'
import { optionsOf } from './options.ts'
import { pairedList } from './paired-lists.ts'
import type { Places } from './places.ts'
import { recordsFor } from './records.ts'
import {
  headingLike,
  headingOf,
  headingsCalled,
  headingsUnder,
  itemsOf,
  labelledList,
  ledList,
  linesUnder,
  listUnder,
  numberedHeadings,
  outlineOf,
} from './sections.ts'
import type { Shape, ShapeField } from './shape.ts'
import { inData, isData, rawOf } from './things.ts'
import { valueFor } from './value-for.ts'
import { phrasesNaming } from './vocabulary.ts'

const MAX_ITEMS = 500
const SPLIT = /\s*(?:[,;|•·、，]|\n)\s*/u

export function listFor(
  fill: Fill,
  wanted: WantedField,
  places: Places,
  ground: FieldContext,
  path: string,
  report: Report,
  owner: Shape,
): unknown[] | undefined {
  const items = wanted.shape.items
  if (!items) return undefined
  if (items.kind === 'object') {
    const records = recordsFor(fill, wanted, items, places, ground, path, report, owner)
    if (records) return records
    const only = onlyName(items)
    const words = only && { ...wanted, shape: { ...wanted.shape, items: only.shape } }
    const names = words && listFor(fill, words, places, ground, path, report, owner)
    if (names) return names.map((one) => ({ [only!.name]: one }))
    return places.scope && places.page && pairedList(wanted, items, places.scope, ground)
  }
  if (items.kind === 'array') return undefined
  // What describes the list describes what is in it.
  const described = { ...items, description: items.description || wanted.shape.description }
  const one: WantedField = { ...wanted, shape: described }
  const found =
    crumbs(one, places, ground) ??
    profiles(one, places, ground) ??
    outline(one, places, ground) ??
    fromData(one, places, ground) ??
    fromPage(one, places, ground) ??
    fromHead(one, places, ground)
  // A list of the page's own title alone lists nothing.
  const [title = ''] = places.page?.titles ?? []
  const values =
    found?.length === 1 && ground.phrase(String(found[0])).endsWith(ground.phrase(title) || '\n') ? undefined : found
  // One feature alone is the first of something else.
  if (values?.length === 1 && one.rules.isNeverAlone) return undefined
  if (values) report.sources[path] = 'list'
  return values
}

/** `authors: [{name}]`: objects that hold nothing else are a list of words. */
function onlyName({ fields: [only, more] }: Shape): ShapeField | undefined {
  return only && !more && only.shape.kind === 'string' && /name$/i.test(only.name) ? only : undefined
}

/** The way to the page, as the page states it. */
function crumbs(wanted: WantedField, { page, scope }: Places, ground: FieldContext): unknown[] | undefined {
  if (!page || !wanted.phrases.some((phrase) => phrase.includes('breadcrumb'))) return undefined
  const list = page.facts.things.find((thing) => thing['@type'].includes('BreadcrumbList'))?.itemListElement
  const names = [list]
    .flat()
    .map((item) => (isData(item) ? (item.name ?? (isData(item.item) ? item.item.name : undefined)) : undefined))
  const given = fitted(
    /^(?:home|start|startseite|accueil|inicio|início)$/i.test(String(names[0])) ? names.slice(1) : names,
    wanted,
    ground,
  )
  return given ?? (scope && fitted(crumbsIn(scope, true), wanted, ground))
}

function fitted(raws: readonly unknown[], wanted: WantedField, ground: FieldContext): unknown[] | undefined {
  const values = raws
    .slice(0, MAX_ITEMS)
    .map((raw) => valueFor(isRaw(raw) ? raw : rawOf(raw), wanted, ground))
    .filter((value) => value !== undefined && value !== '')
  const distinct = [...new Set(uncounted(values))]
  // A list that holds its own name is a menu; one of bare numbers counts something.
  if (distinct.some((value) => typeof value === 'string' && wanted.phrases[0] === ground.phrase(value)))
    return undefined
  if (
    wanted.shape.kind === 'string' &&
    !wanted.rules.mayBeNumbers &&
    distinct.length > 1 &&
    distinct.every((value) => /^\d{1,3}$/.test(String(value)))
  )
    return undefined
  // What sorts things under words is made of words.
  const { mostWordsEach } = wanted.rules
  if (mostWordsEach && distinct.some((value) => String(value).split(' ').length > mostWordsEach)) return undefined
  return distinct.length > 0 ? distinct : undefined
}

/** "Lenses2103", "Bags (170)": how many there are of each is no part of its name. */
const COUNTED = /(?<=\p{L})\s?(?:\(\d{1,6}\)|\d{1,6})$/u
const uncounted = (values: readonly unknown[]): unknown[] =>
  values.length > 2 && values.every((value) => typeof value === 'string' && COUNTED.test(value))
    ? values.map((value) => String(value).replace(COUNTED, ''))
    : [...values]

const RAW = Symbol('raw')
type Tagged = ReturnType<typeof elementRaw> & { [RAW]: true }
const isRaw = (value: unknown): value is Tagged => value !== null && typeof value === 'object' && RAW in value
/** An item with a heading is called by it. */
function raw(element: Element): Tagged {
  const heading = findElement(element, ({ name }) => /^h[1-6]$/.test(name), 60)
  return { ...elementRaw(element, flatText(heading ?? element, 1000)), [RAW]: true }
}

function fromData(wanted: WantedField, { data }: Places, ground: FieldContext): unknown[] | undefined {
  for (const one of data) {
    for (const { value } of inData(one, wanted, ground)) {
      const list = Array.isArray(value)
        ? value.flatMap(steps)
        : typeof value === 'string'
          ? split(value, wanted)
          : steps(value)
      const values = fitted(list, wanted, ground)
      if (values) return values
    }
  }
  return undefined
}

/** A section of instructions is its steps. */
function steps(value: unknown): unknown[] {
  if (!isData(value)) return [value]
  if (Array.isArray(value.itemListElement))
    return value.itemListElement.flatMap((inner) =>
      isData(inner) && Array.isArray(inner.itemListElement) ? inner.itemListElement : [inner],
    )
  return [
    value.text !== undefined && value['@type'] !== undefined && String(value['@type']).startsWith('HowTo')
      ? value.text
      : value,
  ]
}

const split = (text: string, { rules }: WantedField): string[] => text.split(rules.isSplitByLine ? '\n' : SPLIT)

const SOCIAL = /^social(?: media)?(?: (?:link|profile|account|url))?$/

/** Profiles anywhere: those that data tell, else those that links lead to. */
function profiles(wanted: WantedField, { data, scope, page }: Places, ground: FieldContext): unknown[] | undefined {
  if (wanted.shape.kind !== 'string' || !wanted.phrases.some((phrase) => SOCIAL.test(phrase))) return undefined
  const told = [...data, ...(page?.facts.things ?? [])].slice(0, 60).flatMap(({ sameAs }) => [sameAs].flat())
  const links = (scope?.elements ?? []).flatMap(({ element }) =>
    element.name === 'a' ? (element.attribs.href ?? []) : [],
  )
  const isProfile = (one: unknown): one is string =>
    typeof one === 'string' && Object.keys(NETWORKS).some((network) => isProfileAt(network, one))
  const found = [told, links].map((all) => all.slice(0, MAX_LINKS).filter(isProfile)).find((all) => all.length > 0)
  return found && fitted(found, { ...wanted, kind: 'url' }, ground)
}

const MAX_LINKS = 2000

/** `sections`, `chapters`: what the page is divided into. */
const OUTLINE =
  /^(?:(?:main |page )?(?:section|heading|chapter|subheading)(?: (?:title|heading|name))?|table content|toc|outline)$/

function outline(wanted: WantedField, { page, scope }: Places, ground: FieldContext): unknown[] | undefined {
  if (!page || !scope || !wanted.phrases.some((phrase) => OUTLINE.test(phrase))) return undefined
  const texts = outlineOf(scope)
  return texts && fitted(texts, wanted, ground)
}

function fromPage(wanted: WantedField, { scope, page }: Places, ground: FieldContext): unknown[] | undefined {
  if (!scope) return undefined
  const phrases = [...wanted.phrases, ...wanted.concepts.slice(0, 1).flatMap(({ id }) => phrasesNaming(id))]
  // A class says "topic" of a thread and "language" of code as well.
  const named = phrases.filter((one) => !(wanted.rules.isUnsureAsClass && AMBIGUOUS.has(one)))
  for (const phrase of named) {
    const box = scope
      .named(phrase)
      .find(({ element, isMain }) => (isMain || phrase === 'breadcrumb') && manyIn(element).length > 0)
    const many = box && fitted(manyIn(box.element).map(raw), wanted, ground)
    if (many) return many
  }
  const heading = headingOf(scope, wanted)
  const like = page && !heading ? headingLike(scope, wanted) : undefined
  const under =
    (heading && page && (listUnder(scope, heading) ?? linesUnder(scope, heading) ?? headingsUnder(scope, heading))) ||
    (like && page && (linesUnder(scope, like) ?? headingsUnder(scope, like) ?? listUnder(scope, like)))
  if (under) return fitted(under, wanted, ground)
  const labelled = labelledList(scope, phrases)
  if (labelled) return fitted(labelled, wanted, ground)
  for (const phrase of named) {
    const same = scope
      .named(phrase)
      .filter(({ element, isMain }) => isMain && textOf(element, 200).length < 150 && !CODE.has(element.name))
    // Many elements of one name, each a value: tags, badges, pictures of a gallery.
    if (same.length > 1)
      return fitted(
        same.map(({ element }) => raw(element)),
        wanted,
        ground,
      )
  }
  for (const phrase of phrases) {
    const pair = scope.pairs.get(phrase)?.[0]
    if (!pair) continue
    const list = pair.element && findElement(pair.element, ({ name }) => name === 'ul' || name === 'ol', 50)
    const values = fitted(
      (list && itemsOf(list)) ?? linkedIn(pair) ?? shortOnes(split(pair.value, wanted)),
      wanted,
      ground,
    )
    if (values) return values
  }
  // Any numbers where headings are asked for; for steps only those that say so: lists of products are counted too.
  const isAny = /\bheadings?\b/i.test(wanted.shape.description)
  const isStep = wanted.rules.isSteps || wanted.phrases.includes('step')
  const counted = page && (isAny || isStep) ? numberedHeadings(scope, isAny) : undefined
  if (counted) return fitted(counted, wanted, ground)
  const called = page && headingsCalled(scope, wanted.phrases)
  if (called) return fitted(called, wanted, ground)
  const { findMany } = wanted.phrases.includes('category') ? rulesOf('category') : wanted.rules
  const marked = page && findMany?.(scope)
  if (marked) return fitted(marked, wanted, ground)
  const options = optionsOf(scope, phrases)
  if (options.length > 1) return fitted(options, wanted, ground)
  const led = page && ledList(scope, wanted, page.root)
  if (led) return fitted(led, wanted, ground)
  // A card with one list: that is the list.
  const lists = scope.isSmall
    ? scope.elements.filter(({ element }) => element.name === 'ul' || element.name === 'ol')
    : []
  return lists.length === 1 ? fitted(itemsOf(lists[0]!.element) ?? [], wanted, ground) : undefined
}

const AMBIGUOUS = new Set(['topic', 'language'])
const CODE = new Set(['pre', 'code'])

/** Commas part the clauses of a sentence too: what is listed is short. */
const shortOnes = (parts: readonly string[]): readonly string[] =>
  parts.length > 1 && parts.some((part) => part.length > MAX_PART || /[.!?]\s/.test(part)) ? [] : parts
const MAX_PART = 60

/** A value that is a row of links is a list of what they say. */
function linkedIn({ element, value }: Pair): string[] | undefined {
  const box = element?.name === 'a' && isElement(element.parent) ? element.parent : element
  const texts = box
    ? elementChildren(box)
        .filter(({ name }) => name === 'a')
        .map((link) => flatText(link, 100))
        .filter(Boolean)
    : []
  return texts.length > 1 && texts.every((text) => value.includes(text)) ? texts : undefined
}

/** What a box holds many of: items of a list, links, pictures. */
function manyIn(box: Element): Element[] {
  const list =
    box.name === 'ul' || box.name === 'ol' ? box : findElement(box, ({ name }) => name === 'ul' || name === 'ol', 100)
  if (list) {
    const items = elementChildren(list).filter(({ name }) => name === 'li')
    if (items.length > 0) return items
  }
  const children = elementChildren(box)
  const name = children[0]?.name
  return children.length > 1 && children.every((child) => child.name === name) ? children : []
}

function fromHead(wanted: WantedField, { page }: Places, ground: FieldContext): unknown[] | undefined {
  // The language of the page is one; who asks for several asks for others.
  if (!page || wanted.rules.isOneInHead) return undefined
  const named = Object.keys(page.metadata).filter((key) =>
    wanted.phrases.includes(ground.phrase(key.replace(/^(?:og|article|citation|dc|dcterms)[:._]/i, ''))),
  )
  for (const key of [...named, ...wanted.concepts.flatMap(({ meta }) => meta)]) {
    const value = page.metadata[key]
    if (value === undefined) continue
    const values = fitted(
      Array.isArray(value)
        ? value.length > 1
          ? value
          : value.flatMap((one) => split(one, wanted))
        : split(value, wanted),
      wanted,
      ground,
    )
    if (values) return values
  }
  return undefined
}
