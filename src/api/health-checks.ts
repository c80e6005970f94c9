// What the health of the service is made of: each part that can fail, and whether the service can do without it.
import { access, constants } from 'node:fs/promises'
import type { Browsing } from '../fetch/browsing.ts'
import type { Store } from '../store/index.ts'
import type { HealthCheck } from './health.ts'

interface Parts {
  store: Pick<Store, 'ping'>
  browsing: Pick<Browsing, 'check'>
  dataDir: string
  stopping: AbortSignal
  /** Why monitors are not being looked at; undefined when they are. */
  stalled(): string | undefined
}

export const healthChecks = ({ store, browsing, dataDir, stopping, stalled }: Parts): HealthCheck[] => [
  { name: 'store', needed: true, check: () => store.ping() },
  { name: 'data folder', needed: true, check: () => access(dataDir, constants.W_OK) },
  { name: 'browser', needed: false, check: () => browsing.check() },
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
