// Cores and memory that this process may use, within the limits of its container (cgroup v2 or v1).
import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'

export interface MachineResources {
  cores: number
  memoryBytes: number
}

const readNumber = (path: string): number | undefined => {
  try {
    const value = Number(readFileSync(path, 'utf8').trim().split(/\s+/)[0])
    return Number.isFinite(value) && value > 0 ? value : undefined
  } catch {
    return undefined
  }
}

function cgroupCores(): number | undefined {
  try {
    const [quota, period] = readFileSync('/sys/fs/cgroup/cpu.max', 'utf8').trim().split(/\s+/).map(Number)
    if (quota && period) return quota / period
  } catch {
    const quota = readNumber('/sys/fs/cgroup/cpu/cpu.cfs_quota_us')
    const period = readNumber('/sys/fs/cgroup/cpu/cpu.cfs_period_us')
    if (quota && period) return quota / period
  }
  return undefined
}

export function readMachineResources(): MachineResources {
  const limit = readNumber('/sys/fs/cgroup/memory.max') ?? readNumber('/sys/fs/cgroup/memory/memory.limit_in_bytes')
  return {
    cores: Math.max(1, Math.floor(Math.min(availableParallelism(), cgroupCores() ?? Number.POSITIVE_INFINITY))),
    memoryBytes: Math.min(totalmem(), limit ?? Number.POSITIVE_INFINITY),
  }
}

/**
 * Pages worked on at once. Plain pages mostly wait for the network, so 16 a core keeps the cores busy; a page may hold
 * about 50 MB (20 MiB of body, its text and its tree), so half of the memory bounds it too.
 */
export function defaultConcurrency({ cores, memoryBytes }: MachineResources): number {
  return Math.max(2, Math.min(cores * 16, Math.floor(memoryBytes / 2 / 50e6)))
}
