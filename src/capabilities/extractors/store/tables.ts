// The table of extractors in both dialects, added to those of the store.
declare module '../../../store/tables.ts' {
  interface Tables {
    extractors: {
      team_id: string
      id: string
      version: number
      name: string | null
      /** JSON: schema, program, scope, examples, webhook. */
      body: string
      /** JSON: how often each field was read and missing since this version. */
      stats: string
      created_at: number
      /** Hash of the request whose model answers taught it; null: taught by a caller. */
      learnt_for: string | null
      learnt_at: number | null
    }
    extractor_pages: {
      id: string
      team_id: string
      extractor_id: string
      url: string
      /** JSON: the values that were read. */
      body: string
      read_at: number
    }
  }
}

export {}
