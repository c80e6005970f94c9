import { describe, expect, it } from 'vitest'
import { type PagePriceQuestion, pagePrice, searchPrice, sessionPrice } from './prices.ts'

const plain: PagePriceQuestion = {
  formats: [{ type: 'markdown' }],
  pages: 1,
  redactPii: false,
  zeroDataRetention: false,
  lockdown: undefined,
  threatUrls: 0,
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
  it('adds two for each address a threat scan looked up', () => {
    expect(pagePrice({ ...plain, threatUrls: 3 })).toBe(7)
  })
})

describe('other prices', () => {
  it('charges a search by started tens', () => {
    expect(searchPrice(0, 'plain')).toBe(0)
    expect(searchPrice(10, 'plain')).toBe(2)
    expect(searchPrice(11, 'plain')).toBe(4)
    expect(searchPrice(11, 'zeroDataRetention')).toBe(20)
  })
  it('charges a session by the second after its first minute', () => {
    expect(sessionPrice(5, false)).toBe(2)
    expect(sessionPrice(60, true)).toBe(7)
    expect(sessionPrice(61, false)).toBe(3)
    expect(sessionPrice(90, false)).toBe(3)
    expect(sessionPrice(600, true)).toBe(70)
  })
})
