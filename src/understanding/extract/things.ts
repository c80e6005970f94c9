// Fields out of objects: which of a page's objects a schema asks about, and where in it a field lies. The same rules read
// JSON-LD, microdata and the state of scripts.
import type { StatedThing } from '../facts/thing.ts'
import type { Data, FieldContext, WantedField } from './asking.ts'
import type { Shape } from './shape.ts'
import { plain, valueFor } from './value-for.ts'
import { FRAME_TYPES } from './vocabulary.ts'
import { phraseOf } from './words.ts'

export const isData = (value: unknown): value is Data =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Whether an object tells of the page, its site or its house. */
export const isFrame = ({ '@type': types }: Data): boolean =>
  Array.isArray(types) && types.length > 0 && types.every((type) => FRAME_TYPES.has(String(type)))

/** What lies at a path such as `offers.price`; lists on the way are looked into, and the first that has it answers. */
export function at(value: unknown, path: string): unknown {
  let here: unknown[] = [value]
  for (const step of path.split('.')) {
    const next: unknown[] = []
    for (const one of here.flat().slice(0, 200))
      if (isData(one) && Object.hasOwn(one, step) && one[step] !== null && one[step] !== '') next.push(one[step])
    if (next.length === 0) return undefined
    here = next
  }
  return here.length === 1 ? here[0] : here
}

/** Everything in an object that may be the field, the surest first. */
export function inData(data: Data, wanted: WantedField, ground: FieldContext): { value: unknown; score: number }[] {
  const found: { value: unknown; score: number }[] = []
  const own = wanted.name.toLowerCase()
  const keys = Object.keys(data).slice(0, 300)
  const isReported = (key: string) => data[key] !== null && data[key] !== undefined
  for (const key of keys) {
    if (key.toLowerCase() === own && isReported(key)) found.push({ value: data[key], score: 1 })
    // `medicalSpecialty` is a specialty.
    else if (wanted.concepts.length === 0 && ground.phrase(key).endsWith(` ${wanted.phrases[0]}`))
      found.push({ value: data[key], score: 0.86 })
  }
  const told = keys.filter((key) => !key.startsWith('@') && isReported(key))
  for (const [n, phrase] of wanted.phrases.entries())
    for (const key of told)
      if (ground.phrase(key) === phrase) found.push({ value: data[key], score: n === 0 ? 1 : 0.97 })
  // `precipChance` is short for `precipitationChance`.
  if (wanted.concepts.length === 0 && found.length === 0)
    for (const key of told)
      if (isShortFor(ground.phrase(key), wanted.phrases[0] ?? '')) found.push({ value: data[key], score: 0.86 })
  for (const [n, concept] of (wanted.isLoose ? [] : wanted.concepts).entries())
    for (const [m, named] of concept.paths.entries()) {
      const path = wanted.kind === 'url' && concept.kind === 'text' ? named.replace(/\.name$/, '.url') : named
      const value = path === COUNTED ? counted(data, concept.rules.counter) : at(data, path)
      if (value !== undefined) found.push({ value, score: 0.95 - n * 0.1 - m * 0.01 })
    }
  // Profiles stand in one list, whichever network they are at.
  const { isProfile } = wanted.rules
  if (isProfile)
    for (const one of [data.sameAs].flat().slice(0, 50))
      if (typeof one === 'string' && isProfile(one)) found.push({ value: one, score: 0.94 })
  // `additionalProperty: [{name: 'Weight', value: '2 kg'}]`.
  for (const extra of [data.additionalProperty].flat().slice(0, 200))
    if (isData(extra) && typeof extra.name === 'string' && wanted.phrases.includes(ground.phrase(extra.name)))
      found.push({ value: extra.value, score: 0.93 })
  return found.sort((a, b) => b.score - a.score)
}

/** The same words, some of them cut short. */
function isShortFor(key: string, phrase: string): boolean {
  const [short, long] = [key.split(' '), phrase.split(' ')]
  return (
    short.length === long.length &&
    short.every((word, n) => word === long[n] || (word.length > 3 && long[n]!.length > 6 && long[n]!.startsWith(word)))
  )
}

