// CPU priorities: first the event loop, then threads that parse pages, last work for a single caller.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { valueOr } from './attempt.ts'

export const NICE_INCREMENTS = { readers: 5, helpers: 10 } as const

export type PriorityRank = keyof typeof NICE_INCREMENTS

export function lowerThreadPriority(rank: PriorityRank): void {
  if (process.platform === 'linux') lower(0, rank)
}

/** Lowers all current threads of a process; later ones inherit. */
export function lowerProcessPriority(pid: number | undefined, rank: PriorityRank): void {
  if (pid === undefined) return
  for (const task of tasksOf(pid)) lower(task, rank)
  lowerSession(pid, rank)
}

/** All threads but the event loop's, including V8's garbage collection threads. */
export function lowerOwnBackgroundThreads(): void {
  for (const task of tasksOf(process.pid)) if (task !== process.pid) lower(task, 'readers')
}

const tasksOf = (pid: number): number[] => valueOr([pid], () => readdirSync(`/proc/${pid}/task`).map(Number))

function lower(id: number, rank: PriorityRank): void {
  try {
    setPriority(id, Math.min(constants.priority.PRIORITY_LOW, own + NICE_INCREMENTS[rank]))
  } catch {}
}

/**
 * Linux shares cores equally between sessions (`sched_autogroup`), so a child that leads one would get as much as the
 * whole service.
 */
function lowerSession(pid: number, rank: PriorityRank): void {
  const theirs = sessionOf(pid)
  // A service manager may have started us without an autogroup.
  const ours = sessionOf('self') ?? { name: '', nice: 0 }
  if (!theirs || theirs.name === ours.name) return
  try {
    const nice = Math.min(constants.priority.PRIORITY_LOW, ours.nice + NICE_INCREMENTS[rank])
    if (theirs.nice < nice) writeFileSync(`/proc/${pid}/autogroup`, String(nice))
  } catch {}
}

function sessionOf(pid: number | 'self'): { name: string; nice: number } | undefined {
  try {
    const [, name, nice] = /^(\S+) nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8')) ?? []
    return name === undefined ? undefined : { name, nice: Number(nice) }
  } catch {
    return undefined
  }
}

/** Read at load, before any thread lowers its priority. */
const own = getPriority()
