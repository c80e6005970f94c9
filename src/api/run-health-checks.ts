// Liveness and readiness with reasons, for people, load balancers and `orb doctor`.

import { withinTime } from '../base/deadline.ts'

export interface HealthReport {
  status: 'ok' | 'degraded' | 'unavailable'
  alive: true
  ready: boolean
  why: string[]
  notes: string[]
  version: string
  uptimeSeconds: number
}

export interface HealthCheck {
  name: string
  needed: boolean
  check(): Promise<void>
}

/** Below the patience of common probes (5 s), so that the answer can name the check. */
const CHECK_MS = 2000

export async function runHealthChecks(
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
