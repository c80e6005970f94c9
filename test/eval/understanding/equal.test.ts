// The equality that all scorers use: what it forgives and, as much, what it does not.
import { describe, expect, it } from 'vitest'
import { numberOf, sameAddress, sameDate, samePhone, sameText, sameValue } from './equal.ts'

describe('equality', () => {
  it('forgives spacing, case, kinds of quotes and a last full stop', () => {
    expect(sameText('The Lamplighter’s  Debt', "the lamplighter's debt.")).toBe(true)
    expect(sameText('The Lamplighter’s Debt', 'The Lamplighter')).toBe(false)
  })

  it.each([
    ['1.234,50 €', 1234.5],
    ['$1,234.50', 1234.5],
    ['418 500,00 zł', 418500],
    ['12.490', 12490],
    ['0.125', 0.125],
    ['3,2', 3.2],
    ['1.234.567', 1234567],
    ['8 %', 8],
  ])('reads %s as %d', (text, number) => {
    expect(numberOf(text)).toBe(number)
  })

  it('does not read a number out of two', () => {
    expect(numberOf('2 of 12')).toBeUndefined()
    expect(numberOf('none')).toBeUndefined()
  })

  it('compares a date as far as it was asked for', () => {
    expect(sameDate('2026-03-04', '2026-03-04T10:00:00Z')).toBe(true)
    expect(sameDate('2026-03-04T10:00', '2026-03-04T10:00:59+02:00')).toBe(true)
    expect(sameDate('2026-03-04T10:00', '2026-03-04')).toBe(false)
    expect(sameDate('2026-03-04', '2026-04-03')).toBe(false)
  })

  it('forgives scheme, www, the last slash and tracking of an address', () => {
    expect(sameAddress('https://a.example/x?b=1', 'http://www.a.example/x/?b=1&utm_source=q')).toBe(true)
    expect(sameAddress('https://a.example/x', 'https://a.example/y')).toBe(false)
    expect(sameAddress('https://a.example/x', '/x')).toBe(false)
  })

  it('compares phone numbers by their digits, with or without the country', () => {
    expect(samePhone('+31 88 123 45 00', '088-1234500')).toBe(true)
    expect(samePhone('+31 88 123 45 00', '088-1234501')).toBe(false)
  })

  it('takes nothing for nothing, and for nothing else', () => {
    expect(sameValue(null, undefined)).toBe(true)
    expect(sameValue(null, 'x')).toBe(false)
    expect(sameValue(0, null)).toBe(false)
    expect(sameValue(false, null)).toBe(false)
    expect(sameValue(true, 'yes')).toBe(true)
  })
})
