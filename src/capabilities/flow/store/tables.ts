// The tables of flows and of the vault in both dialects, added to those of the store.
declare module '../../../store/tables.ts' {
  interface Tables {
    flows: {
      team_id: string
      name: string
      version: number
      /** JSON: parameters and steps. */
      body: string
      created_at: number
    }
    vault: {
      team_id: string
      name: string
      domain: string
      /** The encrypted entry. */
      sealed: string
      updated_at: number
    }
  }
}

export {}
