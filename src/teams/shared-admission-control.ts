// Team slots shared by several processes: a page takes a slot in the store before a local one.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { problemOfAbort, rejectWhenAborted } from '../base/deadline.ts'
import type { Log } from '../base/log.ts'
import { Problem } from '../base/problem.ts'
import type { AdmissionControl, AdmissionSlot } from './concurrency-slots.ts'
import { planByName } from './plans.ts'
import type { SharedLimits } from './store/shared-limits.ts'

const SLOT_LEASE_MS = 20_000
const RENEW_MS = 5_000
const FIRST_LOOK_MS = 20
/** A slot released by another process is noticed after this long at most. */
const MAX_SLOT_POLL_MS = 250

interface SharedAdmissionParts {
  local: AdmissionControl
  limits: Pick<SharedLimits, 'takeSlot' | 'extendSlots' | 'freeSlot' | 'slotsTaken'>
  maxWaiting: number
  clock: Clock
  log: Log
}

interface Team {
  /** Resolves when all current waiters are done. */
  tail: Promise<void>
  waiting: number
  inVain: number
  /** The last look found no free slot. */
  isFull: boolean
  wake: (() => void) | undefined
}

export function makeSharedAdmissionControl(parts: SharedAdmissionParts): AdmissionControl {
  const { local, limits, clock } = parts
  const held = openHeld(parts)
  const { teams, inLine, waiting } = openTeamLines()

  /** `limited`: this or an earlier waiter found no free slot. */
  async function takeSlot(
    teamId: string,
    slots: number,
    signal: AbortSignal,
  ): Promise<{ id: string; limited: boolean }> {
    const { inVain: inVainBefore = 0, isFull: wasFull = false } = teams.get(teamId) ?? {}
    return inLine(teamId, signal, async (team) => {
      const id = randomUUID()
      for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(MAX_SLOT_POLL_MS, pauseMs * 1.5)) {
        team.isFull = !(await limits.takeSlot({ id, teamId, slots, leaseUntil: clock.now() + SLOT_LEASE_MS }))
        if (team.isFull) team.inVain += 1
        else if (!signal.aborted) return { id, limited: wasFull || team.inVain > inVainBefore }
        else await limits.freeSlot(id)
        await pause(team, pauseMs, signal)
      }
    })
  }

  async function admitShared(
    caller: { teamId: string; plan: string },
    slots: number,
    timeoutMs: number,
    client: AbortSignal,
  ): Promise<AdmissionSlot> {
    const began = performance.now()
    const patienceMs = Math.floor((timeoutMs * 2) / 3)
    const { signal, clear } = patience(patienceMs, client)
    const { id, limited } = await takeSlot(caller.teamId, slots, signal).finally(clear)
    const waitedMs = performance.now() - began
    const giveBack = () => {
      held.drop(id)
      teams.get(caller.teamId)?.wake?.()
    }
    held.add(id)
    try {
      const slot = await local.admit(caller, { timeoutMs: Math.max(1, (patienceMs - waitedMs) * 1.5) }, client)
      let released = false
      return {
        limited: slot.limited || limited,
        waitedMs: slot.waitedMs + (limited ? Math.round(waitedMs) : 0),
        release() {
          if (released) return
          released = true
          slot.release()
          giveBack()
        },
      }
    } catch (error) {
      giveBack()
      throw error
    }
  }

  return {
    async admit(caller, { timeoutMs }, signal) {
      const slots = planByName(caller.plan).concurrency
      if (slots === null) return local.admit(caller, { timeoutMs }, signal)
      if (signal.aborted) throw problemOfAbort(signal)
      if (waiting() >= parts.maxWaiting)
        throw new Problem('too_busy', { because: `${waiting()} requests are waiting already`, retryAfterSeconds: 5 })
      return admitShared(caller, slots, timeoutMs, signal)
    },
    load() {
      const here = local.load()
      return { ...here, waiting: here.waiting + waiting() }
    },
    async standing(caller) {
      const slots = planByName(caller.plan).concurrency
      if (slots === null) return local.standing(caller)
      const running = await limits.slotsTaken(caller.teamId)
      return { running, waiting: teams.get(caller.teamId)?.waiting ?? 0, slots }
    },
  }
}

/** A waiter that leaves early does not block others. */
function openTeamLines() {
  const teams = new Map<string, Team>()
  let waiting = 0
  return {
    teams,
    waiting: () => waiting,
    async inLine<T>(teamId: string, signal: AbortSignal, work: (team: Team) => Promise<T>): Promise<T> {
      const team = teams.get(teamId) ?? {
        tail: Promise.resolve(),
        waiting: 0,
        inVain: 0,
        isFull: false,
        wake: undefined,
      }
      teams.set(teamId, team)
      const before = team.tail
      let leave = () => {}
      const mine = new Promise<void>((resolve) => {
        leave = resolve
      })
      team.tail = before.then(() => mine)
      team.waiting += 1
      waiting += 1
      try {
        await rejectWhenAborted(signal, before)
        return await work(team)
      } finally {
        leave()
        waiting -= 1
        team.waiting -= 1
        if (team.waiting === 0) teams.delete(teamId)
      }
    },
  }
}

/** Renewed while this process holds any. */
function openHeld({ limits, clock, log }: SharedAdmissionParts) {
  const ids = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const trouble = (error: unknown) =>
    log.warn({ error: error instanceof Error ? error.message : String(error) }, 'shared slots could not be kept')
  return {
    add(id: string): void {
      ids.add(id)
      timer ??= setInterval(() => {
        limits.extendSlots([...ids], clock.now() + SLOT_LEASE_MS).catch(trouble)
      }, RENEW_MS).unref()
    },
    drop(id: string): void {
      ids.delete(id)
      if (ids.size === 0) {
        clearInterval(timer)
        timer = undefined
      }
      limits.freeSlot(id).catch(trouble)
    },
  }
}

/** Aborts with the client, or with `queue_timeout` after `ms`. */
function patience(ms: number, client: AbortSignal): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController()
  const follow = () => controller.abort(problemOfAbort(client))
  const timer = setTimeout(
    () =>
      controller.abort(
        new Problem('queue_timeout', { because: `no free slot in ${ms} ms, two thirds of \`timeout\`` }),
      ),
    ms,
  )
  client.addEventListener('abort', follow, { once: true })
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer)
      client.removeEventListener('abort', follow)
    },
  }
}

async function pause(team: Team, ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const rest = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
    team.wake = resolve
  })
  try {
    await rejectWhenAborted(signal, rest)
  } finally {
    clearTimeout(timer)
    team.wake = undefined
  }
}
