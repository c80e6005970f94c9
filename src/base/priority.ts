// Who gives way when there are fewer cores than work. The event loop answers everyone and does little for each, so it comes
// first; threads that read pages come after it; what works on one caller's behalf alone (browsers, readers of documents, huge
// pages, callers' own code) comes last. Priorities are given relative to our own: an operator may have lowered that.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'

export const PRIORITY_STEPS = { readers: 5, helpers: 10 } as const

export type Rank = keyof typeof PRIORITY_STEPS

/** The thread that calls it, and no other: only Linux gives threads priorities of their own. */
export function standBack(rank: Rank): void {
  if (process.platform === 'linux') lower(0, rank)
}

/** Another process with all threads that it has by now; what it starts later inherits. */
export function giveWay(pid: number | undefined, rank: Rank): void {
  if (pid === undefined) return
  for (const task of tasksOf(pid)) lower(task, rank)
  lowerSession(pid, rank)
}

/** All threads of this process but the event loop's own: those that collect garbage for every thread. */
export function helpersGiveWay(): void {
  for (const task of tasksOf(process.pid)) if (task !== process.pid) lower(task, 'readers')
}

function tasksOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    return [pid]
  }
}

function lower(id: number, rank: Rank): void {
  try {
    setPriority(id, Math.min(constants.priority.PRIORITY_LOW, own + PRIORITY_STEPS[rank]))
  } catch {
    // Gone already, or a system that does not let us: it is a courtesy.
  }
}

/**
 * Linux gives each session of processes an equal share of the cores, whatever the priorities within (`sched_autogroup`): what
 * leads a session of its own would have as much as all of the service. The session has a priority too.
 */
function lowerSession(pid: number, rank: Rank): void {
  const theirs = sessionOf(pid)
  // A service manager may have started us in no session of this kind.
  const ours = sessionOf('self') ?? { name: '', nice: 0 }
  if (!theirs || theirs.name === ours.name) return
  try {
    const nice = Math.min(constants.priority.PRIORITY_LOW, ours.nice + PRIORITY_STEPS[rank])
    if (theirs.nice < nice) writeFileSync(`/proc/${pid}/autogroup`, String(nice))
  } catch {
    // The kernel takes ten a second from everybody together.
  }
}

function sessionOf(pid: number | 'self'): { name: string; nice: number } | undefined {
  try {
    const [, name, nice] = /^(\S+) nice (-?\d+)/.exec(readFileSync(`/proc/${pid}/autogroup`, 'utf8')) ?? []
    return name === undefined ? undefined : { name, nice: Number(nice) }
  } catch {
    return undefined
  }
}

/** Of the thread that loads this first, before any of them stood back. */
const own = getPriority()
