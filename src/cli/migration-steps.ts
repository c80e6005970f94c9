// The steps of the database's history that this build has, and those of a database that it does not know.

import { stepsWith } from '../store/migrations/index.ts'
import { newerThanThis } from '../store/sqlite-copies.ts'

export async function newerSteps(steps: readonly string[]): Promise<string[]> {
  const { storages } = await import('../capabilities/index.ts')
  return newerThanThis(steps, stepsWith(storages))
}

export async function databaseSteps(): Promise<string[]> {
  const { storages } = await import('../capabilities/index.ts')
  return stepsWith(storages).map(({ name }) => name)
}
