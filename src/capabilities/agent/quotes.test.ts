import { describe, expect, it } from 'vitest'
import { quoted } from './quotes.ts'

const PAGE = '# Hotel Tarn\n\nRoom 29 costs **$1,240.50** a night.\n\nOpened in 1987, 1200 beds.\n'

describe('a value of a model', () => {
  it.each([
    ['a number', 29, true],
    ['a part of a number', 9, false],
    ['the beginning of a number', 2, false],
    ['a number with its separators', 1240.5, true],
    ['a number without its separators', 1200, true],
    ['the beginning of a year', 198, false],
    ['words', 'Hotel Tarn', true],
    ['words that end in a part of a number', 'Room 2', false],
    ['words that the page does not say', 'Hotel Fell', false],
  ])('stands on the page or is dropped: %s', (_, value, stands) => {
    const { data, dropped } = quoted({ value }, PAGE, true)
    expect([data, dropped]).toEqual(stands ? [{ value }, []] : [{ value: null }, ['value']])
  })
})
