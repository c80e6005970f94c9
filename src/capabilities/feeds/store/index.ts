// What feeds store, and how an address or a team is forgotten.
import { defineStorage } from '../../../store/capability-storage.ts'
import { openFeeds } from './feeds.ts'

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
