// Pure parts of the dashboard: lists of addresses, times, groups of options, addresses of the playground.
import { describe, expect, it } from 'vitest'
import { readAddressLines } from '../../dashboard/src/home/addresses.ts'
import { grouped, humanly, inUnits, spokenTime, unitOf } from '../../dashboard/src/playground/groups.ts'
import { playgroundAddress, stateIn } from '../../dashboard/src/playground/state.ts'

it('says which lines of a list are no address', () => {
  expect(readAddressLines('https://a.test\nnot an address\n\nb.test\nc..test')).toEqual({
    urls: ['https://a.test', 'https://b.test'],
    dropped: [
      { line: 2, text: 'not an address' },
      { line: 5, text: 'c..test' },
    ],
  })
})

describe('times', () => {
  it('are said as people say them', () => {
    expect(spokenTime(172_800_000)).toBe('2 days')
    expect(spokenTime(60_000)).toBe('1 minute')
    expect(spokenTime(1500)).toBe('1500 ms')
    expect(inUnits(7_200_000)).toEqual({ amount: 2, unit: 3_600_000 })
    expect(humanly('A cached page younger than this is returned. 172800000 by default.')).toContain('2 days by default')
  })

  it('are told from other numbers', () => {
    expect(unitOf('maxAge', { type: 'integer' })).toBe(1)
    expect(unitOf('timeout', { type: 'integer', description: 'Milliseconds for the whole request.' })).toBe(1)
    expect(unitOf('limit', { type: 'integer', description: 'Most pages.' })).toBeUndefined()
  })
})

it('options stand in groups, and none is lost', () => {
  const fields = { waitFor: {}, headers: {}, brandNew: {}, includePaths: {} }
  const groups = grouped(fields)
  expect(groups.flatMap(([, list]) => list.map(([name]) => name)).sort()).toEqual(Object.keys(fields).sort())
  expect(groups.at(-1)?.[0]).toBe('More')
})

it('the address of the playground says all, and can be read back', () => {
  const body = { url: 'https://a.test/?x=1&y=%20#z', headers: { odd: 'ü + & %' } }
  const address = playgroundAddress('/v2/scrape', body, 'an-id')
  expect(stateIn(address.split('?').slice(1).join('?'))).toEqual({ path: '/v2/scrape', body, id: 'an-id' })
  expect(stateIn('call=/v2/crawl&body=nonsense').body).toBeUndefined()
})
