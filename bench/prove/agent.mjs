// Agent runs at full size: a hundred tasks by rules and with a scripted model, caps, kills, cancels, injections.
// `PROVE_ROWS=tasks,caps` measures only some of it.
import { startPostgres } from '../../scripts/postgres.mjs'
import { setUp } from '../../scripts/setup.mjs'
import { openModules } from '../../scripts/typescript-modules.mjs'
import { cancelRow, capRow, killRow } from './rows/agent-holds.mjs'
import { injectionRows } from './rows/agent-injections.mjs'
import { quotedRow, quoteRow, runTasks, taskRows } from './rows/agent-tasks.mjs'

export async function prove() {
  setUp()
  const small = process.env.PROVE_SMALL === '1'
  const size = (full) => (small ? Math.max(2, Math.round(full / 10)) : full)
  const parts = (process.env.PROVE_ROWS ?? 'tasks,model,caps,cancel,injections,kills,kills-postgres').split(',')
  const modules = await openModules()
  const load = (path) => modules.load(`test/${path}`)
  const rows = []
  try {
    if (parts.includes('tasks')) {
      const results = await runTasks(load)
      rows.push(...taskRows('by rules, without a model', results, 0.6), quoteRow(results))
      if (process.env.PROVE_SHOW) show(results)
    }
    if (parts.includes('model')) {
      const model = async (read, world) => (await read('agent/models.ts')).competentModel(world)
      const results = await runTasks(load, { model })
      rows.push(...taskRows('with a scripted model that reads well', results, 0.95), await quotedRow(load, results))
      if (process.env.PROVE_SHOW) show(results)
    }
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

/** What went wrong, of the half that is not sealed. */
function show(results) {
  for (const { task, sealed, grade, pages, run, quote, credits } of results)
    if (!sealed && grade.wrong + grade.missing > 0)
      console.error(
        JSON.stringify({
          id: task.id,
          ...grade,
          pages,
          quote,
          credits,
          data: run.data,
          expected: task.expected,
          warning: run.warning ?? run.error,
        }).slice(0, 900),
      )
}

if (process.argv[1] === import.meta.filename) console.log(JSON.stringify(await prove(), null, 2))
