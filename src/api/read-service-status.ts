// Service state in numbers for administrators: disk, memory, browsers, pages in progress, queue.

import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServiceHealth } from '../capabilities/admin/schema.ts'
import { webhookDeliveryStore } from '../jobs/store/index.ts'
import type { Store } from '../store/index.ts'
import type { AdmissionControl } from '../teams/concurrency-slots.ts'
import type { HealthReport } from './health-reporter.ts'

interface ConditionParts {
  store: Store
  admission: AdmissionControl
  browsing: { check(): Promise<void>; running(): number }
  health(): Promise<HealthReport>
  concurrency: number
  dataDir: string
  role: string
}

export async function readServiceStatus(parts: ConditionParts): Promise<ServiceHealth> {
  const { store, admission, browsing, dataDir } = parts
  const [{ status, why, version, uptimeSeconds }, disk, queue, capacity, webhooksPending, noBrowser] =
    await Promise.all([
      parts.health(),
      diskAt(dataDir, store.dialect),
      store.jobs.load(),
      store.workers.capacity(),
      webhookDeliveryStore(store).pending(),
      browsing.check().then(
        () => null,
        (error: Error) => error.message,
      ),
    ])
  const { rss, heapUsed } = process.memoryUsage()
  const { running, waiting } = admission.load()
  return {
    status,
    why,
    version,
    uptimeSeconds,
    process: { pid: process.pid, role: parts.role, node: process.version },
    memory: { residentBytes: rss, heapBytes: heapUsed, availableBytes: process.availableMemory() },
    disk,
    database: store.dialect,
    browsers: { available: noBrowser === null, why: noBrowser, running: browsing.running() },
    pages: { concurrency: parts.concurrency, running, waiting },
    queue: { ...queue, capacity, webhooksPending },
  }
}

async function diskAt(path: string, dialect: Store['dialect']): Promise<ServiceHealth['disk']> {
  const { bavail, blocks, bsize } = await statfs(path)
  const sizes = await Promise.all(
    ['orb.db', 'orb.db-wal'].map((name) =>
      stat(join(path, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return {
    path,
    freeBytes: bavail * bsize,
    totalBytes: blocks * bsize,
    databaseBytes: dialect === 'sqlite' ? sizes.reduce((sum, size) => sum + size) : null,
  }
}
