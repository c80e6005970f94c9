// How well a monitor tells news from noise, on a simulated web over thirty days: 80 pages of ten kinds, fifteen kinds of
// noise, real edits at known moments. Half of the pages, chosen by hash, are sealed: they are measured and not looked into.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isSealed, type Score, score } from './monitor/score.ts'
import { NOISE, worldPage } from './monitor/world.ts'

const DAYS = 30
const LOOKS_A_DAY = 2
const numbers = Array.from({ length: 80 }, (_, n) => n)
const floors = JSON.parse(readFileSync(new URL('./monitor-floors.json', import.meta.url), 'utf8')) as Record<
  string,
  number
>

const summed = ({ looks, edits, missed, falseAlerts, lateLooks, anyText, plain }: Score) => ({
  ...{ looks, edits, lateLooks },
  'missed percent': (100 * missed) / edits,
  'false percent': (100 * falseAlerts) / lateLooks,
  'any text, false percent': (100 * anyText.falseAlerts) / lateLooks,
  'patterns alone, false percent': (100 * plain.falseAlerts) / lateLooks,
})

describe.each([
  ['open', false],
  ['sealed', true],
])('the %s half of the simulated web', (half, sealed) => {
  const found = score(
    numbers.filter((n) => isSealed(n) === sealed),
    DAYS,
    LOOKS_A_DAY,
  )
  it('holds its floors', () => {
    const sums = summed(found)
    console.log(half, JSON.stringify(sums))
    expect(found.looks).toBeGreaterThanOrEqual(1500)
    expect(sums['missed percent'], sealed ? '' : found.faults.join('\n')).toBeLessThanOrEqual(floors['missed percent']!)
    expect(sums['false percent'], sealed ? '' : found.faults.join('\n')).toBeLessThanOrEqual(floors['false percent']!)
    // A page whose text merely differs would have woken its owner nearly every time.
    expect(sums['any text, false percent']).toBeGreaterThan(50)
  })
})

it('has every kind of noise on several pages, and edits on every page', () => {
  const pages = numbers.map((n) => worldPage(n, DAYS))
  for (const kind of NOISE) expect(pages.filter(({ noise }) => noise.includes(kind)).length, kind).toBeGreaterThan(5)
  for (const { edits, name } of pages) expect(edits.length, name).toBeGreaterThan(1)
})
