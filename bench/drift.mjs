// Extractors on generated sites that change: how many fields are read again, reported as gone, or read wrongly.
//
//   node bench/drift.mjs [--sites 40] [--seed 1] [--show healed|wrong|untold|before]
//
// Each site has product pages or a list, in a style of its own. One page is taught, some are read, then the site changes
// in one of the ways of CHANGES, and the extractor is watched and healed as the service does it. The values of a third of
// the known pages change too.
import { parseArgs } from 'node:util'
import { openModules } from '../scripts/typescript-modules.mjs'

const { values: given } = parseArgs({
  options: {
    sites: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '' },
  },
})

// --- what the sites say ----------------------------------------------------------------------------------------------

/** Mulberry32: the same sites for the same seed. */
function randomOf(seed) {
  let state = (seed * 2654435761) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (count) => Math.floor(next() * count)
  return {
    below,
    pick: (all) => all[below(all.length)],
    chance: (share) => next() < share,
    shuffle: (all) =>
      all
        .map((one) => [next(), one])
        .sort((a, b) => a[0] - b[0])
        .map(([, one]) => one),
  }
}

const FIRST =
  'Amber Birch Cedar Delta Ember Fjord Grove Harbour Indigo Juniper Kestrel Linden Maple North Opal Prairie'.split(' ')
const SECOND = 'Lamp Kettle Chair Basket Clock Mirror Blanket Shelf Bottle Pan Table Drawer Rug Vase Bench Stool'.split(
  ' ',
)
const MAKERS = [
  'Halden Works',
  'Oskarsson & Sons',
  'Port Lane',
  'Brandt',
  'Elm Quay Studio',
  'Tiller Bros.',
  'Mara Lund',
]
const PLACES = ['Bergen', 'Porto', 'Leeds', 'Graz', 'Ghent', 'Turku', 'Lyon', 'Cork']
const TAGS = 'oak steel cotton glass handmade recycled outdoor compact folding bright soft heavy'.split(' ')
const MONTHS = 'January February March April May June July August September October November December'.split(' ')

function itemOf(random, id) {
  const [first, second] = [random.pick(FIRST), random.pick(SECOND)]
  const built = { year: 2015 + random.below(10), month: 1 + random.below(12), day: 1 + random.below(28) }
  return {
    title: `${first} ${second} ${10 + random.below(90)}`,
    maker: random.pick(MAKERS),
    price: 5 + random.below(900) + 0.01 * random.below(100),
    code: `${second.slice(0, 2).toUpperCase()}-${1000 + random.below(9000)}`,
    place: random.pick(PLACES),
    rating: 1 + random.below(40) / 10,
    added: `${built.year}-${String(built.month).padStart(2, '0')}-${String(built.day).padStart(2, '0')}`,
    about: `A ${random.pick(TAGS)} ${second.toLowerCase()} from ${random.pick(PLACES)}, made by ${random.pick(MAKERS)} for rooms with ${random.pick(TAGS)} ${random.pick(SECOND).toLowerCase()}s.`,
    tags: random.shuffle(TAGS).slice(0, 2 + random.below(4)),
    link: `https://shop.example/p/${id}`,
    isNew: random.chance(0.4),
  }
}

const FACTS = ['maker', 'price', 'code', 'place', 'rating', 'added']
const LABELS = [
  { maker: 'Maker', price: 'Price', code: 'Item no.', place: 'Location', rating: 'Rating', added: 'Added' },
  { maker: 'Made by', price: 'Our price', code: 'SKU', place: 'Ships from', rating: 'Stars', added: 'Listed on' },
]
const NAMES = [
  {
    card: 'card',
    title: 'card-title',
    list: 'facts',
    value: 'value',
    about: 'summary',
    tags: 'tags',
    badge: 'badge-new',
  },
  {
    card: 'product',
    title: 'product__name',
    list: 'product__data',
    value: 'product__field',
    about: 'product__text',
    tags: 'chips',
    badge: 'flag--new',
  },
  {
    card: 'Tile_root__x3Yq1',
    title: 'Tile_name__Ab9Zk',
    list: 'Tile_meta__kk2P0',
    value: 'Tile_field__q8Wz2',
    about: 'Tile_copy__L0o1x',
    tags: 'Tile_tags__ppW31',
    badge: 'Tile_fresh__0aZz9',
  },
  {
    card: 'sc-a1b2c3',
    title: 'sc-d4e5f6',
    list: 'sc-g7h8i9',
    value: 'sc-j0k1l2',
    about: 'sc-m3n4o5',
    tags: 'sc-p6q7r8',
    badge: 'sc-s9t0u1',
  },
  { card: 'item', title: 'heading', list: 'details', value: 'detail', about: 'text', tags: 'labels', badge: 'recent' },
]

