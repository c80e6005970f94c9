// Runs once before all tests: starts a private PostgreSQL if there is one to be had, and ends it afterwards. Suites
// take its address with `inject('postgresUrl')` and make a database of their own in it.
import type { TestProject } from 'vitest/node'
import { startPostgres } from '../scripts/postgres.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined: no PostgreSQL here. */
    postgresUrl: string | undefined
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  project.provide('postgresUrl', server?.url)
  return async () => {
    await server?.stop()
  }
}
