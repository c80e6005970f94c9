// Opens the store briefly for commands beside a running service, without the lock on the data folder.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { DAY_MS, systemClock } from '../base/clock.ts'
import { silentLog } from '../base/log.ts'
import type { Store } from '../store/index.ts'
import type { Team } from '../store/teams.ts'
import { CommandExitError } from './command.ts'

export async function withStore<T>(
  work: (store: Store, place: { dataDir: string; apiKey: string | undefined }) => Promise<T>,
  options: { leaveBucket?: boolean } = {},
): Promise<T> {
  const [{ bucketOptionsOf, readConfig }, { openStore }, { databasePath }, { storages }] = await Promise.all([
    import('../config.ts'),
    import('../store/index.ts'),
    import('../store/sqlite.ts'),
    import('../capabilities/index.ts'),
  ])
  const config = readConfig()
  const { databaseUrl, dataDir, apiKey, cacheMaxMb, cacheMaxDays, secretKeyFile } = config
  const folder = resolve(dataDir)
  // A command must not create an empty database of its own.
  if (databaseUrl === undefined && !existsSync(databasePath(folder)))
    throw new CommandExitError(
      `There is no Orbweaver data in ${folder}. The folder follows from the current folder ${process.cwd()} and ORB_DATA_DIR “${dataDir}”: use the ORB_DATA_DIR (or ORB_DATABASE_URL) of the service, or start the service here first.`,
    )
  const store = await openStore({
    databaseUrl,
    secretKeyFile,
    storages,
    bucket: bucketOptionsOf(config),
    ...options,
    dataDir: folder,
    clock: systemClock,
    log: silentLog,
    cacheMaxBytes: cacheMaxMb * 1024 * 1024,
    cacheMaxAgeMs: cacheMaxDays * DAY_MS,
  })
  try {
    return await work(store, { dataDir: folder, apiKey })
  } finally {
    await store.close()
  }
}

export async function findTeamByName(store: Store, name: string): Promise<Team> {
  const team = await store.teams.byName(name)
  if (!team) throw new CommandExitError(`There is no team \`${name}\`. \`npx orbweaver teams\` lists them.`)
  return team
}
