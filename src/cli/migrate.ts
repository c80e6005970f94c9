// `orb migrate`: brings the database up to date and ends, as a step of its own before new processes are started.
import { makeLocalCommand } from './local-command.ts'

export const migrateCommand = makeLocalCommand({
  name: 'migrate',
  places: [],
  summary: 'upgrade the database and exit; `orb start` does it too',
  flags: [
    {
      name: 'leave-bucket',
      help: 'Store files as configured from now on, although existing files are in another bucket.',
    },
  ],
  run: async ({ own }) => {
    const [{ withStore }, { readConfig }, { listKnownMigrations }] = await Promise.all([
      import('./open-store.ts'),
      import('../config.ts'),
      import('./known-migrations.ts'),
    ])
    const { databaseUrl } = readConfig()
    const before = databaseUrl
      ? (await (await import('../store/postgres-facts.ts')).readPostgresFacts(databaseUrl)).steps
      : []
    await withStore(async () => undefined, { leaveBucket: own['leave-bucket'] === true })
    const steps = await listKnownMigrations()
    const made = databaseUrl ? steps.filter((name) => !before.includes(name)) : []
    const text = made.length > 0 ? `Upgraded the database: ${made.join(', ')}.` : 'The database is up to date.'
    return { data: { made, step: steps.at(-1) }, text }
  },
})
