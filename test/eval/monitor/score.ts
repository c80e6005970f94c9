// Looks at the simulated web for some days and counts: edits that were not told, and looks that told of nothing. The
// peers' default (any change of the text) is counted beside.
import { compareTextVersions } from '../../../src/understanding/changes/compare-texts.ts'
import { evaluateMonitorCheck } from '../../../src/understanding/changes/evaluate-monitor-check.ts'
import type { NoiseMemory } from '../../../src/understanding/changes/learnt-noise.ts'
import { NO_MONITOR_RULES } from '../../../src/understanding/changes/monitor-rules.ts'
import { START, worldPage } from './world.ts'

export interface Score {
  looks: number
  edits: number
  missed: number
  /** Looks after the third that told of a change when none was made. */
  falseAlerts: number
  lateLooks: number
  /** The same for any change of the text, and for the comparison without memory or a second look. */
  anyText: { falseAlerts: number }
  plain: { falseAlerts: number; missed: number }
  /** What went wrong, for a person. */
  faults: string[]
}

const DAY = 86_400_000
const pageText = (text: string) => ({ text, lines: [] })

export function score(numbers: readonly number[], days: number, looksADay: number): Score {
  const total: Score = {
    ...{ looks: 0, edits: 0, missed: 0, falseAlerts: 0, lateLooks: 0 },
    anyText: { falseAlerts: 0 },
    plain: { falseAlerts: 0, missed: 0 },
    faults: [],
  }
  for (const number of numbers) one(number, days, looksADay, total)
  return total
}

function one(number: number, days: number, looksADay: number, total: Score): void {
  const page = worldPage(number, days)
  const step = DAY / looksADay
  let previous = page.text(START, 0)
  let seen = previous
  let memory: NoiseMemory | undefined
  let lastAt = START
  total.looks++
  for (let n = 1; n < days * looksADay; n++) {
    const at = START + Math.round(n * step)
    const isEdited = page.edits.some((moment) => moment > lastAt && moment <= at)
    const current = page.text(at, 2 * n)
    const request = { previous: pageText(previous), current: pageText(current), memory, rules: NO_MONITOR_RULES }
    let watched = evaluateMonitorCheck(request)
    const confirm = page.text(at + 3000, 2 * n + 1)
    if (watched.changed) watched = evaluateMonitorCheck({ ...request, confirm: pageText(confirm) })
    total.looks++
    if (isEdited) total.edits++
    if (isEdited && !watched.changed) {
      total.missed++
      total.faults.push(
        `${page.name} look ${n}: missed; ${watched.suppressed
          .slice(-2)
          .map(({ reason, before, after }) => `${reason}: ${before} → ${after}`)
          .join(' | ')}`,
      )
    }
    if (n >= 3) {
      total.lateLooks++
      if (!isEdited && watched.changed) {
        total.falseAlerts++
        total.faults.push(
          `${page.name} look ${n}: false; ${watched.changes
            .slice(0, 2)
            .map(({ before, after }) => `${before} → ${after}`)
            .join(' | ')}`,
        )
      }
      if (!isEdited && seen !== current) total.anyText.falseAlerts++
      const plain = compareTextVersions(pageText(seen), pageText(current)).changed
      if (!isEdited && plain) total.plain.falseAlerts++
      if (isEdited && !plain) total.plain.missed++
    }
    memory = watched.memory
    previous = watched.keep === 'previous' ? previous : watched.keep === 'confirm' ? confirm : current
    seen = current
    lastAt = at
  }
}

/** The sealed half, chosen by hash: it is measured and never looked into. */
export const isSealed = (number: number): boolean => (Math.imul(number + 1, 2654435761) >>> 0) % 2 === 0
