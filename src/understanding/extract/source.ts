// A place on the page that holds many of a kind, as those see it who read its items. It knows no page.
import type { Element } from 'domhandler'
import type { Places } from './places.ts'

/** A place that holds many: each item as the places its fields may lie in. */
export interface ItemSource {
  items: readonly (() => Places)[]
  /** Added to how well its items answer, out of 1. */
  bonus: number
  /** The page says that these are what the field asks for. */
  isNamed: boolean
  isData: boolean
  /** It stands in the main content, or describes the page. */
  isMain: boolean
  /** The boxes of its items, where they are boxes. */
  cards?: readonly Element[]
}

/** With how early it is tried. */
export type RankedSource = ItemSource & {
  rank: number
  /** Its boxes are parts of what a heading names; dear to find out. */
  isPart?: () => boolean
}
