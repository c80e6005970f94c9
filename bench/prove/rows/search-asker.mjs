// Opens the segments of a folder, answers queries, and says what each cost in CPU and what was resident then.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../scripts/setup.mjs'

const engine = (name) => import(join(root, 'dist/search/engine', `${name}.js`))
const { Segment } = await engine('segment-read')
const { searchSegments } = await engine('run-query')
const { parseQuery } = await engine('parse-query')
const [, , folder] = process.argv
const used = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

process.once('message', (queries) => {
  const began = used()
  const segments = readdirSync(folder).map((name) => new Segment(new Uint8Array(readFileSync(join(folder, name)))))
  const openSeconds = (used() - began) / 1000
  const limits = { includeDomains: [], excludeDomains: [], tags: [], newestFirst: false }
  const ask = (text) => searchSegments(segments, { query: parseQuery(text), ...limits }, 10)
  // The first ones are the compiler's.
  for (const query of queries.slice(0, 40)) ask(query)
  const costs = queries
    .map((query) => {
      const before = used()
      ask(query)
      return used() - before
    })
    .sort((a, b) => a - b)
  const at = (part) => costs[Math.floor(costs.length * part)]
  const residentMb = Math.round(process.memoryUsage().rss / 1e6)
  process.send({ p50: at(0.5), p95: at(0.95), residentMb, openSeconds }, () => process.exit(0))
})
