// What feedback stores: callers' opinions on results, one row per job and team.
import { defineStorage } from '../../../store/capability-storage.ts'
import { newId } from '../../../store/id.ts'

interface NewFeedback {
  teamId: string
  keyId: string | null
  jobId: string
  endpoint: string
  rating: string
  body: unknown
}

export const feedbackStore = defineStorage({
  // The store's step 0300 creates the table.
  open: ({ db, clock }) => ({
    /** `first`: this call created the row. */
    async add({ teamId, keyId, jobId, endpoint, rating, body }: NewFeedback) {
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
  }),
  forget: [{ table: 'feedback', texts: ['body'] }],
})
