// Memory limits by cgroup v2, where the service may create child groups: they also count memory that no process maps.
// Elsewhere measure-usage.ts measures.
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sandboxLimits } from './limits.ts'
import { listFolder, listProcessTree } from './process-tree.ts'

export type SandboxCgroup = ReturnType<typeof makeCgroup>

const ROOT = '/sys/fs/cgroup'
const SERVICE = 'orb-service'
const PREFIX = 'orb-session-'

/** The parent of new groups; undefined where none can be created. */
export function findCgroupBase(): string | undefined {
  try {
    const [, path] = /^0::(\/.*)\n$/.exec(readFileSync('/proc/self/cgroup', 'utf8')) ?? []
    if (path === undefined) return undefined
    const isInService = path.endsWith(`/${SERVICE}`)
    const base = join(ROOT, isInService ? path.slice(0, -SERVICE.length) : path)
    if (!wordsIn(join(base, 'cgroup.controllers')).includes('memory')) return undefined
    if (!isInService) leaveGroup(base)
    writeFileSync(join(base, 'cgroup.subtree_control'), '+memory')
    for (const name of listFolder(base)) if (name.startsWith(PREFIX)) tryRemove(join(base, name))
    return base
  } catch {
    return undefined
  }
}

const wordsIn = (path: string): string[] => readFileSync(path, 'utf8').split(/\s+/).filter(Boolean)

/** A group with limited children may hold no processes itself; other programs' processes are not moved. */
function leaveGroup(base: string): void {
  const processes = wordsIn(join(base, 'cgroup.procs')).map(Number)
  const ours = new Set([1, ...listProcessTree(process.pid)])
  if (processes.some((pid) => !ours.has(pid))) throw new Error('the group has other processes')
  mkdirSync(join(base, SERVICE), { recursive: true })
  for (const pid of processes) writeFileSync(join(base, SERVICE, 'cgroup.procs'), String(pid))
}

export function makeCgroup(base: string, name: string) {
  const path = join(base, PREFIX + name)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'memory.max'), String(sandboxLimits.memoryBytes))
  writeFileSync(join(path, 'memory.oom.group'), '1')
  try {
    writeFileSync(join(path, 'memory.swap.max'), '0')
  } catch {
    // Swap accounting is off.
  }
  const kills = () => Number(/^oom_kill (\d+)/m.exec(readFileSync(join(path, 'memory.events'), 'latin1'))?.[1] ?? 0)
  let seenKills = 0
  return {
    add(processes: readonly number[]) {
      for (const pid of processes) writeFileSync(join(path, 'cgroup.procs'), String(pid))
      seenKills = kills()
    },
    isOutOfMemory: () => kills() > seenKills,
    async remove() {
      // Its processes take a moment to end.
      for (let tries = 0; tries < 20 && !tryRemove(path); tries++) await sleep(50)
    },
  }
}

function tryRemove(path: string): boolean {
  try {
    rmdirSync(path)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}
