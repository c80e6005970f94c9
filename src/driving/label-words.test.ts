import { expect, it } from 'vitest'
import { coverage, keyWords, wordMatch, wordsOf } from './label-words.ts'

it('joins pairs and turns number words into digits', () => {
  expect(wordsOf('Sign in with two e-mails')).toEqual(['signin', 'with', '2', 'emails'])
})

it('leaves asides out of a label', () => {
  expect(keyWords('Express (next day)')).toEqual(['express'])
  expect(keyWords('(none)')).toEqual(['none'])
})

it('matches forms and synonyms of a word, and nothing else', () => {
  expect(wordMatch('selected', 'selects')).toBeGreaterThan(0.9)
  expect(wordMatch('remove', 'delete')).toBeGreaterThan(0.8)
  expect(wordMatch('turquoise', 'charcoal')).toBe(0)
})

it('covers a label only with words that are in it', () => {
  expect(coverage(['gift', 'wrapping'], 'Gift wrapping (+ € 4)')).toBe(1)
  expect(coverage(['terms'], 'I agree to the terms and conditions')).toBeCloseTo(1 / 3)
  expect(coverage(['purple', 'gift'], 'Gift wrapping')).toBe(0)
})
