// Learning from one page, reading others: by element, label, structured data and position, with conversion by type.
import { describe, expect, it } from 'vitest'
import { parseTree } from '../../content/parse-tree.ts'
import { indexPage } from './index-page.ts'
import { learnProgram } from './rank-ways.ts'
import { readWithProgram } from './read-with-program.ts'

const page = (html: string, language = 'en') =>
  indexPage({ tree: parseTree(html).tree, base: 'https://boats.example/p/1', metadata: { language } })
const learn = (html: string, data: unknown, schema?: unknown) => learnProgram([{ page: page(html), data }], schema)
const read = (html: string, program: ReturnType<typeof learn>['program']) => readWithProgram(page(html), program)

const article = (name: string, facts: Record<string, string>, parts: readonly string[]) => `<html><body>
  <nav class="menu"><a href="/">Start</a><a href="/boats">Boats</a></nav>
  <main class="boat"><h1 class="boat-title">${name}</h1>
  <dl class="facts">${Object.entries(facts)
    .map(([label, value]) => `<dt>${label}</dt><dd>${value}</dd>`)
    .join('')}</dl>
  <ul class="parts">${parts.map((one) => `<li>▢ ${one}</li>`).join('')}</ul></main></body></html>`

describe('a program', () => {
  const taught = { name: 'Petrel', length: 45, price: 1299, built: '2019-03-05', parts: ['Anchor', 'Tiller'] }
  const first = article('Petrel', { Sail: '45 min', Price: '1.299,00 €', Built: '5 March 2019' }, ['Anchor', 'Tiller'])
  const { program, notFound } = learn(first, taught)

  it('finds all taught values and stays small', () => {
    expect(notFound).toEqual([])
    expect(JSON.stringify(program).length <= 20_000).toBe(true)
  })

  it.each(['1 h 20', '1h 20m'])('reads another page, converted as the example showed: %s', (sail) => {
    const other = article('Fulmar', { Crew: '4', Sail: sail, Price: '38.900,50 €', Built: '17 May 2021' }, [
      'Oars',
      'Plotter',
      'Cover',
    ])
    const { value, fields } = read(other, program)
    expect(value).toEqual({
      name: 'Fulmar',
      length: 80,
      price: 38900.5,
      built: '2021-05-17',
      parts: ['Oars', 'Plotter', 'Cover'],
    })
    expect(fields.price).toMatchObject({ by: 'label' })
  })

  it('gives null for a field that is gone', () => {
    const other = article('Fulmar', { Sail: '30 min', Built: '17 May 2021' }, ['Oars'])
    expect(read(other, program).value).toMatchObject({ name: 'Fulmar', price: null, length: 30 })
  })

  it('gives null rather than one of two values with equal proof', () => {
    const twice = (one: string, other: string) =>
      `<main><h1>Petrel</h1><p class="launched">${one}</p><p class="moored">${other}</p></main>`
    const { program } = learn(twice('Elm Quay', 'Elm Quay'), { name: 'Petrel', place: 'Elm Quay' })
    expect(read(twice('Port Lane', 'Elm Row'), program).value).toEqual({ name: 'Petrel', place: null })
    expect(read(twice('Port Lane', 'Port Lane'), program).value).toEqual({ name: 'Petrel', place: 'Port Lane' })
    const named = learn(twice('Elm Quay', 'Elm Quay'), { name: 'Petrel', moored: 'Elm Quay' }).program
    expect(read(twice('Port Lane', 'Elm Row'), named).value).toEqual({ name: 'Petrel', moored: 'Elm Row' })
  })

  it('gives no values on a page of another template', () => {
    const other = '<html><body><main><h1>Harbour rules</h1><p>Keep left of the pier.</p></main></body></html>'
    expect(read(other, program)).toMatchObject({ value: null, fields: { name: { by: null } } })
  })

  it('gives no values on a page without the records that make most of the template', () => {
    const page = (inner: string) =>
      `<html><body class="site"><main><h1 class="title">Boats</h1>${inner}</main></body></html>`
    const list = ['Petrel', 'Tern', 'Gull'].map((name, n) => `<li class="boat"><b>${name}</b> <i>${n + 14} m</i></li>`)
    const taught = { title: 'Boats', boats: [{ name: 'Petrel', length: 14 }] }
    const { program } = learn(page(`<ul class="boats">${list.join('')}</ul>`), taught)
    expect(read(page('<p>Keep left of the pier.</p>'), program).value).toBeNull()
  })

  it('takes no link for a label', () => {
    const page = (start: string) =>
      `<html><body><p class="path"><a href="/">Start</a> <a href="/c">Courses</a></p><main><h1>Knots</h1><dl>${start}<dt>Hours</dt><dd>12</dd></dl></main></body></html>`
    const { program } = learn(page('<dt>Start</dt><dd>4 March</dd>'), { title: 'Knots', start: '4 March', hours: 12 })
    expect(read(page(''), program).value).toEqual({ title: 'Knots', start: null, hours: 12 })
  })

  it('splits the list of another page when one item was taught', () => {
    const page = (names: string) =>
      `<html><body><main><h1>Knots</h1><p class="teachers">${names}</p></main></body></html>`
    const { program } = learn(page('Ada Byron'), { title: 'Knots', teachers: ['Ada Byron'] })
    expect(read(page('Ada Byron, Mary Somerville'), program).value).toMatchObject({
      teachers: ['Ada Byron', 'Mary Somerville'],
    })
  })

  it('takes the first of two equal elements for the label of the second, not one of a row', () => {
    const page = (facts: Record<string, string>) =>
      `<main><h1>Petrel</h1><div class="facts">${Object.entries(facts)
        .map(([label, value]) => `<div class="fact"><span>${label}</span><span>${value}</span></div>`)
        .join('')}</div></main>`
    const { program } = learn(page({ Yard: 'Elm Quay', Crew: '4' }), { yard: 'Elm Quay', crew: 4 })
    expect(read(page({ Berth: 'Pier 3', Crew: '7', Yard: 'Port Lane' }), program).value).toEqual({
      yard: 'Port Lane',
      crew: 7,
    })
    expect(read(page({ Yard: '', Crew: '7' }), program).value).toEqual({ yard: null, crew: 7 })
  })

  it('says which taught values stand nowhere', () => {
    expect(learn(first, { name: 'Petrel', colour: 'Turquoise' }).notFound).toEqual(['colour'])
  })
})

