// Bodies of any shape: what a request costs before its handler runs is bounded by its bytes. The shapes are generated from
// the declared schemas: every list, map, text and object of every route, blown up as far as a body may be.
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { makeV1Routes } from '../../src/api/compat/v1.ts'
import { maxLengthOfSchema, unwrapSchemas } from '../../src/base/cut-input-to-schema-limits.ts'
import { MAX_JSON_KEYS, MAX_JSON_VALUES, parseJsonBody } from '../../src/base/parse-json-body.ts'
import { Problem } from '../../src/base/problem.ts'
import { validateInput } from '../../src/base/validate-input.ts'
import { capabilities } from '../../src/capabilities/index.ts'
import { formats } from '../../src/scrape/formats/index.ts'
import { cpuMsOf, expectCost, isJudged } from '../cost.ts'

type Schema = z.core.$ZodType
interface Place {
  route: string
  path: string[]
  schema: Schema
  root: Schema
}

const roots = [
  ...[...capabilities.flatMap(({ routes }) => routes), ...makeV1Routes(capabilities)].flatMap(
    ({ method, path, body }) =>
      body ? [{ route: `${method} ${path}`, root: body as Schema, base: [] as string[] }] : [],
  ),
]
const scrape = roots.find(({ route }) => route === 'POST /v2/scrape')!
const inFormats = formats.map(({ name, schema }) => ({
  ...scrape,
  schema: schema as Schema,
  base: ['formats', '0', `type=${name}`],
}))

const defOf = (schema: Schema) => schema._zod.def as unknown as Record<string, never>
const KINDS: Readonly<Record<string, string>> = {
  array: 'list',
  record: 'map',
  object: 'map',
  string: 'text',
  enum: 'text',
  literal: 'text',
}
const listed = new Set<Schema>()
function* placesIn(schema: Schema, route: string, root: Schema, path: string[]): Generator<Place> {
  for (const one of unwrapSchemas(schema)) {
    if (listed.has(one)) continue
    listed.add(one)
    const { type, shape, element, valueType } = defOf(one) as never as {
      type: string
      shape?: Record<string, Schema>
      element?: Schema
      valueType?: Schema
    }
    if ([...Object.keys(KINDS), 'unknown'].includes(type)) yield { route, path, schema: one, root }
    for (const [key, inner] of Object.entries(shape ?? {})) yield* placesIn(inner, route, root, [...path, key])
    if (element) yield* placesIn(element, route, root, [...path, '0'])
    if (valueType) yield* placesIn(valueType, route, root, [...path, '*'])
  }
}
const places = [
  ...roots.flatMap(({ route, root, base }) => [...placesIn(root, route, root, base)]),
  ...inFormats.flatMap(({ route, root, schema, base }) => [...placesIn(schema, route, root, base)]),
]

/** A pattern is no limit: it may read all of a text before it says no. */
const isBounded = (schema: Schema): boolean =>
  Number.isFinite(maxLengthOfSchema(schema)) || (defOf(schema) as { format?: string }).format === 'uuid'

/** The body with `value` at a place, and the least that makes the way there. */
function bodyAt(path: readonly string[], value: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  const [name, given] = step.split('=')
  if (given !== undefined) return { ...(bodyAt(rest, value) as object), [name!]: given }
  const inner = bodyAt(rest, value)
  if (step === '0') return [inner]
  return { [step === '*' ? 'x' : step]: inner }
}

const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
const keys = (count: number, value: (n: number) => unknown) =>
  Object.fromEntries(many(count, (n) => [`onlyMain${n}`, value(n)]))
const deep = (levels: number): unknown => (levels === 0 ? 1 : levels % 2 ? [deep(levels - 1)] : { a: deep(levels - 1) })
const FULL = MAX_JSON_VALUES - 20

/** As many values as a body may hold, of each kind; more are refused unseen. */
const blownUp: Readonly<Record<string, () => unknown>> = {
  'a wide map': () => keys(MAX_JSON_KEYS, () => 'x'),
  'a wide map of maps': () => keys(FULL / 8, (n) => keys(3, () => n)),
  'a long list of texts': () => many(FULL, (n) => `x y${n}`),
  'a long list of addresses': () => many(FULL, (n) => `https://a${n}.example/é?q=${n}`),
  'a long list of objects': () => many(FULL / 3, () => ({ type: 'json', url: 'http://' })),
  'a long text': () => 'a@b.c '.repeat(1_600_000),
  'a long text of escapes': () => `${'"\n'.repeat(499_000)}${'\n'.repeat(3_000_000)}`,
  depth: () => deep(180),
}

const MOST_MS = 1000

