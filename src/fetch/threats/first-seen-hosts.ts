// Tracks which sites are new to this installation. Sightings are in memory, so that egress can check synchronously.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'

export interface FirstSeenHosts {
  firstSeen(hostname: string): number | undefined
  note(hostname: string): void
  refresh(): Promise<void>
  close(): Promise<void>
}

/** Without a store no host counts as new. */
export const DISABLED_FIRST_SEEN_HOSTS: FirstSeenHosts = {
  firstSeen: () => 0,
  note: () => undefined,
  refresh: async () => undefined,
  close: async () => undefined,
}

interface Row {
  print: string
  at: number
}

interface HostsSeenOptions {
  store: {
    printOf(hostname: string): string
    add(seen: readonly Row[]): Promise<void>
    since(at: number): AsyncIterable<readonly Row[]>
  }
  isShared: boolean
  clock: Clock
  log: Log
}

const REFRESH_MS = 60_000
/** Another process may write a slightly older time than the last one read. */
const OVERLAP_MS = 120_000
const REMEMBERED = 5000
/** More at once indicate an attack; the rest is dropped and recorded on the next visit. */
const MAX_PENDING_SIGHTINGS = 10_000
const MAX_HELD = 300_000

export async function openFirstSeenHosts({ store, isShared, clock, log }: HostsSeenOptions): Promise<FirstSeenHosts> {
  let times = makeFirstSeenTimeTable()
  const prints = new LRUCache<string, string>({ max: REMEMBERED })
  let waiting: Row[] = []
  let writing: Promise<void> | undefined
  let readTo = 0
  const printOf = (hostname: string): string => {
    const known = prints.get(hostname)
    if (known !== undefined) return known
    const print = store.printOf(hostname)
    prints.set(hostname, print)
    return print
  }
  async function read(into: ReturnType<typeof makeFirstSeenTimeTable>, from: number): Promise<void> {
    for await (const rows of store.since(Math.max(0, from)))
      for (const { print, at } of rows) {
        into.add(print, at)
        readTo = Math.max(readTo, at)
      }
  }
  /** The store evicts the oldest rows; reloading follows it. */
  async function startOver(): Promise<void> {
    const fresh = makeFirstSeenTimeTable()
    await read(fresh, 0)
    times = fresh
  }
  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const rows = waiting
      waiting = []
      await store.add(rows).catch((error: unknown) => log.warn({ error }, 'newly met hosts could not be written down'))
    }
    if (times.size() > MAX_HELD) await startOver().catch(logUnread)
    writing = undefined
  }
  const logUnread = (error: unknown) => log.warn({ error }, 'newly met hosts could not be read from the store')
  const refresh = () => read(times, readTo - OVERLAP_MS).catch(logUnread)
  await read(times, 0)
  const timer = isShared ? setInterval(() => void refresh(), REFRESH_MS).unref() : undefined
  return {
    firstSeen: (hostname) => times.get(printOf(hostname)),
    note(hostname) {
      const print = printOf(hostname)
      if (waiting.length >= MAX_PENDING_SIGHTINGS || !times.add(print, clock.now())) return
      waiting.push({ print, at: clock.now() })
      writing ??= Promise.resolve().then(write)
    },
    refresh,
    async close() {
      clearInterval(timer)
      await writing
    },
  }
}

const SECOND = 1000
const FIRST_SLOTS = 1024

/** Growing typed arrays of fingerprints and times; compares the first 64 bits of a fingerprint. */
export function makeFirstSeenTimeTable() {
  let low = new Uint32Array(FIRST_SLOTS)
  let high = new Uint32Array(FIRST_SLOTS)
  let seconds = new Uint32Array(FIRST_SLOTS)
  let size = 0
  const place = (a: number, b: number): number => {
    let at = a & (low.length - 1)
    while (seconds[at] !== 0 && (low[at] !== a || high[at] !== b)) at = (at + 1) & (low.length - 1)
    return at
  }
  const put = (a: number, b: number, second: number): boolean => {
    const at = place(a, b)
    if (seconds[at] !== 0) return false
    low[at] = a
    high[at] = b
    seconds[at] = second
    size += 1
    return true
  }
  function grow(): void {
    const [a, b, second] = [low, high, seconds]
    low = new Uint32Array(a.length * 2)
    high = new Uint32Array(a.length * 2)
    seconds = new Uint32Array(a.length * 2)
    size = 0
    for (let at = 0; at < a.length; at++) if (second[at] !== 0) put(a[at]!, b[at]!, second[at]!)
  }
  const halves = (print: string): [number, number] => {
    const bytes = Buffer.from(print, 'base64url')
    return [bytes.readUInt32LE(0), bytes.readUInt32LE(4)]
  }
  return {
    size: () => size,
    get(print: string): number | undefined {
      const second = seconds[place(...halves(print))]!
      return second === 0 ? undefined : second * SECOND
    },
    add(print: string, at: number): boolean {
      if (size * 2 >= low.length) grow()
      return put(...halves(print), Math.max(1, Math.floor(at / SECOND)))
    },
  }
}
