// Sites that change in five ways: a program is healed by pages that it had read before, or gives null.
import { expect, it } from 'vitest'
import { parseTree } from '../../content/parse-tree.ts'
import { healProgram } from './heal-program.ts'
import { indexPage } from './index-page.ts'
import { learnProgram } from './rank-ways.ts'
import { readWithProgram } from './read-with-program.ts'

const page = (html: string) =>
  indexPage({ tree: parseTree(html).tree, base: 'https://boats.example/p/1', metadata: { language: 'en' } })

interface Boat {
  name: string
  maker: string
  price: number
  crew: number
  built: string
  about: string
  parts: string[]
}

const pick = <One>(all: readonly One[], n: number): One => all[n % all.length]!
const NAMES = ['Petrel', 'Fulmar', 'Tern', 'Gannet', 'Heron', 'Curlew', 'Plover']
const MAKERS = ['Halden Yard', 'Oskarsson & Sons', 'Port Lane Works', 'Brandt Marine', 'Elm Quay']
const PARTS = ['Anchor', 'Tiller', 'Two sails', 'Oars', 'Plotter', 'Galley', 'Cover', 'Spray hood']
const WHERE = ['lakes', 'the open sea', 'rivers', 'long summers', 'small crews']

const boatOf = (site: number, n: number): Boat => ({
  name: `${pick(NAMES, site + n * 3)} ${19 + ((site * 7 + n * 5) % 40)}`,
  maker: pick(MAKERS, site + n * 2),
  price: 1000 + ((site * 7919 + n * 3571) % 90_000),
  crew: 2 + ((site + n * 3) % 9),
  built: `20${10 + ((site + n) % 10)}-0${1 + ((site + n * 2) % 9)}-1${(site + n * 3) % 9}`,
  about: `A boat for ${pick(WHERE, site + n)}, which ${pick(MAKERS, site + n * 2)} built with care in year ${n + 1}.`,
  parts: [0, 1, 2, n % 2 ? 3 : 0].filter((one, at) => one === at).map((one) => pick(PARTS, site + n + one * 3)),
})

interface Look {
  classes: readonly string[]
  labels: readonly string[]
  /** Order of the blocks. */
  order: readonly number[]
  dropped: readonly (keyof Boat)[]
  layout: number
}

const FACTS = ['maker', 'price', 'crew', 'built'] as const
const LABELS = [
  ['Maker', 'Price', 'Crew', 'Built'],
  ['Built by', 'Cost', 'Persons on board', 'Launched'],
]
const CLASSES = [
  ['boat', 'boat-title', 'facts', 'fact-value', 'about-text', 'equipment', 'teaser'],
  ['vessel', 'headline', 'details', 'entry', 'summary', 'fittings', 'related'],
]
const money = (site: number, price: number) => (site % 3 ? `$${price.toLocaleString('en-US')}` : `${price} USD`)

function draw(site: number, boat: Boat, look: Look): string {
  const [main, title, facts, value, about, parts, teaser] = look.classes.map(
    (one) => `${one}${site % 4 ? '' : `-${site}`}`,
  )
  const said = { ...boat, price: money(site, boat.price) }
  const shown = FACTS.map((name, n) => ({ name, label: look.labels[n]!, text: said[name] })).filter(
    ({ name }) => !look.dropped.includes(name),
  )
  const layouts = [
    () =>
      `<dl class="${facts}">${shown.map(({ label, text }) => `<dt>${label}</dt><dd class="${value}">${text}</dd>`).join('')}</dl>`,
    () =>
      `<table class="${facts}">${shown.map(({ label, text }) => `<tr><th>${label}</th><td>${text}</td></tr>`).join('')}</table>`,
    () =>
      `<div class="${facts}">${shown.map(({ name, text }) => `<p class="${look.classes[3]}-${name}">${text}</p>`).join('')}</div>`,
    () => `<ul class="${facts}">${shown.map(({ label, text }) => `<li><b>${label}:</b> ${text}</li>`).join('')}</ul>`,
  ]
  const blocks = [
    `<h1 class="${title}">${boat.name}</h1>`,
    layouts[look.layout % 4]!(),
    look.dropped.includes('about') ? '' : `<p class="${about}">${boat.about}</p>`,
    look.dropped.includes('parts')
      ? ''
      : `<ul class="${parts}">${boat.parts.map((one) => `<li>${one}</li>`).join('')}</ul>`,
    `<aside class="${teaser}"><p>Also seen</p><a href="/p/8">${pick(NAMES, site + 1)} 77</a> <span>${money(site, 5 + site)}</span> <span>${boat.crew + 1} visitors</span></aside>`,
  ]
  return `<html lang="en"><body><nav><ul><li><a href="/">Start</a></li><li><a href="/all">All boats</a></li></ul></nav>
    <main class="${main}">${look.order.map((n) => blocks[n]).join('\n')}</main><footer><p>Harbour 4</p></footer></body></html>`
}

