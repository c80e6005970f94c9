// How carefully a Chromium is started. One that dies under us is started with fewer of the flags that save work, and that
// is remembered beside the data for this build of it, so that a restart does not lose pages to learn it again.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binary } from './binary.ts'

/** 0: all flags that save work. 1: none that a browser has died of. 2: pages are drawn, as for a person. */
export type Level = 0 | 1 | 2

export interface Care {
  level(): Level
  /** A browser of this kind ended by itself; true when the next will be started more carefully. */
  died(kind: string): boolean
}

interface Known {
  level: Level
  until: number
}

/** What has died once may have been killed by somebody; after this long it is tried again. */
const KEPT_MS = 7 * 24 * 3_600_000
/** Deaths of careful browsers before pages are drawn instead: those may be the doing of a page. */
const DEATHS = 3
const FILE = 'care.json'

export async function openCare(binary: Binary, folder: string, now: () => number): Promise<Care> {
  const build = await nameOf(binary)
  const known = readKnown(folder)
  const before = known.get(build)
  // The cheapest flags were chosen with the browser that comes with the packages, and are known to end others.
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

/** Another build at the same place is another browser. */
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

/** What cannot be written is learned again. */
function write(folder: string, known: Map<string, Known>): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, FILE), JSON.stringify([...known]), { mode: 0o600 })
  } catch {
    // Said above.
  }
}
