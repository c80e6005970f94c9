// Chooses how conservatively to start Chromium: after a crash, with fewer optimisation flags. The level is stored per
// build, so that a restart does not repeat the crash.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '../../base/clock.ts'
import type { ChromiumBinary } from './find-chromium.ts'

/** 0: all optimisation flags. 1: none that has crashed a browser. 2: pages are drawn. */
type SafetyLevel = 0 | 1 | 2

export interface CrashFallbackTracker {
  level(): SafetyLevel
  died(kind: string): boolean
}

interface Known {
  level: SafetyLevel
  until: number
}

/** The process may have been killed from outside, so the level expires. */
const LEVEL_LIFE_MS = 7 * DAY_MS
/** Crashes at level 1 before pages are drawn: single ones may be caused by a page. */
const MAX_CRASHES_AT_LEVEL_1 = 3
const FILE = 'launch-safety.json'

export async function openCrashFallbackTracker(
  binary: ChromiumBinary,
  folder: string,
  now: () => number,
): Promise<CrashFallbackTracker> {
  const build = await nameOf(binary)
  const known = readKnown(folder)
  const before = known.get(build)
  // The cheapest flags were chosen for the bundled build and are known to crash others.
  let level: SafetyLevel = before && before.until > now() ? before.level : binary.pinned ? 0 : 1
  let deaths = 0
  return {
    level: () => level,
    died(kind) {
      if (kind !== 'still' || level === 2) return false
      deaths += 1
      if (level === 1 && deaths < MAX_CRASHES_AT_LEVEL_1) return false
      level = level === 0 ? 1 : 2
      deaths = 0
      known.set(build, { level, until: now() + LEVEL_LIFE_MS })
      write(folder, known)
      return true
    },
  }
}

async function nameOf({ path }: ChromiumBinary): Promise<string> {
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
