// A shape filled from the places where its answers may lie, field by field, and what was not found. A field without an
// answer is null where the schema allows it or demands the field, and left out otherwise.
import { emptyRecord } from '../../base/table.ts'
import { findElement } from '../../content/tree.ts'
import type { Concept, Data, FieldContext, WantedField } from './asking.ts'
import { fieldThat } from './context.ts'
import { dropContradictions, type SureValue } from './contradictions.ts'
import type { Filled, Report } from './filling.ts'
import { listFor } from './lists.ts'
import { openPart, slice } from './page-part.ts'
import { GENERIC, type Places, placesIn, scalarFor } from './places.ts'
import { rangeFor } from './ranges.ts'
import { headingOf } from './sections.ts'
import type { Shape, ShapeField } from './shape.ts'
import { coverage, inData, isData } from './things.ts'
import { isNeutral } from './wanted.ts'
import { tokensOf } from './words.ts'

const MAX_SOURCES = 500

export function fillObject(shape: Shape, places: Places, ground: FieldContext, path: string, report: Report): Filled {
  const value = emptyRecord<unknown>()
  const title = unnamed(shape, places, ground)
  const group = grouping(shape, places, ground)
  const answers = new Map<ShapeField, SureValue>()
  for (const field of shape.fields) {
    const at = path === '' ? field.name : `${path}.${field.name}`
    const answer =
      (field === group ? plainly(groupName(places)) : undefined) ??
      fillField(field, places, ground, at, report, shape) ??
      (field === title ? plainly(titleOf(places, field, ground)) : undefined)
    if (answer) answers.set(field, answer)
  }
  dropContradictions(answers, places.scope?.isSmall === true, ground)
  dropBorrowedTitle(answers, places, ground)
  for (const field of shape.fields) {
    const answer = answers.get(field)
    if (answer) value[field.name] = answer.value
    else if (field.shape.nullable || field.isRequired) {
      value[field.name] = null
      if (field.isRequired && !field.shape.nullable)
        report.missing.push(path === '' ? field.name : `${path}.${field.name}`)
    }
  }
  dropOpening(answers, value, ground)
  const found = answers.size + fromFirstPost(shape, places, ground, value, answers)
  const sure = [...answers.values()].reduce((sum, answer) => sum + answer.sure, 0)
  return { value, found, asked: shape.fields.length, sure }
}

/** What a page can be about that not every page is: its title is the name of such a thing only on a page about one. */
const KINDS_OF_PAGE = new Set(
  'recipe hotel restaurant movie film book episode event course video song album vehicle car venue podcast trail exhibition lecture talk dataset'.split(
    ' ',
  ),
)

/** `hotelName` on a page that has no word of a hotel, nor anything else that was asked of it. */
function dropBorrowedTitle(answers: Map<ShapeField, SureValue>, { page, scope }: Places, ground: FieldContext): void {
  const isTelling = ({ name, shape }: ShapeField) =>
    ground.wanted(name, shape).concepts.every(({ rules }) => !rules.isOfAnything && !rules.isOfAnyPage)
  for (const [field, { value }] of [...answers]) {
    const [kind = '', ...rest] = tokensOf(field.name)
    if (!page || !KINDS_OF_PAGE.has(kind) || !/^(?:name|title)$/.test(rest.join(' '))) continue
    if (!page.titles.some((title) => title === value) || [...answers.keys()].some(isTelling)) continue
    const isSaid = (text: string) => tokensOf(text).some((word) => word === kind)
    const types = page.facts.things.flatMap((thing) => thing['@type'])
    if (![page.url, ...page.titles, ...types].some(isSaid) && !scope?.lines.some(({ text }) => isSaid(text)))
      answers.delete(field)
  }
}

/** How sure an answer is that no finder has weighed. */
const PLAINLY = 0.7
const plainly = (value: unknown): SureValue | undefined => (value === undefined ? undefined : { value, sure: PLAINLY })

