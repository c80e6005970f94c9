// Browser profiles: encrypted browser state, with a claim for the session that may save it.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Clock } from '../base/time.ts'
import { bytesOf, type Db } from './tables.ts'

interface ProfileRef {
  teamId: string
  name: string
}

export interface Profiles {
  load(ref: ProfileRef): Promise<string | undefined>
  claim(ref: ProfileRef, saver: string, forMs: number): Promise<boolean>
  /** False, without a change, when the claim was lost. */
  save(ref: ProfileRef, saver: string, state: string): Promise<boolean>
  release(ref: ProfileRef, saver: string): Promise<void>
  list(teamId: string): Promise<{ name: string; updatedAt: number; inUse: boolean; bytes: number }[]>
  remove(ref: ProfileRef): Promise<'removed' | 'in use' | 'unknown'>
}

export function openProfiles(db: Db, clock: Clock, key: Buffer): Profiles {
  return {
    async load({ teamId, name }) {
      const row = await db
        .selectFrom('profiles')
        .select('state')
        .where('team_id', '=', teamId)
        .where('name', '=', name)
        .executeTakeFirst()
      return row?.state ? unseal(Buffer.from(bytesOf(row.state)), key, labelOf(teamId, name)) : undefined
    },
    async claim({ teamId, name }, saver, forMs) {
      const now = clock.now()
      const claimed = await db
        .insertInto('profiles')
        .values({ team_id: teamId, name, state: null, updated_at: now, saver, saver_until: now + forMs })
        .onConflict((conflict) =>
          conflict
            .columns(['team_id', 'name'])
            .doUpdateSet({ saver, saver_until: now + forMs })
            .where((where) =>
              where.or([where('profiles.saver', 'is', null), where('profiles.saver_until', '<=', now)]),
            ),
        )
        .returning('saver')
        .executeTakeFirst()
      return claimed?.saver === saver
    },
    async save({ teamId, name }, saver, state) {
      const { numUpdatedRows } = await db
        .updateTable('profiles')
        .set({ state: seal(state, key, labelOf(teamId, name)), updated_at: clock.now(), saver: null, saver_until: 0 })
        .where('team_id', '=', teamId)
        .where('name', '=', name)
        .where('saver', '=', saver)
        .executeTakeFirst()
      return Number(numUpdatedRows) === 1
    },
    async release({ teamId, name }, saver) {
      await db
        .updateTable('profiles')
        .set({ saver: null, saver_until: 0 })
        .where('team_id', '=', teamId)
        .where('name', '=', name)
        .where('saver', '=', saver)
        .execute()
    },
    async list(teamId) {
      const rows = await db
        .selectFrom('profiles')
        .select(['name', 'updated_at', 'saver', 'saver_until', sql<number>`length(state)`.as('bytes')])
        .where('team_id', '=', teamId)
        .where('state', 'is not', null)
        .orderBy('name')
        .limit(1000)
        .execute()
      const now = clock.now()
      return rows.map((row) => ({
        name: row.name,
        updatedAt: Number(row.updated_at),
        inUse: row.saver !== null && Number(row.saver_until) > now,
        bytes: Number(row.bytes),
      }))
    },
    async remove({ teamId, name }) {
      const own = db.selectFrom('profiles').select('saver').where('team_id', '=', teamId).where('name', '=', name)
      if (!(await own.executeTakeFirst())) return 'unknown'
      const { numDeletedRows } = await db
        .deleteFrom('profiles')
        .where('team_id', '=', teamId)
        .where('name', '=', name)
        .where((where) => where.or([where('saver', 'is', null), where('saver_until', '<=', clock.now())]))
        .executeTakeFirst()
      return Number(numDeletedRows) === 1 ? 'removed' : 'in use'
    },
  }
}

export const secretSealer = (key: Buffer) => ({
  seal: (text: string, label: string) => Buffer.from(seal(text, key, Buffer.from(label))).toString('base64'),
  open: (sealed: string, label: string) => unseal(Buffer.from(sealed, 'base64'), key, Buffer.from(label)),
})

// Authenticated label, so that one team's state cannot be moved into another's row.
const labelOf = (teamId: string, name: string): Buffer => Buffer.from(`${teamId} ${name}`)

/** AES-256-GCM: 12 bytes of nonce, 16 of tag, then the ciphertext. */
function seal(text: string, key: Buffer, label: Buffer): Uint8Array {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(label)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

function unseal(sealed: Buffer, key: Buffer, label: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(label)
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}
