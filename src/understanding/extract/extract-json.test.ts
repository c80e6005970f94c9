// The mechanisms of extraction, each on the smallest page that shows it.
import { describe, expect, it } from 'vitest'
import { expectCost, sized } from '../../../test/cost.ts'
import { parsePage } from '../../content/parsed-page.ts'
import { extractJson } from './extract-json.ts'

const open = (body: string, head = '', language = 'en') =>
  parsePage(
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
const step = (text: string) => ({ '@type': 'HowToStep', name: 'Step', text })
const PROSE = '<p>Warm light, a cloth cable, two metres long. It was made by hand in a small town by the sea.</p>'

describe('a value', () => {
  it('is found by its form: the only telephone number, the amount that stands alone', () => {
    const price = '<div><b>€168.00</b> <i>or 3 payments of €56.00</i></div>'
    const body = `<main><h1>Tern lamp</h1>${price}${PROSE}<p>Call 0171 555 304, 08:30–16:00 until 01.02.2030.</p></main>`
    expect(ask(body, { phone: text, fax: text, price: number })).toEqual({ phone: '0171 555 304', price: 168 })
  })

  it('is the name that says what it is the name of, or the heading when the page speaks of such things', () => {
    const club = open(
      `<main><h1>Winter programme</h1>${PROSE}</main>`,
      '<meta property="og:site_name" content="Stover Camera Club">',
    )
    expect(extractJson(club, object({ club: text, hotel_name: text }), undefined).value).toEqual({
      club: 'Stover Camera Club',
    })
    const kurs = `<main><h1>Kurs im Imkern</h1>${PROSE}</main>`
    expect(ask(kurs, { course_title: text, hotel_name: text })).toEqual({ course_title: 'Kurs im Imkern' })
    const person = `<main><h1>Imogen Farrant</h1><p>Senior Lecturer in Geography</p>${PROSE}</main>`
    expect(ask(person, { name: text, job_title: text, position: text })).toEqual({ name: 'Imogen Farrant' })
    const job = `<main><h1>Planner</h1>${PROSE}<dl><dt>Salary</dt><dd>£31,500</dd></dl></main>`
    expect(ask(job, { job_title: text })).toEqual({ job_title: 'Planner' })
  })

  it('keeps names in capitals, and reads constants of data as words', () => {
    const body = `<main><h1>FILE_SHARE_READ</h1>${PROSE}<dl><dt>Constant</dt><dd>FILE_SHARE_READ</dd></dl></main>`
    expect(ask(body, { title: text, constant: text })).toEqual({
      title: 'FILE_SHARE_READ',
      constant: 'FILE_SHARE_READ',
    })
    const data = '{"@type":"JobPosting","title":"Planner","employmentType":"FULL_TIME"}'
    const job = `<script type="application/ld+json">${data}</script><main><h1>Planner</h1>${PROSE}</main>`
    expect(ask(job, { employment_type: text })).toEqual({ employment_type: 'Full-time' })
  })

  it('is not taken from the name of the site, nor from a heading or a contact outside the content', () => {
    const body = `<header><h1>Bell Ringers</h1></header><main><h2>Tower Open Day</h2>${PROSE}${PROSE}</main>
      <aside><h3>Other dates</h3><p>Dinner, <a href="mailto:dinner@bells.test">dinner@bells.test</a></p></aside>
      <footer>Bell Ringers, 01632 960 100, <a href="mailto:captain@bells.test">captain@bells.test</a></footer>`
    const page = open(
      body,
      '<meta property="og:title" content="Bell Ringers"><meta property="og:site_name" content="Bell Ringers">',
    )
    expect(extractJson(page, object({ title: text, email: text, phone: text }), undefined).value).toEqual({
      title: 'Tower Open Day',
    })
  })

  it('is an end of a range, in the period that is asked for', () => {
    const facts = '<dl><dt>Pay</dt><dd>£31,500 to £36,000 a year</dd><dt>When</dt><dd>April 16–17, 2026</dd></dl>'
    const body = `<main><h1>Planner</h1>${PROSE}${facts}</main>`
    const asked = { annual_pay_min: number, pay_max: number, hourly_pay: number, start_date: text, end_date: text }
    expect(ask(body, asked)).toEqual({
      annual_pay_min: 31500,
      pay_max: 36000,
      start_date: '2026-04-16',
      end_date: '2026-04-17',
    })
    const factsOf = (rows: Record<string, string>, properties: object) =>
      ask(
        `<main><h1>Fair</h1>${PROSE}<dl>${Object.entries(rows).map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`)}</dl></main>`,
        properties,
      )
    const prices = { min_price: number, price_max: number, minimum_deposit: number, price_per_min: number }
    expect(
      factsOf(
        {
          'Minimum price': '€10',
          'Maximum price': '€50',
          'Minimum deposit': '€5',
          Deposit: '€20',
          'Price per min': '€0.30',
        },
        prices,
      ),
    ).toEqual({ min_price: 10, price_max: 50, minimum_deposit: 5, price_per_min: 0.3 })
    expect(factsOf({ Price: 'Adults €15, members €10' }, { min_price: number, price_max: number })).toEqual({})
    expect(factsOf({ Salary: 'Up to $120,000 a year' }, { salary_min: number, salary_max: number })).toEqual({
      salary_max: 120000,
    })
    expect(factsOf({ Salary: '$50,000 – $60,000' }, { salary_min_eur: number, salary_min: number })).toEqual({
      salary_min: 50000,
    })
    const days = { start_date: text, end_date: text }
    expect(
      factsOf({ 'Start date': '<time datetime="2026-04-16T19:00">Thursday 16 April, 7–9 pm</time>' }, days),
    ).toEqual({ start_date: '2026-04-16T19:00:00' })
    expect(factsOf({ When: '20. bis 31. Oktober 2025' }, days)).toEqual({
      start_date: '2025-10-20',
      end_date: '2025-10-31',
    })
    expect(factsOf({ 'End date': '<time datetime="2026-05-12">12-05-2026</time>' }, days)).toEqual({
      end_date: '2026-05-12',
    })
    const time = '<dl><dt>Time</dt><dd>10am to 1pm</dd></dl>'
    expect(ask(`<main><h1>Fair</h1>${PROSE}${time}</main>`, { start_time: text, start_date: text })).toEqual({
      start_time: '10am',
    })
  })

  it('is yes or no only where a sentence says so', () => {
    const said =
      '<p>Dogs are not allowed in the hall. There is childcare on both days at no cost. We do not sponsor visas. Ask if parking is available.</p>'
    const bool = { type: 'boolean' }
    const asked = { dogs_allowed: bool, childcare_available: bool, visa_sponsorship: bool, parking_available: bool }
    expect(ask(`<main><h1>Fair</h1>${PROSE}${said}</main>`, { ...asked, lift_available: bool })).toEqual({
      dogs_allowed: false,
      childcare_available: true,
      visa_sponsorship: false,
    })
    const opposite =
      '<p>Dogs won’t be allowed inside. Parking is not possible when there is an event. Childcare isn’t available. Visa letters are available, as there is no visa sponsorship.</p>'
    expect(ask(`<main><h1>Fair</h1>${PROSE}${opposite}</main>`, asked)).toEqual({
      dogs_allowed: false,
      childcare_available: false,
      visa_sponsorship: false,
    })
    const questions = '<h3>Are dogs allowed?</h3><p>Is parking available? Please call the office.</p>'
    expect(ask(`<main><h1>Fair</h1>${PROSE}${questions}</main>`, asked)).toEqual({})
  })

  it('is labelled by what it is the price or number of, and a name ends where the address begins', () => {
    const facts =
      '<dl><dt>Student pass</dt><dd>$90</dd><dt>Appointment line</dt><dd>01531 555 011</dd><dt>Venue</dt><dd>Coronation Hall, County Square, Ulverston</dd></dl>'
    const asked = { student_price: number, appointment_phone: text, venue_name: text }
    expect(ask(`<main><h1>Ceilidh</h1>${PROSE}${facts}</main>`, asked)).toEqual({
      student_price: 90,
      appointment_phone: '01531 555 011',
      venue_name: 'Coronation Hall',
    })
  })

  it('is an amount beside its label, without the word for its kind, and never what says that there is none', () => {
    const prices =
      '<ul><li>Adult: £5.80</li><li>Child: £3.10</li></ul><table><tr><td>Postage</td><td>£9</td></tr></table>'
    const body = `<main><h1>Lido</h1>${PROSE}${prices}<p>Treasurer: vacant</p></main>`
    expect(ask(body, { adultPrice: number, postage: number, treasurer: text })).toEqual({ adultPrice: 5.8, postage: 9 })
  })

  it('is counted in a sentence, and labelled at the start of one', () => {
    const said =
      '<p>The society looks after 118 plots by the beck. Valid from 6 September 2026. It has 3 sheds and 9 sheds.</p>'
    const body = `<main><h1>Allotments</h1>${PROSE}${said}</main>`
    expect(ask(body, { plotCount: number, validFrom: text, sheds: number })).toEqual({
      plotCount: 118,
      validFrom: '2026-09-06',
    })
  })

  it('is the name of the site where the heading is an entry of its menu', () => {
    const body = `<nav><a href="/rooms">Rooms</a></nav><main><h1>Rooms</h1>${PROSE}</main>`
    const page = open(body, '<meta property="og:site_name" content="Seaview Hotel">')
    expect(extractJson(page, object({ hotelname: text, title: text }), undefined).value).toEqual({
      hotelname: 'Seaview Hotel',
      title: 'Rooms',
    })
  })

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

describe('a number', () => {
  it('has the unit of the field', () => {
    const body =
      '<table><tr><th>Maximum speed</th><td>65 km/h</td></tr><tr><th>Loco weight</th><td>38.6 t</td></tr><tr><th>Length</th><td>12 m</td></tr></table>'
    const fields = { topSpeedKmh: number, weightTonnes: number, powerKw: number, lengthKg: number }
    expect(ask(`<main><h1>Engine</h1>${body}</main>`, fields)).toEqual({ topSpeedKmh: 65, weightTonnes: 38.6 })
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

  const shop = (cards: string[]) =>
    `<main><h1>Lamps</h1>${PROSE}<div>${cards.map((card) => `<div class="card">${card}</div>`).join('')}</div></main>`

  it('keeps each member of an array whole, and takes what a group holds instead of its name', () => {
    const section = {
      '@type': 'HowToSection',
      name: 'The dough',
      itemListElement: [step('Mix flour, salt and water.')],
    }
    const recipe = {
      '@type': 'Recipe',
      name: 'Bread',
      recipeIngredient: ['500 g flour, sifted', '1 tsp salt, fine'],
      recipeInstructions: [section, step('Bake for an hour.')],
    }
    const page = open(
      `<main><h1>Bread</h1>${PROSE}</main>`,
      `<script type="application/ld+json">${JSON.stringify(recipe)}</script>`,
    )
    const texts = { type: 'array', items: text }
    expect(extractJson(page, object({ ingredients: texts, steps: texts }), undefined).value).toEqual({
      ingredients: ['500 g flour, sifted', '1 tsp salt, fine'],
      steps: ['Mix flour, salt and water.', 'Bake for an hour.'],
    })
  })

  it('of several groups under one heading is one list, long members included', () => {
    const long = `Fold the dough ${'again and again '.repeat(30)}until it is smooth.`
    const groups = `<h3>Dough</h3><ol><li>Mix all.</li><li>${long}</li></ol><h3>Loaf</h3><ol><li>Bake.</li></ol>`
    const body = `<main><h1>Bread</h1>${PROSE}<h2>Steps <button>1x</button><button>2x</button></h2>${groups}<h2>Notes</h2></main>`
    expect(ask(body, { steps: { type: 'array', items: text } })).toEqual({ steps: ['Mix all.', long, 'Bake.'] })
  })

  const texts = { type: 'array', items: text }
  const page = (part: string) => `<main><h1>Bread</h1>${PROSE}${part}</main>`

  it('is what lies under the heading that the page itself names so', () => {
    const about = '<h2>Ingredients</h2><ul><li>Flour: any will do, but a strong one is best.</li><li>Salt</li></ul>'
    const card = '<h3>Ingredients</h3><ul class="card-ingredients"><li>500 g flour</li><li>9 g salt</li></ul>'
    expect(ask(page(`${about}<div>${card}</div>`), { ingredients: texts })).toEqual({
      ingredients: ['500 g flour', '9 g salt'],
    })
  })

  it('may be paragraphs, whose numbers are no part of them', () => {
    const long = 'Stir the water into the flour and knead the dough until it no longer sticks. '.repeat(3).trim()
    const steps = `<section><h2>Steps</h2><p>1. ${long}</p><p>2. Bake.</p></section><ul><li>Easy</li><li>Cheap</li></ul>`
    expect(ask(page(steps), { steps: texts })).toEqual({ steps: [long, 'Bake.'] })
    expect(ask(page(`<h2>Services</h2><p>${long}</p><p>${long} Then bake.</p>`), { services: texts })).toEqual({})
  })

  it('may be beside each other, and its records in a table without a header', () => {
    const choices = '<fieldset><legend>Colours</legend><label>Ink</label><label>Moss</label></fieldset>'
    expect(ask(page(`${choices}<ul><li>Hand made</li><li>Light</li></ul>`), { colours: texts })).toEqual({
      colours: ['Ink', 'Moss'],
    })
    const table = '<h2>Fees</h2><table><tr><td>Visit</td><td>€42</td></tr><tr><td>Vaccine</td><td>€68</td></tr></table>'
    expect(ask(page(table), { fees: list({ service: text, price: number }) })).toEqual({
      fees: [
        { service: 'Visit', price: 42 },
        { service: 'Vaccine', price: 68 },
      ],
    })
  })

  it('has the current price, and is not given when it lacks what is asked for', () => {
    const cards = [
      '<h3>Orb</h3><b>€49.00</b>',
      '<h3>Stem</h3><del>€80.00</del> <b>€64.00</b>',
      '<h3>Folio</h3><b>€35.00</b>',
    ]
    const lamps = [
      { name: 'Orb', price: 49 },
      { name: 'Stem', price: 64 },
      { name: 'Folio', price: 35 },
    ]
    expect(ask(shop(cards), { lamps: list({ name: text, price: number }) })).toEqual({ lamps })
    const much = { name: text, price: number, designer: text, wattage: text, socket: text }
    expect(ask(shop(cards), { lamps: list(much) })).toEqual({})
  })

  it('of texts is not a menu under a heading of its name', () => {
    const menu =
      '<aside><h3>Services</h3><ul><li><a href="/a">About us</a></li><li><a href="/b">Prices</a></li></ul></aside>'
    expect(ask(`<main><h1>Repairs</h1>${PROSE}</main>${menu}`, { services: { type: 'array', items: text } })).toEqual(
      {},
    )
  })

  it('of texts is not one text below a heading', () => {
    const body = `<main><h1>Reading lamps</h1>${PROSE}<h2>Colours</h2><p>Blue, silver and green. Find the right one for you.</p></main>`
    expect(ask(body, { colours: { type: 'array', items: text } })).toEqual({})
  })

  it('is not made of cards about something else', () => {
    const cards = ['<h3>Bowl</h3><b>€24.00</b>', '<h3>Mug</h3><b>€9.00</b>', '<h3>Cup</h3><b>€7.00</b>']
    expect(ask(shop(cards), { sizes: list({ size: text, price: number }) })).toEqual({})
  })
})

describe('the author', () => {
  it.each([
    [
      'a label in a run of its own',
      '<p>3 May 2024 <span>by</span> <a href="/u">ann lee</a> Leave a comment</p>',
      'ann lee',
    ],
    ['after the date', '<p>11.09.2011, 16:20 von jstefan</p>', 'jstefan'],
    ['among other facts', '<p>Cycling | Por: Juan Diego | 19 April 2022</p>', 'Juan Diego'],
    [
      'under another label, beside a date',
      '<p>Words: Ann Lee <span>·</span> <span>11 October 2018</span></p>',
      'Ann Lee',
    ],
  ])('is read from a byline: %s', (_, line, author) => {
    expect(ask(`<main><h1>Reading lamps</h1>${line}${PROSE}${PROSE}</main>`, { author: text })).toEqual({ author })
  })

  it('is not taken from a sentence', () => {
    const page = `<main><h1>Reading lamps</h1><p>Each one is inspected by Ann Lee before it leaves.</p>${PROSE}</main>`
    expect(ask(page, { author: text })).toEqual({})
  })
})

describe('a name that says what it belongs to', () => {
  const article = '<meta property="og:type" content="article">'
  const data = (thing: object) => `<script type="application/ld+json">${JSON.stringify(thing)}</script>`
  const body = `<main><h1>Moist lemon cake: simply good!</h1>${PROSE}</main>`
  const value = (head: string, name: string) => extractJson(open(body, head), object({ [name]: text }), undefined).value

  it('is the name of that thing in the data, in the languages of the table', () => {
    const recipe = data({ '@type': 'Recipe', name: 'Lemon cake' })
    for (const name of ['recipeName', 'rezeptName', 'nomeReceita'])
      expect(value(recipe, name)).toEqual({ [name]: 'Lemon cake' })
  })

  it('is not the headline of an article about it', () => {
    expect(value(article, 'bookTitle')).toEqual({})
    expect(value(article, 'articleTitle')).toEqual({ articleTitle: 'Moist lemon cake: simply good!' })
  })

  it('is the owner of the site for a company, except on an article', () => {
    const site = '<meta property="og:site_name" content="Baker Ltd">'
    expect(value(site, 'businessName')).toEqual({ businessName: 'Baker Ltd' })
    expect(value(site + article, 'businessName')).toEqual({})
  })
})

describe('a field without support', () => {
  it('does not count for the page what each item of a list counts', () => {
    const posts = [524, 2630, 302].map((count) => `<div><p>Posts: ${count}</p><p>${PROSE}</p></div>`).join('')
    expect(ask(`<main><h1>Lamps</h1><p>7 posts • Page 1 of 1</p>${posts}</main>`, { posts: number })).toEqual({
      posts: 7,
    })
    expect(ask(`<main><h1>Lamps</h1>${posts}</main>`, { posts: number })).toEqual({})
  })

  it('is no date that a program did not know', () => {
    const head = `<script type="application/ld+json">${JSON.stringify({ '@type': 'Article', headline: 'Lamps', datePublished: '1970-01-01' })}</script>`
    const page = open(`<main><h1>Lamps</h1>${PROSE}</main>`, head)
    expect(extractJson(page, object({ datePublished: text }), undefined).value).toEqual({})
  })

  it('does not take a value for a person that the page does not name', () => {
    const body = `<main><h1>Rowing club</h1>${PROSE}<p>Phone: 01632 960 555</p><h2>Landlord</h2><p>Phone: 01632 960 111</p></main>`
    const [phone, wanted] = [
      { type: 'string', nullable: true },
      { club_phone: '01632 960 555', hotel_phone: null },
    ]
    expect(ask(body, { club_phone: phone, hotel_phone: phone })).toEqual(wanted)
  })

  it('does not take the heading for the name of something else', () => {
    const bestSeller = { type: 'string', description: 'Name of the best seller' }
    expect(ask(`<main><h1>Reading lamps</h1>${PROSE}</main>`, { bestSeller })).toEqual({})
  })

  it('does not take the date of the page for that of its subject', () => {
    const body = `<main><h1>Harbour run</h1><span class="date">3 August 2017</span>${PROSE}</main>`
    const date = { type: 'string', format: 'date' }
    expect(ask(body, { eventDate: date })).toEqual({})
    expect(ask(body, { published: date })).toEqual({ published: '2017-08-03' })
  })
})

describe('a table with tens of thousands of rows', () => {
  it('is read in time that grows with its rows', () => {
    const costOf = (count: number): number => {
      const rows = Array.from({ length: count }, (_, n) => `<tr><td>Item ${n}</td><td>${n} €</td></tr>`).join('')
      const page = open(`<main><h1>Prices</h1><table><tr><th>Name</th><th>Price</th></tr>${rows}</table></main>`)
      const began = process.cpuUsage()
      const { value } = extractJson(page, object({ price: text, items: list({ name: text, price: text }) }), undefined)
      expect((value as { items: unknown[] }).items).toContainEqual({ name: 'Item 7', price: '7 €' })
      return process.cpuUsage(began).user / count
    }
    costOf(500)
    const [small, large] = [costOf(sized(3_000)), costOf(sized(24_000))]
    expectCost(large / small, 'a row of a long table beside one of a short table').toBeLessThan(1.2)
  }, 120_000)
})