const CHANGES: Readonly<Record<string, (look: Look, site: number) => Look>> = {
  'classes renamed': (look) => ({ ...look, classes: CLASSES[1]! }),
  'blocks moved': (look, site) => ({
    ...look,
    order: pick(
      [
        [4, 1, 0, 3, 2],
        [2, 3, 4, 0, 1],
        [0, 4, 3, 1, 2],
      ],
      site,
    ),
  }),
  'labels reworded': (look) => ({ ...look, labels: LABELS[1]! }),
  'fields dropped': (look, site) => ({
    ...look,
    dropped: [pick(FACTS, site), pick(['about', 'parts'] as const, site)],
  }),
  'laid out anew': (look) => ({ ...look, classes: CLASSES[1]!, order: [0, 2, 1, 3, 4], layout: look.layout + 1 }),
}

/** Twenty give the same figures, in more time. */
const SITES = 8
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

it('heals what a change broke, and is never wrong', () => {
  const sum = { broken: 0, healed: 0, read: 0, wrong: 0 }
  const faults: string[] = []
  for (let site = 0; site < SITES; site++) {
    const look: Look = { classes: CLASSES[0]!, labels: LABELS[0]!, order: [0, 1, 2, 3, 4], dropped: [], layout: site }
    const boats = [0, 1, 2, 3].map((n) => boatOf(site, n))
    const [taught, ...others] = boats
    const { program } = learnProgram([{ page: page(draw(site, taught!, look)), data: taught }])
    for (const [change, apply] of Object.entries(CHANGES)) {
      const changed = apply(look, site)
      const pages = boats.map((boat) => page(draw(site, boat, changed)))
      // Before the change the program read two pages.
      const known = others.slice(0, 2).map((boat, n) => ({
        page: pages[n + 1]!,
        data: readWithProgram(page(draw(site, boat, look)), program).value,
      }))
      const healed = healProgram(program, known)
      const last = others[2]!
      const [before, after] = [program, healed.program].map((one) => readWithProgram(pages[3]!, one).value ?? {})
      for (const name of Object.keys(last) as (keyof Boat)[]) {
        const truth = changed.dropped.includes(name) ? null : last[name]
        for (const [when, values] of [
          ['before', before],
          ['after', after],
        ] as const) {
          const value = (values as Partial<Boat>)[name] ?? null
          sum.read += 1
          if (value === null || isSame(value, truth)) continue
          sum.wrong += 1
          faults.push(`${site} ${change} ${when} ${name}: ${JSON.stringify(value)}, not ${JSON.stringify(truth)}`)
        }
        const [old, now] = [before, after].map((values) => isSame((values as Partial<Boat>)[name] ?? null, truth))
        if (truth === null || old) continue
        sum.broken += 1
        if (now) sum.healed += 1
        else faults.push(`${site} ${change} ${name} lost`)
      }
    }
  }
  const told = [JSON.stringify(sum), ...faults].join('\n')
  expect(sum.broken, told).toBeGreaterThan(40)
  expect(sum.healed / sum.broken, told).toBeGreaterThanOrEqual(0.7)
  expect(sum.wrong / sum.read, told).toBeLessThanOrEqual(0.01)
})

it('heals the fields of records that are still there, also where a value changed', () => {
  const list = (boats: readonly Boat[], isNew: boolean) =>
    page(
      `<html><body><main>${boats
        .map(({ name, maker, price, crew }) =>
          isNew
            ? `<section class="vessel"><h4>${name}</h4><p class="yard">${maker}</p><p class="cost">$${price}</p></section>`
            : `<div class="boat"><b class="name">${name}</b><i class="maker">${maker}</i><u class="price">$${price}</u><u class="crew">${crew} persons</u></div>`,
        )
        .join('')}</main></body></html>`,
    )
  const pages = [0, 1, 2].map((site) => [1, 2, 3, 4, 5].map((n) => boatOf(site, n)))
  const valuesOf = (all: readonly Boat[]) => all.map(({ name, maker, price, crew }) => ({ name, maker, price, crew }))
  const { program } = learnProgram([{ page: list(pages[0]!, false), data: { boats: valuesOf(pages[0]!).slice(0, 2) } }])
  const known = pages.map((all) => ({ data: { boats: valuesOf(all) } }))
  pages[2]![0]!.price += 7
  const healed = healProgram(
    program,
    known.map(({ data }, n) => ({ page: list(pages[n]!, true), data })),
  )
  expect(healed).toMatchObject({ healed: expect.arrayContaining(['boats', 'boats.price']), notFound: ['boats.crew'] })
  const others = [6, 7, 8].map((n) => boatOf(4, n))
  expect(readWithProgram(list(others, true), healed.program).value).toEqual({
    boats: valuesOf(others).map((one) => ({ ...one, crew: null })),
  })
})