// --- how they say it -------------------------------------------------------------------------------------------------

const styleOf = (random) => ({
  names: random.pick(NAMES),
  labels: LABELS[random.below(2)],
  layout: random.below(5),
  order: random.shuffle(['title', 'facts', 'about', 'tags']),
  facts: random.shuffle(FACTS),
  titleTag: random.pick(['h1', 'h2', 'h3', 'div']),
  money: random.below(3),
  dates: random.below(2),
  wrap: random.below(3),
  hasData: random.chance(0.25),
  dropped: [],
  decoys: [],
})

const CHANGES = {
  'classes renamed': (style, random) => ({ ...style, names: random.pick(NAMES.filter((one) => one !== style.names)) }),
  'blocks moved': (style, random) => ({
    ...style,
    order: random.shuffle(style.order),
    facts: random.shuffle(style.facts),
    wrap: 2 - style.wrap,
  }),
  'labels reworded': (style) => ({ ...style, labels: LABELS.find((one) => one !== style.labels) }),
  'markup changed': (style, random) => ({
    ...style,
    layout: (style.layout + 1 + random.below(4)) % 5,
    titleTag: random.pick(['h1', 'h2', 'h4', 'p']),
  }),
  'fields dropped': (style, random) => ({ ...style, dropped: random.shuffle(FACTS).slice(0, 1 + random.below(2)) }),
  'fields dropped, others like them added': (style, random) => {
    const dropped = random.shuffle(FACTS).slice(0, 1)
    return { ...style, dropped, decoys: dropped }
  },
  'others like the fields added': (style, random) => ({ ...style, decoys: random.shuffle(FACTS).slice(0, 2) }),
  'data removed': (style, random) => ({ ...style, hasData: false, facts: random.shuffle(style.facts) }),
}
const change = (name) => CHANGES[name]
CHANGES['all at once'] = (style, random) =>
  ['classes renamed', 'blocks moved', 'labels reworded', 'markup changed'].reduce(
    (made, name) => change(name)(made, random),
    style,
  )
CHANGES['all at once, fields dropped'] = (style, random) =>
  change('fields dropped')(change('all at once')(style, random), random)

const money = ({ money: form }, value) =>
  [`$${value.toFixed(2)}`, `${value.toFixed(2).replace('.', ',')} €`, `EUR ${value.toFixed(2)}`][form]
function date({ dates }, iso) {
  const [year, month, day] = iso.split('-').map(Number)
  return dates ? iso : `${day} ${MONTHS[month - 1]} ${year}`
}
const sayFact = (style, item, name) =>
  name === 'price'
    ? money(style, item.price)
    : name === 'added'
      ? date(style, item.added)
      : name === 'rating'
        ? item.rating.toFixed(1)
        : item[name]

function factsOf(style, item, other) {
  const { names, layout, labels } = style
  const rows = style.facts
    .filter((name) => !style.dropped.includes(name))
    .map((name) => ({ name, label: labels[name], text: sayFact(style, item, name) }))
  for (const name of style.decoys)
    rows.splice(rows.length / 2, 0, {
      name: `other-${name}`,
      label: `${labels[name]} elsewhere`,
      text: sayFact(style, other, name),
    })
  const write = [
    ({ label, text }) => `<dt>${label}</dt><dd class="${names.value}">${text}</dd>`,
    ({ label, text }) => `<tr><th>${label}</th><td>${text}</td></tr>`,
    ({ name, text }) => `<p class="${names.value}-${name}">${text}</p>`,
    ({ label, text }) => `<li><b>${label}:</b> ${text}</li>`,
    ({ label, text }) => `<div class="${names.value}"><span>${label}</span><span>${text}</span></div>`,
  ][layout]
  const tag = ['dl', 'table', 'div', 'ul', 'div'][layout]
  return `<${tag} class="${names.list}">${rows.map(write).join('')}</${tag}>`
}

function partsOf(style, item, other, isCard) {
  const { names, titleTag } = style
  const title = isCard ? `<a href="${new URL(item.link).pathname}">${item.title}</a>` : item.title
  const parts = {
    title: `<${titleTag} class="${names.title}">${title}</${titleTag}>${item.isNew ? `<span class="${names.badge}">New</span>` : ''}`,
    facts: factsOf(style, item, other),
    about: `<p class="${names.about}">${item.about}</p>`,
    tags: `<ul class="${names.tags}">${item.tags.map((one) => `<li>${one}</li>`).join('')}</ul>`,
  }
  const inner = style.order.map((name) => parts[name]).join('\n')
  return '<div>'.repeat(style.wrap) + inner + '</div>'.repeat(style.wrap)
}

