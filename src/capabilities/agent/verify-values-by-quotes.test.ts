import { describe, expect, it } from 'vitest'
import { findQuotes, verifyValuesByQuotes } from './verify-values-by-quotes.ts'

const PAGE =
  '# Hotel Tarn\n\nRoom 29 costs **$1,240.50** a night.\n\nOpened on 3 May 1987, 1200 beds.\n\nCall 01539 555 017.\n'

describe('a value of a model', () => {
  it.each([
    ['a number', 29, true],
    ['a part of a number', 9, false],
    ['a number with its separators', 1240.5, true],
    ['the beginning of a year', 198, false],
    ['a date in normal form', '1987-05-03', true],
    ['words', 'Hotel Tarn', true],
    ['words that the page does not say', 'Hotel Fell', false],
  ])('is kept, and marked when the page does not say it: %s', (_, value, stands) => {
    const { data, quotes, doubted, dropped } = verifyValuesByQuotes({ value }, [PAGE], undefined)
    expect([data, Object.keys(quotes), doubted, dropped]).toEqual([
      { value },
      stands ? ['value'] : [],
      stands ? [] : ['value'],
      [],
    ])
  })

  it.each([
    ['an address', 'https://tarn.example/book'],
    ['an e-mail', 'desk@tarn.example'],
    ['a phone number', '+44 1539 555 018'],
  ])('is dropped when it is %s that the page does not have', (_, value) => {
    expect(verifyValuesByQuotes({ value }, [PAGE], undefined)).toMatchObject({
      data: { value: null },
      dropped: ['value'],
    })
  })
})

describe('a value that rules read', () => {
  it('has the line that holds it', () => {
    expect(findQuotes({ price: 1240.5 }, PAGE).quotes).toEqual({ price: 'Room 29 costs $1,240.50 a night.' })
  })
})