const conceptOf = ({ name, shape }: ShapeField, ground: FieldContext): Concept | undefined =>
  ground.wanted(name, shape).concepts[0]

/** The post that opens a thread is no answer to it. */
function dropOpening(
  answers: ReadonlyMap<ShapeField, SureValue>,
  value: Record<string, unknown>,
  ground: FieldContext,
): void {
  const known = new Map([...answers].map(([field, answer]) => [conceptOf(field, ground), answer.value]))
  for (const [field, { value: list }] of answers) {
    if (
      !Array.isArray(list) ||
      list.length < 2 ||
      !/^(?:answer|reply|response|comment)$/.test(ground.phrase(field.name))
    )
      continue
    const [first] = list as unknown[]
    const same = (field.shape.items?.fields ?? []).filter((inner) => {
      const concept = conceptOf(inner, ground)
      const told = concept?.rules.isOfPost ? known.get(concept) : undefined
      return told !== undefined && isData(first) && first[inner.name] === told
    })
    if (same.length === OF_POST) value[field.name] = list.slice(1)
  }
}

/** Who and when. */
const OF_POST = 2

/** Whoever wrote the first post of a thread started it: surer than a name or a date found near the heading. */
function fromFirstPost(
  { fields }: Shape,
  { page }: Places,
  ground: FieldContext,
  value: Record<string, unknown>,
  answers: ReadonlyMap<ShapeField, SureValue>,
): number {
  const posts =
    page &&
    fields.find(
      ({ name, shape }) => shape.items?.kind === 'object' && /^(?:post|message|thread post)$/.test(ground.phrase(name)),
    )
  const list = posts && value[posts.name]
  const first: unknown = Array.isArray(list) ? list[0] : undefined
  if (!posts || !isData(first)) return 0
  let found = 0
  for (const field of fields) {
    const { name, shape } = field
    const concept = conceptOf(field, ground)
    if (!concept?.rules.isOfPost || shape.kind !== 'string') continue
    const inner = posts.shape.items!.fields.find((one) => conceptOf(one, ground) === concept)
    const known = inner && first[inner.name]
    if (typeof known !== 'string') continue
    if ((answers.get(field)?.sure ?? 0) >= SURER) continue
    if ((value[name] ?? null) === null) found += 1
    value[name] = known
  }
  return found
}

/** What was read from data or a mark stands. */
const SURER = 0.8

/** `{word, pronunciation}` has no name: its first field is what the page or card is called. */
function unnamed({ fields }: Shape, { around }: Places, ground: FieldContext): ShapeField | undefined {
  if (around.length > 0) return undefined
  const [first] = fields
  const concept = first && conceptOf(first, ground)
  const isOpen = (!concept || concept.rules.isTitle) && !fieldThat('isName', fields, ground)
  return first?.shape.kind === 'string' && !first.shape.format && isOpen ? first : undefined
}

/** `{category, products}` over a page without another name: the category is what the page is called. */
function grouping({ fields }: Shape, { page, around }: Places, ground: FieldContext): ShapeField | undefined {
  if (
    !page ||
    around.length > 0 ||
    !fields.some(
      ({ name, shape }) => shape.kind === 'array' && shape.items?.kind === 'object' && !SAID.test(ground.phrase(name)),
    )
  )
    return undefined
  return fieldThat('isName', fields, ground)
    ? undefined
    : fields.find(({ name, shape }) => shape.kind === 'string' && GROUPS.has(ground.phrase(name)))
}
/** The heading, else a title that is not the name of the site. */
function groupName({ scope, page }: Places): string | undefined {
  const [title] = page?.titles ?? []
  if (scope?.main || title === undefined) return scope?.main?.text
  const squeezed = title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  const hosts = URL.canParse(page!.url) ? new URL(page!.url).hostname.split('.') : []
  return hosts.some((label) => label.length > 3 && squeezed.includes(label)) ? undefined : title
}

