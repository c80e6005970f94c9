import { expect, it } from 'vitest'
import { isUuid } from '../base/uuid-format.ts'
import { newId } from './id.ts'

it('makes UUIDs of version 7 that sort by time', () => {
  const ids = [1, 2, 1_000_000, 1_794_717_861_525].map(newId)
  for (const id of ids) {
    expect(isUuid(id)).toBe(true)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/)
  }
  expect([...ids].sort()).toEqual(ids)
})

it('makes different ones in the same millisecond', () => {
  expect(new Set(Array.from({ length: 1000 }, () => newId(5))).size).toBe(1000)
})
