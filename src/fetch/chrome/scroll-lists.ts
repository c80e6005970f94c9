// Scrolls the lists of a page to their end. Rows that the page recycles are collected on the way and put back together;
// nothing else could see them all at once.
import type { ScrollOptions } from '../../base/browser-action-types.ts'
import { makeScrollListsScript } from './page-scripts.ts'
import type { Tab } from './tab-interface.ts'
import { evaluateWithTimeout } from './wait-for-idle.ts'

interface ScrollResult {
  rows: number
  /** How many rows the page says there are. */
  total: number
  ended: 'end' | 'items' | 'time' | 'bytes'
}

const SLOWEST_MS = 5000

/** A warning if the lists go on. */
export async function scrollLists(
  tab: Tab,
  watchName: string,
  { items, bytes, seconds }: ScrollOptions,
  leftMs: number,
): Promise<string | undefined> {
  const ms = Math.max(0, Math.min(seconds * 1000, leftMs))
  tab.draw(ms + SLOWEST_MS)
  const script = makeScrollListsScript(watchName, { items, bytes, ms, slowestMs: SLOWEST_MS })
  const { rows, total, ended } = await evaluateWithTimeout<ScrollResult>(tab, script, {
    patienceMs: ms + 2 * SLOWEST_MS,
  })
  if (ended === 'end') return undefined
  const limit = { items: `${items} items`, bytes: `${bytes} bytes`, time: `${Math.round(ms / 1000)} seconds` }[ended]
  const known = total > rows ? ` of ${total}` : ''
  return `Scrolling ended at its limit of ${limit}, after ${rows}${known} rows: the rest of the list is omitted.`
}
