// What feeds store, and how an address or a team is forgotten.

import type { Clock } from '../../../base/clock.ts'
import { pageKeyOf } from '../../../base/url-key.ts'
import { defineStorage } from '../../../store/capability-storage.ts'
import { makeRowCodec, type RowFields } from '../../../store/row-codec.ts'
import type { Db, Tables, Tx } from '../../../store/tables.ts'
import type { ListItem } from '../../../understanding/extract/find-list-items.ts'

declare module '../../../store/tables.ts' {
  interface Tables {
    feeds: {
      id: string
      team_id: string
      key_id: string
      /** The secret in its address. */
      token: string
      url: string
      title: string
      every_ms: number
      /** JSON of the scrape options. */
      options: string
      created_at: number
      checked_at: number
      error: string | null
    }
    feed_items: { feed_id: string; url_key: string; url: string; n: number; first_at: number; body: string }
  }
}

const MOST_SHOWN = 100
const MOST_KEPT = 2_000
const MAX_KEY = 500

export type Feed = RowFields<Tables['feeds'], { options: Record<string, unknown> }>

const feedRows = makeRowCodec<Tables['feeds'], Feed>({ json: ['options'] })

export interface FeedEntry extends ListItem {
  firstAt: number
}

/** The address identifies an entry: order and edits make no new one. */
const openFeeds = (db: Db, clock: Clock) => ({
  async add(tx: Tx, feed: Feed): Promise<void> {
    await tx.insertInto('feeds').values(feedRows.write(feed)).execute()
  },
  async list(teamId: string, limit: number): Promise<Feed[]> {
    const rows = await db
      .selectFrom('feeds')
      .selectAll()
      .where('team_id', '=', teamId)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(feedRows.read)
  },
  async byToken(token: string): Promise<Feed | undefined> {
    const row = await db.selectFrom('feeds').selectAll().where('token', '=', token).executeTakeFirst()
    return row && feedRows.read(row)
  },
  async remove(teamId: string, id: string): Promise<boolean> {
    const gone = await db.deleteFrom('feeds').where('team_id', '=', teamId).where('id', '=', id).executeTakeFirst()
    return gone.numDeletedRows === 1n
  },
  /** True for the one caller that is to read the page now. */
  async claim({ id, checkedAt }: Feed): Promise<boolean> {
    const claimed = await db
      .updateTable('feeds')
      .set({ checked_at: clock.now() })
      .where('id', '=', id)
      .where('checked_at', '=', checkedAt)
      .executeTakeFirst()
    return claimed.numUpdatedRows === 1n
  },
  /** Adds the entries that are new. */
  async addItems(tx: Tx, { id: feedId, url: listUrl }: Feed, items: readonly ListItem[]): Promise<void> {
    const now = clock.now()
    const rows = items.map((item, n) => ({
      ...{ feed_id: feedId, url_key: entryKey(listUrl, item.url), url: item.url, n, first_at: now },
      body: JSON.stringify(item),
    }))
    if (rows.length > 0)
      await tx
        .insertInto('feed_items')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    const oldest = await tx
      .selectFrom('feed_items')
      .select('first_at')
      .where('feed_id', '=', feedId)
      .orderBy('first_at', 'desc')
      .offset(MOST_KEPT)
      .limit(1)
      .executeTakeFirst()
    if (oldest)
      await tx.deleteFrom('feed_items').where('feed_id', '=', feedId).where('first_at', '<=', oldest.first_at).execute()
  },
  async setError(feedId: string, error: string | null): Promise<void> {
    await db.updateTable('feeds').set({ error }).where('id', '=', feedId).execute()
  },
  /** Newest first. */
  async entries(feedId: string): Promise<FeedEntry[]> {
    const rows = await db
      .selectFrom('feed_items')
      .select(['first_at', 'body'])
      .where('feed_id', '=', feedId)
      .orderBy('first_at', 'desc')
      .orderBy('n')
      .limit(MOST_SHOWN)
      .execute()
    return rows.map((row) => ({ ...(JSON.parse(row.body) as ListItem), firstAt: Number(row.first_at) }))
  },
})

/** Tracking parameters and fragments make no new entry, unless entries are parts of the list page itself. */
function entryKey(listUrl: string, url: string): string {
  const key = pageKeyOf(url)
  return key === pageKeyOf(listUrl) ? url.slice(0, MAX_KEY) : key
}

export const feedStore = defineStorage({
  open: ({ db, clock }) => openFeeds(db, clock),
  forget: [
    {
      table: 'feed_items',
      id: null,
      urls: ['url'],
      keys: ['url_key'],
      texts: ['body'],
      parent: { table: 'feeds', column: 'feed_id' },
    },
    { table: 'feeds', urls: ['url'] },
  ],
})