describe('structured data', () => {
  const data = (name: string, minutes: string) =>
    `<html><head><script type="application/ld+json">${JSON.stringify({ '@type': 'Product', name, offers: { price: '12.50' }, duration: minutes })}</script></head><body><main><p>Words</p></main></body></html>`
  it('is read by its path, with ISO durations in the unit of the schema', () => {
    const schema = { properties: { time: { type: 'number', description: 'minutes' } } }
    const { program } = learn(data('Lamp', 'PT45M'), { name: 'Lamp', price: 12.5, time: 45 }, schema)
    expect(program.fields.price!.ways[0]).toMatchObject({ data: 'Product.offers.price' })
    const { value, fields } = read(data('Chair', 'PT1H20M'), program)
    expect(value).toEqual({ name: 'Chair', price: 12.5, time: 80 })
    expect(fields.name).toMatchObject({ by: 'data' })
  })
})

describe('records', () => {
  const table = (rows: readonly (readonly [string, number])[]) =>
    `<table><thead><tr><th>Club</th><th>Points</th></tr></thead><tbody>${rows
      .map(
        ([club, points], n) =>
          `<tr class="${n < 2 ? 'top' : ''}"><td><a href="/c/${n}">${club}</a></td><td>${points}</td></tr>`,
      )
      .join('')}</tbody></table>`
  const rows = [
    ['Herons', 25],
    ['Foxes', 22],
    ['Comets', 19],
    ['Hares', 13],
  ] as const
  const clubs = rows.map(([club, points], n) => ({ club, points, link: `https://boats.example/c/${n}` }))

  it('are all read from the first two, not only those with their class', () => {
    const { program } = learn(table(rows), { clubs: clubs.slice(0, 2) })
    expect(read(table(rows), program).value).toEqual({ clubs })
  })

  it('report a field that none of them has any more', () => {
    const list = (hasPoints: boolean) =>
      `<main>${rows.map(([club, points], n) => `<div class="row"><b class="club">${club}</b><i class="town">Town ${n}</i><u class="coach">Coach ${n}</u>${hasPoints ? `<s-p class="points">${points}</s-p>` : ''}</div>`).join('')}</main>`
    const taught = rows.map(([club, points], n) => ({ club, points, town: `Town ${n}`, coach: `Coach ${n}` }))
    const { program } = learn(list(true), { clubs: taught.slice(0, 2) })
    const { value, fields } = read(list(false), program)
    expect(value).toEqual({ clubs: taught.map((one) => ({ ...one, points: null })) })
    expect(fields).toMatchObject({ clubs: { by: 'element' }, 'clubs.points': { by: null } })
  })

  it('may be the whole value', () => {
    const { program } = learn(table(rows), clubs.slice(0, 2))
    expect(read(table(rows), program).value).toEqual(clubs)
  })
})

