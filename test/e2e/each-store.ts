// The same tests on SQLite and, in the second tier, on PostgreSQL (`npm test` has it in test/contract): our own web, and for each store a service on a data folder of its own, with a
// look at the raw bytes of all that it wrote.
import { afterAll, beforeAll, describe, inject } from 'vitest'
import { newDatabase } from '../contract/open-store.ts'
import { type Pages, type Site, startSite } from '../site/site.ts'
import { sampleRows } from '../soak.ts'
import { holders, postgresPlaces } from './raw-bytes.ts'
import { emptyFolder, type Service, startService } from './service.ts'
import { type SharedService, shared } from './shared.ts'

export interface StoreContext {
  site: Site
  /** The one that runs now; filled before the first test. */
  service: SharedService
  /** Kills it and starts another on the same data. */
  killAndStart(): Promise<void>
  /** Files of the data folder, and of that part of PostgreSQL, that hold a word. */
  traces(word: string, part?: 'base' | 'all'): Promise<string[]>
  /** Undefined: SQLite. Known from the first test on. */
  databaseUrl(): string | undefined
  /** Known while the file is read: what depends on no store is tested on SQLite alone. */
  onSqlite: boolean
  /** No PostgreSQL here. */
  skip: boolean
}

/** What was last written before cannot hold what tests say; a second for the clocks of file systems. */
export const began = Date.now() - 1000

/** With settings, on services of its own. */
export function onEachStore(pages: Pages, tests: (context: StoreContext) => void, env?: Record<string, string>) {
  const postgresUrl = inject('postgresUrl')
  const site = {} as Site
  beforeAll(async () => {
    Object.assign(site, await startSite(pages))
  })
  afterAll(() => site.close?.())
  const stores: [name: string, onPostgres: boolean][] = [
    ['SQLite', false],
    ['PostgreSQL', true],
  ]
  describe.each(sampleRows(stores))('on %s', (_name, onPostgres) => {
    const skip = onPostgres && !postgresUrl
    if (!onPostgres && !env) {
      const { operator: service, killAndStart } = shared()
      const traces = async (word: string) => holders(service.dataDir, word, began)
      tests({ site, skip, onSqlite: true, service, databaseUrl: () => undefined, killAndStart, traces })
      return
    }
    const dataDir = emptyFolder()
    let databaseUrl: string | undefined
    const service = {} as Service
    const start = async () => {
      const database: Record<string, string> = databaseUrl ? { ORB_DATABASE_URL: databaseUrl } : {}
      const allowed = { ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}` }
      Object.assign(service, await startService({ dataDir, env: { ...allowed, ...database, ...env } }))
    }
    beforeAll(async () => {
      if (skip) return
      databaseUrl = onPostgres ? await newDatabase(postgresUrl as string) : undefined
      await start()
    })
    afterAll(() => service.stop?.())
    tests({
      site,
      skip,
      onSqlite: !onPostgres,
      service,
      databaseUrl: () => databaseUrl,
      async killAndStart() {
        await service.end('SIGKILL')
        await start()
      },
      async traces(word, part = 'all') {
        const places = [dataDir, ...(databaseUrl ? await postgresPlaces(databaseUrl, part) : [])]
        return places.flatMap((place) => holders(place, word, began))
      },
    })
  })
}
