// The plain shapes that most sites are built from, each in a few lines: what the page says in figures, little pictures, lines
// and links is answered, and what only looks like an answer is not.
import { describe, expect, it } from 'vitest'
import { openPage } from '../../content/page.ts'
import { extractJson } from './extract.ts'

const TEXT = { type: 'string' }
const INTEGER = { type: 'integer' }
const NUMBER = { type: 'number' }
const LINK = { type: 'string', format: 'uri' }
const fields = (properties: Record<string, unknown>) => ({ type: 'object', properties })
const listOf = (properties: Record<string, unknown>) => ({ type: 'array', items: fields(properties) })

const extract = (body: string, schema: object, { title = 'A page', url = 'https://acme.example/page' } = {}) => {
  const html = `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${body}</body></html>`
  const page = openPage(
    { bytes: new TextEncoder().encode(html), contentType: 'text/html; charset=utf-8', url },
    { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true },
  )
  return extractJson(page, schema, undefined).value
}

describe('what an everyday page says', () => {
  it('finds profiles by where links lead, and takes no button for sharing', () => {
    const body =
      '<h1>Acme</h1><p>We build things.</p><footer><a href="https://x.com/acme">a</a><a href="https://www.facebook.com/sharer/sharer.php?u=x">b</a></footer>'
    expect(extract(body, fields({ social: fields({ twitter: LINK, facebook: LINK }) }))).toEqual({
      social: { twitter: 'https://x.com/acme' },
    })
  })

  it('takes the profile of a person for nobody’s on the page of a house', () => {
    const body = '<h1>Acme</h1><p>Written by <a href="https://www.linkedin.com/in/ann-lee-77">Ann</a></p>'
    expect(extract(body, fields({ linkedin: LINK }))).toEqual({})
  })

  it('knows the house by the link home and the title', () => {
    const body = '<header><a href="/">Copper Works</a></header><h1>Our people</h1><p>Seven of them.</p>'
    expect(extract(body, fields({ companyName: TEXT }), { title: 'Our people | Copper Works' })).toEqual({
      companyName: 'Copper Works',
    })
  })

  it('knows the employer on a site that lists jobs of many', () => {
    const body = '<header><a href="/">Jobsite</a></header><h1>Baker</h1><p>Bread, mostly.</p>'
    expect(
      extract(body, fields({ jobTitle: TEXT, companyName: TEXT }), { title: 'Baker at Crumb &amp; Co – Jobsite' }),
    ).toEqual({ jobTitle: 'Baker', companyName: 'Crumb & Co' })
  })

  it('reads figures over what they count, and pictures for labels', () => {
    const box = (figure: string, label: string) => `<div><div>${figure}</div><div>${label}</div></div>`
    const body = `<h1>Acme</h1><section>${box('140', 'Employees')}${box('23', 'Countries')}</section><p>📍 Aarhus, Denmark</p>`
    expect(extract(body, fields({ employeeCount: INTEGER, countries: INTEGER, location: TEXT }))).toEqual({
      employeeCount: 140,
      countries: 23,
      location: 'Aarhus, Denmark',
    })
  })

  it('reads both ends of a range of pay', () => {
    const body =
      '<h1>Baker</h1><div><span>Salary</span><span>€30,000 – €34,500 per year</span></div><div><span>Place</span><span>Ulm</span></div>'
    expect(extract(body, fields({ pay_range: fields({ min: NUMBER, max: NUMBER }) }))).toEqual({
      pay_range: { min: 30_000, max: 34_500 },
    })
  })

  it('gives hours by day from lines, and from data that join several days', () => {
    const rows = { openingHours: listOf({ day: TEXT, opens: TEXT, closes: TEXT }) }
    const lines = '<h1>Visit</h1><h2>Hours</h2><p>Monday: 9:00 – 17:00<br>Tuesday: 10:00 – 18:00<br>Sunday: closed</p>'
    expect(extract(lines, fields(rows))).toEqual({
      openingHours: [
        { day: 'Monday', opens: '09:00', closes: '17:00' },
        { day: 'Tuesday', opens: '10:00', closes: '18:00' },
        { day: 'Sunday' },
      ],
    })
    const data = `<script type="application/ld+json">{"@type":"Store","name":"Visit","openingHoursSpecification":[{"dayOfWeek":["Monday","Friday"],"opens":"09:00","closes":"17:00"}]}</script><h1>Visit</h1>`
    expect(extract(data, fields(rows))).toEqual({
      openingHours: [
        { day: 'Monday', opens: '09:00', closes: '17:00' },
        { day: 'Friday', opens: '09:00', closes: '17:00' },
      ],
    })
  })

  it('names the rows of a table by their first column', () => {
    const body =
      '<h1>Stay</h1><h2>Rooms</h2><table><thead><tr><th>Type</th><th>Guests</th><th>Price per night</th></tr></thead><tr><td>Single</td><td>1</td><td>€60</td></tr><tr><td>Double</td><td>2</td><td>€90</td></tr></table>'
    expect(extract(body, fields({ rooms: listOf({ name: TEXT, guests: INTEGER, pricePerNight: NUMBER }) }))).toEqual({
      rooms: [
        { name: 'Single', guests: 1, pricePerNight: 60 },
        { name: 'Double', guests: 2, pricePerNight: 90 },
      ],
    })
  })

  it('knows plans under pricing although nothing calls them so', () => {
    const plan = (name: string, price: number) =>
      `<div class="p-6"><h3>${name}</h3><span>$${price}</span><span>/month</span><ul><li>${name} one</li><li>${name} two</li></ul></div>`
    const body = `<h1>Simple pricing</h1><section>${plan('Solo', 5)}${plan('Team', 19)}${plan('House', 49)}</section>`
    const schema = fields({
      plans: listOf({ name: TEXT, pricePerMonth: NUMBER, features: { type: 'array', items: TEXT } }),
      faqs: listOf({ question: TEXT }),
    })
    expect(extract(body, schema)).toEqual({
      plans: [
        { name: 'Solo', pricePerMonth: 5, features: ['Solo one', 'Solo two'] },
        { name: 'Team', pricePerMonth: 19, features: ['Team one', 'Team two'] },
        { name: 'House', pricePerMonth: 49, features: ['House one', 'House two'] },
      ],
    })
  })

  it('gives what a post says without who, when and the buttons below', () => {
    const post = (name: string, text: string) =>
      `<div class="post"><a href="/u/${name}">${name}</a><div>Jan 2, 2024</div><div>#1</div><blockquote><p>What somebody said before, at length.</p></blockquote><div class="body"><p>${text}</p></div><div><span>Reply</span> <span>Quote</span></div></div>`
    const body = `<h1>A thread</h1>${post('anna', 'The chain was too short for it.')}${post('bert', 'Mine was too, in the end it broke.')}`
    expect(extract(body, fields({ posts: listOf({ author: TEXT, content: TEXT }) }))).toEqual({
      posts: [
        { author: 'anna', content: 'The chain was too short for it.' },
        { author: 'bert', content: 'Mine was too, in the end it broke.' },
      ],
    })
  })

  it('does not take the last heading of a table for the label of its first cell', () => {
    const body =
      '<h1>Call</h1><table><thead><tr><th>Name</th><th>Description</th></tr></thead><tbody><tr><td>a</td><td>b</td></tr></tbody></table>'
    expect(extract(body, fields({ description: TEXT }))).toEqual({})
  })

  it('does not take the name of a company for its number', () => {
    const body = '<header><a href="/">Acme</a></header><h1>Imprint</h1><p>Acme Ltd, company no. 0998877</p>'
    expect(extract(body, fields({ companyNumber: TEXT }), { title: 'Imprint | Acme' })).toEqual({
      companyNumber: '0998877',
    })
    expect(
      extract('<header><a href="/">Acme</a></header><h1>Imprint</h1>', fields({ companyNumber: TEXT }), {
        title: 'Imprint | Acme',
      }),
    ).toEqual({})
  })
})
