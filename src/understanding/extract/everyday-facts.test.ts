// Facts that ordinary pages set beside their text, in a few lines each: columns of small headings, spans, sums, labels with
// values that make a list; and what only looks like one of them.
import { describe, expect, it } from 'vitest'
import { openPage } from '../../content/page.ts'
import { extractJson } from './extract.ts'

const TEXT = { type: 'string' }
const INTEGER = { type: 'integer' }
const NUMBER = { type: 'number' }
const DAY = { type: 'string', format: 'date' }
const fields = (properties: Record<string, unknown>) => ({ type: 'object', properties })
const listOf = (properties: Record<string, unknown>) => ({ type: 'array', items: fields(properties) })

const extract = (body: string, schema: object, title = 'A page') => {
  const html = `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`
  const page = openPage(
    {
      bytes: new TextEncoder().encode(html),
      contentType: 'text/html; charset=utf-8',
      url: 'https://acme.example/page',
    },
    { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
  )
  return extractJson(page, schema, undefined).value
}

const data = (thing: object) => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`

describe('facts of an everyday page', () => {
  it('reads a column of small headings as labels, and two headings over lines as a text', () => {
    const column = '<h3>License</h3><p>ISC</p><h3>Total files</h3><p>19</p><h3>Unpacked size</h3><p>62 kB</p>'
    const schema = fields({ license: TEXT, totalFiles: INTEGER, unpackedSize: TEXT })
    expect(extract(`<main><h1>tidy</h1><p>Reads rows.</p></main><aside>${column}</aside>`, schema)).toEqual({
      license: 'ISC',
      totalFiles: 19,
      unpackedSize: '62 kB',
    })
    const aside = '<aside><h3>Total files</h3><p>19</p><h3>More</h3><p>Read all about it.</p></aside>'
    expect(extract(`<main><h1>tidy</h1><p>Reads rows.</p></main>${aside}`, fields({ totalFiles: INTEGER }))).toEqual({})
  })

  it('reads both ends of a labelled span of numbers and of a day', () => {
    const body =
      "<h1>Acme</h1><dl><dt>Day's range</dt><dd>210.80 - 215.90</dd><dt>School day</dt><dd>08:50 – 15:20</dd></dl>"
    const schema = fields({
      dayRange: fields({ low: NUMBER, high: NUMBER }),
      schoolDay: fields({ start: TEXT, end: TEXT }),
    })
    expect(extract(body, schema)).toEqual({
      dayRange: { low: 210.8, high: 215.9 },
      schoolDay: { start: '08:50', end: '15:20' },
    })
  })

  it('keeps the sums below a table out of its rows', () => {
    const row = (name: string, sku: string, price: string) =>
      `<tr><td>${name}</td><td>${sku}</td><td>${price}</td><td>1</td><td>${price}</td></tr>`
    const body = `<h1>Order 17</h1><table><thead><tr><th>Product</th><th>SKU</th><th>Price</th><th>Qty</th><th>Total</th></tr></thead><tbody>${row('Basket', 'B-7', '€64')}${row('Throw', 'T-2', '€48')}</tbody><tfoot><tr><td colspan="4">Shipping</td><td>€6</td></tr><tr><td colspan="4">Total</td><td>€118</td></tr></tfoot></table>`
    const items = listOf({ name: TEXT, sku: TEXT, quantity: INTEGER, unitPrice: NUMBER, lineTotal: NUMBER })
    expect(extract(body, fields({ items, shippingCost: NUMBER, total: NUMBER }))).toEqual({
      items: [
        { name: 'Basket', sku: 'B-7', quantity: 1, unitPrice: 64, lineTotal: 64 },
        { name: 'Throw', sku: 'T-2', quantity: 1, unitPrice: 48, lineTotal: 48 },
      ],
      shippingCost: 6,
      total: 118,
    })
  })

  it('makes a list of labels with values under its heading, when every value fits', () => {
    const body = (last: string) =>
      `<h1>Rivers</h1><h2>Grading</h2><ul><li>Report: 40%</li><li>Midterm: 25%</li><li>Final: ${last}</li></ul>`
    const schema = fields({ grading: listOf({ component: TEXT, weight: NUMBER }) })
    expect(extract(body('35%'), schema)).toEqual({
      grading: [
        { component: 'Report', weight: 40 },
        { component: 'Midterm', weight: 25 },
        { component: 'Final', weight: 35 },
      ],
    })
    expect(extract(body('to be told'), schema)).toEqual({})
  })

  it('gives cards the day that heads their group', () => {
    const act = (time: string, artist: string) =>
      `<div class="act"><span class="time">${time}</span><span class="artist">${artist}</span><span class="stage">Sea Stage</span></div>`
    const body = `<h1>Low Tide</h1><section><h2>Line-up</h2><h3>Friday</h3>${act('21:30', 'Marram')}${act('19:00', 'Hana Voss')}<h3>Saturday</h3>${act('21:45', 'Slow Bells')}${act('18:15', 'Kelp Choir')}</section>`
    const found = extract(body, fields({ lineup: listOf({ artist: TEXT, stage: TEXT, day: TEXT, time: TEXT }) })) as {
      lineup: { day: string }[]
    }
    expect(found.lineup.map(({ day }) => day)).toEqual(['Friday', 'Friday', 'Saturday', 'Saturday'])
  })

  it('answers fields of an inner object by what they mean in data', () => {
    const thing = {
      '@type': 'Question',
      name: 'Why does it rain?',
      acceptedAnswer: { '@type': 'Answer', text: 'Because of clouds.', upvoteCount: 24 },
    }
    const schema = fields({ question: TEXT, acceptedAnswer: fields({ text: TEXT, score: INTEGER }) })
    expect(extract(`${data(thing)}<h1>Why does it rain?</h1>`, schema)).toEqual({
      question: 'Why does it rain?',
      acceptedAnswer: { text: 'Because of clouds.', score: 24 },
    })
  })

  it('counts likes where data say that they are likes', () => {
    const counter = (sort: string, count: number) => ({
      interactionType: { '@type': sort },
      userInteractionCount: count,
    })
    const thing = { '@type': 'VideoObject', name: 'A clip', interactionStatistic: [counter('WatchAction', 900)] }
    const liked = { ...thing, interactionStatistic: [counter('WatchAction', 900), counter('LikeAction', 31)] }
    const schema = fields({ viewCount: INTEGER, likes: INTEGER })
    expect(extract(`${data(liked)}<h1>A clip</h1>`, schema)).toEqual({ viewCount: 900, likes: 31 })
    expect(extract(`${data(thing)}<h1>A clip</h1>`, schema)).toEqual({ viewCount: 900 })
  })

  it('knows a life by how it is headed', () => {
    const life =
      '<h1>Edwin Tarrant</h1><p>June 3, 1941 – February 21, 2026</p><p>Edwin Tarrant, 84, of Millbrook, mended clocks.</p>'
    expect(extract(life, fields({ birthDate: DAY, deathDate: DAY, age: INTEGER }))).toEqual({
      birthDate: '1941-06-03',
      deathDate: '2026-02-21',
      age: 84,
    })
  })

  it('tells the currency of a page when all its amounts are of one', () => {
    const schema = fields({ currency: TEXT })
    expect(extract('<h1>Classes</h1><p>Drop in for £9, or join from £38 a month.</p>', schema)).toEqual({
      currency: 'GBP',
    })
    expect(
      extract(
        '<h1>Classes</h1><p>Drop in for £9 whenever you like, or join us from €38 a month, all classes included.</p>',
        schema,
      ),
    ).toEqual({})
  })

  it('takes a company in its full form for what the page is about, and its site for nobody', () => {
    const body =
      '<header><a href="/">Tapewire</a></header><h1>Nordkap Shipping ASA (NRDK)</h1><p>214.60 +3.20 (+1.51%)</p>'
    const schema = fields({ companyName: TEXT, price: NUMBER, change: NUMBER, changePercent: NUMBER })
    expect(extract(body, schema, 'Nordkap Shipping ASA (NRDK) - Tapewire')).toEqual({
      companyName: 'Nordkap Shipping ASA',
      price: 214.6,
      change: 3.2,
      changePercent: 1.51,
    })
  })

  it('does not take a length for a time, nor an address for a name', () => {
    const body =
      '<h1>Heron Loop</h1><dl><dt>Length</dt><dd>8.6 km</dd></dl><h2>Press</h2><p><a href="mailto:a@b.example">a@b.example</a></p>'
    const found = extract(body, fields({ duration: TEXT, pressContact: fields({ name: TEXT }) }))
    expect(found).toEqual({})
  })
})
