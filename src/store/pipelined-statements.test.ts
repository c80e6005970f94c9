import { describe, inject } from 'vitest'
import { newDatabase, openTestSqlite } from '../../test/contract/open-store.ts'
import { togetherContract } from '../../test/contract/together.ts'
import { silentLog } from '../base/log.ts'
import { openPostgres } from './postgres.ts'
import { databasePath, openSecondConnection } from './sqlite.ts'

const url = inject('postgresUrl')

describe('statements run together', () => {
  describe('on SQLite', () =>
    togetherContract(async () => {
      const test = await openTestSqlite()
      const { db, connection } = openSecondConnection(databasePath(test.dataDir))
      await db.deleteFrom('settings').execute()
      return {
        db,
        async end() {
          connection.close()
          await test.end()
        },
      }
    }))

  describe.skipIf(url === undefined)('on PostgreSQL (skipped when none could be started)', () =>
    togetherContract(async () => {
      const db = await openPostgres({ url: await newDatabase(url!), log: silentLog })
      await db.deleteFrom('settings').execute()
      return { db, end: () => db.destroy() }
    }),
  )
})
