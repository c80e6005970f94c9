// Runs a caller's JavaScript inside the sandbox with a connected `page`, `context` and `browser`. One process serves
// all calls of a session, so that variables persist.
import { inspect } from 'node:util'
import { CDP_URL } from './cdp-relay.ts'
import { makeDownloadsReadable } from './readable-downloads.ts'
import { evaluateJavaScript } from './rewrite-javascript.ts'
import { connectToBrowser, runnerEnvironment } from './runner-environment.ts'
import { type CodeOutcome, makeOutputBlocking, serveCodeRequests, writeAll } from './serve-code-requests.ts'

/** The used part of Playwright's API; its types belong to another module. */
interface Library {
  chromium: { connectOverCDP(url: string): Promise<Browser> }
}
interface Browser {
  isConnected(): boolean
  contexts(): (Parameters<typeof makeDownloadsReadable>[0] & { pages(): Page[]; newPage(): Promise<Page> })[]
}
type Page = ReturnType<Parameters<typeof makeDownloadsReadable>[0]['pages']>[number]

const scope = globalThis as unknown as { browser?: Browser; context?: unknown; page?: Page; require?: unknown }
const { require } = runnerEnvironment
let failed = false

async function ensureConnected(): Promise<void> {
  if (!scope.browser?.isConnected()) {
    const { chromium } = require('playwright-core') as Library
    scope.browser = await chromium.connectOverCDP(CDP_URL)
    scope.page = undefined as never
  }
  const [context] = scope.browser.contexts()
  scope.context = context
  if (context) makeDownloadsReadable(context)
  if (scope.page && !scope.page.isClosed()) return
  const page = context?.pages().find((one) => !one.isClosed()) ?? (await context?.newPage())
  if (page) scope.page = page
}

async function run(code: string): Promise<CodeOutcome> {
  failed = false
  try {
    await ensureConnected()
    const value = await evaluateJavaScript(code)
    return { result: formatResult(value), exitCode: failed ? 1 : 0 }
  } catch (error) {
    writeAll(2, `${reason(error)}\n`)
    return { result: null, exitCode: 1 }
  }
}

/** Strings unchanged, everything else as JSON where possible. */
function formatResult(value: unknown): string | null {
  if (value === undefined || value === '') return null
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? inspect(value)
  } catch {
    return inspect(value, { depth: 3 })
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return `Error: ${inspect(error)}`
  const own = (error.stack ?? '').split('\n').filter((line) => /^\s+at .*code\.js:/.test(line))
  return [`${error.name}: ${error.message}`, ...own].join('\n')
}

for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error: unknown) => {
    failed = true
    writeAll(2, `${reason(error)}\n`)
  })
Object.assign(scope, { require })
makeOutputBlocking()
await connectToBrowser()
// Preload for the next call.
require('playwright-core')
await serveCodeRequests(run)
