// Paying for work: what it may cost is reserved first; a good end settles its true price in the transaction that stores
// the result, and any other end releases it all.
import type { Store } from '../store/index.ts'
import type { Tx } from '../store/tables.ts'
import type { Caller } from './keys.ts'

export interface Charge {
  /** The true price, settled together with what was bought. False when this job was settled before. */
  settle(credits: number, tx?: Tx): Promise<boolean>
}

export interface Job {
  id: string
  endpoint: string
  /** What it may cost; refused with `no_credit` when a limited team has less. */
  credits: number
}

/** Reserves, runs `work`, and releases whatever `work` did not settle: failed work is free. */
export async function withCredits<T>(
  store: Store,
  caller: Pick<Caller, 'teamId' | 'keyId'>,
  job: Job,
  work: (charge: Charge) => Promise<T>,
): Promise<T> {
  const { teamId, keyId } = caller
  await store.ledger.reserve({ teamId, keyId, jobId: job.id, credits: job.credits, endpoint: job.endpoint })
  let settled = false
  const settle: Charge['settle'] = async (credits, tx) => {
    const ended = await store.ledger.settle(job.id, credits, tx)
    settled = true
    return ended
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
