// The languages that code of callers may be written in, and what a shell among them may ask of the browser.

export type CodeLanguage = 'node' | 'python' | 'bash'

/** A step in the session's page that a shell asks for by name. */
export type AgentBrowser = (args: readonly string[], signal: AbortSignal) => Promise<object>
