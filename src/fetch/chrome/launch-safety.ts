// Chooses how conservatively to start Chromium: after a crash, with fewer optimisation flags. The level is stored per
// build, so that a restart does not repeat the crash.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binary } from './find-chromium.ts'

/** 0: all optimisation flags. 1: none that has crashed a browser. 2: pages are drawn. */
export type Level = 0 | 1 | 2

export interface LaunchSafety {
  level(): Level
  died(kind: string): boolean
}

interface Known {
  level: Level
  until: number
}

/** The process may have been killed from outside, so the level expires. */
const KEPT_MS = 7 * 24 * 3_600_000
/** Crashes at level 1 before pages are drawn: single ones may be caused by a page. */
const DEATHS = 3
const FILE = 'launch-safety.json'

export async function openLaunchSafety(binary: Binary, folder: string, now: () => number): Promise<LaunchSafety> {
  const build = await nameOf(binary)
  const known = readKnown(folder)
  const before = known.get(build)
  // The cheapest flags were chosen for the bundled build and are known to crash others.
  let level: Level = before && before.until > now() ? before.level : binary.pinned ? 0 : 1
  let deaths = 0
  return {
    level: () => level,
    died(kind) {
      if (kind !== 'still' || level === 2) return false
      deaths += 1
      if (level === 1 && deaths < DEATHS) return false
      level = level === 0 ? 1 : 2
      deaths = 0
      known.set(build, { level, until: now() + KEPT_MS })
      write(folder, known)
      return true
    },
  }
}

async function nameOf({ path }: Binary): Promise<string> {
  const { size, mtimeMs } = await stat(path)
  return `${path} ${size} ${Math.round(mtimeMs)}`
}

function readKnown(folder: string): Map<string, Known> {
  try {
    const rows = JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as [string, Known][]
    return new Map(rows.filter(([, { level, until }]) => [1, 2].includes(level) && Number.isFinite(until)))
  } catch {
    return new Map()
  }
}

/** A failed write is ignored: the level is learned again. */
function write(folder: string, known: Map<string, Known>): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, FILE), JSON.stringify([...known]), { mode: 0o600 })
  } catch {}
}
