// The mechanisms of extraction, each on the smallest page that shows it.
import { describe, expect, it } from 'vitest'
import { openPage } from '../../content/page.ts'
import { extractJson } from './extract.ts'

const open = (body: string, head = '', language = 'en') =>
  openPage(
    {
      bytes: new TextEncoder().encode(
        `<!doctype html><html lang="${language}"><head><title>A page</title>${head}</head><body>${body}</body></html>`,
      ),
      contentType: 'text/html; charset=utf-8',
      url: 'https://example.org/page',
    },
    { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
  )
const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required })
const list = (properties: object) => ({ type: 'array', items: object(properties) })
const text = { type: 'string' }
const number = { type: 'number' }
const ask = (body: string, properties: object) => extractJson(open(body), object(properties), undefined).value
const PROSE = '<p>Warm light, a cloth cable, two metres long. It was made by hand in a small town by the sea.</p>'

describe('a value', () => {
  it.each([
    ['a row of a table', '<table><tr><td>Colour</td><td>red</td></tr><tr><td>Weight</td><td>2 kg</td></tr></table>'],
    ['a definition list', '<dl><dt>Colour</dt><dd>red</dd><dt>Weight</dt><dd>2 kg</dd></dl>'],
    ['a colon', '<p>Weight: 2 kg</p>'],
    ['bold labels', '<ul><li><b>Colour</b> red</li><li><b>Weight</b> 2 kg</li></ul>'],
    ['boxes', '<div><div>Colour</div><div>red</div></div><div><div>Weight</div><div>2 kg</div></div>'],
  ])('is found beside its label: %s', (_, form) => {
    const page = open(`<main><h1>Reading lamp</h1>${PROSE}${form}</main>`)
    expect(extractJson(page, undefined, 'What does the lamp weigh?').value).toEqual({ weight: '2 kg' })
    expect(extractJson(page, object({ weightGrams: number }), undefined).value).toEqual({ weightGrams: 2000 })
  })

  it.each([
    ['de', '<p>Gewicht: 2 kg</p>'],
    ['fr', '<p>Poids : 2 kg</p>'],
    ['pl', '<p>Waga: 2 kg</p>'],
    ['ja', '<p>重量：2 kg</p>'],
  ])('is found under its name in another language: %s', (language, form) => {
    const page = open(`<main><h1>Lampe</h1>${PROSE}${form}</main>`, '', language)
    expect(extractJson(page, object({ weight: text }), undefined).value).toEqual({ weight: '2 kg' })
  })

  it('comes from structured data, an object inside another as well', () => {
    const thing = {
      '@type': 'Product',
      name: 'Lamp',
      brand: { '@type': 'Brand', name: 'Lumo' },
      offers: { price: '49.90' },
    }
    const page = open(
      `<main><h1>Lamp</h1>${PROSE}</main>`,
      `<script type="application/ld+json">${JSON.stringify(thing)}</script>`,
    )
    const schema = object({ name: text, price: number, brand: object({ name: text }) })
    expect(extractJson(page, schema, undefined).value).toEqual({ name: 'Lamp', price: 49.9, brand: { name: 'Lumo' } })
  })

  it('is counted by the word after its number', () => {
    expect(
      ask(`<main><h1>How to whistle</h1>${PROSE}<p>434k views</p><p>10 answers</p></main>`, {
        views: text,
        answers: number,
      }),
    ).toEqual({
      views: '434k',
      answers: 10,
    })
  })

  it('is not made of a headline where a person is wanted', () => {
    expect(
      ask(`<main><h1>A talk</h1>${PROSE}<p>Speaker: Why webs are taken down at night, and by whom</p></main>`, {
        speaker: text,
      }),
    ).toEqual({})
    expect(ask(`<main><h1>A talk</h1>${PROSE}<p>Speaker: Ada Linden</p></main>`, { speaker: text })).toEqual({
      speaker: 'Ada Linden',
    })
  })

  it('is named when the page does not have it, unless null is allowed', () => {
    const page = open(`<main><h1>Lamp</h1>${PROSE}</main>`)
    const schema = object({ ceo: text, fax: { type: ['string', 'null'] }, isbn: text }, ['ceo'])
    const { value, warnings } = extractJson(page, schema, undefined)
    expect(value).toEqual({ ceo: null, fax: null })
    expect(warnings).toEqual(['Not found on the page: ceo, isbn.'])
  })
})

describe('a list', () => {
  const rows = [
    { name: 'Kettle', price: 49.9 },
    { name: 'Lamp', price: 32.5 },
    { name: 'Clock', price: 74 },
  ]
  const products = { products: list({ name: text, price: number }) }

  it('is read from a table by its headers', () => {
    const cells = rows.map(({ name, price }) => `<tr><td>${name}</td><td>€ ${price}</td></tr>`).join('')
    expect(
      ask(`<main><h1>Shop</h1>${PROSE}<table><tr><th>Product</th><th>Price</th></tr>${cells}</table></main>`, products),
    ).toEqual({ products: rows })
  })

  it('is read from cards, and a card without a name is none', () => {
    const cards = rows.map(({ name, price }) => `<div class="card"><h3>${name}</h3><p>€ ${price}</p></div>`).join('')
    const odd = '<div class="card"><p>€ 5</p></div>'
    expect(ask(`<main><h1>Shop</h1>${PROSE}<div>${cards}${odd}</div></main>`, products)).toEqual({ products: rows })
  })

  it('is not read from data that the page does not show', () => {
    const state = JSON.stringify({ products: rows.map(({ name, price }) => ({ name, price: price * 100 })) })
    const body = `<main><h1>Shop</h1>${PROSE}</main><script id="__NEXT_DATA__" type="application/json">${state}</script>`
    expect(ask(body, products)).toEqual({})
  })

  it('of texts stands under its heading', () => {
    const body = `<main><h1>Soup</h1>${PROSE}<h2>Zutaten</h2><ul><li>2 leeks</li><li>1 litre of water</li></ul><h2>More</h2><p>Serve hot.</p></main>`
    expect(ask(body, { ingredients: { type: 'array', items: text } })).toEqual({
      ingredients: ['2 leeks', '1 litre of water'],
    })
  })
})
