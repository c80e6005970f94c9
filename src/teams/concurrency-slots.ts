// Concurrency slots for the service and each team. Waiting teams get slots in turn, so one team's thousand requests do
// not delay another's single one.

import { problemOfAbort, startDeadline } from '../base/deadline.ts'
import { Problem } from '../base/problem.ts'
import { planByName } from './plans.ts'

type AdmissionOptions = { concurrency: number; maxWaiting: number }

export type AdmissionSlot = { waitedMs: number; limited: boolean; release(): void }

export type AdmissionControl = ReturnType<typeof createAdmissionControl>

type Waiter = { since: number; start(slot: AdmissionSlot): void }

interface Line {
  teamId: string
  slots: number
  running: number
  /** A set keeps the order of arrival and allows removal from the middle. */
  waiters: Set<Waiter>
}

/** Assumed hold time before any slot was released. */
const ASSUMED_HOLD_MS = 1_000
const MAX_RETRY_SECONDS = 60
/** Extra slots for teams with nothing running. */
const NEWCOMER_SLOT_SHARE = 1 / 8

export function createAdmissionControl({ concurrency, maxWaiting }: AdmissionOptions) {
  const { lineOf, peek, removeIfIdle, nextTurn, count } = openLines(concurrency)
  let running = 0
  let waiting = 0
  let usualHoldMs = ASSUMED_HOLD_MS

  function take(line: Line, waitedMs: number, limited: boolean): AdmissionSlot {
    running += 1
    line.running += 1
    const began = performance.now()
    let held = true
    return {
      waitedMs,
      limited,
      release() {
        if (!held) return
        held = false
        running -= 1
        line.running -= 1
        usualHoldMs += (performance.now() - began - usualHoldMs) / 16
        removeIfIdle(line)
        serve()
      },
    }
  }

  function serve(): void {
    while (running < concurrency) {
      const line = nextTurn()
      const [waiter] = line?.waiters ?? []
      if (!line || !waiter) return
      line.waiters.delete(waiter)
      waiting -= 1
      waiter.start(take(line, Math.round(performance.now() - waiter.since), true))
      removeIfIdle(line)
    }
  }

  function tooBusy(): Problem {
    const seconds = Math.ceil((waiting / concurrency) * (usualHoldMs / 1000))
    return new Problem('too_busy', {
      because: `${waiting} requests are waiting already`,
      retryAfterSeconds: Math.min(MAX_RETRY_SECONDS, Math.max(1, seconds)),
    })
  }

  function wait(line: Line, timeoutMs: number, signal: AbortSignal): Promise<AdmissionSlot> {
    const slot = waitInLine(line, Math.floor((timeoutMs * 2) / 3), signal, () => {
      waiting -= 1
      removeIfIdle(line)
    })
    waiting += 1
    removeIfIdle(line)
    return slot
  }

  return {
    /**
     * Throws `queue_timeout` after two thirds of `timeoutMs`, `too_busy` when the queue is full, or the signal's
     * reason.
     */
    async admit(caller: { teamId: string; plan: string }, { timeoutMs }: { timeoutMs: number }, signal: AbortSignal) {
      if (signal.aborted) throw problemOfAbort(signal)
      const line = lineOf(caller)
      const free = running < placesFor(line, concurrency) && line.running < line.slots && line.waiters.size === 0
      if (free) return take(line, 0, false)
      if (waiting >= maxWaiting) {
        removeIfIdle(line)
        throw tooBusy()
      }
      return wait(line, timeoutMs, signal)
    },
    load: () => ({ running, waiting, teams: count() }),
    standing: async (caller: { teamId: string; plan: string }) => standingOf(peek(caller)),
  }
}

/** `onGivenUp`: the line was left without a slot. */
function waitInLine(
  line: Line,
  patienceMs: number,
  signal: AbortSignal,
  onGivenUp: () => void,
): Promise<AdmissionSlot> {
  return new Promise((resolve, reject) => {
    const waiter: Waiter = {
      since: performance.now(),
      start(slot) {
        stopWatching()
        resolve(slot)
      },
    }
    const giveUp = (why: Problem) => {
      stopWatching()
      line.waiters.delete(waiter)
      onGivenUp()
      reject(why)
    }
    const because = `no free slot in ${patienceMs} ms, two thirds of \`timeout\``
    const onAbort = () => giveUp(problemOfAbort(signal))
    const timer = setTimeout(() => giveUp(new Problem('queue_timeout', { because })), patienceMs)
    function stopWatching() {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    line.waiters.add(waiter)
  })
}

const placesFor = ({ running }: Line, concurrency: number): number =>
  running === 0 ? concurrency + Math.floor(concurrency * NEWCOMER_SLOT_SHARE) : concurrency

const standingOf = ({ running, waiters, slots }: Line) => ({ running, waiting: waiters.size, slots })

function openLines(concurrency: number) {
  const lines = new Map<string, Line>()
  /** Teams with a waiter and a free slot, in order of their turns. */
  const turns = new Set<Line>()
  function peek({ teamId, plan }: { teamId: string; plan: string }): Line {
    const slots = Math.min(concurrency, planByName(plan).concurrency ?? concurrency)
    const line = lines.get(teamId) ?? { teamId, slots, running: 0, waiters: new Set() }
    line.slots = slots
    return line
  }
  return {
    peek,
    lineOf(caller: { teamId: string; plan: string }): Line {
      const line = peek(caller)
      lines.set(line.teamId, line)
      return line
    },
    /** Call after any change to a line. */
    removeIfIdle(line: Line): void {
      if (line.waiters.size > 0 && line.running < line.slots) turns.add(line)
      else turns.delete(line)
      if (line.waiters.size === 0 && line.running === 0) lines.delete(line.teamId)
    },
    /** `removeIfIdle` appends it again if it still has waiters. */
    nextTurn(): Line | undefined {
      const [line] = turns
      if (line) turns.delete(line)
      return line
    },
    count: () => lines.size,
  }
}

interface SlotTime {
  timeoutMs: number
  /** Why the work ended when its time was up. */
  because?: string | undefined
}

/** Works in a slot of the team. The time includes the wait for the slot. */
export async function workInSlot<T>(
  admission: Pick<AdmissionControl, 'admit'>,
  team: { teamId: string; plan: string },
  { timeoutMs, because }: SlotTime,
  client: AbortSignal,
  work: (signal: AbortSignal, slot: AdmissionSlot) => Promise<T>,
): Promise<T> {
  const { signal, clear, during } = startDeadline(timeoutMs, client, because)
  try {
    const slot = await admission.admit(team, { timeoutMs }, signal)
    try {
      return await during(() => work(signal, slot))
    } finally {
      slot.release()
    }
  } finally {
    clear()
  }
}
