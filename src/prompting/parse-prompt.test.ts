import { describe, expect, it } from 'vitest'
import { parsePrompt } from './parse-prompt.ts'
import { joinTokenValues } from './tokenize-prompt.ts'

const clauses = (prompt: string, verbs: string[] = []) =>
  parsePrompt(prompt, new Set(verbs)).clauses.map(({ kind, rest }) => `${kind}: ${joinTokenValues(rest)}`)

describe('requestOf', () => {
  it('splits where a verb follows "and", a comma or a full stop', () => {
    expect(clauses('Click Sign in, then type orb into Search and press Enter.')).toEqual([
      'press: Sign in',
      'set: orb into Search',
      'press: Enter',
    ])
  })

  it('keeps lists, quotes and names in one clause', () => {
    expect(clauses('Tick Olives and Capers')).toEqual(['on: Olives and Capers'])
    expect(clauses('Write "Stop, then go. Now" into Note')).toEqual(['set: Stop, then go. Now into Note'])
    expect(clauses('Set my name to Sam Q., the town to Ghent')).toEqual(['set: my name to Sam Q . , the town to Ghent'])
  })

  it('reads an order behind a comma as a clause of its own', () => {
    expect(clauses('Show the shipped orders, highest amount first')).toEqual([
      'goal: the shipped orders',
      'sort: highest amount first',
    ])
    expect(clauses('Sort by price, cheapest first')).toEqual(['sort: by price , cheapest first'])
  })

  it('takes conditions, pages and what is forbidden out of the words', () => {
    const { clauses: list, forbidden } = parsePrompt(
      'Open the third job on the second page. If it asks for a topic, choose Returns, but do not send anything.',
    )
    expect(list.map(({ kind, page, optional }) => [kind, page, optional])).toEqual([
      ['open', 2, false],
      ['set', undefined, true],
    ])
    expect(forbidden.map(joinTokenValues)).toEqual(['do not send anything'])
  })

  it('hears through polite words, and asides that have a value', () => {
    expect(clauses('Could you please sort by price?')).toEqual(['sort: by price'])
    expect(clauses("I'd like to sign me in")).toEqual(['goal: '])
    expect(clauses('Screenshot, pls')).toEqual(['picture: '])
    expect(clauses("I'm looking for a red one. Yes, thanks.")).toEqual(['goal: a red one'])
    expect(clauses('Enter my birthday (2 May 1994)')).toEqual(['set: my birthday 2 May 1994'])
    expect(clauses('Take me to the events')).toEqual(['go: to the events'])
  })

  it('puts parts in the order in which they are done', () => {
    expect(clauses('Place the order but first use my voucher', ['place'])).toEqual([
      'set: my voucher',
      'goal: the order',
    ])
    expect(clauses('Before submitting, run the check')).toEqual(['goal: the check', 'goal: '])
    expect(clauses('Send it to the list, but not before sending me a test')).toEqual([
      'goal: me a test',
      'goal: it to the list',
    ])
  })

  it('reads ranges of days, and what is used for something', () => {
    expect(clauses('Book from 4 to 9 July 2027')).toEqual(['goal: from 4 July 2027 to 9 July 2027'])
    expect(clauses('Use ada / pw1 to sign in')).toEqual(['goal: with ada / pw1'])
    expect(clauses('Keep clicking Next till the end')).toEqual(['press: Next'])
    expect(clauses('Week 17, juniors, download please')).toEqual(['goal: Week 17 , juniors'])
  })

  it('marks sentences that order nothing, and reasons', () => {
    const { clauses: list } = parsePrompt('Our bin is full. Open the form where I can report it')
    expect(list.map(({ isStatement, background = [] }) => [isStatement, joinTokenValues(background)])).toEqual([
      [true, ''],
      [undefined, 'where I can report it'],
    ])
  })

  it('puts the place behind the verb', () => {
    expect(clauses('Under Billing, click Change card')).toEqual(['press: Change card Under Billing'])
  })
})
