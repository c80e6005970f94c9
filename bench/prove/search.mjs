// Search at full size: quality on the kit where it is there, our own sets, large generated indexes, how soon a page is found
// and what that costs, exactness under kill -9, and the tests that are exact by nature. `PROVE_SMALL=1` runs everything at
// a twentieth of its size; `PROVE_ROWS=engine,kit` only those groups.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { startPostgres } from '../../scripts/postgres.mjs'
import { root, setUp } from '../../scripts/setup.mjs'
import { largeIndex } from './rows/search-engine.mjs'
import { fusionRows, kitRows, ownSets } from './rows/search-quality.mjs'
import { foundSoon, kills, scrapeCost } from './rows/search-service.mjs'

export async function prove() {
  setUp()
  const size = (full) => (process.env.PROVE_SMALL === '1' ? Math.max(2, Math.round(full / 20)) : full)
  const wanted = process.env.PROVE_ROWS?.split(',')
  const rows = []
  const group = async (name, measure) => {
    if (wanted && !wanted.includes(name)) return
    const more = await measure()
    for (const { what, measured, ok } of more) console.log(`  ${ok ? 'ok  ' : 'MISS'} ${what}: ${measured}`)
    rows.push(...more)
  }
  const postgres = await startPostgres({ say: () => {} })
  try {
    await group('kit', () => kitRows(postgres))
    await group('fusion', () => fusionRows())
    await group('languages', () => ownSets())
    await group('engine', () =>
      largeIndex({ pages: size(100_000), words: 475, p50: 3, p95: 15, share: 0.4, residentMb: 300 }),
    )
    await group('million', () => largeIndex({ pages: size(1_000_000), words: 60, p95: 50, perSecond: 500 }))
    await group('service', async () => [await foundSoon(), await scrapeCost({ pages: size(2000) })])
    await group('kills', () => kills({ kills: size(50), pages: size(5000), postgres }))
    await group('exact', async () => [
      await passes(
        '200 generated queries with operators and dates',
        'all correct',
        'test/e2e/search-operators.test.ts',
      ),
      await passes(
        'all provider failures at once',
        'response in time; no request to paused providers',
        'test/e2e/search-providers.test.ts',
      ),
    ])
  } finally {
    await postgres?.stop()
  }
  return { title: 'Search', rows }
}

/** What a test says is said here too. */
const passes = (what, bar, file) =>
  new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', file], { cwd: root }, (error) =>
      resolve({ what, bar, measured: error ? 'its test fails' : 'yes', ok: !error }),
    )
  })

if (process.argv[1] === import.meta.filename) console.log(JSON.stringify(await prove(), null, 2))
