// Objects and lists of objects inside the state of a page's scripts that answer a shape. Looked for breadth first, within
// bounds: state can be large, and most of it is not about the page.
import type { State } from '../facts/thing.ts'
import type { Data, FieldContext } from './asking.ts'
import type { Shape } from './shape.ts'
import { coverage, isData } from './things.ts'

const MAX_LOOKED_AT = 4000
const MAX_TRIED = 200
const MAX_LISTS = 5

/** Lists whose first objects answer at least half of the shape, best first. */
export function dataListsIn(states: readonly State[], shape: Shape, ground: FieldContext): Data[][] {
  const found: { list: Data[]; score: number }[] = []
  let tried = 0
  for (const value of everyValue(states)) {
    if (!Array.isArray(value) || value.length < 2 || !isData(value[0]) || tried >= MAX_TRIED) continue
    tried += 1
    const list = value.filter(isData)
    const score = coverage(list[0]!, shape, ground) / Math.max(1, shape.fields.length)
    if (score >= 0.5) found.push({ list, score })
  }
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_LISTS)
    .map(({ list }) => list)
}

/** The object that answers most of the shape and carries a name that the page shows. */
export function dataIn(
  states: readonly State[],
  shape: Shape,
  titles: readonly string[],
  ground: FieldContext,
): Data | undefined {
  const shown = titles.map(ground.phrase).filter((title) => title.length > 2)
  if (shape.fields.length === 0) return undefined
  const keys = new Set(shape.fields.map(({ name }) => name.toLowerCase()))
  let best: { data: Data; score: number } | undefined
  let tried = 0
  for (const value of everyValue(states)) {
    if (!isData(value) || tried >= MAX_TRIED) continue
    const data = flat(value)
    const name = value.name ?? value.title ?? value.headline ?? value.productName ?? value.displayName
    const phrase = typeof name === 'string' ? ground.phrase(name) : ''
    // What a program calls it is not what it is called.
    if (typeof name === 'string' && /^[a-z\d]+(?:[-_][a-z\d]+)+$/.test(name)) continue
    // A word of a long title may be the name of the site.
    const isShown =
      phrase !== '' && shown.some((title) => title.includes(phrase) && phrase.length >= title.length * MOST_OF_TITLE)
    // Without a name that the page shows, its keys must be the very ones asked for.
    const same = Object.keys(data).filter((key) => keys.has(key.toLowerCase())).length
    if (!isShown && same < Math.max(3, keys.size * 0.4)) continue
    tried += 1
    // A name that the page does not show is the name of something else.
    if (!isShown && phrase !== '' && shown.length > 0) continue
    const score = coverage(data, shape, ground) + (isShown ? 1 : 0)
    if (score >= Math.min(2, shape.fields.length) && (!best || score > best.score)) best = { data, score }
  }
  return best?.data
}

const MOST_OF_TITLE = 0.3

/** An object with what the objects in it say, its own words first. */
function flat(value: Data): Data {
  const inner = Object.values(value).filter(isData).slice(0, 20)
  return Object.assign({}, ...inner.reverse(), value) as Data
}

function* everyValue(states: readonly State[]): Generator<unknown> {
  let open: unknown[] = states.map(({ value }) => value)
  for (let looked = 0; open.length > 0 && looked < MAX_LOOKED_AT; ) {
    const next: unknown[] = []
    for (const value of open) {
      if (++looked > MAX_LOOKED_AT) return
      yield value
      if (value !== null && typeof value === 'object')
        for (const inner of Object.values(value).slice(0, 500))
          if (inner !== null && typeof inner === 'object') next.push(inner)
    }
    open = next
  }
}
