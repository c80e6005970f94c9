import { describe, expect, it } from 'vitest'
import { listPeriodsUpTo, sumUsageByPeriod } from './usage-history.ts'

const at = (text: string) => Date.parse(text)
const shown = ({ from, to }: { from: number; to: number }) =>
  [from, to].map((ms) => new Date(ms).toISOString().slice(0, 10))

describe('periods of use', () => {
  it('end with the one that holds today, in whole UTC days, weeks from Monday and months', () => {
    const now = at('2026-03-01T00:30:00Z')
    expect(shown(listPeriodsUpTo(now, 'day').at(-1)!)).toEqual(['2026-03-01', '2026-03-02'])
    expect(shown(listPeriodsUpTo(now, 'week').at(-1)!)).toEqual(['2026-02-23', '2026-03-02'])
    const months = listPeriodsUpTo(now, 'month')
    expect(shown(months.at(-1)!)).toEqual(['2026-03-01', '2026-04-01'])
    expect(shown(months.at(-2)!)).toEqual(['2026-02-01', '2026-03-01'])
    expect(months).toHaveLength(24)
    for (const [index, span] of months.slice(1).entries()) expect(span.from).toBe(months[index]!.to)
  })

  it('leave out those without use, and show an empty one when there is none at all', () => {
    const spans = listPeriodsUpTo(at('2026-03-15T12:00:00Z'), 'month')
    const days = [
      { day: at('2026-01-31T00:00:00Z'), keyId: 'a', credits: 1 },
      { day: at('2026-03-01T00:00:00Z'), keyId: 'a', credits: 2 },
      { day: at('2026-03-02T00:00:00Z'), keyId: 'b', credits: 3 },
    ]
    expect(sumUsageByPeriod(spans, days, false).map(({ credits }) => credits)).toEqual([1, 5])
    expect(sumUsageByPeriod(spans, days, true).map(({ keyId, credits }) => [keyId, credits])).toEqual([
      ['a', 1],
      ['a', 2],
      ['b', 3],
    ])
    expect(sumUsageByPeriod(spans, [], true)).toMatchObject([{ keyId: null, credits: 0 }])
  })
})
