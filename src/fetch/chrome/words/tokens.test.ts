import { expect, test } from 'vitest'
import { clockOf, dayOf, isPlainValue, numberOf, ordinalOf, tokensOf } from './tokens.ts'

const kinds = (prompt: string) => tokensOf(prompt).map(({ kind, value }) => `${kind} ${value}`)

test('texts, addresses, dates, numbers and keys are one token each', () => {
  expect(kinds('Send "a b" to x.y@z.org')).toEqual(['word Send', 'quote a b', 'word to', 'email x.y@z.org'])
  expect(kinds('on 12 May 2027 at 3:15 PM')).toEqual(['word on', 'date 12 May 2027', 'word at', 'time 3:15 PM'])
  expect(kinds('phone 024 201 4113, code otter345?')).toEqual([
    'word phone',
    'number 024 201 4113',
    'mark ,',
    'word code',
    'word otter345?',
  ])
  expect(kinds('Press Ctrl+K.')).toEqual(['word Press', 'key Ctrl+K', 'mark .'])
  expect(kinds('[2,9,16] (1,-2)')).toEqual(['list [2,9,16]', 'pair (1,-2)'])
})

test.each([
  ['12 May 2027', { year: 2027, month: 5, day: 12 }],
  ['May 12th', { year: undefined, month: 5, day: 12 }],
  ['2027-05-12', { year: 2027, month: 5, day: 12 }],
  ['05/12/2027', { year: 2027, month: 5, day: 12 }],
  ['31/12/2027', { year: 2027, month: 12, day: 31 }],
  ['soon', undefined],
])('the day %s', (text, day) => {
  expect(dayOf(text)).toEqual(day)
})

test('clocks, numbers and places in a row', () => {
  expect([clockOf('3:15 PM'), clockOf('12am'), clockOf('9:00')]).toEqual([
    { hour: 15, minute: 15 },
    { hour: 0, minute: 0 },
    { hour: 9, minute: 0 },
  ])
  expect(['three', '€ 1,234.50', '80 %', '1.234,5', 'x'].map(numberOf)).toEqual([3, 1234.5, 80, 1234.5, undefined])
  expect(['2nd', 'third', 'last', 'next'].map(ordinalOf)).toEqual([2, 3, -1, undefined])
})

test.each([
  ['orb into Search', true],
  ['warm wool socks into Search', true],
  ['Bo into Name', false],
  ['"orb" into Search', false],
  ['that into the textbox', false],
  ['the 6th word into the box', false],
  ['into Search', false],
])('%s is a plain value: %s', (prompt, plain) => {
  expect(isPlainValue(tokensOf(prompt))).toBe(plain)
})
