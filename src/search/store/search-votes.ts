// Feedback on search hits within a team. One row per vote, so that each can be withdrawn.
import { sql } from 'kysely'
import { type Clock, DAY_MS } from '../../base/clock.ts'
import { newId } from '../../store/id.ts'
import type { Db } from '../../store/tables.ts'

const VOTE_LIFE_MS = 180 * DAY_MS

export interface SearchVotes {
  /** Stores the words for a day, so that the search can be rated. */
  remember(search: { id: string; teamId: string; words: string }): Promise<void>
  vote(teamId: string, searchId: string, urlKeys: readonly string[]): Promise<void>
  takeBack(teamId: string, searchId: string): Promise<number>
  forWords(teamId: string, words: string): Promise<Map<string, number>>
}

export function openSearchVotes(db: Db, clock: Clock): SearchVotes {
  return {
    async remember({ id, teamId, words }) {
      await db.insertInto('searches').values({ id, team_id: teamId, words, at: clock.now() }).execute()
    },
    async vote(teamId, searchId, urlKeys) {
      const search = await db
        .selectFrom('searches')
        .select('words')
        .where('id', '=', searchId)
        .where('team_id', '=', teamId)
        .executeTakeFirst()
      if (!search || urlKeys.length === 0) return
      const at = clock.now()
      await db
        .insertInto('search_votes')
        .values(
          [...new Set(urlKeys)].map((urlKey) => ({
            id: newId(at),
            team_id: teamId,
            search_id: searchId,
            words: search.words,
            url_key: urlKey,
            vote: 1,
            at,
          })),
        )
        .execute()
    },
    async takeBack(teamId, searchId) {
      const gone = await db
        .deleteFrom('search_votes')
        .where('team_id', '=', teamId)
        .where('search_id', '=', searchId)
        .executeTakeFirst()
      return Number(gone.numDeletedRows)
    },
    async forWords(teamId, words) {
      const rows = await db
        .selectFrom('search_votes')
        .select(['url_key', sql<number | string>`sum(vote)`.as('votes')])
        .where('team_id', '=', teamId)
        .where('at', '>', clock.now() - VOTE_LIFE_MS)
        .where('words', '=', words)
        .groupBy('url_key')
        .execute()
      return new Map(rows.map(({ url_key, votes }) => [url_key, Number(votes)]))
    },
  }
}
