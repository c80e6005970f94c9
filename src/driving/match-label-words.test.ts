import { expect, it } from 'vitest'
import { keyWordsOf, labelWordsOf, scoreLabelCoverage, scoreWordMatch } from './match-label-words.ts'

it('joins pairs and turns number words into digits', () => {
  expect(labelWordsOf('Sign in with two e-mails')).toEqual(['signin', 'with', '2', 'emails'])
  expect(labelWordsOf('Keep me signed in after logging out')).toEqual(['keep', 'me', 'signin', 'after', 'logout'])
})

it('leaves asides out of a label', () => {
  expect(keyWordsOf('Express (next day)')).toEqual(['express'])
  expect(keyWordsOf('(none)')).toEqual(['none'])
})

it('matches forms and synonyms of a word, and nothing else', () => {
  expect(scoreWordMatch('selected', 'selects')).toBeGreaterThan(0.9)
  expect(scoreWordMatch('remove', 'delete')).toBeGreaterThan(0.8)
  expect(scoreWordMatch('turquoise', 'charcoal')).toBe(0)
})

it('covers a label only with words that are in it', () => {
  expect(scoreLabelCoverage(['gift', 'wrapping'], 'Gift wrapping (+ € 4)')).toBe(1)
  expect(scoreLabelCoverage(['terms'], 'I agree to the terms and conditions')).toBeCloseTo(1 / 3)
  expect(scoreLabelCoverage(['purple', 'gift'], 'Gift wrapping')).toBe(0)
})
