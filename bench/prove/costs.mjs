// What a page costs beside an earlier commit (see beside.mjs), beside a naive loop and on PostgreSQL, what memory mixed use
// takes beside that commit, what an unchanged page of a monitor costs, what a team's first search costs, and what hostile and large input costs: the bars on time that stand
// in the tests, held here and not by `npm test`. `PROVE_ROWS=naive,monitor` measures only those groups.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../../scripts/postgres.mjs'
import { root } from '../../scripts/setup.mjs'
import { measureSpeed } from '../speed.mjs'
import { besideRows, withEarlierBuild } from './beside.mjs'
import { postgresRow } from './rows/jobs-speed.mjs'
import { mixedRows } from './rows/mixed-use.mjs'
import { dueRows } from './rows/monitor-load.mjs'
import { postgresCost } from './rows/postgres-cost.mjs'
import { firstSearch } from './rows/search-service.mjs'
import { sinceCost } from './rows/since-cost.mjs'
import { testRows } from './rows/vitest.mjs'

const small = process.env.PROVE_SMALL === '1'
const size = (count) => (small ? Math.ceil(count / 20) : count)

const wanted = process.env.PROVE_ROWS?.split(',')
const needsEarlierBuild = !wanted || wanted.includes('beside') || wanted.includes('mixed')

export const prove = async () => ({
  title: 'Costs',
  rows: await (needsEarlierBuild ? withEarlierBuild(costs) : costs()),
})

async function costs(before) {
  const groups = {
    beside: () => besideRows(before),
    mixed: () => mixedRows(before, small ? { rounds: 2, scale: 1 / 20 } : {}),
    naive: naiveRows,
    database: databaseRows,
    postgres: () => postgresCost({ pages: size(2000) }),
    since: () => sinceCost(),
    monitor: monitorRows,
    search: async () => [await firstSearch({ pages: size(100_000) })],
    tests: costTests,
  }
  const rows = []
  for (const [name, measure] of Object.entries(groups))
    if (!wanted || wanted.includes(name)) rows.push(...(await measure()))
  return rows
}

/** Every test file with a bar on time runs once, one after another. */
function costTests() {
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(folder, name))
      .filter((name) => /\bexpectCost\(/.test(readFileSync(join(root, name), 'utf8'))),
  )
  return testRows(files, { ORB_TEST_COSTS: 'on', ORB_TEST_EVAL: 'on' }, 'within its bars')
}

async function naiveRows() {
  const { uncached, naive } = await measureSpeed(small ? { pages: 100, cachedRequests: 100, naivePages: 20 } : {})
  const times = uncached.perSecond / naive.perSecond
  return [
    {
      what: 'pages per second compared with a Readability and turndown loop in two processes',
      bar: '≥ 6 ×',
      measured: `${times.toFixed(1)} × (${uncached.perSecond.toFixed(0)} and ${naive.perSecond.toFixed(0)} per second)`,
      ok: times >= 6,
    },
  ]
}

async function databaseRows() {
  const postgres = await startPostgres({ say: () => {} })
  if (!postgres) return []
  try {
    return [await postgresRow({ pages: size(1000), postgres, least: 0.9 })]
  } finally {
    await postgres.stop()
  }
}

const monitorRows = async () => (await dueRows(size(1000), 1)).filter(({ what }) => what.includes('unchanged page'))
