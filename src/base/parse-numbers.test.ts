import { describe, expect, it } from 'vitest'
import { findTimes, parseDate, parseDuration, toIsoDate, toIsoDateTime } from './parse-dates.ts'
import { convertUnit, parseNumbersIn } from './parse-numbers.ts'

const first = (text: string, language = '') => parseNumbersIn(text, language)[0]?.value

const two = (value: number): string => String(value).padStart(2, '0')

describe('numbers', () => {
  it('are read in the manner of the country that writes them', () => {
    expect(first('1,234.56')).toBe(1234.56)
    expect(first('1.234,56')).toBe(1234.56)
    expect(first('12 490 km', 'fr')).toBe(12490)
    expect(first('1.234', 'de')).toBe(1234)
    expect(first('1.234', 'en')).toBe(1.234)
    expect(first('78,4 m²', 'de')).toBe(78.4)
    expect(first('1.2k')).toBe(1200)
  })

  it('are converted between units of one kind only', () => {
    expect(convertUnit(1.2, 'kg', 'grams')).toBe(1200)
    expect(convertUnit(90, 'min', 'hours')).toBe(1.5)
    expect(convertUnit(1, 'kg', 'km')).toBeUndefined()
  })
})

describe('dates', () => {
  it.each('en-US en-GB de fr es it pt nl sv da nb fi pl ru uk cs sk hu el ro tr id bg ca et sl ja zh-CN ko'.split(' '))(
    'reads whole dates as they are written in %s',
    (language) => {
      for (const dateStyle of ['long', 'full'] as const) {
        const format = new Intl.DateTimeFormat(language, { dateStyle, timeZone: 'UTC' })
        for (let month = 1; month <= 12; month++) {
          const text = `${format.format(Date.UTC(2023, month - 1, 9 + month))}, 300 words`
          expect([text, toIsoDate(parseDate(text, language)!)]).toEqual([text, `2023-${two(month)}-${two(9 + month)}`])
        }
      }
    },
  )

  it('takes no other word for a month', () => {
    for (const text of ['iPhone 15 Pro 2024', '32 LED 2023', '12 constructor 2024', '4 mart 20', 'chapter 5, 2024'])
      expect(parseDate(text)).toBeUndefined()
  })

  const iso = (text: string, language = '') => {
    const date = parseDate(text, language)
    return date && toIsoDate(date)
  }

  it('are read in words and in digits', () => {
    expect(iso('May 1, 2024')).toBe('2024-05-01')
    expect(iso('1. März 2024', 'de')).toBe('2024-03-01')
    expect(iso('12 de octubre de 2025', 'es')).toBe('2025-10-12')
    expect(iso('2026年7月18日', 'ja')).toBe('2026-07-18')
    expect(iso('03/04/2024', 'en-US')).toBe('2024-03-04')
    expect(iso('03/04/2024', 'fr')).toBe('2024-04-03')
    expect(iso('31.12.2024', 'de')).toBe('2024-12-31')
    expect(iso('2024 Jun 30;28(2):43')).toBe('2024-06-30')
    expect(iso('Deadline: March 1 st , 2026')).toBe('2026-03-01')
    expect(iso('9/6/16 1:25 p.m.', 'en-US')).toBe('2016-09-06')
    expect(iso('9/6/98 1:25 p.m.', 'en-US')).toBe('1998-09-06')
  })

  it('that cannot be are none', () => {
    expect(iso('2024-02-31')).toBeUndefined()
    expect(iso('three days ago')).toBeUndefined()
    expect(iso('they won 1/2/10 of them')).toBeUndefined()
  })

  it('carry a time of day when one stands with them', () => {
    expect(toIsoDateTime(parseDate('May 1, 2024 at 7:30 pm')!)).toBe('2024-05-01T19:30:00Z')
    expect(findTimes('08:00–12:30')).toEqual(['08:00', '12:30'])
    expect(findTimes('5 pm - 10:15pm')).toEqual(['17:00', '22:15'])
  })

  it('durations are counted in seconds', () => {
    expect(parseDuration('PT1H30M')).toBe(5400)
    expect(parseDuration('P1Y')).toBeUndefined()
  })
})
