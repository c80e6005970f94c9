// Reads facts about a PostgreSQL database without migrating it, for backup, restore and `orb doctor`.
import pg from 'pg'
import type { DatabaseFacts } from './sqlite-copies.ts'

export interface PostgresFacts extends DatabaseFacts {
  inUseBy: number
  server: string
}

export async function readPostgresFacts(url: string): Promise<PostgresFacts> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, application_name: 'orb' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const value = async (sql: string): Promise<string[]> =>
      (await client.query<{ v: string }>(sql)).rows.map(({ v }) => v)
    const [known] = await value("select to_regclass('kysely_migration')::text as v")
    const steps = known ? await value('select name as v from kysely_migration order by name') : []
    const [instanceId] = known ? await value("select value as v from settings where name = 'instance_id'") : []
    const [inUseBy] = await value(
      "select count(*)::text as v from pg_stat_activity where datname = current_database() and application_name = 'orbweaver'",
    )
    const [server = ''] = await value("select current_setting('server_version') as v")
    return { steps, instanceId, inUseBy: Number(inUseBy), server }
  } finally {
    await client.end()
  }
}
