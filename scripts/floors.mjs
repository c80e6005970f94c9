// The floors of the house, as tables: a room imports lower floors only, and rooms on one floor never import each other.
// The large rooms have floors of their own inside. No files import each other in a circle, types included. Fails on an
// import that breaks one of these rules. See docs/architecture.md.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { root } from './setup.mjs'

export const floors = [
  ['base'],
  ['content', 'fetch', 'llm', 'store'],
  // Finds and operates the controls of a page, for prompts and flows.
  ['driving'],
  // What pages mean stands above what they are made of; prompts are matched to what a page shows.
  ['understanding', 'prompting'],
  ['scrape', 'site', 'search', 'jobs', 'teams'],
  ['capabilities'],
  // The configuration is read above the rooms and handed down in slices: no room can reach for it.
  ['api', 'config.ts', 'machine.ts'],
  ['app.ts'],
  ['cli'],
  ['main.ts'],
]

/** Inside a large room: folders and single files, lowest first; `*` stands for the files that are not named. */
export const inside = {
  content: [['main'], ['*'], ['markdown'], ['pdf', 'readers'], ['page.ts'], ['page-over.ts'], ['documents']],
  understanding: [
    ['*', 'facts', 'values', 'passages', 'brand', 'changes', 'privacy', 'injection'],
    ['extract', 'media', 'clean-markdown.ts', 'verify'],
    ['shop'],
    ['menu'],
  ],
  fetch: [
    ['*'],
    ['threats', 'chrome'],
    ['chrome/snapshot'],
    ['chrome/live'],
    ['browser.ts', 'live.ts'],
    ['browsing.ts'],
    ['index.ts'],
  ],
  store: [['columns.ts'], ['search-tables.ts'], ['tables.ts'], ['migrations'], ['*']],
}

const floorIn = (table, place) => table.findIndex((places) => places.includes(place))

/** The room of a path below src/: its folder; for capabilities also which one, since they are blind to each other. */
const placeOf = (path) => {
  const [room = '', inner = ''] = path.split(sep)
  return { room, peer: room === 'capabilities' && inner && !inner.endsWith('.ts') ? inner : '' }
}

/** The narrowest place of a room's own table that a path lies in; `*` for a file of none. */
function innerPlace(table, path) {
  const parts = path.split(sep).slice(1)
  for (let length = parts.length; length > 0; length--) {
    const name = parts.slice(0, length).join('/')
    if (floorIn(table, name) !== -1) return name
  }
  return parts.length === 1 ? '*' : parts[0]
}

const sources = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? sources(path) : /(?<!\.test)\.ts$/.test(path) ? [path] : []
  })

/** What each file imports, by paths below src/. */
const importsIn = (src) =>
  new Map(
    sources(src).map((file) => {
      const from = file.slice(src.length + 1)
      const named = [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
      return [from, named.map(([, target]) => normalize(join(dirname(from), target)))]
    }),
  )

/** Every import that breaks a rule, as a sentence. */
export function brokenFloors(src = join(root, 'src')) {
  const imports = importsIn(src)
  const broken = [...imports].flatMap(([from, targets]) => targets.flatMap((to) => faultOf(from, to) ?? []))
  return [...broken, ...circles(imports)]
}

function faultOf(from, to) {
  const [a, b] = [placeOf(from), placeOf(to)]
  if (a.room !== b.room) return faultBetween(floors, a.room, b.room, from, to)
  if (a.peer && b.peer && a.peer !== b.peer) return `${from} imports ${to}: capabilities are blind to each other`
  const table = inside[a.room]
  const [x, y] = table ? [innerPlace(table, from), innerPlace(table, to)] : ['', '']
  return x === y ? undefined : faultBetween(table, x, y, from, to)
}

function faultBetween(table, a, b, from, to) {
  const [high, low] = [floorIn(table, a), floorIn(table, b)]
  if (high === -1 || low === -1) return `${from} imports ${to}: a room that stands on no floor of the table`
  return high > low ? undefined : `${from} imports ${to}: that points ${high === low ? 'sideways' : 'up'}`
}

/** Files that import each other in a circle: the strongly connected parts of the graph (Tarjan). */
function circles(imports) {
  const [order, lowest, waiting, found] = [new Map(), new Map(), [], []]
  const visit = (file) => {
    order.set(file, order.size)
    lowest.set(file, order.get(file))
    waiting.push(file)
    for (const next of imports.get(file) ?? []) {
      if (!imports.has(next)) continue
      if (!order.has(next)) visit(next)
      if (waiting.includes(next)) lowest.set(file, Math.min(lowest.get(file), lowest.get(next)))
    }
    if (lowest.get(file) !== order.get(file)) return
    const circle = waiting.splice(waiting.indexOf(file))
    if (circle.length > 1 || imports.get(file).includes(file))
      found.push(`${circle.sort().join(', ')}: they import each other in a circle`)
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return found
}

if (process.argv[1] === import.meta.filename) {
  const broken = brokenFloors()
  for (const sentence of broken) console.error(sentence)
  if (broken.length > 0) process.exit(1)
  console.log('floors: every import points down, and none goes round in a circle')
}