/** The least of three where the first is too much: garbage of all that ran before may be collected in one. */
const cpuMs = (work: () => void): number => {
  let least = cpuMsOf(work)
  for (let n = 1; n < 3 && least > MOST_MS; n += 1) least = Math.min(least, cpuMsOf(work))
  return least
}

const read = (text: string, schema: Schema, where: string): void => {
  try {
    judge(parseJsonBody(text) ?? {}, schema, where)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
}

const judge = (body: unknown, schema: Schema, where: string): void => {
  try {
    validateInput(schema as z.ZodType, body)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    expect(JSON.stringify([error.message, error.details]).length, where).toBeLessThan(30_000)
  }
}

describe('a body', () => {
  it('has a limit in every list, map and text that a route declares', () => {
    const open = places.filter(({ schema }) => {
      const { type } = defOf(schema) as { type?: string }
      return ['array', 'record', 'string'].includes(type!) && !isBounded(schema)
    })
    expect(open.map(({ route, path, schema }) => `${route} ${path.join('.')}: ${defOf(schema).type}`)).toEqual([])
  })

  it('that holds more values than any route needs is refused before it is parsed', () => {
    const wide = (count: number) => `{${many(count, (n) => `"k${n}":1`).join()}}`
    expect(Object.keys(parseJsonBody(wide(MAX_JSON_KEYS)) as object)).toHaveLength(MAX_JSON_KEYS)
    expect(parseJsonBody(`[${'{"a":[1,2,3],"b":{}},'.repeat(3000)}1]`)).toHaveLength(3001)
    const spent = cpuMs(() => expect(() => parseJsonBody(wide(400_000))).toThrow(/more than 5000 keys/))
    expect(spent).toBeLessThan(MOST_MS)
    expect(() => parseJsonBody(`["${'\\"'.repeat(1_100_000)}"]`)).toThrow(/more than 1000000 escaped/)
    for (const outside of [' ', '7'])
      expect(() => parseJsonBody(`[${outside.repeat(2_100_000)}1]`)).toThrow(
        /more than 2000000 characters outside of texts/,
      )
    expect(() => parseJsonBody(`[${'[],'.repeat(30_000)}[]]`)).toThrow(/more than 25000 values/)
    for (const inner of [',', '\\\\', '\\"', '\\\\\\",', '\\u0022,'])
      expect(parseJsonBody(`["${inner.repeat(60_000)}",{"a":1}]`)).toEqual(
        JSON.parse(`["${inner.repeat(60_000)}",{"a":1}]`),
      )
    expect(() => parseJsonBody(`["${'\\"'.repeat(10)}"${',1'.repeat(30_000)}]`)).toThrow(/more than 25000 values/)
  })

  it('that is no object is not taken apart by the translation of an older version', () => {
    const older = makeV1Routes(capabilities).flatMap(({ path, translate }) => (translate ? [{ path, translate }] : []))
    expect(older.length).toBeGreaterThan(5)
    for (const { path, translate } of older)
      for (const body of ['a text', ['a list']]) expect(translate(body), path).toEqual(body)
  })

  it('has no text that is read beyond its limit', () => {
    const label = `${'a'.repeat(63)}.`
    const texts = [`${label.repeat(140_000)}!`, 'a-b '.repeat(2_000_000)]
    for (const { route, path, root, schema } of places) {
      if (KINDS[(defOf(schema) as { type?: string }).type!] !== 'text') continue
      for (const text of texts) {
        const where = `${route} ${path.join('.')}`
        const ms = cpuMs(() => judge(bodyAt(path, text), root, where))
        expect(ms, where).toBeLessThan(MOST_MS)
        expectCost(ms, where).toBeLessThan(100)
      }
    }
    const ms = cpuMs(() => judge({ ['only_main_'.repeat(900_000)]: 1 }, scrape.root, 'an unknown name'))
    expectCost(ms, 'an unknown name').toBeLessThan(100)
  })

  it('of any shape costs no more than its size', () => {
    const shapes = Object.entries(blownUp).map(([what, make]) => [what, make()] as const)
    const worst = { ms: 0, what: '' }
    // All of them where costs are judged, some where the machine does other things too.
    for (const { route, path, root, schema } of places.filter((_, n) => isJudged || n % 8 === 0))
      for (const [what, value] of shapes) {
        const { type } = defOf(schema) as { type?: string }
        if (type !== 'unknown' && !what.includes(KINDS[type!]!)) continue
        const text = JSON.stringify(bodyAt(path, value))
        const ms = cpuMs(() => read(text, root, `${route} ${path.join('.')}: ${what}`))
        if (ms > worst.ms) Object.assign(worst, { ms, what: `${route} ${path.join('.')}: ${what}` })
      }
    expect(worst.ms, worst.what).toBeLessThan(MOST_MS)
    expectCost(worst.ms, worst.what).toBeLessThan(100)
  }, 120_000)
})
