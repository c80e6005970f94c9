// What may be run in a session's sandbox, and the command in it that speaks to the session.
export type Language = 'node' | 'python' | 'bash'

/** A step in the session's page that a shell asks for by name. */
export type AgentBrowser = (args: readonly string[], signal: AbortSignal) => Promise<object>