describe('records without an element of their own', () => {
  const boats = [
    { name: 'Petrel', yard: 'Halden Yard', price: 12.5 },
    { name: 'Fulmar of the North', yard: 'Oskarsson & Sons', price: 1299 },
    { name: 'Tern', yard: 'Halden Yard', price: 8 },
    { name: 'Gannet', yard: 'Port Lane', price: 64 },
  ]
  type Boat = (typeof boats)[number]
  const menu = '<ul><li><a href="/">Start</a></li><li><a href="/all">All boats</a></li></ul>'
  const frame = (inner: string) => `<html><body>${menu}<main>${inner}</main></body></html>`
  const layouts: Record<string, (boat: Boat, n: number) => string> = {
    'headings and paragraphs': ({ name, yard, price }, n) =>
      `<h2>${name}</h2><p>Built by <em>${yard}</em></p>${n % 2 ? '<p>Sold soon.</p>' : ''}<p>$${price}</p>`,
    'definition lists': ({ name, yard, price }) => `<dt>${name}</dt><dd>${yard}</dd><dd>$${price}</dd>`,
    'labelled definitions': ({ name, yard, price }, n) =>
      `<dt>Name</dt><dd>${name}</dd><dt>Yard</dt><dd>${yard}</dd>${n === 2 ? '<dt>Note</dt><dd>New</dd>' : ''}<dt>Price</dt><dd>$${price}</dd>`,
    'lines of text': ({ name, yard, price }) => `<a href="/b">${name}</a> by ${yard}, $${price}<br>`,
    'two rows each': ({ name, yard, price }) =>
      `<tr class="head"><td>${name}</td><td></td></tr><tr><td>${yard}</td><td>$${price}</td></tr><tr class="gap"></tr>`,
    'several in a row': ({ name, yard, price }, n) =>
      `${n % 2 ? '' : '<tr>'}<td><b>${name}</b><br>${yard}<br>$${price}</td>${n % 2 ? '</tr>' : ''}`,
    'cells that span rows': ({ name, yard, price }, n) =>
      `<tr>${n % 2 ? '' : '<td rowspan="2">Pier</td>'}<td>${name}</td><td>${yard}</td><td>$${price}</td></tr>`,
    'a price before a sale': ({ name, yard, price }, n) =>
      `<div class="boat"><b>${name}</b><i>${yard}</i><p>${n ? `<del>$${price + 5}</del> ` : ''}$${price}</p></div>`,
  }
  const wrap: Record<string, [string, string]> = {
    'definition lists': ['<dl>', '</dl>'],
    'labelled definitions': ['<dl>', '</dl>'],
    'lines of text': ['<p>', '</p>'],
    'two rows each': ['<table>', '</table>'],
    'several in a row': ['<table>', '</table>'],
    'cells that span rows': ['<table>', '</table>'],
  }
  for (const [layout, write] of Object.entries(layouts))
    for (const count of [1, 2])
      it(`reads ${layout} from ${count} taught`, () => {
        const [open = '', close = ''] = wrap[layout] ?? []
        const html = (all: readonly Boat[]) => frame(open + all.map(write).join('') + close)
        const { program, notFound } = learn(html(boats), { boats: boats.slice(0, count) })
        expect(notFound).toEqual([])
        expect(read(html(boats), program).value).toEqual({ boats })
        const others = [...boats].reverse()
        expect(read(html(others), program).value).toEqual({ boats: others })
      })

  it('reads no other text of a record for a missing part', () => {
    const card = ({ name, price }: Boat, n: number) =>
      `<div class="card"><div class="picture"></div><p class="name">${name}</p>${n === 2 ? '' : `<div class="stars">★ 4,${n}</div>`}<p class="price">$${price}</p></div>`
    const html = frame(`<div class="grid">${boats.map(card).join('')}</div>`)
    const records = boats.map(({ name, price }, n) => ({ name, price, stars: n === 2 ? null : 4 + n / 10 }))
    const { program } = learn(html, { boats: records.slice(0, 2) })
    expect(read(html, program).value).toEqual({ boats: records })
  })

  it('leaves a part that a record does not have empty', () => {
    const write = ({ name, yard }: Boat, n: number) =>
      `<li class="boat"><h4>${name}</h4>${n === 1 ? '' : `<p>${yard}</p>`}<p>5 March 201${n}</p></li>`
    const taught = boats.map(({ name, yard }, n) => ({ name, yard, built: `201${n}-03-05` }))
    const { program } = learn(frame(boats.map(write).join('')), { boats: taught.slice(0, 1) })
    const { value } = read(frame(boats.map(write).join('')), program)
    expect(value).toEqual({ boats: taught.map((one, n) => (n === 1 ? { ...one, yard: null } : one)) })
  })
})

