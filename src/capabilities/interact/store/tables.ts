// The table of browser sessions in both dialects, added to those of the store.
export type SessionState = 'active' | 'destroyed' | 'error'

declare module '../../../store/tables.ts' {
  interface Tables {
    sessions: {
      id: string
      team_id: string
      key_id: string | null
      /** The scrape whose page the session continues; at most one session each. */
      scrape_id: string | null
      /** The agent run that owns and pays for it. */
      run_id: string | null
      state: SessionState
      /** The process that holds the browser, and its address for other machines. */
      holder: string
      address: string | null
      created_at: number
      last_activity: number
      seen_at: number
      expires_at: number
      activity_ttl_ms: number
      ended_at: number | null
      error: string | null
      prompted: number
      billed: number
      stream: number
      /** Blob of the recording; the empty text while recording. */
      recording: string | null
      /** Blob of the video that was made of it, and a `ReplayIndex` as JSON. */
      replay: string | null
      replay_index: string | null
      profile: string | null
      saves_profile: number
    }
  }
}
