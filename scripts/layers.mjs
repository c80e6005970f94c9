// The layers of `src`, as tables: a folder imports lower layers only, and folders of one layer never import each other.
// Large folders have layers of their own. In `src`, the dashboard and the tests no files import each other in a circle,
// types included. Fails on an import that breaks one of these rules. See docs/architecture.md.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { root } from './setup.mjs'

export const layers = [
  ['base'],
  ['content', 'fetch', 'llm', 'store'],
  // Finds and operates the controls of a page, for prompts and flows.
  ['driving'],
  // The meaning of a page depends on its parts; prompts are matched to what a page shows.
  ['understanding', 'prompting'],
  ['scrape', 'site', 'search', 'jobs', 'teams'],
  ['capabilities'],
  // The configuration is passed down in parts, so that no lower folder can import it.
  ['api', 'config.ts', 'machine.ts', 'temp-folder.ts'],
  ['app.ts'],
  ['cli'],
  ['main.ts'],
]

/** Inside a large folder: folders and single files, lowest first; `*`: all files that are not named. */
export const inside = {
  content: [
    ['main'],
    ['*'],
    ['markdown'],
    ['pdf', 'readers'],
    ['parsed-page.ts'],
    ['parsed-page-wrapper.ts'],
    ['documents'],
  ],
  understanding: [
    ['currencies.json'],
    ['currencies.ts'],
    ['money.ts'],
    ['*', 'facts', 'passages', 'brand', 'changes', 'privacy', 'injection'],
    ['extract', 'media', 'verify'],
    ['shop', 'learn'],
    ['menu'],
  ],
  fetch: [
    ['*'],
    ['threats', 'chrome'],
    ['chrome/snapshot'],
    ['chrome/live'],
    ['browser-engine.ts', 'live-session-pool.ts'],
    ['open-browser-services.ts'],
    ['index.ts'],
  ],
  store: [['column-types.ts'], ['search-tables.ts'], ['tables.ts'], ['migrations'], ['*']],
}

const layerIn = (table, place) => table.findIndex((places) => places.includes(place))

/** The top folder of a path below src/; for capabilities also which one, because they must not import each other. */
const placeOf = (path) => {
  const [top = '', inner = ''] = path.split(sep)
  return { top, peer: top === 'capabilities' && inner && !inner.endsWith('.ts') ? inner : '' }
}

/** The narrowest entry of a folder's own table that contains the path; `*`: none does. */
function innerPlace(table, path) {
  const parts = path.split(sep).slice(1)
  for (let length = parts.length; length > 0; length--) {
    const name = parts.slice(0, length).join('/')
    if (layerIn(table, name) !== -1) return name
  }
  return parts.length === 1 ? '*' : parts[0]
}

const sources = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sources(path)
    return /(?<!\.test)\.tsx?$/.test(path) ? [path] : []
  })

/** The imports of each file, as paths below the folder. */
const importsIn = (src) =>
  new Map(
    sources(src).map((file) => {
      const from = file.slice(src.length + 1)
      const named = [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
      return [from, named.map(([, target]) => normalize(join(dirname(from), target)))]
    }),
  )

/** Every import below `src` that breaks a rule, as a sentence. */
export function brokenLayers(src = join(root, 'src')) {
  const imports = importsIn(src)
  const broken = [...imports].flatMap(([from, targets]) => targets.flatMap((to) => faultOf(from, to) ?? []))
  return [...broken, ...circles(imports)]
}

/** Folders without layers: only circles are refused. */
export const circlesIn = (folder) => circles(importsIn(join(root, folder)))

function faultOf(from, to) {
  const [a, b] = [placeOf(from), placeOf(to)]
  if (a.top !== b.top) return faultBetween(layers, a.top, b.top, from, to)
  if (a.peer && b.peer && a.peer !== b.peer) return `${from} imports ${to}: capabilities must not import each other`
  const table = inside[a.top]
  const [x, y] = table ? [innerPlace(table, from), innerPlace(table, to)] : ['', '']
  return x === y ? undefined : faultBetween(table, x, y, from, to)
}

function faultBetween(table, a, b, from, to) {
  const [high, low] = [layerIn(table, a), layerIn(table, b)]
  if (high === -1 || low === -1) return `${from} imports ${to}: a folder that is in no layer of the table`
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
  const broken = [...brokenLayers(), ...['dashboard/src', 'test'].flatMap(circlesIn)]
  for (const sentence of broken) console.error(sentence)
  if (broken.length > 0) process.exit(1)
  console.log('layers: every import points down, and none goes round in a circle')
}
