// Where the page says what was found: whole words, in the record they belong to, and nowhere when it does not say it.
import { describe, expect, it } from 'vitest'
import { expectCost } from '../../../test/cost.ts'
import { explainFields } from './explain-fields.ts'

const saidIn = (value: unknown, markdown: string) =>
  Object.fromEntries(
    explainFields(value, {}, markdown).map(({ path, said, at }) => {
      // What the offsets cut out of the markdown is what is said to stand there.
      if (at) expect(markdown.slice(...at).replace(/[*[\]\\]|\([^)]*\)/g, '')).toBe(said)
      return [path, at ? `${at[0]}: ${said}` : undefined]
    }),
  )

describe('where the page says it', () => {
  it('finds whole words only', () => {
    expect(saidIn({ n: 15, in: 'art' }, 'In 2015 a cart cost 15.50, then 15 of art')).toEqual({
      n: '32: 15',
      in: '38: art',
    })
    expect(saidIn({ n: 15 }, 'Since 2015, for 15.50')).toEqual({ n: undefined })
  })

  it('knows the ways to write a number and a day', () => {
    expect(saidIn({ a: 49.9 }, 'Now 49,90 €')).toEqual({ a: '4: 49,90' })
    expect(saidIn({ a: 1234.5 }, 'Now 1.234,50 €')).toEqual({ a: '4: 1.234,50' })
    expect(saidIn({ a: 1200 }, 'Now $1,200.00')).toEqual({ a: '5: 1,200.00' })
    expect(saidIn({ a: '2024-05-01' }, 'On May 1, 2024 it')).toEqual({ a: '3: May 1, 2024' })
    expect(saidIn({ a: '2024-05-01T00:00:00Z' }, 'Am 1. Mai 2024 war')).toEqual({ a: '3: 1. Mai 2024' })
    expect(saidIn({ a: '2024-02-31' }, 'On March 2, 2024')).toEqual({ a: undefined })
  })

  it('reads over the marks of markdown, and finds addresses inside of them', () => {
    const markdown = '# The **Trail** Lamp\n\n[More about *it*](https://a.example/b) and snake\\_case'
    expect(saidIn({ name: 'the trail lamp', text: 'more about it', id: 'snake_case' }, markdown)).toMatchObject({
      name: '2: The Trail Lamp',
      text: '23: More about it',
      id: expect.stringContaining('snake_case'),
    })
    expect(saidIn({ link: 'https://a.example/b' }, markdown)).toEqual({ link: '40: https://a.example/b' })
    expect(saidIn({ link: 'https://a.example/' }, markdown)).toEqual({ link: undefined })
  })

  it('keeps the values of one record together, though others have the same', () => {
    const markdown = ['Anna Berg', 'Price 10', 'Bert Cole', 'Price 10', 'Cora Dunn', 'Price 12'].join('\n\n')
    const people = [
      { price: 10, name: 'Anna Berg' },
      { price: 10, name: 'Bert Cole' },
      { price: 12, name: 'Cora Dunn' },
    ]
    expect(saidIn({ people }, markdown)).toEqual({
      'people[0].name': '0: Anna Berg',
      'people[0].price': '17: 10',
      'people[1].name': '21: Bert Cole',
      'people[1].price': '38: 10',
      'people[2].name': '42: Cora Dunn',
      'people[2].price': '59: 12',
    })
    const above = ['10 €', 'Anna Berg', '10 €', 'Bert Cole', '12 €', 'Cora Dunn', 'Call 10 am'].join('\n\n')
    expect(saidIn({ people }, above)).toMatchObject({
      'people[0].price': '0: 10',
      'people[1].price': '17: 10',
      'people[2].price': '34: 12',
    })
    const twins = 'Tea 2\n\nMilk 1\n\nTea 3'
    expect(saidIn(['Tea', 'Milk', 'Tea'], twins)).toEqual({ '[0]': '0: Tea', '[1]': '7: Milk', '[2]': '15: Tea' })
  })

  it('has no place for what is not said, and stays bounded', () => {
    expect(explainFields({ inStock: true, gone: null, none: [] }, { inStock: { by: 'data' } }, 'In stock')).toEqual([
      { path: 'inStock', found: true, from: 'data' },
      { path: 'gone', found: false },
      { path: 'none', found: false },
    ])
    const long = 'lorem ipsum 1 '.repeat(50_000)
    const started = process.cpuUsage()
    expect(explainFields(Array(5000).fill('lorem ipsum dolor'), {}, long)).toHaveLength(300)
    const { user, system } = process.cpuUsage(started)
    expectCost((user + system) / 1000, 'CPU ms for 300 values on 300,000 characters').toBeLessThan(1000)
  })
})
