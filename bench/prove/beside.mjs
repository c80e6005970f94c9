// What a start, a scrape, a cached answer and a page of a crawl cost here and at an earlier commit, in one run and in turns,
// so that a busy machine is busy for both. `PROVE_BEFORE=<commit>` names the earlier one; without it nothing is measured.
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/setup.mjs'
import { warmUp } from '../load.mjs'
import { costOf, sleep } from '../process.mjs'
import { finished, newFolder, startOrb, startWeb } from './rows/jobs-context.mjs'

const ROUNDS = 3
const AT_ONCE = 16
const SCRAPES = 1000
const CACHED = 2000
const CRAWLED = 600
/** Pages of the site that are scraped again and again. */
const KEPT = 50
/** Of what it cost at the earlier commit. */
const BARS = {
  start: 1.05,
  'memory when idle': 1.05,
  'a scrape that is not kept': 0.8,
  'memory after the scrapes': 1.05,
  'a scrape from the cache': 0.5,
  [`a page of a crawl of ${CRAWLED}`]: 0.75,
}

export async function prove() {
  const commit = process.env.PROVE_BEFORE
  const title = 'Beside an earlier commit'
  if (!commit) return { title, rows: [] }
  const before = builtAt(commit)
  const costs = { before: [], now: [] }
  try {
    for (let round = 0; round < ROUNDS; round++) {
      costs.before.push(await costsOf(before))
      costs.now.push(await costsOf(root))
    }
  } finally {
    rmSync(before, { recursive: true, force: true })
  }
  return { title, rows: Object.keys(BARS).map((what) => rowOf(what, commit, costs)) }
}

function rowOf(what, commit, costs) {
  // The least of several: what else the machine did can only add.
  const least = (list) => Math.min(...list.map((round) => round[what]))
  const [then, now] = [least(costs.before), least(costs.now)]
  const isMemory = what.startsWith('memory')
  const shown = (value) => (isMemory ? `${Math.round(value / 1e6)} MB` : `${(value * 1000).toFixed(2)} ms`)
  return {
    what: isMemory ? `${what} beside ${commit}` : `${what}: CPU beside ${commit}`,
    bar: `≤ ${BARS[what]} ×`,
    measured: `${(now / then).toFixed(2)} × (${shown(now)} and ${shown(then)})`,
    ok: now <= then * BARS[what],
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
  const scrape = async (n, maxAge) => {
    const body = { url: `${web.url}/static/${n}`, formats: ['markdown'], maxAge }
    const { success, error } = await service.call('POST', '/v2/scrape', body)
    if (!success) throw new Error(error)
  }
  const each = async (count, one) => {
    let taken = 0
    const cpu = costOf(service.pid).cpu
    const client = async () => {
      while (taken < count) await one(taken++)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, client))
    return (costOf(service.pid).cpu - cpu) / count
  }
  try {
    const started = costOf(service.pid)
    await warmUp(() => scrape(next++, 0))
    const uncached = await each(SCRAPES, () => scrape(next++, 0))
    const warm = costOf(service.pid).rss
    for (let n = 0; n < KEPT; n++) await scrape(n, 3_600_000)
    const cached = await each(CACHED, (n) => scrape(n % KEPT, 3_600_000))
    await sleep(3000)
    const cpu = costOf(service.pid).cpu
    const { id } = await service.call('POST', '/v2/crawl', { url: `${web.url}/`, limit: CRAWLED })
    const { completed } = await finished(service, id, 600_000)
    const crawled = (costOf(service.pid).cpu - cpu) / completed
    return {
      start: started.cpu,
      'memory when idle': started.rss,
      'a scrape that is not kept': uncached,
      'memory after the scrapes': warm,
      'a scrape from the cache': cached,
      [`a page of a crawl of ${CRAWLED}`]: crawled,
    }
  } finally {
    await service.stop()
    web.stop()
  }
}
