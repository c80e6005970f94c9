// The store's own migrations; capabilities declare theirs. There are no steps back: restore the backup made before the
// upgrade (docs/upgrading.md).
import { teamsAndKeys } from './0001-teams-and-keys.ts'
import { ledger } from './0002-ledger.ts'
import { pages } from './0003-pages.ts'
import { blobsAndSettings } from './0004-blobs-and-settings.ts'
import { jobs } from './0005-jobs.ts'
import { capturesByUrl } from './0006-captures-by-url.ts'
import { rightsAndUsage } from './0300-rights-and-usage.ts'
import { browserLeases } from './0340-browser-leases.ts'
import { snapshots } from './0420-snapshots.ts'
import { quickBodies } from './0500-quick-bodies.ts'
import { operatorTeam } from './0600-operator-team.ts'
import { privateRight } from './0680-private-right.ts'
import { deliveryTries } from './0710-delivery-tries.ts'
import { hostsSeen } from './0730-host-sightings.ts'
import { severalMachines } from './0880-several-machines.ts'
import { frontierUpkeep } from './0890-frontier-upkeep.ts'
import { modelUse } from './0910-model-use.ts'
import { pausedJobs } from './0940-paused-jobs.ts'
import type { MigrationStep } from './columns.ts'

const ownSteps: readonly MigrationStep[] = [
  teamsAndKeys,
  ledger,
  pages,
  blobsAndSettings,
  jobs,
  capturesByUrl,
  rightsAndUsage,
  browserLeases,
  snapshots,
  quickBodies,
  operatorTeam,
  privateRight,
  deliveryTries,
  hostsSeen,
  severalMachines,
  frontierUpkeep,
  modelUse,
  pausedJobs,
]

export const collectMigrationSteps = (
  parts: readonly { migrations: readonly MigrationStep[] }[],
): readonly MigrationStep[] =>
  [...ownSteps, ...parts.flatMap(({ migrations }) => migrations)].sort((a, b) => (a.name < b.name ? -1 : 1))
