// Three small measurements for CI: CPU of a static scrape, a cached answer and a `json` scrape, as multiples of a fixed
// loop of this process that runs between them, beside the multiples in probes.json. `--write` replaces those.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../scripts/setup.mjs'
import { costOf, startUntil } from './process.mjs'

const KEY = 'fc-0123456789abcdef0123456789abcdef'
const FILE = join(root, 'bench/probes.json')
const ROUNDS = 5
const LEAST_ROUNDS = 3
/** A busy machine gets fewer rounds. */
const MEASURE_MS = 12_000
const MOST = 1.5
const HOUR = 3_600_000
const KEPT = 20

const JSON_SCHEMA = { type: 'object', properties: { title: { type: 'string' }, author: { type: 'string' } } }
const pageUrl = (site, n) => `${site}/static/${n}`
const probes = {
  'static scrape': { count: 40, warmUp: 250, body: (site, n) => ({ url: pageUrl(site, 1000 + n), maxAge: 0 }) },
  'cached answer': { count: 250, warmUp: 500, body: (site, n) => ({ url: pageUrl(site, n % KEPT), maxAge: HOUR }) },
  json: {
    count: 8,
    warmUp: 24,
    body: (site, n) => ({
      url: pageUrl(site, 50_000 + n),
      maxAge: 0,
      formats: [{ type: 'json', schema: JSON_SCHEMA }],
    }),
  },
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

/** CPU seconds of work as a service does it: JSON, strings, patterns and maps. */
function loopCpu() {
  const before = process.cpuUsage()
  let length = 0
  for (let round = 0; round < 150; round++) {
    const words = Array.from({ length: 400 }, (_, at) => `word${(at * 7919 + round) % 1009} of line ${at}`)
    const counts = new Map()
    for (const word of words.join(' ').split(/\s+/)) counts.set(word, (counts.get(word) ?? 0) + 1)
    length += JSON.stringify(JSON.parse(JSON.stringify([...counts]))).length
  }
  if (length === 0) throw new Error('the loop did nothing')
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

async function measure() {
  const site = await startUntil([join(root, 'bench/site.mjs'), '0'], /site on ([\d.:]+)/)
  const dataDir = mkdtempSync(join(tmpdir(), 'orb-probes-'))
  const service = await startUntil([join(root, 'dist/main.js'), 'start'], /ready\s+(http:\/\/localhost:\d+)/, {
    ORB_PORT: '0',
    ORB_DATA_DIR: dataDir,
    ORB_API_KEY: KEY,
    ORB_ALLOW_PRIVATE: site.found[1],
    ORB_LOG_LEVEL: 'error',
  })
  const next = Object.fromEntries(Object.keys(probes).map((name) => [name, 0]))
  const scrape = async (name) => {
    const body = JSON.stringify({
      formats: ['markdown'],
      ...probes[name].body(`http://${site.found[1]}`, next[name]++),
    })
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
    const response = await fetch(`${service.found[1]}/v2/scrape`, { method: 'POST', headers, body })
    const { success, error } = await response.json()
    if (!success) throw new Error(`${name}: ${error}`)
  }
  const cpuOf = async (name, count) => {
    const before = costOf(service.child.pid).cpu
    let left = count
    const client = async () => {
      while (left-- > 0) await scrape(name)
    }
    await Promise.all(Array.from({ length: 8 }, client))
    return (costOf(service.child.pid).cpu - before) / count
  }
  try {
    for (const [name, { warmUp }] of Object.entries(probes)) await cpuOf(name, warmUp)
    loopCpu()
    const times = Object.fromEntries(Object.keys(probes).map((name) => [name, []]))
    const until = performance.now() + MEASURE_MS
    for (let round = 0; round < ROUNDS && (round < LEAST_ROUNDS || performance.now() < until); round++)
      for (const [name, { count }] of Object.entries(probes)) {
        const loop = loopCpu()
        times[name].push((await cpuOf(name, count)) / loop)
      }
    return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]))
  } finally {
    service.child.kill('SIGKILL')
    site.child.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const writes = process.argv.includes('--write')
const kept = writes ? {} : JSON.parse(readFileSync(FILE, 'utf8'))
const isTooDear = (now) => Object.entries(kept).some(([name, before]) => now[name] > MOST * before)
let now = await measure()
// Once more before the run fails: another program may have had the caches of the processor.
if (isTooDear(now)) {
  const again = await measure()
  now = Object.fromEntries(Object.keys(now).map((name) => [name, Math.min(now[name], again[name])]))
}
const shown = (value) => value.toPrecision(3)
if (writes)
  writeFileSync(
    FILE,
    `${JSON.stringify(Object.fromEntries(Object.entries(now).map(([k, v]) => [k, Number(shown(v))])), null, 2)}\n`,
  )
for (const [name, value] of Object.entries(now))
  console.log(
    `${name}: ${shown(value)} of the loop${name in kept ? `, kept ${kept[name]} (${(value / kept[name]).toFixed(2)} ×)` : ''}`,
  )
if (isTooDear(now)) {
  console.error(`A probe costs more than ${MOST} times what bench/probes.json has; see bench/probes.mjs.`)
  process.exitCode = 1
}
