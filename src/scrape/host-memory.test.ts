import { expect, it } from 'vitest'
import { ManualClock } from '../base/clock.ts'
import { openHostMemory } from './host-memory.ts'

const url = (n: number) => `https://shop.example/items/${n}`

it('skips the plain visit after several shells in a row, and not before', () => {
  const hosts = openHostMemory(new ManualClock())
  for (let n = 0; n < 4; n++) hosts.note(url(n), 'shell')
  expect(hosts.advice(url(9))).toBeUndefined()
  hosts.note(url(4), 'shell')
  expect(hosts.advice(url(9))).toMatch(/drawn by scripts/)
  expect(hosts.advice('https://shop.example/about/1')).toBeUndefined()
  expect(hosts.advice('https://other.example/items/1')).toBeUndefined()
})

it('forgets at the first page that came whole, and after an hour', () => {
  const clock = new ManualClock()
  const hosts = openHostMemory(clock)
  for (let n = 0; n < 5; n++) hosts.note(url(n), 'shell')
  hosts.note(url(5), 'page')
  expect(hosts.advice(url(6))).toBeUndefined()
  for (let n = 0; n < 2; n++) hosts.note(url(n), 'blocked')
  expect(hosts.advice(url(6))).toMatch(/blocked/)
  clock.wind(3_600_001)
  expect(hosts.advice(url(6))).toBeUndefined()
})

it('tries the plain visit again now and then', () => {
  const hosts = openHostMemory(new ManualClock())
  for (let n = 0; n < 5; n++) hosts.note(url(n), 'shell')
  const advice = Array.from({ length: 20 }, (_, n) => hosts.advice(url(n)))
  expect(advice.filter((text) => text === undefined)).toHaveLength(2)
})

it('does not grow without end', () => {
  const hosts = openHostMemory(new ManualClock())
  for (let n = 0; n < 5; n++) hosts.note('https://first.example/a/b', 'shell')
  for (let n = 0; n < 2000; n++) hosts.note(`https://h${n}.example/a/b`, 'shell')
  expect(hosts.advice('https://first.example/a/b')).toBeUndefined()
})

it('begins with the enhanced tier where only that was let in, until it is not', () => {
  const hosts = openHostMemory(new ManualClock())
  hosts.note(url(0), 'blocked')
  hosts.note(url(0), 'disguised')
  expect(hosts.guarded(url(1))).toBeUndefined()
  hosts.note(url(1), 'blocked')
  hosts.note(url(1), 'disguised')
  expect(hosts.guarded(url(2))).toMatch(/enhanced tier/)
  hosts.note(url(2), 'unmasked')
  expect(hosts.guarded(url(3))).toBeUndefined()
  for (let n = 0; n < 2; n++) hosts.note(url(n), 'disguised')
  hosts.note(url(4), 'page')
  expect(hosts.guarded(url(5))).toBeUndefined()
})
