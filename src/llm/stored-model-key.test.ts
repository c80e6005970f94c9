// A key goes to the origin that it was given for, and to no other.
import { expect, it } from 'vitest'
import { readModelKey, writeModelKey } from './current-model.ts'

it('is read for its own origin, whatever the path', () => {
  const stored = writeModelKey('https://models.example/v1', 'k-1')
  expect(readModelKey(stored, 'https://models.example/other')).toBe('k-1')
  for (const url of ['https://elsewhere.example/v1', 'http://models.example/v1'])
    expect(readModelKey(stored, url)).toBe('')
  expect(readModelKey('k-of-before', 'https://models.example/v1')).toBe('k-of-before')
  expect(readModelKey(undefined, 'https://models.example/v1')).toBe('')
})
