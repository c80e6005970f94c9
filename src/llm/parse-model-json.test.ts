// Text that models write where JSON is wanted, row by row.
import { describe, expect, it } from 'vitest'
import { expectCost } from '../../test/cost.ts'
import { cutRepetition, cutRepetitionsIn } from './cut-repetition.ts'
import { isCompleteJson, parseModelJson } from './parse-model-json.ts'

const LAMP = { name: 'Lamp', price: 49.9 }
const rows: [string, string, unknown][] = [
  ['plain', '{"name":"Lamp","price":49.9}', LAMP],
  ['single quotes', "{'name': 'Lamp', 'price': 49.9}", LAMP],
  ['curly quotes', '{“name”: “Lamp”, “price”: 49.9}', LAMP],
  ['bare names', '{name: "Lamp", price: 49.9,}', LAMP],
  ['comments', '{\n  // the name\n  "name": "Lamp", /* in euros */ "price": 49.9 # today\n}', LAMP],
  ['Python', "{'name': 'Lamp', 'price': 49.9, 'isNew': True, 'old': None}", { ...LAMP, isNew: true, old: null }],
  ['no commas', '{"name": "Lamp"\n"price": 49.9}', LAMP],
  ['an apostrophe', "{'name': 'The keeper's lamp', 'price': 1}", { name: "The keeper's lamp", price: 1 }],
  ['quotes in a text', '{"name": "The "best" lamp", "price": 1}', { name: 'The "best" lamp', price: 1 }],
  ['an amount with a comma', '{"name":"Lamp","price":1,234}', { name: 'Lamp', price: 1234 }],
  ['prose around it', 'Sure! {"name":"Lamp","price":49.9} Does that help?', LAMP],
  ['a fence with comments', '```json5\n{name: "Lamp", // ok\nprice: 49.9}\n```\nDone.', LAMP],
  ['empty brackets before', 'As {} asks: {"name":"Lamp","price":49.9}', LAMP],
  ['a raw line break', '{"name":"Lamp\nof brass"}', { name: 'Lamp\nof brass' }],
  ['escapes', "{'name': 'L\\u00e4mp \\'x\\' \\n'}", { name: "Lämp 'x' \n" }],
  ['a missing value', '{"name": , "price": 49.9}', { name: null, price: 49.9 }],
  [
    'a wrong closing sign',
    '{"lamps": [{"name":"Lamp"}, {"name":"Pot"}}',
    { lamps: [{ name: 'Lamp' }, { name: 'Pot' }] },
  ],
  ['a cut in a text', '{"name":"Lamp","text":"It is gr', { name: 'Lamp', text: 'It is gr' }],
  ['a cut in a name', '{"name":"Lamp","pri', { name: 'Lamp' }],
  ['a cut in a number', '{"name":"Lamp","price":4', { name: 'Lamp' }],
  ['a cut in a list', '[{"name":"Lamp"},{"name":"Po', [{ name: 'Lamp' }, { name: 'Po' }]],
  ['a prototype', '{"__proto__":{"a":1},"name":"Lamp",}', { name: 'Lamp' }],
]

describe('the JSON in', () => {
  it.each(rows)('%s', (_name, text, value) => expect(parseModelJson(text)).toEqual({ value }))

  it('prose is none', () => {
    expect(parseModelJson('It was Eleanor Marsh.')).toBeUndefined()
    expect(parseModelJson('')).toBeUndefined()
  })

  it('a cut answer is not complete', () => {
    expect(rows.filter(([name]) => name.startsWith('a cut')).map(([, text]) => isCompleteJson(text))).not.toContain(
      true,
    )
    expect(isCompleteJson("{'name': 'Lamp'}")).toBe(true)
  })

  it('hostile text is read in linear time, however deep', () => {
    for (const text of ['['.repeat(500_000), '{"a":'.repeat(200_000), "'".repeat(500_000), '[] '.repeat(300_000)]) {
      const began = performance.now()
      parseModelJson(text)
      expectCost(performance.now() - began).toBeLessThan(5000)
    }
  })
})

describe('repeated words', () => {
  const LOOP = 'The lamp is bright. '.repeat(2000)
  it('are kept once', () => {
    expect(cutRepetition(`It shines. ${LOOP}`)).toBe('It shines. The lamp is bright.')
    const cut: string[] = []
    expect(cutRepetitionsIn({ name: 'Lamp', text: LOOP }, () => cut.push('x'))).toEqual({
      name: 'Lamp',
      text: 'The lamp is bright.',
    })
    expect(cut).toHaveLength(1)
  })
  it('of a list are kept once', () => {
    const lamps = Array.from({ length: 60 }, (_, n) => ({ name: n < 3 ? `Lamp ${n}` : 'Lamp 2' }))
    expect(cutRepetitionsIn(lamps, () => undefined)).toHaveLength(3)
  })
  it('that are the text of a page stay', () => {
    const text = Array.from({ length: 300 }, (_, n) => `Row ${n} of the table says ${n * 7}.`).join('\n')
    expect(cutRepetition(text)).toBe(text)
    expect(cutRepetition('ha '.repeat(20))).toBe('ha '.repeat(20))
  })
})