const COUNTED = 'interactionStatistic.userInteractionCount'
const typeOf = (value: unknown): string => (isData(value) ? plain(value['@type']) : plain(value))

/** A page counts many things: the one that is asked for. */
function counted(data: Data, counter: RegExp | undefined): unknown {
  const counters = [data.interactionStatistic].flat().slice(0, 20).filter(isData)
  return counters.find((one) => counter?.test(typeOf(one.interactionType)))?.userInteractionCount
}

/** The best scalar for a field in an object. */
export function scalarIn(
  data: Data,
  wanted: WantedField,
  ground: FieldContext,
): { value: unknown; score: number } | undefined {
  for (const { value, score } of inData(data, wanted, ground)) {
    const first = Array.isArray(value) && wanted.kind !== 'text' ? value[0] : value
    const fitted = valueFor(rawOf(first), wanted, ground)
    if (fitted !== undefined && fitted !== '') return { value: fitted, score }
  }
  return undefined
}

export function rawOf(value: unknown) {
  const url = isData(value) ? (value.url ?? value.contentUrl ?? value['@id']) : undefined
  const address = typeof url === 'string' ? url : undefined
  return { value, href: address, src: address, isData: true }
}

/** How much of a shape an object can fill: fields found, the name counting double. */
export function coverage(data: Data, shape: Shape, ground: FieldContext): number {
  return shape.fields.reduce((sum, { name, shape: inner }) => {
    const wanted = ground.wanted(name, inner)
    const has =
      inner.kind === 'object' || inner.kind === 'array'
        ? inData(data, wanted, ground).some(({ value }) => typeof value === 'object')
        : scalarIn(data, wanted, ground) !== undefined
    return sum + (has ? (wanted.rules.isName ? 1.2 : 1) : 0)
  }, 0)
}

/** The objects that a page is about, the likeliest first: those whose name it shows, before what frames it. */
export function subjectsOf(
  things: readonly StatedThing[],
  shape: Shape,
  titles: readonly string[],
  ground: FieldContext,
): Data[] {
  const heads = titles.map(phraseOf).filter(Boolean)
  const all = things.slice(0, 200).flatMap(withMainEntity)
  const many = new Map<string, number>()
  for (const thing of all) many.set(sortOf(thing), (many.get(sortOf(thing)) ?? 0) + 1)
  const ranked = all.map((thing, n) => {
    const isFrame = thing['@type'].length === 0 || thing['@type'].every((type) => FRAME_TYPES.has(type))
    const name = phraseOf(String(thing.name ?? thing.headline ?? thing.title ?? ''))
    const isShown = name !== '' && heads.some((head) => head.includes(name) || (head.length > 8 && name.includes(head)))
    const score = coverage(thing, shape, ground) * (isFrame ? 0.4 : 1) + (isShown && !isFrame ? 2 : 0) - n * 0.001
    return { thing, score, isFrame, isShown }
  })
  // Several of one sort, none of them the page's own, are a list.
  // A question that the page only answers among others is not what it is about.
  const single = ranked.filter(
    ({ thing, isShown }) => isShown || (many.get(sortOf(thing)) === 1 && !thing['@type'].includes('Question')),
  )
  const best = single.sort((a, b) => b.score - a.score).filter(({ score }) => score > 0.3)
  const [top] = best
  if (!top) return []
  // Others of the same sort are other products, not more of this one.
  const sort = top.thing['@type'].join(' ')
  const rest = best
    .slice(1)
    .filter(({ thing, isFrame, isShown }) => (isShown || isFrame) && thing['@type'].join(' ') !== sort)
  return [top.thing, ...rest.map(({ thing }) => thing)]
}

const sortOf = (thing: StatedThing): string => thing['@type'].join(' ')

function withMainEntity(thing: StatedThing): StatedThing[] {
  const inner = [thing.mainEntity, thing.mainEntityOfPage, thing.about].flat().slice(0, 20)
  return [
    thing,
    ...inner.filter(
      (one): one is StatedThing => isData(one) && Array.isArray(one['@type']) && Object.keys(one).length > 2,
    ),
  ]
}
