// What a watched page's changes come to: learnt noise, confirming looks, rules of the owner, kinds of edits.
import { describe, expect, it } from 'vitest'
import { classifyEdit } from './classify-edit.ts'
import { evaluateMonitorCheck, type MonitorCheckEvaluation } from './evaluate-monitor-check.ts'
import { applyNoiseFeedback, emptyNoiseMemory, type NoiseMemory } from './learnt-noise.ts'
import { parseNumbers } from './line-shape-and-numbers.ts'
import { findConditionsMet, type MonitorRules, NO_MONITOR_RULES } from './monitor-rules.ts'

const pageText = (text: string) => ({ text, lines: [] })
const held = (
  before: string,
  after: string,
  more: { rules?: Partial<MonitorRules>; confirm?: string; memory?: NoiseMemory } = {},
) =>
  evaluateMonitorCheck({
    previous: pageText(before),
    current: pageText(after),
    confirm: more.confirm === undefined ? undefined : pageText(more.confirm),
    memory: more.memory,
    rules: { ...NO_MONITOR_RULES, ...more.rules },
  })

/** Looks at one page again and again; the last verdict. */
function over(pages: readonly string[]): MonitorCheckEvaluation {
  let memory = emptyNoiseMemory()
  let last: MonitorCheckEvaluation | undefined
  for (const [at, text] of pages.slice(1).entries()) {
    last = held(pages[at]!, text, { memory })
    memory = last.memory
  }
  return last!
}

const PAGE = '# Shop\n\nA lamp of brass and glass.\n\n'

describe('a change', () => {
  it('is told with what it was and is, and what kind of thing it is', () => {
    const { changed, changes, diff } = held(`${PAGE}Price: $40.00\n`, `${PAGE}Price: $35.00\n`)
    expect(changed).toBe(true)
    expect(changes).toEqual([
      { type: 'changed', before: 'Price: $40.00', after: 'Price: $35.00', section: '# Shop', kind: 'price' },
    ])
    expect(diff).toContain('-Price: $40.00\n+Price: $35.00')
  })

  it('of order is none, and neither is a line wrapped anew', () => {
    expect(held('One thing.\n\nTwo things.\n', 'Two things.\n\nOne thing.\n').changed).toBe(false)
    expect(held('One long line of words\n', 'One long line\nof words\n').changed).toBe(false)
  })

  it.each([
    ['- In stock', '- Sold out', 'stock'],
    ['API: operational', 'API: degraded', 'status'],
    ['Deadline: 3 May 2026', 'Deadline: 9 May 2026', 'date'],
    ['Seats: 40', 'Seats: 44', 'number'],
    ['We open at the corner.', 'We moved to the harbour.', 'text'],
  ])('from %j to %j is one of %s', (before, after, kind) => {
    expect(
      classifyEdit({ type: 'changed', before, after, shape: /\d/.test(after) && kind !== 'text' ? '#' : null }),
    ).toBe(kind)
  })

  it('of a list is an item', () => {
    expect(classifyEdit({ type: 'added', before: null, after: '- Welder, Leeds', shape: null })).toBe('item')
  })
})

describe('noise', () => {
  it('that changes at every look is known after three, and what is beside it still counts', () => {
    const at = (n: number, price = 40) => `${PAGE}Baskets with this lamp: ${n}\n\nPrice: $${price}.00\n`
    expect(over([at(3), at(9), at(4)]).changed).toBe(true)
    const fourth = over([at(3), at(9), at(4), at(7)])
    expect(fourth.changed).toBe(false)
    expect(fourth.suppressed[0]).toMatchObject({
      reason: expect.stringMatching(/most of the last looks/),
      before: 'Baskets with this lamp: 4',
    })
    const real = over([at(3), at(9), at(4), at(7, 35)])
    expect(real.changes).toMatchObject([{ kind: 'price' }])
  })

  it('that differs from one visit to the next is found by looking again', () => {
    const at = (quote: string, price = 40) => `${PAGE}> ${quote}\n\nPrice: $${price}.00\n`
    const quiet = held(at('Carpe diem'), at('Festina lente'), { confirm: at('Memento mori') })
    expect(quiet).toMatchObject({ changed: false, keep: 'previous' })
    const real = held(at('Carpe diem'), at('Festina lente', 35), { confirm: at('Memento mori', 35) })
    expect(real.changes.map(({ kind }) => kind)).toEqual(['price'])
  })

  it('comes to rest, and is believed again', () => {
    const at = (n: number) => `${PAGE}Visitors said ${n}\n`
    const restless = [1, 9, 4, 8]
    expect(over(restless.map(at)).changed).toBe(false)
    expect(over([...restless, ...Array(8).fill(8), 30].map(at)).changed).toBe(true)
  })

  it('is what people say it is', () => {
    const [before, after] = [`${PAGE}Mood: sunny\n`, `${PAGE}Mood: cloudy\n`]
    const first = held(before, after)
    expect(first.changed).toBe(true)
    const taught = applyNoiseFeedback(first.memory, first.edits, false)
    expect(held(before, after, { memory: taught })).toMatchObject({ changed: false })
    expect(held(before, after, { memory: applyNoiseFeedback(taught, first.edits, true) }).changed).toBe(true)
  })
})

