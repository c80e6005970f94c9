// When the installation first met a site: one row each, with a keyed hash that does not reveal the name.
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { registrableDomainOrHost } from '../base/registrable-domain.ts'
import { BATCH_ROWS } from './sweep-batches.ts'
import type { Db } from './tables.ts'

/** Above this the oldest rows go; such a site counts as new again. */
export const MAX_HOSTS_SEEN = 200_000
const PRINT_BYTES = 12
const PAGE_ROWS = 5000

interface HostSeen {
  print: string
  at: number
}

export type HostsSeen = ReturnType<typeof openHostsSeen>

export function openHostsSeen(db: Db, key: Buffer) {
  return {
    printOf: (hostname: string) => fingerprintHost(key, hostname),
    async add(seen: readonly HostSeen[]) {
      for (let from = 0; from < seen.length; from += BATCH_ROWS)
        await db
          .insertInto('host_sightings')
          .values(seen.slice(from, from + BATCH_ROWS))
          .onConflict((conflict) => conflict.doNothing())
          .execute()
    },
    async *since(at: number) {
      let last: HostSeen = { at, print: '' }
      for (;;) {
        const rows = await db
          .selectFrom('host_sightings')
          .select(['print', 'at'])
          .where(sql<boolean>`(at, print) > (${last.at}, ${last.print})`)
          .orderBy('at')
          .orderBy('print')
          .limit(PAGE_ROWS)
          .execute()
        if (rows.length > 0) yield rows
        if (rows.length < PAGE_ROWS) return
        last = rows.at(-1)!
      }
    },
  }
}

export const fingerprintHost = (key: Buffer, hostname: string): string =>
  createHmac('sha256', key)
    .update(registrableDomainOrHost(hostname))
    .digest()
    .subarray(0, PRINT_BYTES)
    .toString('base64url')

export async function deleteOldestHostsSeen(db: Db, most: number): Promise<number> {
  const { count } = await db
    .selectFrom('host_sightings')
    .select((from) => from.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  const excess = Math.min(Number(count) - most, BATCH_ROWS)
  if (excess <= 0) return 0
  const oldest = await db
    .selectFrom('host_sightings')
    .select('print')
    .orderBy('at')
    .orderBy('print')
    .limit(excess)
    .execute()
  const prints = oldest.map(({ print }) => print)
  await db.deleteFrom('host_sightings').where('print', 'in', prints).execute()
  return prints.length
}
