// Runs once before all tests: starts a private PostgreSQL, and ends it afterwards. Suites take its address with
// `inject('postgresUrl')` and make a database of their own in it. `npm test` fails without one; vitest alone goes on.
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../scripts/postgres.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined: no PostgreSQL here. */
    postgresUrl: string | undefined
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // `npm run test:quick` does without one.
  const wanted = process.env.ORB_TEST_POSTGRES
  const server = wanted === 'off' ? undefined : await startPostgres({ required: wanted === 'required' })
  project.provide('postgresUrl', server?.url)
  return async () => {
    await server?.stop()
  }
}
