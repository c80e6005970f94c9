// What a start, a scrape, a cached answer, a rendered page, a page of a crawl and a scan cost here and at an earlier commit, in one
// run and in turns, so that a busy machine is busy for both. `PROVE_BEFORE` names the earlier commit, or a folder where it
// is built; without it nothing is measured. `PROVE_SMALL=1` takes a twentieth of the pages, once.
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../../scripts/setup.mjs'
import { manyPages } from '../../test/documents/pdfs.mjs'
import { costOf, sleep } from '../process.mjs'
import { finished, KEY, newFolder, startOrb, startWeb } from './rows/jobs-context.mjs'
import { scanOf } from './rows/scans.mjs'

const small = process.env.PROVE_SMALL === '1'
const size = (count) => (small ? Math.ceil(count / 20) : count)
const ROUNDS = small ? 1 : 3
const AT_ONCE = 16
/** A number, not a time: on a busy machine fewer pages would be compiled for in the same time. */
const WARM_UP = size(700)
const SCRAPES = size(1000)
const CACHED = size(2000)
const CRAWLED = size(1000)
const RENDERED = size(60)
const READ_AS_JSON = size(60)
const SINGLE = size(100)
const REST_MS = small ? 0 : 61_000
const JSON_SCHEMA = { type: 'object', properties: { title: { type: 'string' }, author: { type: 'string' } } }
/** Pages of the site that are scraped again and again. */
const KEPT = size(50)
/** Of what it cost at the earlier commit; or, for the newer build alone, at most this much. */
const BARS = {
  start: { times: 1.05 },
  'scrape without storage, no searches': { times: 0.8 },
  'scrape without storage, team with searches': { times: 0.9 },
  'cached scrape': { times: 0.5 },
  [`page of a crawl of ${CRAWLED} pages`]: { times: 0.75 },
  'rendered page, 4 at once': { times: 0.75 },
  '`json` without a model': { times: 1 },
  'scan of a page of text': { times: 1 },
  'static page at one caller, p50': { ms: 10 },
  'static page after an idle minute': { ms: 100 },
  'memory when idle': { mb: 100 },
  'memory a minute after the scrapes': { mb: 250 },
  'peak memory of the crawl': { mb: 400 },
  'memory after the first rendered pages': { mb: 400 },
}

export async function prove() {
  return { title: 'Comparison with an earlier commit', rows: await withEarlierBuild(besideRows) }
}

