import { describe, expect, it } from 'vitest'
import type { DomSnapshot, SnapshotElement, SnapshotNode } from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { type ElementDescriptor, makeElementDescriptor, nameOfElement } from './flow-steps-and-element-descriptors.ts'
import { locateElement } from './locate-element.ts'

type Part = Partial<SnapshotNode> & { tag: string; inside?: Part[] }

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

const button = (name: string, more: Partial<SnapshotNode> = {}): Part => ({
  tag: 'button',
  role: 'button',
  name,
  does: 1,
  ...more,
})
const field = (name: string, more: Partial<SnapshotNode> = {}): Part => ({
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
const found = (page: DomSnapshot, target: ElementDescriptor) => {
  const { element, healed } = locateElement(page, target)
  return element && { name: nameOfElement(element), at: element.at, healed }
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
    const target = makeElementDescriptor(page, second)
    expect(target).toEqual({ role: 'button', name: 'Remove', near: 'Rosa Ek', only: true })
    const other = list('Bo Lind', 'Cleo Dahl', 'Ada Holm', 'Rosa Ek')
    expect(found(other, target)?.at).toBe(other.elements.findLast(({ role }) => role === 'button')?.at)
    expect(found(list('Rosa Ek'), target)?.healed).toBe(false)
  })

  it('is found by a part of its name: a field either way, a button of its section when the name was shortened', () => {
    const save = { role: 'button', name: 'Save changes', within: 'Settings' }
    expect(found(pageOf(form('Settings', button('Save'), button('Close'))), save)).toMatchObject({ name: 'Save' })
    expect(found(pageOf(form('Drafts', button('Save'), button('Close'))), save)).toBeUndefined()
    const short = { role: 'button', name: 'Save', within: 'Settings' }
    expect(found(pageOf(form('Settings', button('Save as draft'), button('Close'))), short)).toBeUndefined()
    const erase = { role: 'button', name: 'Delete draft', within: 'Settings' }
    expect(found(pageOf(form('Settings', button('Delete'), button('Close'))), erase)).toBeUndefined()
    const from = { role: 'textbox', name: 'From' }
    expect(found(pageOf(field('From station'), field('To station')), from)).toMatchObject({ name: 'From station' })
    const name = { role: 'textbox', name: 'Name' }
    expect(found(pageOf(field('First name'), field('Last name')), name)).toBeUndefined()
  })

  it('of one of two dialogs is found in the one that it was recorded in', () => {
    const dialog = (name: string, ...inside: Part[]): Part => ({ tag: 'div', role: 'dialog', name, inside })
    const page = pageOf(dialog('Newsletter', button('Close')), dialog('News', button('Close')))
    const [first, second] = page.elements.filter(({ role }) => role === 'button')
    expect(found(page, { role: 'button', name: 'Close', within: 'Newsletter' })?.at).toBe(first?.at)
    expect(found(page, { role: 'button', name: 'Close', within: 'News' })?.at).toBe(second?.at)
  })

  it('of a row that is gone is not found in another row', () => {
    const target = { role: 'button', name: 'Remove', near: 'Rosa Ek' }
    expect(found(list('Ada Holm', 'Bo Lind'), target)).toBeUndefined()
    expect(found(list('Ada Holm'), target)).toBeUndefined()
    expect(found(list('Rosa Ek', 'Rosa Ek'), target)).toBeUndefined()
  })

  it('is the field, not the label that wraps it', () => {
    const label: Part = {
      tag: 'label',
      name: 'Name',
      text: 'Name',
      does: 1,
      inside: [field('Name', { beside: 'Name' })],
    }
    expect(found(pageOf(label), { label: 'Name' })).toMatchObject({ healed: false, at: 2 })
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

  it('that submits its form is found as one that submits, and by a synonym only in its section', () => {
    const link = button('Booking', { tag: 'a', role: 'link' })
    const submit = (name: string) => button(name, { submits: true })
    const request = { role: 'button', name: 'Request booking', submits: true }
    const renamed = pageOf(link, form('Your trip', submit('Ask for it'), button('Booking')))
    expect(found(renamed, { ...request, within: 'Your trip' })).toMatchObject({ name: 'Ask for it', healed: true })
    expect(found(renamed, request)).toMatchObject({ name: 'Ask for it' })
    expect(found(pageOf(link, form('Your trip', button('Booking'))), request)).toBeUndefined()
    const reserve = { role: 'button', name: 'Reserve', within: 'Your trip' }
    expect(found(pageOf(link, button('Book'), form('Your trip', button('Help'))), reserve)).toBeUndefined()
    expect(found(pageOf(link, form('Your trip', button('Book'))), reserve)).toMatchObject({ name: 'Book' })
  })

  it('is the only button that submits its form, whatever it says now', () => {
    const show = { role: 'button', name: 'Show trains', submits: true, within: 'Trip' }
    const submit = (name: string) => button(name, { submits: true })
    const page = (...parts: Part[]) => pageOf(form('Trip', field('From'), ...parts), form('News', submit('Join')))
    expect(found(page(button('Swap'), submit('Find trains')), show)).toMatchObject({
      name: 'Find trains',
      healed: true,
    })
    expect(found(page(submit('Find trains'), submit('Earlier trains')), show)).toBeUndefined()
    expect(found(page(submit('Pay now')), show)).toBeUndefined()
    expect(found(pageOf(submit('Find trains'), submit('Join')), { ...show, within: undefined })).toBeUndefined()
  })

  it('is the one that is left where the others of its role have kept their names', () => {
    const heading = (title: string): Part => ({ tag: 'h1', role: 'heading', level: 1, name: title, text: title })
    const page = (title: string, ...parts: Part[]) => pageOf(heading(title), ...parts)
    const named = (snapshot: DomSnapshot, name: string) =>
      makeElementDescriptor(snapshot, snapshot.elements.find((one) => one.name === name)!)

    const shown = named(page('Settings', field('Display name')), 'Display name')
    expect(shown).toEqual({ role: 'textbox', name: 'Display name', within: 'Settings', only: true })
    expect(found(page('Settings', field('Pseudonym')), shown)).toMatchObject({ name: 'Pseudonym', healed: true })
    expect(found(page('Sign in', field('Pseudonym')), shown)).toBeUndefined()
    expect(found(page('Settings', field('Pseudonym'), field('Motto')), shown)).toBeUndefined()

    const place = named(page('Jobs', field('Location'), field('Sort by')), 'Location')
    expect(place.others).toEqual(['Sort by'])
    expect(found(page('Jobs', field('Sort jobs by'), field('Town')), place)).toMatchObject({ name: 'Town' })
    expect(found(page('Jobs', field('Order'), field('Town')), place)).toBeUndefined()
    expect(found(page('Jobs', field('Sort by')), place)).toBeUndefined()

    // A field does not pay, whatever word its label has; and a legend is no title of what is around its group.
    const filters = (label: string) =>
      page('Jobs', {
        ...{ tag: 'aside', role: 'complementary' },
        inside: [
          field(label),
          { tag: 'fieldset', role: 'group', inside: [{ tag: 'legend', role: 'legend', text: 'Contract' }] },
          field('Sort by'),
        ],
      })
    const town = named(filters('Location'), 'Location')
    expect(town.within).toBe('Jobs')
    expect(found(filters('Place'), town)).toMatchObject({ name: 'Place' })

    const next = named(page('Tickets', button('Previous'), button('Next')), 'Next')
    expect(found(page('Tickets', button('Next ten'), button('Previous')), next)).toMatchObject({ name: 'Next ten' })
    expect(found(page('Tickets', button('Next ten'), button('Next week'), button('Previous')), next)).toBeUndefined()
    expect(found(page('Tickets', button('Later'), button('Previous')), next)).toBeUndefined()
    const erase = named(page('Tickets', button('Previous'), button('Delete')), 'Delete')
    expect(found(page('Tickets', button('Delete all'), button('Previous')), erase)).toBeUndefined()
  })

  it('of a row has its new name there when the whole list was reworded', () => {
    const offers = (word: string, ...names: string[]) =>
      pageOf({ tag: 'table', inside: names.map((name) => row(text(name), button(word), button('Details'))) })
    const page = offers('Reserve', 'Winter Gardens', 'Harbour Lights')
    const target = makeElementDescriptor(page, page.elements.findLast(({ name }) => name === 'Reserve')!)
    expect(target).toMatchObject({ near: 'Harbour Lights', others: ['Details'] })
    const other = offers('Reserve a copy', 'Harbour Lights', 'Moss')
    expect(found(other, target)?.at).toBe(other.elements.find(({ name }) => name === 'Reserve a copy')?.at)
    expect(found(offers('Notify me', 'Harbour Lights', 'Moss'), target)).toBeUndefined()
    expect(found(offers('Reserve a copy', 'Moss', 'Salt'), target)).toBeUndefined()
  })

  it('is no field that stood beside it', () => {
    const target = { role: 'textbox', name: 'Display name', others: ['Name'] }
    expect(found(pageOf(field('Name'), field('Motto'), field('Town')), target)).toBeUndefined()
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
    const { element, candidates } = locateElement(page, { role: 'button', name: 'Next' })
    expect(element).toBeUndefined()
    expect(candidates.map(nameOfElement)).toEqual(['Next', 'Next'])
    const gone = locateElement(pageOf(button('Show all orders'), button('Help')), {
      role: 'button',
      name: 'Show orders today',
    })
    expect(gone.candidates.map(nameOfElement)).toEqual(['Show all orders', 'Help'])
  })

  it('has no made-up id among its names', () => {
    const page = pageOf(field('City', { dom: 'input-48213', field: 'city' }), button('Go', { dom: ':r3:' }))
    expect(makeElementDescriptor(page, page.elements[1]!).selector).toBe('input[name="city"]')
    expect(makeElementDescriptor(page, page.elements[2]!).selector).toBeUndefined()
  })
})