describe('records of a kind that is hard to read', () => {
  const list = (cards: readonly string[]) =>
    `<html><body><main><h1>Boats</h1>${cards.map((one) => `<div class="card">${one}</div>`).join('')}</main></body></html>`
  const boatsIn = (html: string, count: number, boats: readonly object[]) =>
    (read(html, learn(html, { boats: boats.slice(0, count) }).program).value as { boats: unknown }).boats

  it('reads a yes-or-no from a badge that some records have', () => {
    const boats = ['Petrel', 'Tern', 'Gull', 'Heron', 'Coot'].map((name, n) => ({
      name,
      crew: n + 2,
      sold: n % 2 === 1,
    }))
    const cards = boats.map(
      ({ name, crew, sold }, n) =>
        `<b class="name">${name}</b><i class="crew">${crew}</i>${sold ? '<span class="flag">Gone</span>' : ''}<em>Note ${n}</em>`,
    )
    expect(boatsIn(list(cards), 2, boats)).toEqual(boats)
    const classes = boats.map(
      ({ name, sold }) => `<b class="name">${name}</b><i class="dot ${sold ? 'off' : 'on'}"></i>`,
    )
    expect(boatsIn(list(classes), 2, boats)).toEqual(boats.map(({ name, sold }) => ({ name, sold })))
  })

  it('learns a yes-or-no from one answer only by its name', () => {
    const boats = ['Petrel', 'Tern', 'Gull', 'Heron', 'Coot'].map((name, n) => ({ name, isNew: n > 2, free: n > 2 }))
    const cards = boats.map(
      ({ name, isNew }) => `<b class="name">${name}</b>${isNew ? '<span>new</span>' : ''}<i>Pier</i>`,
    )
    const { program, notFound } = learn(list(cards), { boats: boats.slice(0, 2) })
    expect(notFound).toEqual(['boats.free'])
    expect(read(list(cards), program).value).toEqual({ boats: boats.map(({ name, isNew }) => ({ name, isNew })) })
  })

  it('gives no sign on a page that is built in another way', () => {
    const boats = ['Petrel', 'Tern', 'Gull'].map((name, n) => ({ name, sold: n === 1 }))
    const cards = boats.map(({ name, sold }) => `<b class="name">${name}</b>${sold ? '<i class="sold"></i>' : ''}`)
    const { program } = learn(list(cards), { boats: boats.slice(0, 2) })
    const other = list(cards).replaceAll('class="card"', '').replaceAll('class="sold"', 'class="gone"')
    const { value } = read(other.replaceAll('<div >', '<div><hr>'), { ...program, marks: ['.card', '.boats'] })
    expect(JSON.stringify(value)).not.toContain('false')
  })

  it('reads what stands above the records of a group', () => {
    const days = { 'Monday 4': ['Petrel', 'Tern', 'Gull'], 'Tuesday 5': ['Heron', 'Coot'] }
    const html = `<main>${Object.entries(days)
      .map(
        ([day, names], k) =>
          `<section><h2>${day}</h2>${names.map((name, n) => `<p><b>${name}</b> <i>${9 + n + k}:00</i></p>`).join('')}</section>`,
      )
      .join('')}</main>`
    const boats = Object.entries(days).flatMap(([day, names], k) =>
      names.map((name, n) => ({ name, time: `${9 + n + k}:00`.padStart(5, '0'), day })),
    )
    expect(boatsIn(html, 2, boats)).toEqual(boats)
  })

  it('reads no value where a taught record has a text and no value', () => {
    const boats = ['Petrel', 'Tern', 'Gull', 'Heron'].map((name, n) => ({
      name,
      yard: n % 2 ? null : `Yard ${name}`,
      crew: n + 2,
    }))
    const cards = boats.map(
      ({ name, yard, crew }) =>
        `<b class="name">${name}</b><i class="yard">${yard ?? 'not known'}</i><u class="crew">${crew}</u>`,
    )
    expect(boatsIn(list(cards), 2, boats)).toEqual(boats)
  })

  it('reads a name before a number, and an address of mail behind a word', () => {
    const boats = [
      ['Petrel', 2017],
      ['Tern of Elm', 2019],
      ['Gull', null],
    ].map(([name, year]) => ({ name, year, mail: `${String(name).slice(0, 3)}@boats.example` }))
    const cards = boats.map(
      ({ name, year, mail }) =>
        `<b class="name">${name} ${year ?? ''}</b> <a href="mailto:${mail}?subject=Boat">Write</a>`,
    )
    expect(boatsIn(list(cards), 2, boats)).toEqual(boats)
  })

  it('tells equal parts by their units, icons and classes, and reads none for another', () => {
    const boats = ['Petrel', 'Tern', 'Gull', 'Heron', 'Coot'].map((name, n) => ({
      name,
      length: n === 2 ? null : 20 + n,
      crew: n === 3 ? null : n + 2,
      beds: n === 1 ? null : n + 1,
      yard: n === 4 ? null : `Yard ${name}`,
    }))
    const cards = boats.map(({ name, length, crew, beds, yard }) =>
      [
        `<h3>${name}</h3>`,
        yard && `<p class="_3yrd">${yard}</p>`,
        `<p class="_3nte">Note on ${name}</p>`,
        length && `<i>${length} feet</i>`,
        crew && `<i>${crew} persons</i>`,
        beds && `<i><s class="fa fa-bed"></s> ${beds}</i>`,
      ].join(''),
    )
    expect(boatsIn(list(cards.map((one) => one.replaceAll('null', ''))), 1, boats)).toEqual(boats)
  })

  it('reads a text without the badge beside it', () => {
    const boats = ['Petrel', 'Tern', 'Gull', 'Heron'].map((name, n) => ({ name, crew: n + 2 }))
    const cards = boats.map(
      ({ name, crew }, n) => `<h3>${name}${n > 1 ? ' <span class="new">New</span>' : ''}</h3><i>${crew}</i>`,
    )
    expect(boatsIn(list(cards), 2, boats)).toEqual(boats)
  })

  it('takes no advert and no box beside the list for a record, whatever form they have', () => {
    const boats = ['Petrel', 'Tern', 'Gull', 'Heron'].map((name, n) => ({
      name,
      crew: n + 2,
      yard: `Y ${n}`,
      year: 2000 + n,
    }))
    const card = ({ name, crew, yard, year }: (typeof boats)[number]) =>
      `<div data-boat="${crew}00"><h3>${name}</h3><i>${crew} persons</i><b>${yard}</b><u>${year}</u></div>`
    const advert = '<div data-boat="900"><h3>Our fair opens</h3></div>'
    const [first, ...others] = boats.map(card)
    const html = `<main>${first}${advert}${others.join('')}</main><aside><section>${card(boats[2]!)}</section></aside>`
    expect(boatsIn(html, 2, boats)).toEqual(boats)
  })
})

