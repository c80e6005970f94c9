// The audit log of changes to teams and keys. Rows are append-only; the sweep removes old ones.
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../store/id.ts'
import { type Db, inTransaction, type Tx } from '../../store/tables.ts'

export const AUDIT_ACTIONS = [
  'key.created',
  'key.changed',
  'key.revoked',
  'team.created',
  'team.changed',
  'credits.granted',
  'forget',
  'webhook.secret',
  'login',
  'registration',
] as const
type AuditAction = (typeof AUDIT_ACTIONS)[number]

interface AuditEntry {
  /** Null: concerns the whole service. */
  teamId: string | null
  /** A key id, `command line`, or an issuer and its subject. */
  actor: string
  action: AuditAction
  subject: string | null
  /** Must not contain secrets. */
  details: Readonly<Record<string, unknown>>
}

export function openAuditLog(db: Db, clock: Clock) {
  return {
    add: ({ teamId, actor, action, subject, details }: AuditEntry, tx?: Tx) =>
      inTransaction(db, tx, async (tx) => {
        const at = clock.now()
        await tx
          .insertInto('audit_log')
          .values({ id: newId(at), at, team_id: teamId, actor, action, subject, details: JSON.stringify(details) })
          .execute()
      }),
    /** Newest first; without a team, of all teams. */
    async list({
      teamId,
      action,
      before,
      limit,
    }: {
      teamId: string | undefined
      action?: AuditAction | undefined
      before?: string | undefined
      limit: number
    }) {
      const rows = await db
        .selectFrom('audit_log')
        .selectAll()
        .$if(teamId !== undefined, (query) => query.where('team_id', '=', teamId!))
        .$if(action !== undefined, (query) => query.where('action', '=', action!))
        .$if(before !== undefined, (query) => query.where('id', '<', before!))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ team_id: ofTeam, action: done, details, ...row }) => ({
        ...row,
        teamId: ofTeam,
        action: done as AuditAction,
        details: JSON.parse(details) as Record<string, unknown>,
      }))
    },
  }
}
