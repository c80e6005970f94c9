// Anchor texts: selects the link texts that point to a page when it is indexed, from pages indexed before it.
import type { LinkTo } from '../store/links.ts'
import { LINKS_KEPT, type PageLink, slotOf } from './links.ts'

/** Links within a batch; each applies to the pages after it. */
export class IndexedLinks {
  readonly #slots = new Map<string, (LinkTo | undefined)[]>()
  readonly #read = new Set<number>()

  /** `stored`: links from earlier batches, except of pages that were read again since. */
  of(teamId: string, target: number, stored: readonly LinkTo[]): LinkTo[] {
    const slots = new Array<LinkTo | undefined>(LINKS_KEPT).fill(undefined)
    for (const link of stored) if (!this.#read.has(link.source)) slots[slotOf(link.source)] = link
    const newer = this.#slots.get(`${teamId} ${target}`)
    for (let slot = 0; slot < LINKS_KEPT; slot++) slots[slot] = newer?.[slot] ?? slots[slot]
    return chosen(slots.filter((link) => link !== undefined))
  }

  add(teamId: string, links: readonly PageLink[], { source, from, seenAt }: Omit<LinkTo, 'text'>): void {
    this.#read.add(source)
    for (const { target, text } of links) {
      const name = `${teamId} ${target}`
      const slots = this.#slots.get(name) ?? new Array<LinkTo | undefined>(LINKS_KEPT).fill(undefined)
      slots[slotOf(source)] = { source, from, seenAt, text }
      this.#slots.set(name, slots)
    }
  }
}

function chosen(links: readonly LinkTo[]): LinkTo[] {
  const byText = new Map<string, { newest: LinkTo; many: number }>()
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

const isNewer = (a: LinkTo, b: LinkTo): boolean => a.seenAt - b.seenAt > 0 || (a.seenAt === b.seenAt && a.from > b.from)
