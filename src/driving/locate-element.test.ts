import { describe, expect, it } from 'vitest'
import type { DomSnapshot, Node, SnapshotElement } from '../fetch/chrome/snapshot/snapshot.ts'
import { type ElementName, nameElement, nameOf } from './flow-step.ts'
import { locate } from './locate-element.ts'

type Part = Partial<Node> & { tag: string; inside?: Part[] }

/** A page of nested parts, all shown. */
function pageOf(...parts: Part[]): DomSnapshot {
  const elements: SnapshotElement[] = []
  const add = ({ inside = [], ...part }: Part, up: number) => {
    const at = elements.length
    elements.push({ box: [0, at * 20, 100, 18], ...part, id: at + 1, up, at, frame: 0, ref: `e${at + 1}` })
    for (const one of inside) add(one, at)
  }
  add({ tag: 'body', inside: parts }, -1)
  return { elements, url: 'https://shop.example/', title: '', view: [], focus: -1, cut: false }
}

const button = (name: string, more: Partial<Node> = {}): Part => ({
  tag: 'button',
  role: 'button',
  name,
  does: 1,
  ...more,
})
const field = (name: string, more: Partial<Node> = {}): Part => ({
  ...{ tag: 'input', role: 'textbox', name, type: 'text', does: 1 },
  ...more,
})
const row = (...parts: Part[]): Part => ({
  tag: 'tr',
  role: 'row',
  inside: parts.map((one) => ({ tag: 'td', inside: [one] })),
})
const text = (words: string): Part => ({ tag: 'span', text: words })
const form = (title: string, ...parts: Part[]): Part => ({
  ...{ tag: 'form', role: 'form' },
  inside: [{ tag: 'h2', role: 'heading', name: title, text: title }, ...parts],
})
const found = (page: DomSnapshot, target: ElementName) => {
  const { element, healed } = locate(page, target)
  return element && { name: nameOf(element), at: element.at, healed }
}

describe('an element of a step', () => {
  const list = (...names: string[]) =>
    pageOf({
      tag: 'table',
      role: 'table',
      inside: names.map((name) => row(text(name), text('Member'), button('Remove'))),
    })

  it('in one of several rows is named by what only its row has, and found there in another order', () => {
    const page = list('Ada Holm', 'Rosa Ek', 'Bo Lind')
    const second = page.elements.filter(({ role }) => role === 'button')[1]!
    const target = nameElement(page, second)
    expect(target).toEqual({ role: 'button', name: 'Remove', near: 'Rosa Ek' })
    const other = list('Bo Lind', 'Cleo Dahl', 'Ada Holm', 'Rosa Ek')
    expect(found(other, target)?.at).toBe(other.elements.findLast(({ role }) => role === 'button')?.at)
    expect(found(list('Rosa Ek'), target)?.healed).toBe(false)
  })

  it('of a row that is gone is not found in another row', () => {
    const target = { role: 'button', name: 'Remove', near: 'Rosa Ek' }
    expect(found(list('Ada Holm', 'Bo Lind'), target)).toBeUndefined()
    expect(found(list('Ada Holm'), target)).toBeUndefined()
    expect(found(list('Rosa Ek', 'Rosa Ek'), target)).toBeUndefined()
  })

  it('is found by a synonym, its label, its id, or as the only one of its form', () => {
    expect(found(pageOf(button('Add to basket')), { role: 'button', name: 'Add to cart' })?.healed).toBe(true)
    const labelled = pageOf(field('', { beside: 'City' }), field('Street'))
    expect(found(labelled, { role: 'textbox', name: 'Where to', label: 'City' })).toMatchObject({ healed: true, at: 1 })
    const byId = pageOf(field('Wohnort', { dom: 'city' }), field('Street'))
    expect(found(byId, { role: 'textbox', name: 'City', selector: '#city' })?.name).toBe('Wohnort')
    const only = { role: 'button', name: 'Show', within: 'Filter', only: true }
    expect(found(pageOf(form('Filter', field('City'), button('Los')), button('Menu')), only)?.name).toBe('Los')
    expect(found(pageOf(form('Filter', button('Los'), button('Clear'))), only)).toBeUndefined()
  })

  it('is never a button that pays, deletes or sends where the recorded one did not', () => {
    const only = { role: 'button', name: 'Show', within: 'Cart', only: true, selector: '#go' }
    for (const name of ['Pay now', 'Delete all', 'Send order'])
      expect(found(pageOf(form('Cart', button(name, { dom: 'go' }))), only), name).toBeUndefined()
    const send = { role: 'button', name: 'Send', within: 'Cart', only: true }
    expect(found(pageOf(form('Cart', button('Submit'))), send)?.name).toBe('Submit')
  })

  it('that answers more than once is refused, with the nearest named', () => {
    const page = pageOf(button('Next'), button('Next'), button('Next page'))
    const { element, candidates } = locate(page, { role: 'button', name: 'Next' })
    expect(element).toBeUndefined()
    expect(candidates.map(nameOf)).toEqual(['Next', 'Next'])
    const gone = locate(pageOf(button('Show all orders'), button('Help')), {
      role: 'button',
      name: 'Show orders today',
    })
    expect(gone.candidates.map(nameOf)).toEqual(['Show all orders', 'Help'])
  })

  it('has no made-up id among its names', () => {
    const page = pageOf(field('City', { dom: 'input-48213', field: 'city' }), button('Go', { dom: ':r3:' }))
    expect(nameElement(page, page.elements[1]!).selector).toBe('input[name="city"]')
    expect(nameElement(page, page.elements[2]!).selector).toBeUndefined()
  })
})
