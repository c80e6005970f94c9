// Agent runs at full size: caps, kills, cancels, injections.
// `PROVE_ROWS=caps,kills` measures only some of it.
import { startPostgres } from '../../scripts/postgres.mjs'
import { setUp } from '../../scripts/setup.mjs'
import { openModules } from '../../scripts/typescript-modules.mjs'
import { cancelRow, capRow, killRow } from './rows/agent-holds.mjs'
import { injectionRows } from './rows/agent-injections.mjs'

export async function prove() {
  setUp()
  const small = process.env.PROVE_SMALL === '1'
  const size = (full) => (small ? Math.max(2, Math.round(full / 10)) : full)
  const parts = (process.env.PROVE_ROWS ?? 'caps,cancel,injections,kills,kills-postgres').split(',')
  const modules = await openModules()
  const load = (path) => modules.load(`test/${path}`)
  const rows = []
  try {
    if (parts.includes('caps')) rows.push(await capRow(load, size(300)))
    if (parts.includes('cancel')) rows.push(await cancelRow(load, size(20)))
    if (parts.includes('injections')) rows.push(...(await injectionRows(load)))
    if (parts.includes('kills')) rows.push(await killRow(load, size(50), 'SQLite'))
    if (parts.includes('kills-postgres')) {
      const postgres = await startPostgres({ say: () => {} })
      if (postgres) rows.push(await killRow(load, size(50), 'PostgreSQL', postgres))
      await postgres?.stop()
    }
  } finally {
    await modules.close()
  }
  return { title: 'Agent', rows }
}
