// The languages of callers' code, and the browser interface of the shell.

export type CodeLanguage = 'node' | 'python' | 'bash'

/** A step in the session's page, requested by the shell. */
export type AgentBrowser = (args: readonly string[], signal: AbortSignal) => Promise<object>
