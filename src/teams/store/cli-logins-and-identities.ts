// Pending command-line logins, identities from trusted issuers, and used assertions. No key is stored.
import type { Clock } from '../../base/clock.ts'
import { makeRowCodec, type RowFields } from '../../store/row-codec.ts'
import { type Db, inTransaction, type Tables, type Tx } from '../../store/tables.ts'

type CliLogin = RowFields<Tables['cli_logins']>

const loginRows = makeRowCodec<Tables['cli_logins'], CliLogin>()

export function openCliLoginsAndIdentities(db: Db, clock: Clock) {
  return {
    /** False when this session was approved before. */
    approve: (login: CliLogin, tx?: Tx) =>
      inTransaction(db, tx, async (tx) => {
        await tx.deleteFrom('cli_logins').where('expires_at', '<=', clock.now()).execute()
        const made = await tx
          .insertInto('cli_logins')
          .values(loginRows.write(login))
          .onConflict((conflict) => conflict.column('session_hash').doNothing())
          .executeTakeFirst()
        return made.numInsertedOrUpdatedRows === 1n
      }),
    async find(sessionHash: string) {
      const row = await db
        .selectFrom('cli_logins')
        .selectAll()
        .where('session_hash', '=', sessionHash)
        .where('expires_at', '>', clock.now())
        .executeTakeFirst()
      return row && loginRows.read(row)
    },
    /** True for one caller only. */
    async take(tx: Tx, sessionHash: string) {
      const taken = await tx.deleteFrom('cli_logins').where('session_hash', '=', sessionHash).executeTakeFirst()
      return taken.numDeletedRows === 1n
    },
    async teamOf(issuer: string, subject: string) {
      const row = await db
        .selectFrom('identities')
        .select('team_id')
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst()
      return row?.team_id
    },
    async remember(
      tx: Tx,
      { issuer, subject, email, teamId }: { issuer: string; subject: string; email: string; teamId: string },
    ) {
      await tx
        .insertInto('identities')
        .values({ issuer, subject, email, team_id: teamId, created_at: clock.now() })
        .execute()
    },
    async isUsed(hash: string) {
      const row = await db.selectFrom('used_assertions').select('hash').where('hash', '=', hash).executeTakeFirst()
      return row !== undefined
    },
    /** False when it was used before. */
    async useAssertion(hash: string, expiresAt: number) {
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
