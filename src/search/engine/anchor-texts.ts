// Anchor texts: selects the link texts that point to a page when it is indexed, from pages indexed before it.
import type { IncomingLink } from '../store/incoming-links.ts'
import { linkSlotOf, MAX_LINKS_PER_TARGET, type PageLink } from './extract-links.ts'

/** Links within a batch; each applies to the pages after it. */
export class AnchorTextsOfBatch {
  readonly #slots = new Map<string, (IncomingLink | undefined)[]>()
  readonly #read = new Set<number>()

  /** `stored`: links from earlier batches, except of pages that were read again since. */
  of(teamId: string, target: number, stored: readonly IncomingLink[]): IncomingLink[] {
    const slots = new Array<IncomingLink | undefined>(MAX_LINKS_PER_TARGET).fill(undefined)
    for (const link of stored) if (!this.#read.has(link.source)) slots[linkSlotOf(link.source)] = link
    const newer = this.#slots.get(`${teamId} ${target}`)
    for (let slot = 0; slot < MAX_LINKS_PER_TARGET; slot++) slots[slot] = newer?.[slot] ?? slots[slot]
    return chooseLinks(slots.filter((link) => link !== undefined))
  }

  add(teamId: string, links: readonly PageLink[], { source, from, seenAt }: Omit<IncomingLink, 'text'>): void {
    this.#read.add(source)
    for (const { target, text } of links) {
      const name = `${teamId} ${target}`
      const slots = this.#slots.get(name) ?? new Array<IncomingLink | undefined>(MAX_LINKS_PER_TARGET).fill(undefined)
      slots[linkSlotOf(source)] = { source, from, seenAt, text }
      this.#slots.set(name, slots)
    }
  }
}

function chooseLinks(links: readonly IncomingLink[]): IncomingLink[] {
  const byText = new Map<string, { newest: IncomingLink; many: number }>()
  for (const link of links) {
    const folded = link.text.toLowerCase()
    const same = byText.get(folded)
    if (!same) byText.set(folded, { newest: link, many: 1 })
    else {
      same.many++
      if (isNewer(link, same.newest)) same.newest = link
    }
  }
  return [...byText.values()]
    .sort((a, b) => b.many - a.many || (isNewer(a.newest, b.newest) ? -1 : 1))
    .map(({ newest }) => newest)
}

const isNewer = (a: IncomingLink, b: IncomingLink): boolean =>
  a.seenAt - b.seenAt > 0 || (a.seenAt === b.seenAt && a.from > b.from)
