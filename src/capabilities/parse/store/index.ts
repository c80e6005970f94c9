// What parsing stores: announced uploads, until the file is parsed. The files are blobs.
import { DAY_MS } from '../../../base/clock.ts'
import { Problem } from '../../../base/problem.ts'
import { defineStorage } from '../../../store/capability-storage.ts'
import { newId } from '../../../store/id.ts'
import { makeRowCodec, type RowFields } from '../../../store/row-codec.ts'
import type { Tables } from '../../../store/tables.ts'

declare module '../../../store/tables.ts' {
  interface Tables {
    uploads: {
      id: string
      team_id: string
      filename: string
      content_type: string
      created_at: number
      expires_at: number
      blob_id: string | null
    }
  }
}

const UPLOAD_LIFE_MS = 10 * 60_000
const MOST_WAITING = 10

type Upload = RowFields<Tables['uploads']>

const uploadRows = makeRowCodec<Tables['uploads'], Upload>()

export const uploadStore = defineStorage({
  open: ({ db, clock }) => ({
    /** Throws `upload_limit` when a team has too many unparsed ones. */
    announce: (options: Pick<Upload, 'teamId' | 'filename' | 'contentType'>): Promise<Upload> =>
      db.transaction().execute(async (tx) => {
        const now = clock.now()
        await tx
          .deleteFrom('uploads')
          .where('created_at', '<', now - DAY_MS)
          .execute()
        const { count } = await tx
          .selectFrom('uploads')
          .select((from) => from.fn.countAll<number | string>().as('count'))
          .where('team_id', '=', options.teamId)
          .executeTakeFirstOrThrow()
        if (Number(count) >= MOST_WAITING)
          throw new Problem('upload_limit', { because: `at most ${MOST_WAITING} in 24 hours` })
        const upload = { id: newId(now), ...options, createdAt: now, expiresAt: now + UPLOAD_LIFE_MS, blobId: null }
        await tx.insertInto('uploads').values(uploadRows.write(upload)).execute()
        return upload
      }),
    async find(id: string) {
      const row = await db
        .selectFrom('uploads')
        .selectAll()
        .where('id', '=', id)
        .where('expires_at', '>', clock.now())
        .executeTakeFirst()
      return row && uploadRows.read(row)
    },
    async fill(id: string, blobId: string) {
      const filled = await db
        .updateTable('uploads')
        .set({ blob_id: blobId })
        .where('id', '=', id)
        .where('blob_id', 'is', null)
        .executeTakeFirst()
      return filled.numUpdatedRows === 1n
    },
    async take(id: string) {
      const taken = await db.deleteFrom('uploads').where('id', '=', id).executeTakeFirst()
      return taken.numDeletedRows === 1n
    },
  }),
  forget: [{ table: 'uploads', blob: 'blob_id' }],
})
