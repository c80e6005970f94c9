// The steps of the database's history that this build has, and those of a database that it does not know.
import { newerThanThis } from '../store/copies.ts'
import { stepsWith } from '../store/migrations/index.ts'

export async function newerSteps(steps: readonly string[]): Promise<string[]> {
  const { storages } = await import('../capabilities/index.ts')
  return newerThanThis(steps, stepsWith(storages))
}

export async function databaseSteps(): Promise<string[]> {
  const { storages } = await import('../capabilities/index.ts')
  return stepsWith(storages).map(({ name }) => name)
}
