// The one box of the dashboard: what is pasted is understood, and nothing of it is lost without a word.
import { describe, expect, it } from 'vitest'
import { bodyFor, guess } from '../../dashboard/src/home/guess.ts'
import { grouped, humanly, inUnits, spokenTime, unitOf } from '../../dashboard/src/playground/groups.ts'
import { playgroundAddress, stateIn } from '../../dashboard/src/playground/state.ts'

describe('what was pasted', () => {
  it.each([
    ['https://example.com/a?b=c', 'address', 'scrape'],
    ['example.com', 'address', 'scrape'],
    ['http://127.0.0.1:3003/zoo/shop', 'address', 'scrape'],
    ['https://münchen.example/straße', 'address', 'scrape'],
    ['https://a.test/1\nhttps://a.test/2', 'addresses', 'batch'],
    ['a.test/1, b.test/2', 'addresses', 'batch'],
    ['sodium batteries', 'words', 'search'],
    ['what is example.com about', 'words', 'search'],
    ['Which of these three companies has the cheapest plan, and what does it include?', 'words', 'agent'],
  ] as const)('%s → %s, offers %s first', (text, kind, offer) => {
    expect(guess(text)).toMatchObject({ kind, offers: expect.arrayContaining([offer]) })
    expect(guess(text).offers[0]).toBe(offer)
  })

  it('tells which lines of a list are no address', () => {
    const { urls, dropped } = guess('https://a.test\nnot an address\n\nb.test\nc..test')
    expect(urls).toEqual(['https://a.test', 'https://b.test'])
    expect(dropped).toEqual([
      { line: 2, text: 'not an address' },
      { line: 5, text: 'c..test' },
    ])
  })

  it('a crawl begins with a small limit', () => {
    expect(bodyFor('crawl', guess('https://a.test'), '')).toMatchObject({ url: 'https://a.test', limit: 20 })
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
