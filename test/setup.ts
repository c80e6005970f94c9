// Runs once before all tests: starts a private PostgreSQL, and ends it afterwards. Suites take its address with
// `inject('postgresUrl')` and make a database of their own in it. `npm test` fails without one; vitest alone goes on.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../scripts/postgres.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined: no PostgreSQL here. */
    postgresUrl: string | undefined
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Services that tests kill leave their scratch folders: `npm test` removes them with its own folder, vitest alone with this.
  const folder = process.env.ORB_TEST_REPORT_FILE ? undefined : mkdtempSync(join(tmpdir(), 'orb-test-'))
  if (folder) {
    // PostgreSQL runs as a user of its own, below this folder.
    chmodSync(folder, 0o711)
    process.env.TMPDIR = folder
  }
  // `npm run test:quick` does without one.
  const wanted = process.env.ORB_TEST_POSTGRES
  const server = wanted === 'off' ? undefined : await startPostgres({ required: wanted === 'required' })
  project.provide('postgresUrl', server?.url)
  return async () => {
    await server?.stop()
    if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
