// The table of announced uploads in both dialects, added to those of the store.
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

export {}