describe('rules of the owner', () => {
  const [before, after] = [`${PAGE}Stock: 12\n\nMotto: shine\n`, `${PAGE}Stock: 4\n\nMotto: glow\n`]

  it('ignore lines by text or pattern', () => {
    const { changes, suppressed } = held(before, after, { rules: { ignoreText: ['motto'] } })
    expect(changes.map(({ after: now }) => now)).toEqual(['Stock: 4'])
    expect(suppressed[0]!.reason).toMatch(/"motto", which is ignored/)
    expect(held(before, after, { rules: { ignorePatterns: ['^(stock|motto)'] } }).changed).toBe(false)
  })

  it('set a threshold', () => {
    expect(held(before, after, { rules: { minChars: 100 } }).changed).toBe(false)
    expect(held(before, after, { rules: { minPercent: 50 } }).changed).toBe(false)
    expect(held(before, after, { rules: { minPercent: 1 } }).changed).toBe(true)
  })

  it('name the only things worth an alert', () => {
    const when = (alertWhen: MonitorRules['alertWhen']) => held(before, after, { rules: { alertWhen } })
    expect(when([{ type: 'appears', text: 'glow' }])).toMatchObject({ changed: true, met: ['"glow" appeared'] })
    expect(when([{ type: 'vanishes', text: 'shine' }]).met).toEqual(['"shine" vanished'])
    expect(when([{ type: 'below', value: 5, near: 'Stock' }]).met).toEqual(['the number at "Stock" fell below 5'])
    const quiet = when([{ type: 'below', value: 3, near: 'Stock' }])
    expect(quiet).toMatchObject({ changed: false })
    expect(quiet.suppressed[0]!.reason).toMatch(/none of the things/)
  })

  it('need a second reading, if there is one', () => {
    const rules = { alertWhen: [{ type: 'vanishes', text: 'shine' }] } as Partial<MonitorRules>
    expect(held(before, after, { rules, confirm: before }).met).toEqual([])
    expect(held(before, after, { rules, confirm: after }).met).toEqual(['"shine" vanished'])
  })

  it('are met once, not as long as they hold', () => {
    const rules = { ...NO_MONITOR_RULES, alertWhen: [{ type: 'below', value: 5, near: 'Stock' }] } as MonitorRules
    expect(findConditionsMet(rules, 'Stock: 4', 'Stock: 3').met).toEqual([])
  })

  it('tell whether cited words are there, by the second reading if there is one', () => {
    const rules = { alertWhen: [{ type: 'cites', text: 'lamps shine' }] } as Partial<MonitorRules>
    const [shine, glow] = ['The lamps shine.', 'The lamps glow.']
    const found = (was: string, is: string, confirm?: string) =>
      held(was, is, { rules, ...(confirm ? { confirm } : {}) }).citations
    expect(found(shine, glow)).toEqual([{ quote: 'lamps shine', found: false }])
    expect(found(shine, glow, shine)).toEqual([{ quote: 'lamps shine', found: true }])
    expect(found(shine, shine)).toEqual([{ quote: 'lamps shine', found: true }])
  })
})

it.each([
  ['1,204 seats', [1204]],
  ['EUR 12.99', [12.99]],
  ['1.204,50 €', [1204.5]],
  ['from 3 to 7', [3, 7]],
  ['0,5 l', [0.5]],
])('reads the numbers of %j', (text, numbers) => {
  expect(parseNumbers(text)).toEqual(numbers)
})
