import { describe, expect, test } from 'vitest'
import { clausesOf } from './clauses.ts'

const told = (prompt: string, verbs: string[] = []) =>
  clausesOf(prompt, new Set(verbs)).map(({ act, rest }) => `${act}: ${rest.map(({ value }) => value).join(' ')}`)

describe('a prompt as clauses', () => {
  test.each([
    ['click Sign in', ['press: Sign in']],
    ['type orb into Search and press Enter', ['type: orb into Search', 'press: Enter']],
    [
      'Select Large under Size, tick Olives and Capers, and click "Add to order".',
      ['choose: Large under Size', 'check: Olives and Capers', 'press: Add to order'],
    ],
    ['Click button ONE, then click button TWO.', ['press: button ONE', 'press: button TWO']],
    ['What is the total?', ['ask: is the total ?']],
    ['Turn on Thin crust', ['check: Thin crust']],
    ['Press Apply when set.', ['press: Apply']],
    ['Use the textbox to enter "Denis" and press "Search"', ['type: Denis', 'press: Search']],
    [
      'Find the 6th word in the paragraph, type that into the textbox',
      ['find: the 6th word in the paragraph', 'type: that into the textbox'],
    ],
    ['Order the hotels by price', ['sort: the hotels by price']],
    ['Order as Ada Holm, payment by invoice', ['goal: as Ada Holm , payment by invoice']],
  ])('%s', (prompt, clauses) => {
    expect(told(prompt)).toEqual(clauses)
  })

  test('words of the page split where a list would not', () => {
    expect(told('Star the message from Ada and archive the message from Bo.', ['star', 'archiv'])).toEqual([
      'goal: the message from Ada',
      'goal: the message from Bo',
    ])
    expect(told('Select Ham and Cheese', [])).toEqual(['choose: Ham and Cheese'])
  })

  test('places, conditions and ends are kept apart', () => {
    const [under] = clausesOf('Under Billing, click Change card.')
    expect(under?.where?.map(({ value }) => value)).toEqual(['Billing'])
    const [, asked] = clausesOf('Send it. If it asks for a topic, choose Returns.')
    expect([asked?.act, asked?.when?.length]).toEqual(['choose', 5])
    const [aside] = clausesOf('Topic (if asked): Returns.')
    expect(aside?.when).toEqual([])
    const [until] = clausesOf('go to the next page until there is none')
    expect(until?.until?.map(({ word }) => word)).toEqual(['there', 'is', 'none'])
  })

  test('nothing but marks has no clauses, and a long prompt is read in one go', () => {
    expect(clausesOf(' ,.; ')).toEqual([])
    expect(clausesOf('click A and '.repeat(800)).length).toBeGreaterThan(700)
  })
})