describe('a record without one of its parts', () => {
  const card = (name: string, language: string, updated: string) =>
    `<li class="repo"><h3>${name}</h3><p class="about">Works of ${name}</p><p class="row">${language && `<span class="cell" itemprop="language">${language}</span>`}<span class="cell">${updated}</span></p></li>`
  const cards = [
    ['Petrel', 'Rust', 'Monday'],
    ['Fulmar', 'Ada', 'Friday'],
    ['Gannet', '', 'Sunday'],
    ['Tern', 'C', 'Monday'],
  ]
  const html = `<main><ul>${cards.map(([name = '', language = '', updated = '']) => card(name, language, updated)).join('')}</ul></main>`

  it('has no value for it, where the others name it', () => {
    const taught = cards.slice(0, 2).map(([name, language]) => ({ name, language, about: `Works of ${name}` }))
    const { program } = learn(html, { repos: taught })
    expect(read(html, program).value).toMatchObject({
      repos: [{ language: 'Rust' }, { language: 'Ada' }, { name: 'Gannet', language: null }, { language: 'C' }],
    })
  })

  it('is none, where all that it has is its text', () => {
    const entry = (name: string) => `<p><a href="/${name}">${name}</a> builds boats for rivers and lakes.</p>`
    const boxed = (texts: readonly string[]) => `<div class="column">${texts.join('')}</div>`
    const filters = boxed(['<p>All</p>', '<p>For rivers</p>', '<p>For lakes</p>'])
    const page = `<main><h1>Boatyards</h1>${filters}${boxed(['Petrel', 'Fulmar', 'Gannet'].map(entry))}</main>`
    const yards = ['Petrel', 'Fulmar'].map((name) => ({ name, text: `${name} builds boats for rivers and lakes.` }))
    const { program } = learn(page, { yards })
    expect((read(page, program).value as { yards: unknown[] }).yards).toHaveLength(3)
  })

  it('beside others is one, though all that it has is its text', () => {
    const lines = ['Fix: Anchor holds', 'Tiller turns', 'Fix: Mast stands', 'Oars float'].map((line) => {
      const [tag, rest] = line.includes(':') ? line.split(': ') : ['', line]
      return `<li>${tag && `<b class="tag">${tag}</b> `}${rest}</li>`
    })
    const page = `<main><h1>Changes</h1><ul class="log">${lines.join('')}</ul></main>`
    const taught = [
      { entry: 'Fix Anchor holds', tag: 'Fix' },
      { entry: 'Tiller turns', tag: null },
    ]
    const { program } = learn(page, { log: taught })
    expect((read(page, program).value as { log: unknown[] }).log).toHaveLength(4)
  })

  it('has a value that another layout gives it', () => {
    const card = (name: string, layout: string, price: number) =>
      `<li class="card"><h3>${name}</h3><p class="about">About ${name}</p><b class="${layout}">$${price}</b></li>`
    const cards = Array.from({ length: 12 }, (_, n) =>
      card(`Boat ${n}`, n % 12 < 7 ? 'regular-price' : 'sale-price', 10 + n),
    )
    const page = `<main><h1>Boats</h1><ul>${cards.join('')}</ul></main>`
    const taught = [0, 7].map((n) => ({ name: `Boat ${n}`, price: 10 + n, about: `About Boat ${n}` }))
    const { program } = learn(page, { boats: taught })
    const { boats } = read(page, program).value as { boats: { price: number | null }[] }
    expect(boats.map(({ price }) => price)).toEqual(cards.map((_, n) => 10 + n))
  })
})