function draw(style, items, others) {
  const isList = items.length > 1
  const [{ price, title, maker }] = items
  const data =
    style.hasData && !isList
      ? `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'Product', name: title, brand: { '@type': 'Brand', name: maker }, ...(style.dropped.includes('price') ? {} : { offers: { '@type': 'Offer', price } }) })}</script>`
      : ''
  const body = isList
    ? `<h1>Everything</h1><div class="${style.names.card}s">${items.map((item, n) => `${n === 3 ? '<div class="promo"><p>Free delivery this week</p></div>' : ''}<article class="${style.names.card}">${partsOf(style, item, others[n], true)}</article>`).join('\n')}</div>`
    : `<article class="${style.names.card}">${partsOf(style, items[0], others[0], false)}</article>
       <aside><h4>Others also saw</h4>${others
         .slice(0, 3)
         .map((one) => `<p><a href="${new URL(one.link).pathname}">${one.title}</a> ${money(style, one.price)}</p>`)
         .join('')}</aside>`
  return `<!doctype html><html lang="en"><head><title>Shop</title>${data}</head><body><header><a href="/">Start</a> <a href="/all">All</a></header><main>${body}</main><footer><p>Opened 4 May 2011. Call 555 1234.</p></footer></body></html>`
}

// --- one site, as the service handles it -----------------------------------------------------------------------------

const modules = await openModules()
const { parsePage } = await modules.load('src/content/parsed-page.ts')
const { indexPage } = await modules.load('src/understanding/learn/index-page.ts')
const { learnProgram } = await modules.load('src/understanding/learn/rank-ways.ts')
const { healProgram } = await modules.load('src/understanding/learn/heal-program.ts')
const { readWithProgram } = await modules.load('src/understanding/learn/read-with-program.ts')
const { watchDrift } = await modules.load('src/capabilities/extractors/watch-drift.ts')
const { emptyStats } = await modules.load('src/capabilities/extractors/store/index.ts')

const CHOICES = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }
const encoder = new TextEncoder()
const indexOf = (html, url) =>
  indexPage(parsePage({ bytes: encoder.encode(html), contentType: 'text/html; charset=utf-8', url }, CHOICES))

const WANTED = ['title', ...FACTS, 'about', 'tags']
const valuesOf = (item, isList) =>
  Object.fromEntries((isList ? ['link', 'isNew', ...WANTED] : WANTED).map((name) => [name, item[name]]))

const PAGES = 14
const total = { fields: 0, healed: 0, values: 0, wrong: 0, gone: 0, told: 0, reported: 0, before: 0, beforeRight: 0 }

/** The service's watcher over variables; `heal` gets what it would heal with. */
function openWatch(program, heal) {
  const state = { version: 1, program, stats: emptyStats(), pages: [], told: new Set() }
  const stored = () => ({ teamId: 't', id: 'x', name: null, ...state })
  const watch = watchDrift({
    log: { warn: (_, text) => console.log(text) },
    get: async () => stored(),
    async setStats(one, stats) {
      if (one.version === state.version) state.stats = stats
    },
    async store(_, page) {
      state.pages = [page, ...state.pages].slice(0, 5)
    },
    async onDrift(_, drift) {
      const { program: made, healed, notFound } = heal(state)
      const isHealed = drift.fields.some((name) => healed.includes(name))
      const lost = isHealed ? drift.fields.filter((name) => notFound.includes(name)) : drift.fields
      for (const name of lost) state.told.add(name)
      if (isHealed)
        Object.assign(state, { version: state.version + 1, program: made, stats: { ...emptyStats(), drifted: lost } })
    },
  })
  return {
    state,
    async read(page, url) {
      const reading = readWithProgram(page, state.program)
      watch.report('t', { id: 'x', name: null, version: state.version }, reading, url, true)
      for (let n = 0; n < 12; n++) await undefined
      return reading
    },
  }
}

const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b)

