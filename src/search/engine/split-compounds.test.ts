// Compounds are taken apart only where pages have both parts.
import { expect, it } from 'vitest'
import { splitCompound } from './split-compounds.ts'
import { makeQueryWord } from './tokenize-text.ts'

const having = (...words: string[]) => {
  const terms = new Set(words.flatMap((word) => makeQueryWord(word, ['de']).terms))
  return (term: string) => terms.has(term)
}

it('finds the parts, whatever joins them', () => {
  const known = having('balkon', 'tomaten', 'arbeit', 'platz', 'hund', 'hütte')
  expect(splitCompound('balkontomaten', ['en', 'de'], known)).toEqual([['balkon'], ['tomat']])
  expect(splitCompound('arbeitsplatz', ['de'], known)).toEqual([['arbeit'], ['platz']])
  expect(splitCompound('hundehutte', ['de'], known)).toBeDefined()
})

it('leaves alone what is no compound of known parts, and languages that make none', () => {
  expect(splitCompound('balkontomaten', ['en', 'fr'], having('balkon', 'tomaten'))).toBeUndefined()
  expect(splitCompound('balkontomaten', ['de'], having('balkon'))).toBeUndefined()
  expect(splitCompound('balkon', ['de'], having('balk', 'kon'))).toBeUndefined()
})