describe('lists', () => {
  const steps = [
    'Plane every plank by hand until its edges meet along their whole length.',
    'Bend the ribs in steam, and clamp them to the mould while they are hot.',
  ]
  const more = [
    'Caulk each seam with cotton, working from the keel up to the rail.',
    'Paint the hull twice, and leave it to dry for a day between the coats.',
  ]
  const group = (name: string, items: readonly string[]) =>
    `<section><h4>${name}</h4><ol>${items.map((one) => `<li class="step">${one}</li>`).join('')}</ol></section>`
  const jsonLd = (data: object) =>
    `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...data })}</script>`

  it('have their headings, though the taught page had data and none', () => {
    const build = (name: string, groups: readonly (readonly [string, readonly string[]])[]) => {
      const texts = groups.flatMap(([, items]) => items)
      const data = jsonLd({ '@type': 'HowTo', name, step: texts.map((text) => ({ '@type': 'HowToStep', text })) })
      return `<html><head>${groups.length > 1 ? '' : data}</head><body><h1>${name}</h1><div class="steps">${groups.map(([name, items]) => group(name, items)).join('')}</div></body></html>`
    }
    const { program } = learn(build('Dory', [['', [...steps, ...more]]]), { name: 'Dory', steps: [...steps, ...more] })
    const other = build('Punt', [
      ['Bottom', more],
      ['Sides', steps],
    ])
    expect(read(other, program).value).toEqual({ name: 'Punt', steps: ['Bottom', ...more, 'Sides', ...steps] })
  })

  it('do not take the caption of each item for a heading', () => {
    const build = (name: string, captions: readonly string[], items: readonly string[]) => {
      const step = (one: string, at: number) =>
        `${captions[at] ? `<span class="by">${captions[at]}</span>` : ''}<p class="step">${one}</p>`
      return `<h1>${name}</h1><div class="steps">${items.map(step).join('')}</div>`
    }
    const { program } = learn(build('Dory', [], [...steps, ...more]), { name: 'Dory', steps: [...steps, ...more] })
    const other = build('Punt', ['Ann Lee at noon', 'Bo Hill in the evening'], more)
    expect(read(other, program).value).toEqual({ name: 'Punt', steps: more })
  })

  it('of short parts do not take the headings between them for items', () => {
    const parts = (names: readonly string[]) =>
      names.map((name) => `2 sheets of marine plywood, sanded on both sides, for the ${name}`)
    const build = (name: string, groups: readonly (readonly [string, readonly string[]])[]) =>
      `<h1>${name}</h1><div class="parts">${groups.map(([name, items]) => `${name && `<h4>${name}</h4>`}<ul>${items.map((one) => `<li class="part">${one}</li>`).join('')}</ul>`).join('')}</div>`
    const { program } = learn(build('Dory', [['', parts(['hull', 'deck', 'thwarts'])]]), {
      name: 'Dory',
      parts: parts(['hull', 'deck', 'thwarts']),
    })
    const other = build('Punt', [
      ['Hull', parts(['bottom', 'sides'])],
      ['Inside', parts(['seats'])],
    ])
    expect(read(other, program).value).toEqual({ name: 'Punt', parts: parts(['bottom', 'sides', 'seats']) })
  })

  it('are read from the place that has the signs of the taught items', () => {
    const build = (items: readonly string[]) =>
      `${jsonLd({ '@type': 'Kit', name: 'Kit', parts: items.map((one) => one.replace(/, (.*)$/, ' (, $1)')) })}<h1>Kit</h1><ul class="parts">${items.map((one) => `<li class="part">${one}</li>`).join('')}</ul>`
    const taught = ['2 oars, of ash', '1 anchor, galvanised', '4 cleats, of brass']
    const { program } = learn(build(taught), { name: 'Kit', parts: taught })
    const others = ['1 rudder, of oak', '3 thwarts, of pine']
    expect(read(build(others), program).value).toEqual({ name: 'Kit', parts: others })
  })
})

it('prefers the place that the page names as the field, however many others had the same value', () => {
  const build = (total: number, work: number) =>
    `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'HowTo', name: 'Splice', totalTime: `PT${total}M`, prepTime: `PT${work}M` })}</script>
    <h1>Splice</h1><dl><dt>Total time</dt><dd class="total-time">${total} minutes</dd><dt>Work</dt><dd class="work">${work} minutes</dd></dl>`
  const schema = { properties: { total_time: { type: 'number', description: 'minutes' } } }
  const { program } = learn(build(5, 5), { name: 'Splice', total_time: 5 }, schema)
  expect(read(build(45, 15), program).value).toEqual({ name: 'Splice', total_time: 45 })
})
