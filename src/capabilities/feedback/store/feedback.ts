// Callers' feedback on results: one row per job and team.
import type { Clock } from '../../../base/clock.ts'
import { newId } from '../../../store/id.ts'
import type { Db } from '../../../store/tables.ts'

interface NewFeedback {
  teamId: string
  keyId: string | null
  jobId: string
  endpoint: string
  rating: string
  body: unknown
}

interface Feedbacks {
  /** `first`: this call created the row. */
  add(feedback: NewFeedback): Promise<{ id: string; first: boolean }>
}

export function openFeedbackTable(db: Db, clock: Clock): Feedbacks {
  return {
    async add({ teamId, keyId, jobId, endpoint, rating, body }) {
      const at = clock.now()
      const id = newId(at)
      await db
        .insertInto('feedback')
        .values({ id, team_id: teamId, key_id: keyId, job_id: jobId, endpoint, rating, at, body: JSON.stringify(body) })
        .onConflict((conflict) => conflict.columns(['team_id', 'job_id']).doNothing())
        .execute()
      const row = await db
        .selectFrom('feedback')
        .select('id')
        .where('team_id', '=', teamId)
        .where('job_id', '=', jobId)
        .executeTakeFirstOrThrow()
      return { id: row.id, first: row.id === id }
    },
  }
}
