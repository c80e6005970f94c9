import { describe, expect, it } from 'vitest'
import { type PagePriceQuestion, pagePrice } from './prices.ts'

const plain: PagePriceQuestion = {
  formats: [{ type: 'markdown' }],
  pages: 1,
  redactPii: false,
  zeroDataRetention: false,
  lockdown: undefined,
}

describe('the price of a page', () => {
  it('is one credit for a plain page', () => {
    expect(pagePrice(plain)).toBe(1)
    expect(pagePrice({ ...plain, formats: [] })).toBe(1)
  })
  it('is five in all with the json format, and no more when changes are tracked as json too', () => {
    const json = { type: 'json' }
    const tracked = { type: 'changeTracking', modes: ['git-diff', 'json'] }
    expect(pagePrice({ ...plain, formats: [json] })).toBe(5)
    expect(pagePrice({ ...plain, formats: [tracked] })).toBe(5)
    expect(pagePrice({ ...plain, formats: [tracked, json] })).toBe(5)
    expect(pagePrice({ ...plain, formats: [{ type: 'changeTracking', modes: ['git-diff'] }] })).toBe(1)
  })
  it('adds four for each question and each medium, and nothing for free formats', () => {
    const formats = ['question', 'highlights', 'audio', 'summary', 'screenshot', 'constructor'].map((type) => ({
      type,
    }))
    expect(pagePrice({ ...plain, formats })).toBe(13)
  })
  it('counts the pages of a PDF, and redaction and zero retention for each of them', () => {
    expect(pagePrice({ ...plain, pages: 12 })).toBe(12)
    expect(pagePrice({ ...plain, pages: 3, redactPii: true, zeroDataRetention: true })).toBe(18)
  })
  it('asks five for a hit and one for a miss in lockdown, with zero retention waived', () => {
    expect(pagePrice({ ...plain, lockdown: 'hit', zeroDataRetention: true })).toBe(5)
    expect(pagePrice({ ...plain, lockdown: 'miss', formats: [{ type: 'json' }] })).toBe(1)
  })
})
