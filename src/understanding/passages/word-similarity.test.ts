import { describe, expect, it } from 'vitest'
import { stem } from './terms.ts'
import { nearness, rowOf } from './word-similarity.ts'

const near = (a: string, b: string): number => nearness(rowOf(a, stem(a)), rowOf(b, stem(b)))

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
    expect(rowOf('xqzzt', 'xqzzt')).toBe(-1)
  })
})
