// Paying for work: what it may cost is reserved first; a good end settles its true price in the transaction that stores
// the result, and any other end releases it all.
import type { Store } from '../store/index.ts'
import type { Tx } from '../store/tables.ts'
import type { Caller } from './keys.ts'

export interface Charge {
  /** The true price, settled together with what was bought. */
  settle(credits: number, tx?: Tx): Promise<void>
}

export interface ChargedJob {
  id: string
  endpoint: string
  /** What it may cost; refused with `no_credit` when a limited team has less. */
  credits: number
}

/**
 * Reserves, runs `work`, and releases whatever `work` did not settle: failed work is free. A team that cannot run out
 * reserves nothing: it would cost each page a second write of the database, and hold nobody back.
 */
export async function withCredits<T>(
  store: Store,
  caller: Pick<Caller, 'teamId' | 'keyId' | 'isLimited'>,
  job: ChargedJob,
  work: (charge: Charge) => Promise<T>,
): Promise<T> {
  const { teamId, keyId } = caller
  const bill = { teamId, keyId, jobId: job.id, endpoint: job.endpoint }
  if (!caller.isLimited) return work({ settle: (credits, tx) => store.ledger.charge({ ...bill, credits }, tx) })
  await store.ledger.reserve({ ...bill, credits: job.credits })
  let settled = false
  const settle: Charge['settle'] = async (credits, tx) => {
    await store.ledger.settle(job.id, credits, tx)
    settled = true
  }
  try {
    const result = await work({ settle })
    if (!settled) await store.ledger.release(job.id)
    return result
  } catch (error) {
    // If even this fails, the janitor releases it within the hour; the first error is the one to report.
    await store.ledger.release(job.id).catch(() => undefined)
    throw error
  }
}
