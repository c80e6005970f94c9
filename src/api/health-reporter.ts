// Liveness and readiness with reasons, for people, load balancers and `orb doctor`: each part that can fail, and whether the
// service needs it.

import { access, constants, statfs } from 'node:fs/promises'
import type { Clock } from '../base/clock.ts'
import { withinTime } from '../base/deadline.ts'
import type { BrowserServices } from '../fetch/open-browser-services.ts'
import { describeModelEndpoint } from '../llm/index.ts'
import type { Llm } from '../llm/llm.ts'
import type { Store } from '../store/index.ts'

export interface HealthReport {
  status: 'ok' | 'degraded' | 'unavailable'
  alive: true
  ready: boolean
  why: string[]
  notes: string[]
  version: string
  uptimeSeconds: number
}

type HealthCheck = { name: string; needed: boolean; check(): Promise<void> }

/** Below the patience of common probes (5 s), so that the answer can name the check. */
const CHECK_MS = 2000

async function runHealthChecks(
  checks: readonly HealthCheck[],
  notes: string[],
  version: string,
  startedAt: number,
  now: number,
): Promise<HealthReport> {
  const results = await Promise.all(checks.map(async (check) => ({ ...check, wrong: await whatIsWrong(check) })))
  const failed = results.filter(({ wrong }) => wrong !== undefined)
  const ready = failed.every(({ needed }) => !needed)
  return {
    status: failed.length === 0 ? 'ok' : ready ? 'degraded' : 'unavailable',
    alive: true,
    ready,
    why: failed.map(({ name, wrong }) => `${name}: ${wrong}`),
    notes,
    version,
    uptimeSeconds: Math.round((now - startedAt) / 1000),
  }
}

async function whatIsWrong({ check }: HealthCheck): Promise<string | undefined> {
  try {
    return await withinTime(
      CHECK_MS,
      check().then(() => undefined),
      () => `no response within ${CHECK_MS} ms`,
    )
  } catch (error) {
    return (error as Error).message
  }
}

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
