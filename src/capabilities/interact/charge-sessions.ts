// Charges live sessions as they run, so that neither a killed process nor exhausted credits leave a debt.

import { priceOfSession } from '../../base/prices.ts'
import { asProblem } from '../../base/problem.ts'
import { browserProfileStore } from '../../scrape/store/index.ts'
import type { Store } from '../../store/index.ts'
import type { Tx } from '../../store/tables.ts'
import { type SessionRow, sessionStore } from './store/index.ts'

/** Charges what the session has cost until `at` and was not yet charged; returns the total. */
export const chargeSessionUntil = (store: Store, row: SessionRow, at: number): Promise<number> =>
  store.transaction((tx) => bill(store, row, at, tx))

async function bill(store: Store, row: SessionRow, at: number, tx: Tx): Promise<number> {
  const { id: jobId, teamId, keyId, scrapeId } = row
  const total = priceOfSession(at - row.createdAt, row.prompted)
  const credits = await sessionStore(store).bill(jobId, total, tx)
  // A session of an agent run is charged as a step of that run.
  if (credits > 0 && row.runId === null)
    await store.ledger.charge({ teamId, keyId, jobId, credits, endpoint: scrapeId ? 'interact' : 'browser' }, tx)
  return total
}

/** Ends the session and its charges in one transaction. A team without credits pays nothing more. */
export async function endAndChargeSession(
  store: Store,
  id: string,
  end: { state: 'destroyed' | 'error'; at: number; error: string | null },
): Promise<void> {
  const settle = (charged: boolean) =>
    store.transaction(async (tx) => {
      if (!(await sessionStore(store).end(id, end, tx))) return
      const row = await sessionStore(store).find(id, tx)
      if (row && charged) await bill(store, row, end.at, tx)
    })
  await settle(true).catch((error) => {
    if (asProblem(error).kind !== 'no_credit') throw error
    return settle(false)
  })
}

/** Sessions whose process has sent no heartbeat since then. */
export async function endOrphanedSessions(store: Store, silentSince: number, error: string): Promise<void> {
  for (const row of await sessionStore(store).orphans(silentSince)) {
    await endAndChargeSession(store, row.id, { state: 'destroyed', at: row.seenAt, error })
    if (row.profile && row.savesProfile)
      await browserProfileStore(store).release({ teamId: row.teamId, name: row.profile }, row.id)
  }
}