async function runSite(seed, changeName) {
  const random = randomOf(seed)
  const isList = random.chance(0.5)
  const style = styleOf(random)
  const newStyle = CHANGES[changeName](style, random)
  const pages = Array.from({ length: PAGES }, (_, n) => ({
    url: `https://shop.example/${isList ? 'list' : 'p'}/${n}`,
    items: Array.from({ length: isList ? 8 : 1 }, (_, k) => itemOf(random, n * 100 + k)),
    others: Array.from({ length: 8 }, (_, k) => itemOf(random, n * 100 + 50 + k)),
  }))
  if (isList) for (const [n, item] of pages[0].items.slice(0, 2).entries()) item.isNew = n === 0
  const truth = ({ items }, dropped = []) => {
    const all = items.map((item) => ({
      ...valuesOf(item, isList),
      ...Object.fromEntries(dropped.map((name) => [name, null])),
    }))
    return isList ? { items: all } : all[0]
  }
  const index = (page, look) => indexOf(draw(look, page.items, page.others), page.url)
  const taught = isList ? { items: truth(pages[0]).items.slice(0, 2) } : truth(pages[0])
  const { program } = learnProgram([{ page: index(pages[0], style), data: taught }])
  const { state, read } = openWatch(program, ({ program, pages: known }) => {
    const all = [...known, { url: pages[0].url, data: taught }].slice(0, 5)
    return healProgram(
      program,
      all.map(({ url, data }) => ({
        page: index(
          pages.find((one) => one.url === url),
          newStyle,
        ),
        data,
      })),
    )
  })
  const readBefore = new Map()
  for (const page of pages.slice(1, 6)) {
    const { value } = await read(index(page, style), page.url)
    count(value, truth(page), isList, (name, was, got, want) => {
      total.before += 1
      total.beforeRight += was === 'right' ? 1 : 0
      readBefore.set(name, (readBefore.get(name) ?? 0) + (was === 'right' ? 1 : -3))
      if (given.show === 'before' && was !== 'right')
        console.log(seed, changeName, name, was, JSON.stringify(got), '|', JSON.stringify(want))
    })
  }
  for (const [n, { items }] of pages.entries())
    if (n % 3 === 1) for (const item of items) item.price = Math.round(item.price * 90) / 100
  for (const page of [...pages.slice(6), ...pages.slice(6)]) await read(index(page, newStyle), page.url)
  /** Fields that the change took from some page, and whether it is gone there and the response says so. */
  const changed = new Map()
  for (const page of pages.slice(1)) {
    const { value, fields } = readWithProgram(index(page, newStyle), state.program)
    const row = (name, was, got, want) => {
      // A field that was not read before cannot be lost.
      if (!(readBefore.get(name) > 0)) return
      const isGone = want === null || want === undefined
      if (!isGone) {
        total.fields += 1
        total.healed += was === 'right' ? 1 : 0
      }
      if (isGone || was !== 'right') {
        // No value is the right one where the field is gone; where it is still shown, its loss must be reported.
        const isNamed = isGone && was !== 'wrong' && [name, 'items'].some((one) => fields[one]?.by === null)
        changed.set(name, (changed.get(name) ?? true) && isNamed)
      }
      if (was === 'right' || was === 'wrong') total.values += isGone && was === 'right' ? 0 : 1
      if (was === 'wrong') total.wrong += 1
      if ((given.show && given.show === was) || (given.show === 'healed' && was === 'missing' && !isGone))
        console.log(seed, changeName, name, was, JSON.stringify(got), '|', JSON.stringify(want))
    }
    count(value, truth(page, newStyle.dropped), isList, row)
  }
  for (const [name, isNamed] of changed) {
    total.gone += 1
    const isReported = [...state.told, ...state.stats.drifted].some((one) => one === name || one === 'items')
    total.reported += isReported ? 1 : 0
    total.told += isReported || isNamed ? 1 : 0
    if (!isReported && !isNamed && given.show === 'untold') console.log(seed, changeName, name)
  }
}

/** Calls back for each value of each field: right, wrong or missing. */
function count(value, truth, isList, row) {
  const each = (got, want, prefix) => {
    for (const name of Object.keys(want)) {
      const one = got?.[name] ?? null
      const was = isSame(one, want[name]) ? 'right' : one === null ? 'missing' : 'wrong'
      row(prefix + name, was, one, want[name])
    }
  }
  if (!isList) return each(value, truth, '')
  const found = value?.items ?? []
  for (const [n, want] of truth.items.entries())
    each(
      found.find(({ link }) => link === want.link) ?? (found.length === truth.items.length ? found[n] : undefined),
      want,
      'items.',
    )
}

for (const [n, name] of Object.keys(CHANGES).entries()) {
  const before = { ...total }
  for (let site = 0; site < Number(given.sites); site++)
    await runSite(Number(given.seed) * 100_000 + n * 1000 + site, name)
  const of = (key) => total[key] - before[key]
  console.log(
    `${name}: read ${(of('healed') / of('fields')).toFixed(3)}, wrong ${((100 * of('wrong')) / of('values')).toFixed(2)} %, told ${of('told')} of ${of('gone')} (reported ${of('reported')})`,
  )
}
console.log(`before: ${(total.beforeRight / total.before).toFixed(3)}`)
console.log(
  `all: read ${(total.healed / total.fields).toFixed(3)}, wrong ${((100 * total.wrong) / total.values).toFixed(2)} %, told ${((100 * total.told) / total.gone).toFixed(1)} % of ${total.gone}, reported ${((100 * total.reported) / total.gone).toFixed(1)} %`,
)
await modules.close()
