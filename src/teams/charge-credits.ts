// Charges for work: reserves the highest cost, settles the true price with the result, and releases everything
// after a failure.
import type { Store } from '../store/index.ts'
import type { Tx } from '../store/tables.ts'
import type { Caller } from './keys.ts'

export type CreditCharge = { settle(credits: number, tx?: Tx): Promise<void> }

type ChargedJob = { id: string; endpoint: string; credits: number }

/** Releases what `work` did not settle. An unlimited team reserves nothing, which saves a write per page. */
export async function withCreditReservation<T>(
  store: Store,
  caller: Pick<Caller, 'teamId' | 'keyId' | 'isLimited'>,
  job: ChargedJob,
  work: (charge: CreditCharge) => Promise<T>,
): Promise<T> {
  const { teamId, keyId } = caller
  const bill = { teamId, keyId, jobId: job.id, endpoint: job.endpoint }
  if (!caller.isLimited) return work({ settle: (credits, tx) => store.ledger.charge({ ...bill, credits }, tx) })
  await store.ledger.reserve({ ...bill, credits: job.credits })
  let settled = false
  const settle: CreditCharge['settle'] = async (credits, tx) => {
    await store.ledger.settle(job.id, credits, tx)
    settled = true
  }
  try {
    const result = await work({ settle })
    if (!settled) await store.ledger.release(job.id)
    return result
  } catch (error) {
    // If this fails too, the janitor releases it within the hour; report the first error.
    await store.ledger.release(job.id).catch(() => undefined)
    throw error
  }
}
