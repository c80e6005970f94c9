// The languages of callers' code, and the browser interface of the shell.

export type CodeLanguage = 'node' | 'python' | 'bash'

export type RunBrowserCommand = (args: readonly string[], signal: AbortSignal) => Promise<object>
