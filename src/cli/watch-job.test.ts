import { describe, expect, it } from 'vitest'
import { formatProgressLine } from './watch-job.ts'

describe('the progress of a job', () => {
  it('shows how far, how fast and how long still', () => {
    expect(formatProgressLine({ completed: 6, total: 24, status: 'scraping', rate: 2 })).toBe(
      '██████░░░░░░░░░░░░░░░░░░  6 of 24 pages  2.0 pages/s, 9 s left',
    )
  })

  it('says no more than it knows', () => {
    expect(formatProgressLine({ completed: undefined, total: undefined, status: 'processing', rate: 0 })).toBe(
      'processing',
    )
    expect(formatProgressLine({ completed: 0, total: 3, status: 'scraping', rate: 0 })).toBe(
      '░░░░░░░░░░░░░░░░░░░░░░░░  0 of 3 pages',
    )
    expect(formatProgressLine({ completed: 5, total: 4, status: 'completed', rate: 1 })).toMatch(
      /^█{24} {2}5 of 4 pages/,
    )
  })
})
