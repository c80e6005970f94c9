import { expect, it } from 'vitest'
import { schemaLeftToAsk } from './complete-with-model.ts'
import type { ReadingByExtractor } from './read-by-extractor.ts'

const SCHEMA = { type: 'object', properties: { staff: { type: 'array' } } }
const readingOf = (staff: object[]): ReadingByExtractor => ({
  learnt: { id: 'x', name: null, version: 1, program: { records: null, fields: {}, marks: [] } },
  reading: { value: { staff }, fields: { staff: { by: 'record', confidence: 0.9 } }, fit: 1 } as never,
})

it('a list whose items lack their names is requested from the model', () => {
  const named = readingOf([
    { name: 'Ada', role: null },
    { name: 'Ben', role: 'Cook' },
  ])
  expect(schemaLeftToAsk(SCHEMA, named)).toBeUndefined()
  const some = readingOf([
    { name: null, role: 'Clerk' },
    { name: 'Ben', role: 'Cook' },
  ])
  expect(schemaLeftToAsk(SCHEMA, some)).toEqual(SCHEMA)
})
