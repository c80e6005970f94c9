// The tables of feeds in both dialects, added to those of the store.
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

export {}
