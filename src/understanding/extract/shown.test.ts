// What a page shows without labels or markup, found for the fields people ask for.
import { describe, expect, it } from 'vitest'
import { openPage } from '../../content/page.ts'
import { extractJson } from './extract.ts'

const prose = `<p>${'A page with enough words to be worth reading on its own. '.repeat(4)}</p>`
const TEXT = { type: 'string' }
const NUMBER = { type: 'number' }
const WHOLE = { type: 'integer' }
const DATE = { type: 'string', format: 'date' }
const many = (properties: object) => ({ type: 'array', items: { type: 'object', properties } })

const extract = (body: string, properties: object, { title = 'T', url = 'https://example.org/a' } = {}) => {
  const html = `<!doctype html><html lang="en-US"><head><title>${title}</title></head><body>${body}</body></html>`
  const input = { bytes: new TextEncoder().encode(html), contentType: 'text/html', url }
  const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  return extractJson(openPage(input, choices), { type: 'object', properties }, undefined).value
}

describe('small things', () => {
  it('an address ends where its sentence does', () => {
    const body = `<main><h1>Contact</h1><p>Write to post@quay.example. Call us first.</p>${prose}</main>`
    expect(extract(body, { email: TEXT })).toEqual({ email: 'post@quay.example' })
    const spaced = `<main><h1>Contact</h1><p>Write to post @ quay . example or not.</p>${prose}</main>`
    expect(extract(spaced, { email: TEXT })).toEqual({ email: 'post@quay.example' })
  })

  it('a unit may stand in the label of a number, or behind the number', () => {
    const page = (text: string) => `<main><h1>Rope</h1><p>${text}</p>${prose}</main>`
    expect(extract(page('Delivery days: 9'), { deliveryDays: WHOLE })).toEqual({ deliveryDays: 9 })
    expect(extract(page('Delivery: 9 days'), { deliveryDays: WHOLE })).toEqual({ deliveryDays: 9 })
  })
})

describe('an article', () => {
  it('is signed and dated beside its heading, and stands in a section', () => {
    const body = `<nav class="breadcrumbs"><a href="/">Home</a> » <a href="/garden">Garden</a> » Hoses</nav>
      <main><h1>Hoses</h1><div><a href="/authors/ann">Ann Lee</a></div><div>July 10, 2023</div>${prose}</main>`
    expect(extract(body, { title: TEXT, author: TEXT, publishedDate: DATE, category: TEXT })).toEqual({
      title: 'Hoses',
      author: 'Ann Lee',
      publishedDate: '2023-07-10',
      category: 'Garden',
    })
  })

  it('is dated by its address when it shows no date, and a far date is not its own', () => {
    const far = `${prose.repeat(60)}<p>The bridge opened on May 1, 1999.</p>`
    const url = 'https://example.org/2026/01/30/places'
    expect(extract(`<main><h1>Places</h1>${prose}</main>`, { date: DATE }, { url })).toEqual({ date: '2026-01-30' })
    expect(extract(`<main><h1>Places</h1>${far}</main>`, { date: DATE })).toEqual({})
  })

  it('has a main heading that its title repeats, whatever stands above it', () => {
    const body = `<header><h1>Quay Society</h1></header><main><h2>News</h2>${prose}</main>`
    expect(extract(body, { title: TEXT }, { title: 'News | Quay Society' })).toEqual({ title: 'News' })
    const plain = `<p><b>Which hose is best for a small garden?</b></p>${prose}`
    expect(
      extract(
        `<h1>MyForum</h1>${plain}`,
        { title: TEXT },
        { title: 'Which hose is best for a small garden? - MyForum' },
      ),
    ).toEqual({ title: 'Which hose is best for a small garden?' })
  })
})

describe('whoever stands behind a page', () => {
  it('is reached by what the text says', () => {
    const body = `<main><h1>Pest control</h1>${prose}<p>Call us: (734) 555-0128</p></main>
      <footer><p>29712 Quay St, Livonia, MI 48152</p><a href="/cdn-cgi/l/email-protection" data-cfemail="422b2c242d02273a232f322e276c2d3025">[email protected]</a>
      <p>Monday-Friday</p><p>8AM - 5PM</p></footer>`
    expect(
      extract(body, { phone: TEXT, email: TEXT, address: TEXT, city: TEXT, zip: TEXT, openingHours: TEXT, fax: TEXT }),
    ).toEqual({
      phone: '(734) 555-0128',
      email: 'info@example.org',
      address: '29712 Quay St, Livonia, MI 48152',
      city: 'Livonia',
      zip: '48152',
      openingHours: 'Monday-Friday 8AM - 5PM',
    })
  })

  it('is not guessed among several', () => {
    const shops = ['12 Elm St, Reno, NV 89501', '9 Oak Ave, Boise, ID 83702'].map((text) => `<p>${text}</p>`).join('')
    expect(extract(`<main><h1>Shops</h1>${prose.repeat(40)}${shops}</main>`, { address: TEXT, city: TEXT })).toEqual({})
  })
})

