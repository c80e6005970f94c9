// The tables of what is known of pages that are crawled again and again, added to those of the store.
declare module '../../store/tables.ts' {
  interface Tables {
    /** Crawls or batches with the same options: what "since" compares with. */
    sync_series: {
      id: string
      team_id: string
      name: string
      url: string
      job_id: string | null
      done_at: number | null
      used_at: number
      /** Jobs of pages over which `lastmod` said that nothing changed, and we checked; older jobs count less. */
      lastmod_checks: number
      /** Checks that found a change although `lastmod` reported none. */
      lastmod_misses: number
      /** The same for `ETag` and `Last-Modified`. */
      validator_checks: number
      validator_misses: number
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
      /** Consecutive jobs that did not read the page because the site reported no change. */
      unread: number
      /** Jobs in a row that did not even ask the page. */
      unvisited: number
      /** What the last job that read the page adds to the sums of the series. */
      lastmod_checks: number
      lastmod_misses: number
      validator_checks: number
      validator_misses: number
    }
    /** Lines that differed between two readings of a page a moment apart. */
    sync_noise: {
      series_id: string
      /** Fingerprint of the line. */
      print: number
      /** On how many pages it was noise; `last_key` is the latest of them. */
      pages: number
      last_key: string
    }
  }
}

export {}
