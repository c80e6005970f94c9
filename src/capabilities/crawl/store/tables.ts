// The tables of what is known of pages that are crawled again and again, added to those of the store.
declare module '../../../store/tables.ts' {
  interface Tables {
    /** Crawls or batches with the same options: what "since" compares with. */
    sync_series: {
      id: string
      team_id: string
      name: string
      url: string
      job_id: string | null
      done_at: number | null
      /** Changes in a row that the sitemap's `lastmod` announced. */
      trust: number
      used_at: number
    }
    synced_pages: {
      series_id: string
      url_key: string
      url: string
      depth: number
      prints: Uint8Array
      chars: number
      /** ETag and Last-Modified as JSON. */
      marks: string | null
      /** Latest time that the sitemap's `lastmod` can mean, and the job that read it. */
      listed_at: number | null
      listed_by: string | null
      read_at: number
      seen_at: number
      first_at: number
      changed_at: number
      gone_at: number | null
      /** Crawls in a row that did not find it. */
      absences: number
      /** Crawls in a row that took the site's word for it that nothing changed. */
      unread: number
    }
    /** Lines that differed between two readings of a page a moment apart. */
    sync_noise: {
      series_id: string
      /** Fingerprint of the line. */
      print: number
      /** How often, one page after another. */
      pages: number
      last_key: string
    }
  }
}

export {}
