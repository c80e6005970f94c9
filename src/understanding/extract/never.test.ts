// Answers that must not be given: what a page does not say, though a pattern seems to find it. And names of fields that
// mean something to the language itself.
import { describe, expect, it } from 'vitest'
import { openPage } from '../../content/page.ts'
import { extractJson } from './extract.ts'

const TEXT = { type: 'string' }
const NUMBER = { type: 'number' }

function extract(title: string, body: string, properties: object): Record<string, unknown> {
  const html = `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`
  const input = { bytes: new TextEncoder().encode(html), contentType: 'text/html', url: 'https://example.org/a' }
  const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  return extractJson(openPage(input, choices), { type: 'object', properties }, undefined).value as Record<
    string,
    unknown
  >
}

const prose = `<p>${'Both have grown a lot, and most people are happy with either of them. '.repeat(6)}</p>`

describe('a title', () => {
  it('of two things compared names no teams', () => {
    const teams = { home_team: TEXT, away_team: TEXT, home_score: NUMBER, away_score: NUMBER }
    expect(extract('React vs Vue', prose, teams)).toEqual({})
    expect(extract('Windows 10 - 11 compared', prose, teams)).toEqual({})
  })

  it('with the word review in it names no product by its first word', () => {
    const { product_name: name } = extract('Peer review of climate models', prose, { product_name: TEXT })
    expect(name).not.toBe('Peer')
  })

  it('is not the name of a hotel or a recipe on a page about something else', () => {
    const hotel = { hotel_name: TEXT, price_per_night: NUMBER }
    expect(extract('React vs Vue', prose, hotel)).toEqual({})
    expect(extract('Peer review of climate models', prose, { recipe_name: TEXT, ingredients: TEXT })).toEqual({})
    expect(extract('The Quay House', `<p>Our hotel has nine rooms.</p>${prose}`, { hotel_name: TEXT })).toEqual({
      hotel_name: 'The Quay House',
    })
  })

  it('that ends with letters in brackets has no ticker', () => {
    expect(extract('World Health Organization (WHO)', prose, { ticker: TEXT, stock_symbol: TEXT })).toEqual({})
  })
})

describe('a field', () => {
  const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'prototype', 'then']

  it.each(NAMES)('may be called %s', (name) => {
    // `__proto__` in a literal would set it.
    const properties = JSON.parse(`{"${name}": {"type": "string"}, "title": {"type": "string"}}`) as object
    const value = extract('Old mill', `<dl><dt>${name}</dt><dd>seen here</dd></dl>${prose}`, properties)
    expect(value.title).toBe('Old mill')
    expect(Object.keys(value).filter((one) => one !== 'title' && one !== name)).toEqual([])
    expect(Object.getPrototypeOf({ ...value })).toBe(Object.prototype)
  })

  it.each(NAMES)('of a list or an object may be called %s', (name) => {
    const inner = `{"type": "object", "properties": {"${name}": {"type": "string"}, "name": {"type": "string"}}}`
    const properties = JSON.parse(`{"${name}": {"type": "array", "items": ${inner}}, "part": ${inner}}`) as object
    const rows = ['Wheel', 'Shaft', 'Sail'].map((one) => `<tr><td>${one}</td><td>oak</td></tr>`).join('')
    const body = `<h2>${name}</h2><table><tr><th>Name</th><th>${name}</th></tr>${rows}</table>${prose}`
    expect(() => extract('Old mill', body, properties)).not.toThrow()
  })

  it('that holds objects is not taken for a word', () => {
    const said = '<p>I would take the long one, since the garden is not small at all.</p>'
    const post = (who: string) => `<article class="post"><a href="/members/${who}">${who}</a>${said}</article>`
    const list = { type: 'array', items: { type: 'object', properties: { author: TEXT, text: TEXT } } }
    const when = { type: 'object', properties: { date: TEXT, by: TEXT } }
    const body = `<div class="posts">${post('ann')}${post('bo')}${post('cy')}</div><p>Published: 3 May 2024</p><p>Updated: 4 May 2024</p>`
    const asked = { replies: list, posts: list, published: when, modified: when }
    expect(() => extract('Which hose', body, asked)).not.toThrow()
  })

  it('with text of entities is not read as code', () => {
    expect(extract('Old mill', '<dl><dt>Colour</dt><dd>&amp;toString; red</dd></dl>', { colour: TEXT })).toEqual({
      colour: '&toString; red',
    })
  })
})
