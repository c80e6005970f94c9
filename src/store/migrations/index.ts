// The store's own migrations; capabilities declare theirs. There are no steps back: restore the backup made before the
// upgrade (docs/upgrading.md).
import { pausedJobs } from './0940-paused-jobs.ts'
import { aliases } from './0950-aliases.ts'
import { baselineSteps } from './baseline.ts'
import type { MigrationStep } from './migration-step.ts'

const ownSteps: readonly MigrationStep[] = [...baselineSteps, pausedJobs, aliases]

export const collectMigrationSteps = (
  parts: readonly { migrations?: readonly MigrationStep[] }[],
): readonly MigrationStep[] =>
  [...ownSteps, ...parts.flatMap(({ migrations = [] }) => migrations)].sort((a, b) => (a.name < b.name ? -1 : 1))
