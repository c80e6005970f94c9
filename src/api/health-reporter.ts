// Health checks: each part that can fail, and whether the service needs it.

import { access, constants, statfs } from 'node:fs/promises'
import type { Clock } from '../base/clock.ts'
import type { BrowserServices } from '../fetch/open-browser-services.ts'
import { describeModelEndpoint } from '../llm/index.ts'
import type { Llm } from '../llm/llm.ts'
import type { Store } from '../store/index.ts'
import { type HealthCheck, type HealthReport, runHealthChecks } from './run-health-checks.ts'

interface HealthReporterParts {
  store: Pick<Store, 'ping'>
  browsing: Pick<BrowserServices, 'check' | 'notes'>
  llm: Pick<Llm, 'facts'>
  dataDir: string
  stopping: AbortSignal
  others: readonly { name: string; trouble(): string | undefined }[]
}

/** With less, the next large page may not fit. */
const MIN_FREE_BYTES = 8 * 1024 * 1024

async function hasDiskSpace(folder: string): Promise<void> {
  await access(folder, constants.W_OK)
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free < MIN_FREE_BYTES) throw new Error(`the disk is full: ${Math.floor(free / 1024)} kB left`)
}

const healthChecks = ({ store, browsing, llm, dataDir, stopping, others }: HealthReporterParts): HealthCheck[] => [
  { name: 'store', needed: true, check: () => store.ping() },
  { name: 'data folder', needed: true, check: () => hasDiskSpace(dataDir) },
  { name: 'browser', needed: false, check: () => browsing.check() },
  {
    name: 'language model',
    needed: false,
    async check() {
      const trouble = llm.facts()?.trouble
      if (trouble) throw new Error(trouble)
    },
  },
  { name: 'service', needed: true, check: async () => stopping.throwIfAborted() },
  ...others.map(({ name, trouble }) => ({
    name,
    needed: false,
    async check() {
      const because = trouble()
      if (because) throw new Error(because)
    },
  })),
]

export function makeHealthReporter(
  parts: HealthReporterParts,
  more: () => string[],
  version: string,
  clock: Clock,
): () => Promise<HealthReport> {
  const checks = healthChecks(parts)
  const startedAt = clock.now()
  return async () => {
    const notes = [...(await parts.browsing.notes()), ...describeModelEndpoint(parts.llm), ...more()]
    return runHealthChecks(checks, notes, version, startedAt, clock.now())
  }
}