/** What people say under a page is not what the page lists. */
const SAID = /(?:^| )(?:answer|post|reply|response|comment|review|message|faq|question)$/
const GROUPS = new Set(['category', 'topic', 'collection', 'department', 'section', 'subject', 'theme'])

const NAME = 'name'
/** What a page may be about in one word: then its heading is the answer. Whoever made it stands beside the heading. */
const HEADED = new Set(
  'word term headword module command function package library tool topic subject conference program programme course species song album game recipe dish movie film book article event position role job route vehicle property listing artwork object plant animal disease drug'.split(
    ' ',
  ),
)

function titleOf({ page, ...places }: Places, { name, shape }: ShapeField, ground: FieldContext): unknown {
  if (!page) return scalarFor({ ...places, page }, ground.wanted(NAME, { ...shape }), ground)?.value
  const [heading = ''] = page.titles
  const isPlain = /^[\p{L}\p{N}\s'’_./-]{2,60}$/u.test(heading) && heading.split(' ').length <= 6
  const phrase = ground.phrase(name)
  // `doctorName` first of all: whoever or whatever the page is headed by.
  const isName =
    / name$/.test(phrase) &&
    /^[\p{Lu}\d][^.!?:|]{1,60}(?:\.?\s[^.!?:|]{1,50})?$/u.test(heading) &&
    !GENERIC.test(heading)
  return isName || (isPlain && HEADED.has(phrase.replace(/ name$/, ''))) ? heading : undefined
}

function fillField(
  field: ShapeField,
  places: Places,
  ground: FieldContext,
  path: string,
  report: Report,
  owner: Shape,
): SureValue | undefined {
  const { name, shape } = field
  const wanted = ground.wanted(name, shape, places.around)
  if (shape.kind === 'array') return plainly(listFor(fillObject, wanted, places, ground, path, report, owner))
  if (shape.kind === 'object') return plainly(objectFor(wanted, places, ground, path, report, owner))
  const answer = scalarFor(places, wanted, ground)
  if (answer && Object.keys(report.sources).length < MAX_SOURCES) report.sources[path] = answer.source
  return answer && { value: answer.value, sure: answer.score }
}

function objectFor(
  wanted: WantedField,
  places: Places,
  ground: FieldContext,
  path: string,
  report: Report,
  owner: Shape,
): unknown {
  const { shape, name } = wanted
  if (shape.fields.length === 0) return dictionary(wanted, places)
  // What an attempt that fails finds missing is not worth telling.
  const attempt = (inner: Places): Filled & { report: Report } => {
    const own: Report = { missing: [], sources: {} }
    return { ...fillObject(shape, inner, ground, path, own), report: own }
  }
  const attempts: (Filled & { report: Report })[] = []
  for (const data of places.data.slice(0, 3)) {
    const said = inData(data, wanted, ground).map(({ value }) =>
      Array.isArray(value) ? (value.find(isData) ?? value[0]) : value,
    )
    // Of several the one that holds most of what is asked: a salary rather than its amount.
    const best = said.filter(isData).sort((a, b) => coverage(b, shape, ground) - coverage(a, shape, ground))[0]
    const given = best ?? said.find((value) => typeof value === 'string')
    const inner: Data | undefined = isData(given) ? given : typeof given === 'string' ? { name: given } : undefined
    if (!inner) continue
    // What lies in the object itself is its own, under any name; what it lacks may stand on the page under its name.
    const own = attempt(placesIn({ data: [inner] }))
    attempts.push(joined(own, attempt({ ...places, data: [inner], page: undefined, around: [name] })))
  }
  if (isNeutral(name)) {
    const own = attempt(places)
    // A page that is asked for its own title is not itself the event: it must tell of one.
    if (!fieldThat('isName', owner.fields, ground) || tellsOfItself(own.value, shape, ground)) attempts.push(own)
  } else if (places.scope) {
    const part = partNamed(wanted, places, ground)
    if (part) attempts.push(attempt(placesIn({ scope: part })))
    attempts.push(attempt({ ...places, around: [name] }))
    const range = rangeFor(wanted, places.scope, ground)
    if (range)
      attempts.unshift({ value: range, found: 2, asked: 2, sure: 2 * PLAINLY, report: { missing: [], sources: {} } })
  }
  const best = attempts.sort((a, b) => b.found - a.found)[0]
  if (!best || best.found === 0) return undefined
  report.missing.push(...best.report.missing)
  Object.assign(report.sources, best.report.sources)
  return best.value
}

/** One object filled twice: the surer filling, with what only the other found. */
function joined<Attempt extends Filled & { report: Report }>(first: Attempt, second: Attempt): Attempt {
  const told = Object.entries(first.value).filter(([, one]) => one !== null)
  const value: Record<string, unknown> = Object.fromEntries([...Object.entries(second.value), ...told])
  const found = Object.values(value).filter((one) => one !== null).length
  const missing = second.report.missing.filter((path) => first.report.missing.includes(path))
  return {
    ...second,
    value,
    found: Math.max(found, second.found),
    report: { missing, sources: { ...second.report.sources, ...first.report.sources } },
  }
}

/** Something is told that not every page has. */
const tellsOfItself = (value: Record<string, unknown>, { fields }: Shape, ground: FieldContext): boolean =>
  fields.some(({ name, shape }) => {
    const { isOfAnything, isOfAnyPage } = ground.wanted(name, shape).rules
    return (value[name] ?? null) !== null && !isOfAnything && !isOfAnyPage
  })

/** The part of the page that a class, id or heading gives the field's name. */
function partNamed(wanted: WantedField, { scope }: Places, { classes }: FieldContext) {
  const named = wanted.phrases.flatMap((phrase) => scope?.named(phrase) ?? [])
  const box =
    named.find(({ element, isMain }) => isMain && element.children.length > 1) ??
    named.find(({ element }) => element.children.length > 1)
  const heading = scope && !box ? headingOf(scope, wanted) : undefined
  const parent = heading?.element.parent
  const around =
    parent && 'name' in parent && findElement(parent, ({ name }) => name === 'h1', 500) === undefined
      ? parent
      : undefined
  const root = box?.element ?? around
  if (root) return openPart(root, classes)
  // A heading among others heads what stands up to the next.
  const end = heading && scope?.headings.find(({ at, level }) => at > heading.at && level <= heading.level)
  return scope && heading && !scope.isSmall
    ? slice(scope, heading.at + 2, end?.at ?? Number.POSITIVE_INFINITY, classes)
    : undefined
}

const MAX_ENTRIES = 200

/** Names that nobody knows beforehand: the labelled values of the page, or those under the field's heading. */
function dictionary({ shape }: WantedField, { scope, data }: Places): Record<string, unknown> | undefined {
  if (!shape.others || shape.others.kind === 'object' || shape.others.kind === 'array') return undefined
  const entries = emptyRecord<unknown>()
  const add = (name: string, value: unknown) => {
    if (Object.keys(entries).length < MAX_ENTRIES && name !== '__proto__' && !Object.hasOwn(entries, name))
      entries[name] = value
  }
  for (const extra of data.flatMap((one) => [one.additionalProperty].flat()).slice(0, MAX_ENTRIES))
    if (isData(extra) && typeof extra.name === 'string' && extra.value !== undefined)
      add(extra.name, String(extra.value))
  const pairs = [...(scope?.pairs.values() ?? [])].flat().filter(({ isMain, trust }) => isMain && trust >= 0.9)
  for (const { label, value } of pairs.sort((a, b) => a.at - b.at)) add(label, value)
  if (shape.others.kind !== 'string' && shape.others.kind !== 'any') return undefined
  return Object.keys(entries).length > 0 ? entries : undefined
}
