// Waits until scripts, timers and requests are done, the text stops changing, or the budget is spent.
import { setTimeout as sleep } from 'node:timers/promises'
import { withinTime } from '../../base/deadline.ts'
import { Problem } from '../../base/problem.ts'
import { makeQuietCheckScript, type PageQuietness, type QuietLimits } from './page-scripts.ts'
import { hasLeftDocument, isClosedOrCrashed } from './playwright-errors.ts'
import type { Tab } from './tab-interface.ts'

export interface IdleWaitResult extends PageQuietness {
  documents: number
}

const MAX_DOCUMENTS = 10
const MIN_MOVES = 4
const STILL_MS = 60
const NEXT_DOCUMENT_MS = 500
const STEADY_MS = 1200
const SLOW_TIMES = 2
const FRAMES_MS = 5000
/** Covers requests the in-page counters do not see: modules, workers. */
const REQUEST_WAIT_MS = 2500
/** A page that is on its way to another document is not read in between: it may take this much longer. */
const NAVIGATION_WAIT_MS = 20_000
const NEW_DOCUMENT_MS = 2000
/** A page that does not respond for this long is blocked by its own scripts. */
export const UNRESPONSIVE_MS = 10_000

/** `slowMs`: what the first byte took. On a slow site or a busy machine its requests take as long. */
export async function waitForIdle(tab: Tab, watchName: string, budgetMs: number, slowMs = 0): Promise<IdleWaitResult> {
  const steadyMs = Math.max(STEADY_MS, SLOW_TIMES * slowMs)
  const requestsMs = Math.max(REQUEST_WAIT_MS, SLOW_TIMES * slowMs)
  const framesMs = Math.max(FRAMES_MS, SLOW_TIMES * slowMs)
  const ends = performance.now() + budgetMs
  const latest = ends + NAVIGATION_WAIT_MS
  let moves = 0
  let isMoving = false
  // A request without a document, as for an empty answer, ends without the page having left.
  const isLeaving = () => isMoving || (tab.leaving() && tab.busy() > 0)
  let quiet: PageQuietness = {
    quiet: false,
    consent: false,
    lazy: false,
    wantsFrames: false,
    reading: true,
    undrawn: false,
    thin: true,
  }
  for (;;) {
    const now = performance.now()
    if (now >= (isLeaving() ? latest : ends) || Math.max(moves, tab.documents()) > MAX_DOCUMENTS) break
    const left = Math.max(ends - now, Math.min(NEW_DOCUMENT_MS, latest - now))
    const documents = tab.documents()
    const limits = { stillMs: STILL_MS, steadyMs, framesMs, budgetMs: left, drawn: tab.drawn() }
    const answer = await Promise.race([waitQuiet(tab, watchName, limits), tab.fileMet.then(() => quiet)])
    if (tab.file() !== undefined) break
    if (answer === undefined) {
      // The document was replaced during the call: wait for the next one.
      const patience = Math.max(1, Math.min(NEXT_DOCUMENT_MS, latest - performance.now()))
      await tab.loaded(patience)
      moves += 1
      isMoving = true
      continue
    }
    isMoving = false
    quiet = answer
    if (quiet.wantsFrames && !tab.drawn()) {
      tab.draw()
      continue
    }
    if (!quiet.quiet && !isLeaving()) break
    const requestsLeft = (isLeaving() ? latest : ends) - performance.now()
    // The module that fills an empty page is worth the whole budget.
    const patience = quiet.thin ? requestsLeft : Math.min(requestsMs, requestsLeft)
    if (tab.busy() > 0 && (await requestsEnd(tab, patience))) continue
    if (tab.documents() === documents && !isLeaving()) break
  }
  assertNoLoop(Math.max(moves, tab.documents()), isMoving ? moves : 0)
  return { ...quiet, documents: tab.documents() }
}

/** `moves`: of a page that is still on its way. */
function assertNoLoop(documents: number, moves: number): void {
  const loops = documents > MAX_DOCUMENTS
  // On a slow machine the budget ends before the count is reached; a page read between two documents would be blank.
  if (loops || moves >= MIN_MOVES)
    throw new Problem('redirect_loop', {
      because: `the page led to another one ${loops ? `more than ${MAX_DOCUMENTS}` : `${moves}`} times`,
    })
}

async function waitQuiet(
  tab: Tab,
  name: string,
  limits: QuietLimits,
  apart = false,
): Promise<PageQuietness | undefined> {
  try {
    return await evaluateWithTimeout(tab, makeQuietCheckScript(name, limits), {
      patienceMs: limits.budgetMs + UNRESPONSIVE_MS,
      apart,
    })
  } catch (error) {
    if (hasLeftDocument(error)) return undefined
    if (apart || error instanceof Problem || isClosedOrCrashed(error)) throw error
    // The page broke built-ins in its main world. Its timers and requests are not visible from the isolated one.
    return waitQuiet(tab, name, limits, true)
  }
}

export async function evaluateWithTimeout<T>(
  tab: Tab,
  script: string,
  { patienceMs = UNRESPONSIVE_MS, apart = false } = {},
): Promise<T> {
  const reply = Promise.race([apart ? tab.runApart<T>(script) : tab.run<T>(script), tab.crashed])
  return withinTime(patienceMs, reply, throwUnresponsive)
}

export function throwUnresponsive(): never {
  throw new Problem('site_failed', { because: 'the page keeps the browser busy and does not respond' })
}

async function requestsEnd(tab: Tab, budgetMs: number): Promise<boolean> {
  const ends = performance.now() + budgetMs
  while (tab.busy() > 0) {
    if (performance.now() >= ends) return false
    await sleep(25)
  }
  return true
}
