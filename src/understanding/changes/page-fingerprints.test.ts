import { describe, expect, it } from 'vitest'
import { fingerprintMarkdown, haveFingerprintsChanged } from './page-fingerprints.ts'

const page = (...lines: string[]) => fingerprintMarkdown(lines.join('\n\n'))
const text = ['# Ladders', 'We make ladders of ash.', 'Ask for the long one.']

describe('a change by fingerprints', () => {
  it('is none when blocks move, counters count or a date is of today', () => {
    const before = page(...text, '1,204 views', 'Last updated: 3 May 2026')
    const now = page(text[0]!, text[2]!, text[1]!, '1,377 views', 'Last updated: 4 May 2026')
    expect(haveFingerprintsChanged(before, now)).toBe(false)
  })

  it('is one when a line is added, edited or taken away', () => {
    expect(haveFingerprintsChanged(page(...text), page(...text, 'Closed on Mondays.'))).toBe(true)
    expect(haveFingerprintsChanged(page(...text), page(text[0]!, 'We make ladders of oak.', text[2]!))).toBe(true)
    expect(haveFingerprintsChanged(page(...text), page(text[0]!, text[1]!))).toBe(true)
  })

  it('is none when the line differs from visit to visit, and one when another line was edited as well', () => {
    const before = page(...text, 'Quote: haste makes waste')
    const first = page(...text, 'Quote: slow and steady')
    const again = page(...text, 'Quote: look before you leap')
    expect(haveFingerprintsChanged(before, first)).toBe(true)
    expect(haveFingerprintsChanged(before, first, again)).toBe(false)
    const edited = 'We make ladders of oak.'
    const both = (quote: string) => page(text[0]!, edited, text[2]!, quote)
    expect(haveFingerprintsChanged(before, both('Quote: one'), both('Quote: two'))).toBe(true)
    const shorter = (quote: string) => page(text[0]!, text[1]!, quote)
    expect(haveFingerprintsChanged(before, shorter('Quote: one'), shorter('Quote: two'))).toBe(true)
  })

  it('is none when a line only left the main content', () => {
    const all = page(...text).main
    const before = { ...page(...text), whole: all }
    const now = { ...page(text[0]!, text[1]!), whole: all }
    expect(haveFingerprintsChanged(before, now)).toBe(false)
  })
})
