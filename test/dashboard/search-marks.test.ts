// What the search screen marks in a hit: the words of the query, in their forms, and nothing else.
import { describe, expect, it } from 'vitest'
import { marked, stemsOf } from '../../dashboard/src/search/marks.ts'

const marks = (text: string, query: string) =>
  marked(text, query)
    .filter(({ isMarked }) => isMarked)
    .map((piece) => piece.text)

describe('marks', () => {
  it('are the words of the query in their forms', () => {
    expect(marks('Calibrate the gauge; calibration costs.', 'calibrating gauges')).toEqual([
      'Calibrate',
      'gauge',
      'calibration',
    ])
  })

  it('are not made by operators and words that are left out', () => {
    expect(stemsOf('gauge -digital site:example.com intitle:"the page"')).toEqual(['gaug'])
    expect(marks('digital example', 'gauge -digital site:example.com')).toEqual([])
  })

  it('keep the text whole', () => {
    const text = 'A – gauge, “measured” 40 °C.'
    expect(
      marked(text, 'gauge measure')
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text)
  })

  it('find words inside scripts without spaces', () => {
    expect(marks('水道水の圧力計を校正する', '圧力計')).toEqual(['圧力計'])
  })

  it('are none without words', () => {
    expect(marked('anything', 'site:example.com')).toEqual([{ text: 'anything', isMarked: false }])
  })
})
