// Pending command-line logins, identities from trusted issuers, and used assertions. No key is stored.
import type { Clock } from '../../base/clock.ts'
import { makeRowCodec, type RowFields } from '../../store/row-codec.ts'
import { type Db, inTransaction, type Tables, type Tx } from '../../store/tables.ts'

type CliLogin = RowFields<Tables['cli_logins']>

const loginRows = makeRowCodec<Tables['cli_logins'], CliLogin>()

interface Onboarding {
  /** False when this session was approved before. */
  approve(login: CliLogin, tx?: Tx): Promise<boolean>
  find(sessionHash: string): Promise<CliLogin | undefined>
  /** True for one caller only. */
  take(tx: Tx, sessionHash: string): Promise<boolean>
  teamOf(issuer: string, subject: string): Promise<string | undefined>
  remember(tx: Tx, identity: { issuer: string; subject: string; email: string; teamId: string }): Promise<void>
  /** False when it was used before. */
  useAssertion(hash: string, expiresAt: number): Promise<boolean>
  isUsed(hash: string): Promise<boolean>
}

export function openCliLoginsAndIdentities(db: Db, clock: Clock): Onboarding {
  return {
    approve: (login, tx) =>
      inTransaction(db, tx, async (tx) => {
        await tx.deleteFrom('cli_logins').where('expires_at', '<=', clock.now()).execute()
        const made = await tx
          .insertInto('cli_logins')
          .values(loginRows.write(login))
          .onConflict((conflict) => conflict.column('session_hash').doNothing())
          .executeTakeFirst()
        return made.numInsertedOrUpdatedRows === 1n
      }),
    async find(sessionHash) {
      const row = await db
        .selectFrom('cli_logins')
        .selectAll()
        .where('session_hash', '=', sessionHash)
        .where('expires_at', '>', clock.now())
        .executeTakeFirst()
      return row && loginRows.read(row)
    },
    async take(tx, sessionHash) {
      const taken = await tx.deleteFrom('cli_logins').where('session_hash', '=', sessionHash).executeTakeFirst()
      return taken.numDeletedRows === 1n
    },
    async teamOf(issuer, subject) {
      const row = await db
        .selectFrom('identities')
        .select('team_id')
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst()
      return row?.team_id
    },
    async remember(tx, { issuer, subject, email, teamId }) {
      await tx
        .insertInto('identities')
        .values({ issuer, subject, email, team_id: teamId, created_at: clock.now() })
        .execute()
    },
    async isUsed(hash) {
      const row = await db.selectFrom('used_assertions').select('hash').where('hash', '=', hash).executeTakeFirst()
      return row !== undefined
    },
    async useAssertion(hash, expiresAt) {
      await db.deleteFrom('used_assertions').where('expires_at', '<=', clock.now()).execute()
      const made = await db
        .insertInto('used_assertions')
        .values({ hash, expires_at: expiresAt })
        .onConflict((conflict) => conflict.column('hash').doNothing())
        .executeTakeFirst()
      return made.numInsertedOrUpdatedRows === 1n
    },
  }
}
