// Compounds are taken apart only where pages have both parts.
import { expect, it } from 'vitest'
import { partsOf } from './compounds.ts'
import { queryWord } from './words.ts'

const having = (...words: string[]) => {
  const terms = new Set(words.flatMap((word) => queryWord(word, ['de']).terms))
  return (term: string) => terms.has(term)
}

it('finds the parts, whatever joins them', () => {
  const known = having('balkon', 'tomaten', 'arbeit', 'platz', 'hund', 'hütte')
  expect(partsOf('balkontomaten', ['en', 'de'], known)).toEqual([['balkon'], ['tomat']])
  expect(partsOf('arbeitsplatz', ['de'], known)).toEqual([['arbeit'], ['platz']])
  expect(partsOf('hundehutte', ['de'], known)).toBeDefined()
})

it('leaves alone what is no compound of known parts, and languages that make none', () => {
  expect(partsOf('balkontomaten', ['en', 'fr'], having('balkon', 'tomaten'))).toBeUndefined()
  expect(partsOf('balkontomaten', ['de'], having('balkon'))).toBeUndefined()
  expect(partsOf('balkon', ['de'], having('balk', 'kon'))).toBeUndefined()
})
