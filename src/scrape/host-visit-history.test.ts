import { expect, it } from 'vitest'
import { ManualClock } from '../base/clock.ts'
import { openHostVisitHistory } from './host-visit-history.ts'

const url = (n: number) => `https://shop.example/items/${n}`

it('skips the plain visit after several shells in a row, and not before', () => {
  const hosts = openHostVisitHistory(new ManualClock())
  for (let n = 0; n < 4; n++) hosts.note(url(n), 'shell')
  expect(hosts.reasonToSkipPlainVisit(url(9))).toBeUndefined()
  hosts.note(url(4), 'shell')
  expect(hosts.reasonToSkipPlainVisit(url(9))).toMatch(/drawn by scripts/)
  expect(hosts.reasonToSkipPlainVisit('https://shop.example/about/1')).toBeUndefined()
  expect(hosts.reasonToSkipPlainVisit('https://other.example/items/1')).toBeUndefined()
})

it('forgets at the first page that came whole, and after an hour', () => {
  const clock = new ManualClock()
  const hosts = openHostVisitHistory(clock)
  for (let n = 0; n < 5; n++) hosts.note(url(n), 'shell')
  hosts.note(url(5), 'page')
  expect(hosts.reasonToSkipPlainVisit(url(6))).toBeUndefined()
  for (let n = 0; n < 2; n++) hosts.note(url(n), 'blocked')
  expect(hosts.reasonToSkipPlainVisit(url(6))).toMatch(/blocked/)
  clock.wind(3_600_001)
  expect(hosts.reasonToSkipPlainVisit(url(6))).toBeUndefined()
})

it('tries the plain visit again now and then', () => {
  const hosts = openHostVisitHistory(new ManualClock())
  for (let n = 0; n < 5; n++) hosts.note(url(n), 'shell')
  const advice = Array.from({ length: 20 }, (_, n) => hosts.reasonToSkipPlainVisit(url(n)))
  expect(advice.filter((text) => text === undefined)).toHaveLength(2)
})

it('does not grow without end', () => {
  const hosts = openHostVisitHistory(new ManualClock())
  for (let n = 0; n < 5; n++) hosts.note('https://first.example/a/b', 'shell')
  for (let n = 0; n < 2000; n++) hosts.note(`https://h${n}.example/a/b`, 'shell')
  expect(hosts.reasonToSkipPlainVisit('https://first.example/a/b')).toBeUndefined()
})

it('begins with the enhanced tier where only that was let in, until it is not', () => {
  const hosts = openHostVisitHistory(new ManualClock())
  hosts.note(url(0), 'blocked')
  hosts.note(url(0), 'disguised')
  expect(hosts.reasonToUseEnhancedTier(url(1))).toBeUndefined()
  hosts.note(url(1), 'blocked')
  hosts.note(url(1), 'disguised')
  expect(hosts.reasonToUseEnhancedTier(url(2))).toMatch(/enhanced tier/)
  hosts.note(url(2), 'unmasked')
  expect(hosts.reasonToUseEnhancedTier(url(3))).toBeUndefined()
  for (let n = 0; n < 2; n++) hosts.note(url(n), 'disguised')
  hosts.note(url(4), 'page')
  expect(hosts.reasonToUseEnhancedTier(url(5))).toBeUndefined()
})
