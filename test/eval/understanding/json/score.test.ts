// The scorer of the json set, and the set itself: a known answer that nobody could read on its page is a mistake of ours.
import { describe, expect, it } from 'vitest'
import { readCases } from '../cases.ts'
import { booleanOf, looksLikeDate, looksLikePhone, plain } from '../equal.ts'
import { hasSharedPages, sharedPages } from '../shared-pages.ts'
import { shares, total } from '../tally.ts'
import { readable } from '../visible.ts'
import { type JsonCase, type JsonSchema, scoreJson } from './score.ts'

const shared = readCases<JsonCase>(new URL('wceb.json', import.meta.url))
const tune = readCases<JsonCase>(new URL('tune.json', import.meta.url))
const fresh = readCases<JsonCase>(new URL('fresh.json', import.meta.url))

const list: JsonSchema = { type: 'array', items: { type: 'object', properties: { name: {}, price: {} } } }
const example: JsonCase = {
  id: 'example',
  structured: false,
  schema: { type: 'object', properties: { title: {}, year: {}, donor: {}, plans: list } },
  expected: {
    title: 'Borrowed Tools',
    year: 1742,
    donor: null,
    plans: [
      { name: 'Solo', price: 0 },
      { name: 'Crew', price: 12 },
    ],
  },
  accept: { title: ['Tools'] },
}

describe('scoreJson', () => {
  it('gives every field to the expected answer', () => {
    const score = scoreJson(example, example.expected)
    expect([...score.keys()]).toEqual(['title', 'year', 'donor', 'plans[].name', 'plans[].price'])
    expect(total([score])).toEqual({ right: 5, wrong: 0, empty: 0 })
  })

  it('tells a wrong answer from an empty one, and an invented one from a rightly empty one', () => {
    const score = scoreJson(example, { title: 'Other', donor: 'Somebody', plans: example.expected.plans })
    expect(score.get('title')).toEqual({ right: 0, wrong: 1, empty: 0 })
    expect(score.get('year')).toEqual({ right: 0, wrong: 0, empty: 1 })
    expect(score.get('donor')).toEqual({ right: 0, wrong: 1, empty: 0 })
  })

  it('takes another answer that the case accepts', () => {
    expect(scoreJson(example, { title: 'tools' }).get('title')?.right).toBe(1)
  })

  it('pairs rows by likeness, whatever their order, and counts missing and extra ones by their share', () => {
    const swapped = {
      plans: [
        { name: 'Crew', price: '12,00' },
        { name: 'Solo', price: 0 },
      ],
    }
    expect(scoreJson(example, swapped).get('plans[].price')).toEqual({ right: 1, wrong: 0, empty: 0 })
    const missing = { plans: [{ name: 'Crew', price: 13 }] }
    expect(scoreJson(example, missing).get('plans[].name')).toEqual({ right: 0.5, wrong: 0, empty: 0.5 })
    expect(scoreJson(example, missing).get('plans[].price')).toEqual({ right: 0, wrong: 0.5, empty: 0.5 })
    const extra = { plans: [...swapped.plans, { name: 'Menu', price: null }, { name: 'About', price: null }] }
    expect(scoreJson(example, extra).get('plans[].price')).toEqual({ right: 0.5, wrong: 0.5, empty: 0 })
  })

  it('adds up to one for each field, so that shares mean fields', () => {
    const { right, wrong, empty } = shares(total([scoreJson(example, { plans: [{ name: 'x' }] })]))
    expect(right + wrong + empty).toBeCloseTo(1)
  })
})

/** Every text of an answer that should stand on its page as it is: not dates, addresses, phone numbers. */
function texts(answer: unknown, schema: JsonSchema & { enum?: string[] }): string[] {
  if (Array.isArray(answer)) return answer.flatMap((one) => texts(one, schema.items ?? {}))
  if (typeof answer === 'object' && answer !== null)
    return Object.entries(answer).flatMap(([name, one]) => texts(one, schema.properties?.[name] ?? {}))
  const isWritten =
    typeof answer === 'string' &&
    schema.enum === undefined &&
    booleanOf(answer) === undefined &&
    !/^https?:/.test(answer)
  return isWritten && !looksLikeDate(answer) && !looksLikePhone(answer) && !/^\d\d:\d\d$/.test(answer) ? [answer] : []
}

const notOn = (page: string, one: JsonCase): string[] =>
  texts(one.expected, one.schema).filter((text) => !readable(page).includes(plain(text)) && !currencies.test(text))
// Pages write signs where answers have codes.
const currencies = /^(EUR|USD|GBP|PLN|AUD)$/

describe('the json set', () => {
  it('asks about no page twice', () => {
    const all = [...shared, ...tune, ...fresh].map(({ id }) => id)
    expect(new Set(all).size).toBe(all.length)
  })

  it.skipIf(!hasSharedPages)('the shared pages have every text (skipped where ../shared/bench is absent)', async () => {
    const pages = await sharedPages()
    const missing = [...shared, ...tune, ...fresh].flatMap((one) =>
      notOn(pages.get(one.id)!.html(), one).map((text) => [one.id, text]),
    )
    expect(missing).toEqual([])
  })
})
