import { describe, expect, it } from 'vitest'
import { requestOf } from './clauses.ts'
import { joined } from './tokens.ts'

const clauses = (prompt: string, verbs: string[] = []) =>
  requestOf(prompt, new Set(verbs)).clauses.map(({ kind, rest }) => `${kind}: ${joined(rest)}`)

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
    const { clauses: list, forbidden } = requestOf(
      'Open the third job on the second page. If it asks for a topic, choose Returns, but do not send anything.',
    )
    expect(list.map(({ kind, page, optional }) => [kind, page, optional])).toEqual([
      ['open', 2, false],
      ['set', undefined, true],
    ])
    expect(forbidden.map(joined)).toEqual(['do not send anything'])
  })

  it('puts the place behind the verb', () => {
    expect(clauses('Under Billing, click Change card')).toEqual(['press: Change card Under Billing'])
  })
})
