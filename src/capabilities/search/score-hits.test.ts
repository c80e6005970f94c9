// Hits of several sources as one list: agreement counts, rubbish does not, one source alone keeps its order.
import { describe, expect, it } from 'vitest'
import { fuseRankedLists, type RankedList, type SearchCandidate } from './fuse-hits.ts'
import { makeHitScorer } from './score-hits.ts'

const hit = (url: string, title: string, description = ''): SearchCandidate => ({ url, title, description })
const query = ['pressure', 'gauge', 'calibration']
const good = [
  hit('https://gauges.com/calibration', 'Pressure gauge calibration', 'How to calibrate a pressure gauge.'),
  hit('https://lab.org/pressure', 'Calibration of gauges', 'Pressure standards and their calibration.'),
  hit('https://shop.net/gauge', 'Pressure gauges', 'Gauges for every pressure.'),
]
const rubbish = Array.from({ length: 10 }, (_, n) =>
  hit(`https://spam${n}.biz/win`, `Win a prize ${n}`, 'Click here now.'),
)
const ranked = (lists: RankedList[], votes = new Map<string, number>()) =>
  fuseRankedLists(lists, makeHitScorer({ query, lists, votes })).map(({ url }) => url)
const urls = good.map(({ url }) => url)

describe('fusion', () => {
  it('leaves the order of one source as it is', () => {
    expect(ranked([{ name: 'index', hits: [...good].reverse() }])).toEqual([...urls].reverse())
  })

  it('puts no rubbish before what answers, however many sources have it', () => {
    for (const name of ['a', 'b']) {
      const list = ranked([
        { name: 'index', hits: good },
        { name, hits: rubbish },
        { name: 'c', hits: rubbish },
      ])
      expect(new Set(list.slice(0, 3))).toEqual(new Set(urls))
    }
  })

  it('folds one page under two addresses, and agreement lifts it', () => {
    const list = fuseRankedLists(
      [
        { name: 'a', hits: good },
        { name: 'b', hits: [{ ...good[1]!, url: 'http://www.lab.org/pressure/?utm_source=b' }] },
      ],
      makeHitScorer({
        query,
        lists: [
          { name: 'a', hits: good },
          { name: 'b', hits: good },
        ],
        votes: new Map(),
      }),
    )
    expect(list).toHaveLength(3)
    expect(list.find(({ url }) => url === urls[1])?.from).toEqual(['a', 'b'])
  })

  it('follows opinions, within bounds', () => {
    const votes = new Map([['shop.net/gauge', 3]])
    expect(ranked([{ name: 'index', hits: good }], votes)[0]).toBe(urls[2])
    const far = [...good, ...rubbish, hit('https://last.org/x', 'Last')]
    expect(ranked([{ name: 'index', hits: far }], new Map([['last.org/x', 1000]]))[0]).not.toBe('https://last.org/x')
  })
})