describe('what a sentence tells', () => {
  it('is read when it speaks of the field in its own words', () => {
    const body = `<main><h1>Home repair</h1><p>Applicants may get up to $5,000 in financial assistance. All repairs are warrantied for 90 days.</p>
      <p><b>Deadline to apply: March 1<sup>st</sup>, 2026</b></p>${prose}</main>`
    expect(
      extract(body, { maximumAssistance: NUMBER, warrantyDays: WHOLE, deadline: DATE, minimumAge: WHOLE }),
    ).toEqual({
      maximumAssistance: 5000,
      warrantyDays: 90,
      deadline: '2026-03-01',
    })
  })

  it('is not told when two sentences disagree', () => {
    const body = `<main><h1>Hoses</h1><p>The garden warranty lasts 90 days.</p><p>The garden warranty lasts 30 days.</p>${prose}</main>`
    expect(extract(body, { gardenWarrantyDays: WHOLE })).toEqual({})
  })

  it('stands where a row and a column meet', () => {
    const body = `<main><h1>Ann Lee</h1>${prose}<table><tr><th></th><th>All</th><th>Since 2021</th></tr>
      <tr><td>Citations</td><td>1014</td><td>553</td></tr><tr><td>h-index</td><td>18</td><td>9</td></tr></table></main>`
    expect(extract(body, { citations: WHOLE, citationsSince2021: WHOLE, hIndex: WHOLE })).toEqual({
      citations: 1014,
      citationsSince2021: 553,
      hIndex: 18,
    })
  })
})

describe('a list', () => {
  const card = (name: string, more = '') =>
    `<li class="tile"><a href="/${name.toLowerCase()}"><h4>View details</h4><h2>${name}</h2></a>${more}</li>`

  it('is named by what tells its cards apart, and linked by what stands around the name', () => {
    const body = `<main><h1>Shoes</h1>${prose}<ul>${card('Oxford', '<p>$30</p>')}${card('Derby', '<p>$35</p>')}${card('Loafer', '<p>$20</p>')}</ul></main>`
    expect(extract(body, { category: TEXT, products: many({ name: TEXT, price: NUMBER, url: TEXT }) })).toEqual({
      category: 'Shoes',
      products: [
        { name: 'Oxford', price: 30, url: 'https://example.org/oxford' },
        { name: 'Derby', price: 35, url: 'https://example.org/derby' },
        { name: 'Loafer', price: 20, url: 'https://example.org/loafer' },
      ],
    })
  })

  it('gives its open field the line that is left, and denies what only some cards claim', () => {
    const people = ['Ann Lee', 'Bo Orr']
      .map((name, n) => `<li><h3>${name}</h3><p>${n ? 'Clerk' : 'Mayor'}</p></li>`)
      .join('')
    expect(
      extract(`<main><h1>Staff</h1>${prose}<ul>${people}</ul></main>`, { employees: many({ name: TEXT, role: TEXT }) }),
    ).toEqual({
      employees: [
        { name: 'Ann Lee', role: 'Mayor' },
        { name: 'Bo Orr', role: 'Clerk' },
      ],
    })
    const plans = ['Solo', 'Crew', 'Ship']
      .map((name, n) => `<div class="plan"><h3>${name}</h3><p>$${n}</p>${n === 1 ? '<i>Most popular</i>' : ''}</div>`)
      .join('')
    expect(
      extract(`<main><h1>Plans</h1>${prose}${plans}</main>`, {
        plans: many({ name: TEXT, popular: { type: 'boolean' } }),
      }),
    ).toEqual({
      plans: [
        { name: 'Solo', popular: false },
        { name: 'Crew', popular: true },
        { name: 'Ship', popular: false },
      ],
    })
  })

  it('of questions is read with the answers below them', () => {
    const body = `<main><h1>Help</h1>${prose}<h2>FAQ</h2><h3>Is it free?</h3><p>Yes.</p><p>For ever.</p><h3>Is it open?</h3><p>It is.</p></main>`
    expect(extract(body, { faq: many({ question: TEXT, answer: TEXT }) })).toEqual({
      faq: [
        { question: 'Is it free?', answer: 'Yes. For ever.' },
        { question: 'Is it open?', answer: 'It is.' },
      ],
    })
  })

  it('of words stands under a heading like the field, after a line that leads to it, or in a form', () => {
    const words = { type: 'array', items: TEXT }
    const body = `<main><h1>Chairs</h1>${prose}<h2>Features to look for in a chair</h2><h3>1. Back</h3><p>x</p><h3>2. Arms</h3><p>x</p>
      <p>The best places to retire in 2026 are:</p><ul><li><b>Wyoming:</b> low taxes</li><li><b>Florida:</b> sun</li></ul>
      <label>Color</label><select><option value="">Choose</option><option value="1">Teal</option><option value="2">Black</option></select></main>`
    expect(
      extract(body, {
        chairFeatures: { ...words, description: 'Features to look for' },
        states: { ...words, description: 'The best states to retire to' },
        colors: words,
      }),
    ).toEqual({ chairFeatures: ['1. Back', '2. Arms'], states: ['Wyoming', 'Florida'], colors: ['Teal', 'Black'] })
  })

  it('of posts tells who began the thread', () => {
    const posts = ['ann', 'bo', 'ann']
      .map(
        (who, n) =>
          `<div class="post"><a class="username" href="/members/${who}">${who}</a> <small>9/${n + 6}/16 1:25 p.m.</small><p>Some words that are said here, at length.</p></div>`,
      )
      .join('')
    const filler = '<i></i>'.repeat(300)
    expect(
      extract(`<main><h1>Hoses</h1>${filler}${posts}</main>`, {
        author: TEXT,
        posts: many({ author: TEXT, date: DATE }),
      }),
    ).toEqual({
      author: 'ann',
      posts: [
        { author: 'ann', date: '2016-09-06' },
        { author: 'bo', date: '2016-09-07' },
        { author: 'ann', date: '2016-09-08' },
      ],
    })
  })
})
