import { describe, expect, it } from 'vitest'
import { type PagePriceInput, priceOfPage } from './prices.ts'

const plain: PagePriceInput = {
  formats: [{ type: 'markdown' }],
  pages: 1,
  redactPii: false,
  zeroDataRetention: false,
  lockdown: undefined,
}

describe('the price of a page', () => {
  it('is one credit for a plain page', () => {
    expect(priceOfPage(plain)).toBe(1)
    expect(priceOfPage({ ...plain, formats: [] })).toBe(1)
  })
  it('is five in all with the json format, and no more when changes are tracked as json too', () => {
    const json = { type: 'json' }
    const tracked = { type: 'changeTracking', modes: ['git-diff', 'json'] }
    expect(priceOfPage({ ...plain, formats: [json] })).toBe(5)
    expect(priceOfPage({ ...plain, formats: [tracked] })).toBe(5)
    expect(priceOfPage({ ...plain, formats: [tracked, json] })).toBe(5)
    expect(priceOfPage({ ...plain, formats: [{ type: 'changeTracking', modes: ['git-diff'] }] })).toBe(1)
  })
  it('adds four for each question and each medium, and nothing for free formats', () => {
    const formats = ['question', 'highlights', 'audio', 'summary', 'screenshot', 'constructor'].map((type) => ({
      type,
    }))
    expect(priceOfPage({ ...plain, formats })).toBe(13)
  })
  it('counts the pages of a PDF, and redaction and zero retention for each of them', () => {
    expect(priceOfPage({ ...plain, pages: 12 })).toBe(12)
    expect(priceOfPage({ ...plain, pages: 3, redactPii: true, zeroDataRetention: true })).toBe(18)
  })
  it('asks five for a hit and one for a miss in lockdown, with zero retention waived', () => {
    expect(priceOfPage({ ...plain, lockdown: 'hit', zeroDataRetention: true })).toBe(5)
    expect(priceOfPage({ ...plain, lockdown: 'miss', formats: [{ type: 'json' }] })).toBe(1)
  })
})
