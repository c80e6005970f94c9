// The table of concepts fits the vocabulary: a row without a line would never be asked, and of two rows one would be lost.
import { expect, it } from 'vitest'
import { TERMS } from '../vocabulary.ts'
import { conceptNamed, PARTS } from './index.ts'

const ids = PARTS.flatMap((rows) => Object.keys(rows))

it('every row belongs to a line of the vocabulary', () => {
  expect(ids.filter((id) => !TERMS.has(id))).toEqual([])
})

it('no concept has two rows', () => {
  expect(ids.filter((id, n) => ids.indexOf(id) !== n)).toEqual([])
})

it('a concept is its line and its row', () => {
  expect(conceptNamed('price')).toMatchObject({ kind: 'money', rules: { isOfFrame: true } })
  expect(conceptNamed('warranty').rules).toEqual({})
})
