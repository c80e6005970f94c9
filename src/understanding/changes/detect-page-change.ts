// Decides how a page compares with its known version. Crawls and batches with `since`, and the monitors, share what counts
// as gone or not loaded, when a page is read a second time, and for how long an unchanged answer is believed.
import { createHash } from 'node:crypto'
import type { CacheValidators } from '../../base/visit-and-capture-types.ts'

const GONE = new Set([404, 410])
/** Characters: a page that had this much text and now has hardly any did not load. */
const [HAD_TEXT, HARDLY_ANY] = [400, 40]
/** Consecutive readings of a page that the site may answer with "unchanged": 8 to 12 by its key, so that whole readings spread. */
const [LEAST_UNREAD, UNREAD_SPREAD] = [8, 5]

export interface PageReading {
  status: number
  /** Length of its text. */
  chars: number
  /** The site reported that nothing changed, or sent the same bytes. */
  isUnchanged: boolean
  /** Why it cannot be compared. */
  problem?: string | undefined
}

interface ChangeRequest<Reading extends PageReading> {
  first: Reading
  /** Undefined: the page was never read before. */
  known: { isHere: boolean; chars: number } | undefined
  /** Reads the page once more; absent: every difference counts as a change. */
  again?: ((because: 'gone' | 'changed') => Promise<Reading | undefined>) | undefined
  /** With a second reading, what differs between the two does not count. */
  differs(reading: Reading, second?: Reading): Promise<boolean>
}

type PageChange<Reading> =
  | { change: 'new' | 'same' | 'changed' | 'removed'; reading: Reading; second?: Reading | undefined }
  | { change: 'failed'; reading: Reading; because: string }

export const isGoneStatus = (status: number): boolean => GONE.has(status)

export async function detectPageChange<Reading extends PageReading>({
  first,
  known,
  again,
  differs,
}: ChangeRequest<Reading>): Promise<PageChange<Reading>> {
  let reading = first
  const makeFailure = (because: string) => ({ change: 'failed', reading, because }) as const
  if (known?.isHere && reading.isUnchanged) return { change: 'same', reading }
  if (known && isGoneStatus(reading.status)) {
    // A replica behind a load balancer may not have the page yet or any more.
    const later = known.isHere ? await again?.('gone') : undefined
    if (!later || isGoneStatus(later.status)) return { change: 'removed', reading }
    reading = later
  }
  if (reading.status >= 400) return makeFailure(`the site returned ${reading.status}`)
  if (reading.problem !== undefined) return makeFailure(reading.problem)
  if (!known?.isHere) return { change: 'new', reading }
  if (known.chars > HAD_TEXT && reading.chars < HARDLY_ANY) return makeFailure('the page came back empty')
  if (!(await differs(reading))) return { change: 'same', reading }
  if (!again) return { change: 'changed', reading }
  const second = await again('changed')
  // The site names a new version, and that name is not another one each time.
  if (second?.isUnchanged) return { change: 'changed', reading }
  if (!second || second.status >= 400 || second.problem || second.chars < Math.min(HARDLY_ANY, reading.chars / 2))
    return makeFailure('a change was found, but the page could not be read again to confirm it')
  return { change: (await differs(reading, second)) ? 'changed' : 'same', reading, second }
}

/** Readings in a row that may be answered with "unchanged" before the whole page is read. */
export const maxUnreadOf = (key: string): number =>
  LEAST_UNREAD + (createHash('sha256').update(key).digest().readUInt32BE(0) % UNREAD_SPREAD)

export const hasValidators = (marks: CacheValidators | undefined): boolean =>
  marks?.etag !== undefined || marks?.lastModified !== undefined

/** After a change the same validators show that they mean nothing here. */
export const haveSameValidators = (one: CacheValidators | undefined, other: CacheValidators | undefined): boolean =>
  one?.etag === other?.etag && one?.lastModified === other?.lastModified
