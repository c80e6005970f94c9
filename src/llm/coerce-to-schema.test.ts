// Values that models give in another type than the schema's, row by row; what has no certain meaning stays as it is.
import { expect, it } from 'vitest'
import { coerceToSchema } from './coerce-to-schema.ts'
import { makeSchemaCheck, withoutMisfits } from './validate-answer.ts'

const of = (part: object) => ({ type: 'object', properties: { field: part } })
const number = { type: 'number' }
const text = { type: 'string' }
const rows: [part: object, given: unknown, made: unknown][] = [
  [number, '€48.50', 48.5],
  [number, '1.234,50 €', 1234.5],
  [number, '1,234', 1234],
  [number, "12'500 CHF", 12_500],
  [number, '−3 °C', -3],
  [number, ['48.50'], 48.5],
  [number, { amount: 48.5, currency: 'EUR' }, 48.5],
  [number, {}, null],
  [number, '10 to 12', '10 to 12'],
  [number, 'cheap', 'cheap'],
  [number, 0, 0],
  [{ type: 'integer' }, '12 pages', 12],
  [{ type: 'integer' }, 4.5, 4.5],
  [{ type: 'boolean' }, 'yes', true],
  [{ type: 'boolean' }, 'No.', false],
  [{ type: 'boolean' }, 'perhaps', 'perhaps'],
  [text, 48, '48'],
  [text, ['red', 'blue'], 'red, blue'],
  [text, { name: 'Lamp' }, 'Lamp'],
  [text, [{ a: 1, b: 2 }], { a: 1, b: 2 }],
  [{ type: 'string', format: 'date' }, '1 March 2027', '2027-03-01'],
  [{ type: 'string', enum: ['In stock', 'Sold out'] }, 'in stock', 'In stock'],
  [{ type: ['number', 'null'] }, '7 €', 7],
  [{ anyOf: [{ type: 'null' }, number] }, '7 €', 7],
  [{ type: 'array', items: number }, '7 €', [7]],
  [{ type: 'array', items: text }, { tags: ['a', 'b'] }, ['a', 'b']],
  [{ type: 'object', properties: { name: text } }, [{ name: 'Lamp' }], { name: 'Lamp' }],
  [{ type: 'object', properties: { name: text } }, '{"name":"Lamp"}', { name: 'Lamp' }],
]

it.each(rows)('%j takes %j as %j', (part, given, made) => {
  expect(coerceToSchema({ field: given }, of(part))).toEqual({ field: made })
})

it('a whole answer in a list of one is taken out of it; required fields become null', () => {
  const schema = { ...of(number), required: ['field', 'other'] }
  expect(coerceToSchema([{ field: '7' }], schema)).toEqual({ field: 7, other: null })
  expect(coerceToSchema({ strange: 1 }, schema)).toEqual({ strange: 1 })
})

it('references within the schema are followed, and no further', () => {
  const schema = { type: 'object', properties: { field: { $ref: '#/$defs/price' } }, $defs: { price: number } }
  expect(coerceToSchema({ field: '7 €' }, schema)).toEqual({ field: 7 })
  expect(coerceToSchema({ field: '7' }, of({ $ref: 'https://example.com/' }))).toEqual({ field: '7' })
})

it('what does not fit is named by field, and left out alone', async () => {
  const schema = { type: 'object', properties: { name: text, prices: { type: 'array', items: number } } }
  const given = { name: { a: 1, b: [2] }, prices: [1, 'cheap', 3] }
  const misfits = (await makeSchemaCheck(schema))!(given)
  expect(misfits.map(({ line }) => line)).toEqual(['name: string is wanted', 'prices.1: number is wanted'])
  const paths = misfits.map(({ path }) => path)
  expect(withoutMisfits(given, paths)).toEqual({ name: null, prices: [1, 3] })
})
