// What the health of the service is made of: each part that can fail, and whether the service can do without it.

import { access, constants } from 'node:fs/promises'
import type { Clock } from '../base/time.ts'
import type { Browsing } from '../fetch/browsing.ts'
import { modelNotes } from '../llm/index.ts'
import type { Llm } from '../llm/llm.ts'
import type { Store } from '../store/index.ts'
import { type HealthCheck, type HealthReport, healthReport } from './health.ts'

interface Parts {
  store: Pick<Store, 'ping'>
  browsing: Pick<Browsing, 'check' | 'notes'>
  llm: Pick<Llm, 'facts'>
  dataDir: string
  stopping: AbortSignal
  /** Why monitors are not being looked at; undefined when they are. */
  stalled(): string | undefined
}

const healthChecks = ({ store, browsing, llm, dataDir, stopping, stalled }: Parts): HealthCheck[] => [
  { name: 'store', needed: true, check: () => store.ping() },
  { name: 'data folder', needed: true, check: () => access(dataDir, constants.W_OK) },
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
  {
    name: 'monitor schedule',
    needed: false,
    async check() {
      const because = stalled()
      if (because) throw new Error(because)
    },
  },
]

/** The report, whenever it is asked for; `more` are notes of other parts. */
export function reportingHealth(
  parts: Parts,
  more: () => string[],
  version: string,
  clock: Clock,
): () => Promise<HealthReport> {
  const checks = healthChecks(parts)
  const startedAt = clock.now()
  return async () => {
    const notes = [...(await parts.browsing.notes()), ...modelNotes(parts.llm), ...more()]
    return healthReport(checks, notes, version, startedAt, clock.now())
  }
}
