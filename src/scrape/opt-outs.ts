// Holds the reservations of a page against the uses that its team declares.
import type { PageUse, Reservation } from '../base/page-uses.ts'
import { Problem } from '../base/problem.ts'
import type { Capture, MetadataValue } from '../base/visit-and-capture-types.ts'
import { readPageReservations, readTdmPolicy, usesOf } from '../content/read-reservations.ts'

export interface UsePolicy {
  /** What the team uses pages for; none: only what a page itself says is read. */
  uses: readonly PageUse[]
  /** Refuse pages that reserve one of the uses, instead of only reporting it. */
  enforce: boolean
}

export interface OptOutParts {
  policyOf(teamId: string): Promise<UsePolicy>
  readSite(url: string, signal: AbortSignal): Promise<Reservation[]>
  /** Product name whose directives in `X-Robots-Tag` are followed. */
  product: string
}

type PageMetadata = Readonly<Record<string, unknown>>

export interface OptOuts {
  /** Fields for the metadata of a page by what it says itself; throws for a reserved use. */
  ofPage(capture: Pick<Capture, 'url' | 'headers'>, metadata: PageMetadata): Record<string, MetadataValue>
  /** Reservations of the page's site, if the team has a policy; throws for a reserved use. */
  ofSite(url: string): Promise<readonly Reservation[]>
  assert(url: string, reservations: readonly Reservation[]): void
}

export async function openOptOuts(
  { policyOf, readSite, product }: OptOutParts,
  { teamId, mayFetch }: { teamId: string; mayFetch: boolean },
  signal?: AbortSignal,
): Promise<OptOuts> {
  const { uses, enforce } = await policyOf(teamId)
  function assert(url: string, reservations: readonly Reservation[]): void {
    const refused = enforce ? reservations.find((one) => one.uses.some((use) => uses.includes(use))) : undefined
    if (!refused) return
    const reserved = usesOf(reservations)
    const because = `${url} may not be used for ${uses.filter((use) => reserved.includes(use)).join(', ')} (${refused.by}), and the team uses pages for that`
    throw new Problem('use_reserved', { because, details: { url, ...describeReservations(reservations) } })
  }
  return {
    assert,
    ofPage({ url, headers }, metadata) {
      const found = readPageReservations(headers, metadata, product)
      assert(url, found)
      const tdmPolicy = readTdmPolicy(headers, metadata)
      return { ...describeReservations(found), ...(tdmPolicy ? { tdmPolicy } : {}) }
    },
    async ofSite(url) {
      if (uses.length === 0 || !mayFetch || !/^https?:/.test(url)) return []
      const found = await readSite(url, signal ?? new AbortController().signal)
      assert(url, found)
      return found
    },
  }
}

/** Their fields in the metadata of a document; none where nothing is reserved. */
export const describeReservations = (reservations: readonly Reservation[]): Record<string, MetadataValue> =>
  reservations.length === 0
    ? {}
    : { reservedUses: usesOf(reservations), reservedBy: [...new Set(reservations.map(({ by }) => by))] }

/** The reservations that a stored document names. */
export function reservationsIn({ reservedUses, reservedBy }: PageMetadata): Reservation[] {
  const uses = [reservedUses].flat().filter(Boolean) as PageUse[]
  return uses.length === 0 ? [] : [{ uses, by: [reservedBy].flat().join('; ') }]
}
