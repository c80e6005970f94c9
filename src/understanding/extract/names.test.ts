// Names that every object of the language has are names like any other: of a schema's fields, and of what a page says.
import { describe, expect, it } from 'vitest'
import { openPage } from '../../content/page.ts'
import { factsOf } from '../facts/facts.ts'
import { menuOf } from '../menu/menu.ts'
import { productOf } from '../shop/product.ts'
import { extractJson } from './extract.ts'

const NAMES = [
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'prototype',
  'length',
  'isPrototypeOf',
]
const prose = `<p>${'A page with enough words to be worth reading on its own. '.repeat(4)}</p>`

const open = (body: string, head = '') => {
  const html = `<!doctype html><html lang="en"><head><title>T</title>${head}</head><body><main>${body}</main></body></html>`
  const input = { bytes: new TextEncoder().encode(html), contentType: 'text/html', url: 'https://example.org/a' }
  return openPage(input, { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true })
}

/** Written as text: an object literal would set a prototype. */
const schema = (name: string, type: string) =>
  JSON.parse(`{"type":"object","required":["${name}"],"properties":{"${name}":${type},"price":{"type":"number"}}}`)

const KINDS = [
  '{"type":"string"}',
  '{"type":["number","null"]}',
  '{"type":"boolean"}',
  '{"type":"array","items":{"type":"string"}}',
  '{"type":"object","properties":{"constructor":{"type":"string"},"toString":{"type":"number"}}}',
  '{"type":"array","items":{"type":"object","properties":{"constructor":{"type":"string"},"price":{"type":"number"}}}}',
  '{"type":"string","enum":["constructor","toString"]}',
]

describe.each(NAMES)('%s', (name) => {
  const pages = {
    bare: open(`<h1>Boat</h1>${prose}`),
    labelled: open(`<h1>Boat</h1>${prose}<dl><dt>${name}</dt><dd>7</dd><dt>Price</dt><dd>$5</dd></dl>`),
    table: open(
      `<h1>Boats</h1>${prose}<table><tr><th>${name}</th><th>Price</th></tr><tr><td>a</td><td>$1</td></tr><tr><td>b</td><td>$2</td></tr></table>`,
    ),
    described: open(
      `<h1>Boat</h1>${prose}<div class="${name}" id="${name}" itemscope itemtype="https://schema.org/${name}"><b itemprop="${name}">7</b></div>`,
      `<meta name="${name}" content="7"><meta property="og:${name}" content="7"><script type="application/ld+json">{"@type":"Product","name":"Boat","${name}":"7","offers":{"${name}":{"price":5}}}</script><script>window.__STATE__ = {"${name}": {"${name}": 7, "price": 5}}</script>`,
    ),
  }

  it.each(KINDS)('is a field like any other: %s', (kind) => {
    for (const page of Object.values(pages)) {
      const { value } = extractJson(page, schema(name, kind), undefined)
      expect([null, Object.prototype]).toContain(Object.getPrototypeOf(value))
      for (const key of Object.keys(value as object)) expect([name, 'price']).toContain(key)
      const found = Object.getOwnPropertyDescriptor(value, name)?.value
      expect(typeof found).not.toBe('function')
    }
  })

  it('is a label like any other', () => {
    const { value } = extractJson(pages.labelled, schema(name, '{"type":"string"}'), undefined)
    expect(Object.getOwnPropertyDescriptor(value, name)?.value).toBe('7')
  })

  it('troubles no other reader, and no object', () => {
    for (const page of Object.values(pages)) {
      expect(() => [factsOf(page).things, factsOf(page).states, productOf(page), menuOf(page)]).not.toThrow()
      expect(Object.getPrototypeOf(page.metadata)).not.toBe('7')
      expect(page.markdown).toContain('Boat')
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})
