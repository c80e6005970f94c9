// The headings that cards of a list stand under: groups of a menu, or the names of things of which the cards are a part.
// It must not know what is asked for.
import type { Element } from 'domhandler'
import { closest, findElement } from '../../content/tree.ts'
import { firstAt, type Heading, type PagePart } from './page-part.ts'

export interface Overhead {
  /** What the heading over a card calls its group. */
  group(card: Element): string | undefined
  /** Each of the cards stands under a heading of its own: what the heading names is larger than the card. */
  isPart(): boolean
}

const MAX_ABOVE = 50
const MAX_UP = 10
const SAMPLE = 6
/** Groups hold several cards each. */
const GROUPED = 0.7
const MAX_GROUP = 40
/** What sorts and narrows a list is no group of it. */
const TOOLS =
  /^(?:sort(?: by)?|filters?(?: by)?|refine.*|narrow.*|search|menu|categories|view|sortieren.*|filtern?|trier.*|ordenar.*)$/i

export function headingsOver(scope: PagePart, cards: readonly Element[], placeOf: (card: Element) => number): Overhead {
  let all: ReadonlySet<Element> | undefined
  const above = (card: Element) => {
    all ??= new Set(cards)
    return headingAbove(scope, card, placeOf(card), all)
  }
  let known: Map<Element, Heading | undefined> | undefined
  let groups = 0
  return {
    group(card) {
      if (!known) {
        known = new Map(cards.map((one) => [one, above(one)]))
        groups = new Set(known.values()).size
      }
      const text = known.get(card)?.text
      // One heading over all is what the list is called.
      const isGroup = groups > 1 && groups <= cards.length * GROUPED
      return isGroup && text && text.length <= MAX_GROUP && !/[.!?:]/u.test(text) && !TOOLS.test(text)
        ? text
        : undefined
    },
    isPart() {
      const sample = cards.slice(0, SAMPLE).map(above)
      return sample.length > 3 && !sample.includes(undefined) && new Set(sample).size === sample.length
    },
  }
}

/** The last heading before a card that is larger than its own and stands in no other card. */
function headingAbove(
  { headings }: PagePart,
  card: Element,
  at: number,
  cards: ReadonlySet<Element>,
): Heading | undefined {
  const own = Number(findElement(card, ({ name }) => /^h[1-6]$/.test(name), 100)?.name[1] ?? 7)
  for (let n = firstAt(headings, at) - 1, looked = 0; n >= 0 && looked < MAX_ABOVE; n--, looked++) {
    const heading = headings[n]!
    if (heading.level > 1 && heading.level < own && !closest(heading.element.parent, MAX_UP, (up) => cards.has(up)))
      return heading
  }
  return undefined
}
