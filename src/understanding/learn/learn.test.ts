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

  it('reads another page, converted as the example showed', () => {
    const other = article('Fulmar', { Crew: '4', Sail: '1 h 20', Price: '38.900,50 €', Built: '17 May 2021' }, [
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

  it('gives no values on a page of another template', () => {
    const other = '<html><body><main><h1>Harbour rules</h1><p>Keep left of the pier.</p></main></body></html>'
    expect(read(other, program)).toMatchObject({ value: null, fields: { name: { by: null } } })
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

  it('may be the whole value', () => {
    const { program } = learn(table(rows), clubs.slice(0, 2))
    expect(read(table(rows), program).value).toEqual(clubs)
  })
})
