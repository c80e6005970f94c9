import { describe, expect, it } from 'vitest'
import { expectCost, rounds, sized } from '../../../test/cost.ts'
import { openPage } from '../../content/page.ts'
import { extractJson } from './extract.ts'

const prose = `<p>${'A page with enough words to be worth reading on its own. '.repeat(4)}</p>`
const extract = (body: string, schema: unknown, prompt?: string) => {
  const html = `<!doctype html><html lang="en"><head><title>T</title></head><body><main>${body}</main></body></html>`
  const input = { bytes: new TextEncoder().encode(html), contentType: 'text/html', url: 'https://example.org/a' }
  const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  return extractJson(openPage(input, choices), schema, prompt)
}
const fields = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const TEXT = { type: 'string' }
const NUMBER = { type: 'number' }

describe('extraction by schema', () => {
  it('reads labels of every kind', () => {
    const body = `<h1>Boat</h1>${prose}<dl><dt>Length</dt><dd>7.5 m</dd></dl><table><tr><th>Beam</th><td>2.4 m</td></tr></table>
      <p><b>Draft:</b> 1.1 m</p><div><div class="label">Berths</div><div class="value">4</div></div>`
    const { value } = extract(body, fields({ length: TEXT, beam: NUMBER, draft: NUMBER, berths: { type: 'integer' } }))
    expect(value).toEqual({ length: '7.5 m', beam: 2.4, draft: 1.1, berths: 4 })
  })

  it('reads microdata, RDFa and the state of scripts', () => {
    const micro = `<div itemscope itemtype="https://schema.org/Book"><h1 itemprop="name">Tides</h1><a itemprop="author" href="/ann">Ann Lee</a></div>${prose}`
    expect(extract(micro, fields({ title: TEXT, author: TEXT, authorUrl: TEXT })).value).toEqual({
      title: 'Tides',
      author: 'Ann Lee',
      authorUrl: 'https://example.org/ann',
    })
    const rdfa = `<div vocab="https://schema.org/" typeof="Book"><h1 property="name">Tides</h1><span property="isbn">123</span></div>${prose}`
    expect(extract(rdfa, fields({ title: TEXT, isbn: TEXT })).value).toEqual({ title: 'Tides', isbn: '123' })
    const state = `<h1>Tern</h1>${prose}<script>window.__STATE__ = {car: {name: 'Tern', mileageKm: 84300, doors: 5,}}</script>`
    expect(extract(state, fields({ name: TEXT, mileageKm: NUMBER, doors: NUMBER })).value).toEqual({
      name: 'Tern',
      mileageKm: 84_300,
      doors: 5,
    })
  })

  it('says null or nothing rather than guess', () => {
    const schema = fields({ ceo: TEXT, budget: { type: ['number', 'null'] }, founder: TEXT }, { required: ['ceo'] })
    const { value, warnings } = extract(`<h1>Boat</h1>${prose}`, schema)
    expect(value).toEqual({ ceo: null, budget: null })
    expect(warnings.join()).toMatch(/requires it: ceo/)
  })

  it('puts values into the type, unit, format and choices asked for', () => {
    const body = `<h1>Lamp</h1>${prose}<dl><dt>Weight</dt><dd>1.65 lb / 750 g</dd><dt>Released</dt><dd>1 March 2024</dd>
      <dt>Waterproof</dt><dd>Yes</dd><dt>Fuel</dt><dd>Petrol</dd><dt>Price</dt><dd>CHF 1'200.–</dd></dl>`
    const schema = fields({
      weightGrams: NUMBER,
      released: { type: 'string', format: 'date' },
      waterproof: { type: 'boolean' },
      fuel: { type: 'string', enum: ['petrol', 'diesel'] },
      price: NUMBER,
      price_usd: NUMBER,
    })
    expect(extract(body, schema).value).toEqual({
      weightGrams: 750,
      released: '2024-03-01',
      waterproof: true,
      fuel: 'petrol',
      price: 1200,
    })
  })

  it('follows references, unions and nested objects', () => {
    const schema = {
      $defs: { money: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
      ...fields({ product: fields({ name: TEXT, price: { $ref: '#/$defs/money' } }) }),
    }
    expect(extract(`<h1>Lamp</h1>${prose}<p>Price: $5</p>`, schema).value).toEqual({
      product: { name: 'Lamp', price: 5 },
    })
  })

  it('reads rows of a table and cards under several headings', () => {
    const card = (name: string, price: number) =>
      `<div class="dish"><h3>${name}</h3><span class="price">$${price}</span></div>`
    const body = `<h1>Menu</h1>${prose}<h2>Starters</h2><div>${card('Soup', 4)}${card('Bread', 2)}</div><h2>Mains</h2><div>${card('Pie', 9)}</div>`
    const schema = fields({ dishes: { type: 'array', items: fields({ section: TEXT, name: TEXT, price: NUMBER }) } })
    expect(extract(body, schema).value).toEqual({
      dishes: [
        { section: 'Starters', name: 'Soup', price: 4 },
        { section: 'Starters', name: 'Bread', price: 2 },
        { section: 'Mains', name: 'Pie', price: 9 },
      ],
    })
  })

  it('ends in time on pages made to be slow', () => {
    const started = performance.now()
    extract(
      `<h1>x</h1>${'<div class="price card"><b>Price</b> <span>$1</span></div>'.repeat(20_000)}`,
      fields({ price: NUMBER, items: { type: 'array', items: fields({ name: TEXT, price: NUMBER }) } }),
    )
    extract(`${'<div class="price">'.repeat(2000)}x`, fields({ price: NUMBER }))
    extract(`<script>var a = ${'['.repeat(200_000)}</script><p>x`, fields({ price: NUMBER, b: NUMBER, c: NUMBER }))
    expectCost(performance.now() - started).toBeLessThan(20_000)
  })
})

describe('the cost of extraction', () => {
  const page: Record<string, (n: number) => string> = {
    headings: (n) => `<h2>Step ${n}: do it?</h2><p>Text ${n} of $${n}.00 to pay</p>`,
    cards: (n) => `<div class="card"><a href="/${n}"><h3>Name ${n}</h3></a><p>Role ${n}</p><span>$${n}</span></div>`,
    tables: (n) => `<table><tr><th></th><th>All</th></tr><tr><td>Row ${n}</td><td>${n}</td></tr></table>`,
    contacts: (n) => `<p>${n} Main Street, Springfield, IL 62704</p><p>Call 217-555-${1000 + (n % 9000)}</p>`,
  }
  const record = fields({ name: TEXT, url: TEXT, price: NUMBER, role: TEXT })
  const schema = fields({
    author: TEXT,
    publishedDate: { type: 'string', format: 'date' },
    price: NUMBER,
    phone: TEXT,
    address: TEXT,
    warrantyYears: { type: 'integer' },
    steps: { type: 'array', items: TEXT },
    items: { type: 'array', items: record },
  })

  it.each(Object.keys(page))('grows with the page and no faster: %s', (kind) => {
    const cost = (count: number) => {
      const body = `<h1>All</h1>${Array.from({ length: count }, (_, n) => page[kind]!(n)).join('')}`
      const runs = Array.from({ length: rounds(3) }, () => {
        const before = process.cpuUsage()
        extract(body, schema)
        return process.cpuUsage(before).user
      })
      return Math.min(...runs)
    }
    for (let warm = 1; warm < rounds(2); warm++) cost(sized(2000))
    expectCost(cost(sized(2000)) / cost(sized(200))).toBeLessThan(25)
  })
})

describe('extraction by words', () => {
  it('finds the fields that a prompt names', () => {
    const body = `<h1>Flat</h1>${prose}<p>Price: € 250.000</p><p>3 bedrooms</p>`
    expect(extract(body, undefined, 'Get the title, price and number of bedrooms').value).toEqual({
      title: 'Flat',
      price: 250_000,
      numberOfBedrooms: 3,
    })
  })

  it('knows what is several, what is yes or no, and what belongs together', () => {
    const body = `<h1>Inn</h1>${prose}<h2>Amenities</h2><ul><li>Sauna</li><li>Garden</li></ul><p>Pets allowed: yes</p>
      <h2>Frequently asked questions</h2><h3>Is breakfast included?</h3><p>Yes, from seven.</p><h3>Is there parking?</h3><p>Behind the house.</p>`
    expect(extract(body, undefined, 'Get the name, the amenities and whether pets are allowed').value).toEqual({
      name: 'Inn',
      amenities: ['Sauna', 'Garden'],
      petsAllowed: true,
    })
    expect(extract(body, undefined, 'Extract every question and answer').value).toEqual({
      faqs: [
        { question: 'Is breakfast included?', answer: 'Yes, from seven.' },
        { question: 'Is there parking?', answer: 'Behind the house.' },
      ],
    })
  })

  it('says so when it names none', () => {
    const { warnings } = extract(
      `<h1>Flat</h1>${prose}`,
      undefined,
      'Is this a good place to live with two dogs and a cat?',
    )
    expect(warnings.join()).toMatch(/names no fields/)
  })
})
