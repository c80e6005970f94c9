// Jobs at full size: speed of crawls, what kill -9 costs, exactness, fairness, and what more workers bring. Each row on
// the built service. `PROVE_SMALL=1` runs everything at a tenth of its size, to see that it runs.

import { startPostgres } from '../../scripts/postgres.mjs'
import { setUp } from '../../scripts/setup.mjs'
import { killService, killWorkerAndPostgres } from './rows/jobs-kills.mjs'
import { cancelQuick, fairness, limitExact } from './rows/jobs-manners.mjs'
import { crawlSpeed, statusCost, workers } from './rows/jobs-speed.mjs'

export async function prove() {
  setUp()
  const small = process.env.PROVE_SMALL === '1'
  const size = (full) => (small ? Math.max(1, Math.round(full / 10)) : full)
  const postgres = await startPostgres({ say: () => {} })
  const rows = []
  try {
    rows.push(...(await crawlSpeed({ pages: size(1000), many: size(20_000) })))
    rows.push(await statusCost({ pages: size(10_000) }))
    rows.push(await killService({ kills: size(50), pages: size(600) }))
    rows.push(await limitExact(), await cancelQuick(), await fairness({ crawls: 30 }))
    if (postgres) rows.push(...(await workers({ pages: size(400), postgres })))
    // Last, since the database it kills may not come back.
    if (postgres) rows.push(...(await killWorkerAndPostgres({ pages: size(600), postgres })))
  } finally {
    await postgres?.stop()
  }
  return { title: 'Jobs', rows }
}

if (process.argv[1] === import.meta.filename) console.log(JSON.stringify(await prove(), null, 2))
