import { describe, expect, it } from 'vitest'
import { stemWord } from './stem-terms.ts'
import { vectorRowOf, vectorSimilarity } from './word-similarity.ts'

const near = (a: string, b: string): number =>
  vectorSimilarity(vectorRowOf(a, stemWord(a)), vectorRowOf(b, stemWord(b)))

describe('nearness', () => {
  it('tells words of one meaning from others', () => {
    for (const [a, b] of [
      ['doctor', 'physician'],
      ['girl', 'daughter'],
      ['buy', 'purchase'],
      ['rent', 'lease'],
    ] as const)
      expect(near(a, b), `${a} ${b}`).toBeGreaterThan(0.5)
    for (const [a, b] of [
      ['doctor', 'chicken'],
      ['girl', 'invoice'],
      ['buy', 'mountain'],
      ['rent', 'violin'],
    ] as const)
      expect(near(a, b), `${a} ${b}`).toBeLessThan(0.1)
  })

  it('knows forms by their word, and keeps apart what only looks like one', () => {
    expect(near('illnesses', 'illness')).toBeGreaterThan(0.9)
    expect(near('care', 'car')).toBeLessThan(0.3)
  })

  it('has no row for a word it does not know', () => {
    expect(vectorRowOf('xqzzt', 'xqzzt')).toBe(-1)
  })
})
