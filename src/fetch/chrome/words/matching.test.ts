import { describe, expect, test } from 'vitest'
import { fieldsOf } from './choices.ts'
import { likeness } from './likeness.ts'
import { solve } from './meanings.ts'
import { answerTo } from './reading.ts'
import type { Node, Scene, SceneThing } from './scene.ts'
import { colourOf } from './sight.ts'
import { placementsOf } from './slots.ts'
import { matching, nearest, readings } from './targets.ts'
import { tokensOf } from './tokens.ts'

type Short = Partial<Node> & { tag: string; in?: number }

/** A page as the reader would tell it: each node says in which of those before it stands. */
function sceneOf(nodes: Short[]): Scene {
  const things = [{ tag: 'body' }, ...nodes].map((node, at): SceneThing => {
    const { in: up = 0, ...rest } = node as Short
    return { id: at, at, frame: 0, ref: `e${at}`, box: [0, at * 20, 80, 16], ...rest, up: at === 0 ? -1 : up }
  })
  return { things, url: 'http://a.test/', title: '', view: [0, 0, 1280, 800, 800, 1280], focus: -1, cut: false }
}

const button = (name: string, up = 0): Short => ({ tag: 'button', role: 'button', name, text: name, does: 1, in: up })

describe('which thing is meant', () => {
  const rows = sceneOf([
    { tag: 'li', role: 'listitem' },
    { tag: 'b', text: 'Ada', in: 1 },
    button('Delete', 1),
    { tag: 'li', role: 'listitem' },
    { tag: 'b', text: 'Bo', in: 4 },
    button('Delete', 4),
    button('Send invoice'),
  ])

  test('the button of the row that is named', () => {
    const target = readings(tokensOf('Delete in the row of Bo')).find(
      ({ label, scope }) => label === 'Delete' && scope === 'Bo',
    )!
    expect(nearest(rows, matching(rows, target), target.scope)?.thing.ref).toBe('e6')
  })

  test('no button that shares only a word', () => {
    for (const wanted of ['Print invoice', 'Split invoice', 'Merge invoices'])
      expect(matching(rows, readings(tokensOf(wanted))[0]!).filter(({ score }) => score >= 0.7)).toEqual([])
  })

  test('labels by stems and by names that interfaces share', () => {
    expect(likeness('log in', 'Sign in').score).toBeGreaterThan(0.8)
    expect(likeness('selected items', 'Select item').score).toBeGreaterThan(0.9)
    expect(likeness('Print invoice', 'Send invoice').score).toBeLessThan(0.7)
  })
})

describe('values and their places', () => {
  const form = sceneOf([
    { tag: 'input', role: 'textbox', type: 'text', name: 'Full name', does: 1, value: '' },
    { tag: 'input', role: 'textbox', type: 'email', name: 'E-mail', does: 1, value: '' },
    {
      tag: 'select',
      role: 'combobox',
      type: 'select',
      name: 'Size',
      does: 1,
      value: 'Small',
      options: [
        ['Small', true],
        ['Large', false],
      ],
    },
    { tag: 'input', role: 'slider', type: 'range', name: 'Screen brightness', does: 1, value: '50' },
  ])
  const placed = (prompt: string, loose = true) =>
    placementsOf(form, { tokens: tokensOf(prompt), prompt, used: new Set(), loose, filled: new Set() }).map((one) =>
      one.kind === 'field' ? `${one.field.labels[0]} = ${one.value}` : `${one.choice.group}: ${one.choice.text}`,
    )

  test.each([
    ['set my name to Ada Holm and e-mail a@b.org', ['Full name = Ada Holm', 'E-mail = a@b.org']],
    ['Large under Size', ['Size: Large']],
    ['a brightness of 40 %', ['Screen brightness = 40 %']],
    ['"Ada" as the full name', ['Full name = Ada']],
    ['nothing of it', []],
  ])('%s', (prompt, places) => {
    expect(placed(prompt)).toEqual(places)
  })

  test('fields know what they take', () => {
    expect(fieldsOf(form).map(({ kind }) => kind)).toEqual(['text', 'email', 'select', 'slider'])
  })
})

test('questions are answered from tables, and not at all where nothing is said', () => {
  const cell = (text: string, up: number, tag = 'td'): Short => ({
    tag,
    role: tag === 'th' ? 'columnheader' : 'cell',
    text,
    name: text,
    in: up,
  })
  const table = sceneOf([
    { tag: 'table', role: 'table' },
    { tag: 'tr', role: 'row', in: 1 },
    cell('Article', 2, 'th'),
    cell('Price', 2, 'th'),
    { tag: 'tr', role: 'row', in: 1 },
    cell('Oak stool', 5),
    cell('€ 12.50', 5),
    { tag: 'tr', role: 'row', in: 1 },
    cell('Desk lamp', 8),
    cell('€ 9.00', 8),
  ])
  const ask = (question: string) => answerTo(table, question, tokensOf(question))?.value
  expect(ask('How much does the oak stool cost?')).toBe('€ 12.50')
  expect(ask('Which article is the cheapest?')).toContain('Desk lamp')
  expect(ask('What is the phone number of the owner?')).toBeUndefined()
})

test('the one amount of a page is what the thing costs; of several none is taken', () => {
  const priced = (...amounts: string[]) =>
    sceneOf([
      { tag: 'h1', role: 'heading', name: 'Copper kettle', text: 'Copper kettle' },
      ...amounts.map((text): Short => ({ tag: 'p', text })),
    ])
  const ask = (scene: Scene, question: string) => answerTo(scene, question, tokensOf(question))?.value
  expect(ask(priced('Now € 49.90.'), 'What does it cost?')).toBe('€ 49.90')
  expect(ask(priced('Now € 49.90.'), 'How much is it?')).toBe('€ 49.90')
  expect(ask(priced('€ 49.90', 'Delivery € 4.00'), 'What does it cost?')).toBeUndefined()
  expect(ask(priced('Now € 49.90.'), 'What does the lamp cost?')).toBeUndefined()
})

test('sums are worked out, and colours have names', () => {
  expect(['3 + 4 =', 'x - 2 = 9', '12 × 3 =', '5 + x = 8', 'room 7'].map(solve)).toEqual([7, 11, 36, 3, undefined])
  expect(['#ff0000', '#008000', '#0000ff', '#800080', '#ffffff', '#808080'].map(colourOf)).toEqual([
    'red',
    'green',
    'blue',
    'purple',
    'white',
    'grey',
  ])
})
