import { expect, it } from 'vitest'
import { findBestPassage } from './best-passage.ts'

it.each([
  ['A rope costs 18.50 euros. It is long.', 'A rope costs 18.50 euros. It is long.'],
  ['Made with Node.js 20.19, a rope machine. And then?', 'Made with Node.js 20.19, a rope machine. And then?'],
  ['“The rope is new.” So they said.', '“The rope is new. ” So they said.'],
])('keeps points inside of numbers and names: %s', (text, passage) => {
  expect(findBestPassage(text, ['rope'], 'en')).toBe(passage)
})
