// The floors of the house, as one table: a room imports lower floors only, and rooms on one floor never import each
// other. Fails on an import that points up or sideways. See docs/architecture.md.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { root } from './setup.mjs'

export const floors = [
  ['base'],
  ['content', 'fetch', 'llm', 'store'],
  // What pages mean stands above what they are made of.
  ['understanding'],
  ['scrape', 'site', 'search', 'jobs', 'teams'],
  ['capabilities'],
  // The configuration is read above the rooms and handed down in slices: no room can reach for it.
  ['api', 'config.ts', 'machine.ts'],
  ['app.ts'],
  ['cli'],
  ['main.ts'],
]

const floorOf = (room) => floors.findIndex((rooms) => rooms.includes(room))

/** The room of a path below src/: its folder; for capabilities also which one, since they are blind to each other. */
const placeOf = (path) => {
  const [room = '', inner = ''] = path.split(sep)
  return { room, peer: room === 'capabilities' && inner && !inner.endsWith('.ts') ? inner : '' }
}

const sources = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? sources(path) : path.endsWith('.ts') ? [path] : []
  })

/** Every import that breaks a rule, as a sentence. */
export function brokenFloors(src = join(root, 'src')) {
  return sources(src).flatMap((file) => {
    const from = file.slice(src.length + 1)
    if (from.endsWith('.test.ts')) return []
    return [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].flatMap(([, target]) => {
      const to = normalize(join(dirname(from), target))
      const [a, b] = [placeOf(from), placeOf(to)]
      if (a.room === b.room && (!a.peer || !b.peer || a.peer === b.peer)) return []
      if (a.room === b.room) return [`${from} imports ${to}: capabilities are blind to each other`]
      const [high, low] = [floorOf(a.room), floorOf(b.room)]
      if (high === -1 || low === -1) return [`${from} imports ${to}: a room that stands on no floor of the table`]
      if (high > low) return []
      return [`${from} imports ${to}: that points ${high === low ? 'sideways' : 'up'}`]
    })
  })
}

if (process.argv[1] === import.meta.filename) {
  const broken = brokenFloors()
  for (const sentence of broken) console.error(sentence)
  if (broken.length > 0) process.exit(1)
  console.log('floors: every import points down')
}
