// The tables of shared limits and of sign-ins, added to those of the store.
declare module '../../store/tables.ts' {
  interface Tables {
    rate_windows: { team_id: string; bucket: string; window_start: number; used: number }
    slots: { id: string; team_id: string; lease_until: number }
    cli_logins: {
      /** The client's session id, hashed: a reader of the table cannot finish the login. */
      session_hash: string
      challenge: string
      team_id: string
      key_name: string
      approved_by: string
      expires_at: number
    }
    identities: { issuer: string; subject: string; email: string; team_id: string; created_at: number }
    used_assertions: { hash: string; expires_at: number }
  }
}

export {}
