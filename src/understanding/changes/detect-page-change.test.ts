import { describe, expect, it } from 'vitest'
import { detectPageChange, maxUnreadOf, type PageReading } from './detect-page-change.ts'

const page = (more: Partial<PageReading> = {}): PageReading => ({
  status: 200,
  chars: 900,
  isUnchanged: false,
  ...more,
})
const here = { isHere: true, chars: 900 }
const gone = { isHere: false, chars: 900 }
const differs = async () => true

describe('detectPageChange', () => {
  it.each([
    ['a page that was never read is new', page(), undefined, 'new'],
    ['a page that came back is new', page(), gone, 'new'],
    ['an unchanged answer is the same', page({ status: 304, isUnchanged: true }), here, 'same'],
    ['a page that is gone is removed', page({ status: 410 }), gone, 'removed'],
    ['a page that was never there cannot be removed', page({ status: 404 }), undefined, 'the site returned 404'],
    ['a failing site says nothing of the page', page({ status: 500 }), here, 'the site returned 500'],
    ['a page that lost all its text did not load', page({ chars: 12 }), here, 'the page came back empty'],
    ['what cannot be compared fails', page({ problem: 'it has no text' }), here, 'it has no text'],
  ])('%s', async (_name, first, known, wanted) => {
    const found = await detectPageChange({ first, known, differs })
    expect(found.change === 'failed' ? found.because : found.change).toBe(wanted)
  })

  it.each([
    ['a replica that lacks a page does not remove it', page({ status: 404 }), page(), 'changed'],
    ['a page that is gone twice is removed', page({ status: 404 }), page({ status: 404 }), 'removed'],
    ['a version that the site names again is a change', page(), page({ status: 304, isUnchanged: true }), 'changed'],
    ['a change that cannot be confirmed fails', page(), page({ status: 503 }), 'failed'],
    ['nor by an empty page', page(), page({ chars: 3 }), 'failed'],
    ['nor without an answer', page(), undefined, 'failed'],
  ])('reads again: %s', async (_name, first, second, wanted) => {
    const found = await detectPageChange({ first, known: here, again: async () => second, differs })
    expect(found.change).toBe(wanted)
  })

  it('does not report what differs between two readings', async () => {
    const noisy = async (_reading: PageReading, second?: PageReading) => second === undefined
    const found = await detectPageChange({ first: page(), known: here, again: async () => page(), differs: noisy })
    expect(found.change).toBe('same')
  })
})

it('believes unchanged answers of a page for 8 to 12 readings, spread by address', () => {
  const most = new Set(Array.from({ length: 200 }, (_, at) => maxUnreadOf(`https://sea.test/${at}`)))
  expect([...most].sort((a, b) => a - b)).toEqual([8, 9, 10, 11, 12])
})
