// The steps of the database's history that this build has, and those of a database that it does not know.

import { collectMigrationSteps } from '../store/migrations/index.ts'
import { findUnknownSteps } from '../store/sqlite-copies.ts'

export async function findUnknownMigrations(steps: readonly string[]): Promise<string[]> {
  const { storages } = await import('../capabilities/index.ts')
  return findUnknownSteps(steps, collectMigrationSteps(storages))
}

export async function listKnownMigrations(): Promise<string[]> {
  const { storages } = await import('../capabilities/index.ts')
  return collectMigrationSteps(storages).map(({ name }) => name)
}
