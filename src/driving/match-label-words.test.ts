import { expect, it } from 'vitest'
import { keyWordsOf, labelWordsOf, scoreWordMatch } from './match-label-words.ts'

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