/** Calls `work` with the folder of the earlier build, if one is named. */
export async function withEarlierBuild(work) {
  const commit = process.env.PROVE_BEFORE
  if (!commit) return work(undefined)
  if (existsSync(join(commit, 'dist/main.js'))) return work(commit)
  const folder = builtAt(commit)
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export async function besideRows(before) {
  if (!before) return []
  const costs = { before: [], now: [] }
  for (let round = 0; round < ROUNDS; round++) {
    costs.before.push(await costsOf(before))
    costs.now.push(await costsOf(root))
  }
  return Object.keys(BARS).map((what) => rowOf(what, basename(process.env.PROVE_BEFORE), costs))
}

function rowOf(what, commit, costs) {
  // The least of several: what else the machine did can only add.
  const least = (list) => Math.min(...list.map((round) => round[what]))
  const [then, now] = [least(costs.before), least(costs.now)]
  const { times, mb, ms } = BARS[what]
  const shown = (value) => (mb === undefined ? `${(value * 1000).toFixed(2)} ms` : `${Math.round(value / 1e6)} MB`)
  const most = times === undefined ? (mb === undefined ? ms / 1000 : mb * 1e6) : then * times
  return {
    what: times === undefined ? `${what}, compared with ${commit}` : `${what}: CPU compared with ${commit}`,
    bar: times === undefined ? `≤ ${shown(most)}` : `≤ ${times} ×`,
    measured: `${(now / then).toFixed(2)} × (${shown(now)} and ${shown(then)})`,
    ok: now <= most,
  }
}

/** A clone of the commit with its own packages, built. */
function builtAt(commit) {
  const folder = newFolder()
  const run = (command, ...args) => execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  run('git', 'clone', '--quiet', root, '.')
  run('git', 'checkout', '--quiet', commit)
  run('npm', 'ci', '--no-audit', '--no-fund')
  run('npm', 'run', 'build')
  return folder
}

async function costsOf(folder) {
  const web = await startWeb(CRAWLED)
  const main = join(folder, 'dist/main.js')
  if (!existsSync(main)) throw new Error(`${main} is not there`)
  const service = await startOrb({ ports: [web.port], main })
  let next = 0
  const scrape = async (n, maxAge, kind = 'static', formats = ['markdown']) => {
    const body = { url: `${web.url}/${kind}/${n}`, formats, maxAge }
    const { success, error } = await service.call('POST', '/v2/scrape', body)
    if (!success) throw new Error(error)
  }
  const each = async (count, one, atOnce = AT_ONCE) => {
    let taken = 0
    const cpu = costOf(service.pid).cpu
    const client = async () => {
      while (taken < count) await one(taken++)
    }
    await Promise.all(Array.from({ length: atOnce }, client))
    return (costOf(service.pid).cpu - cpu) / count
  }
  try {
    const started = costOf(service.pid)
    const fresh = () => scrape(next++, 0)
    await each(WARM_UP, fresh)
    const uncached = await each(SCRAPES, fresh)
    const single = []
    for (let n = 0; n < SINGLE; n++) single.push(await seconds(fresh))
    await sleep(REST_MS)
    const warm = costOf(service.pid).rss
    const rested = await seconds(fresh)
    for (let n = 0; n < KEPT; n++) await scrape(n, 3_600_000)
    const cached = await each(CACHED, (n) => scrape(n % KEPT, 3_600_000))
    await sleep(3000)
    const crawled = await crawlCost(service, web)
    const asJson = () => scrape(next++, 0, 'static', [{ type: 'json', schema: JSON_SCHEMA }])
    await each(size(20), asJson)
    const json = await each(READ_AS_JSON, asJson)
    const file = new Blob([await scanOf(await manyPages(1))])
    const parse = async () => {
      const form = new FormData()
      form.append('file', file, 'scan.pdf')
      form.append('options', JSON.stringify({ timeout: 280_000 }))
      const headers = { authorization: `Bearer ${KEY}` }
      const { success, error } = await (
        await fetch(`${service.url}/v2/parse`, { method: 'POST', headers, body: form })
      ).json()
      if (!success) throw new Error(error)
    }
    // The first scan loads the engine.
    await parse()
    const scanned = await each(1, parse, 1)
    await each(4, (n) => scrape(n, 0, 'js'), 4)
    const withBrowser = costOf(service.pid).rss
    const rendered = await each(RENDERED, (n) => scrape(100 + n, 0, 'js'), 4)
    // From the first search on, the team's pages are indexed.
    await service.call('POST', '/v2/search', { query: 'handbook', limit: 3 })
    const searched = await each(SCRAPES, fresh)
    return {
      start: started.cpu,
      'memory when idle': started.rss,
      'scrape without storage, no searches': uncached,
      'scrape without storage, team with searches': searched,
      'memory a minute after the scrapes': warm,
      'static page at one caller, p50': single.sort((a, b) => a - b)[Math.floor(SINGLE / 2)],
      'static page after an idle minute': rested,
      'cached scrape': cached,
      [`page of a crawl of ${CRAWLED} pages`]: crawled.cpu,
      'peak memory of the crawl': crawled.peak,
      'rendered page, 4 at once': rendered,
      '`json` without a model': json,
      'scan of a page of text': scanned,
      'memory after the first rendered pages': withBrowser,
    }
  } finally {
    await service.stop()
    web.stop()
  }
}

async function seconds(work) {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

async function crawlCost(service, web) {
  const { cpu } = costOf(service.pid)
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, costOf(service.pid).rss)
  }, 500)
  try {
    const { id } = await service.call('POST', '/v2/crawl', { url: `${web.url}/`, limit: CRAWLED })
    const { completed } = await finished(service, id, 600_000)
    return { cpu: (costOf(service.pid).cpu - cpu) / completed, peak }
  } finally {
    clearInterval(watch)
  }
}
