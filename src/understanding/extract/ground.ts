// What every question about one page shares: its language, its addresses, and the words already looked up. Made once for
// an extraction and dropped with it.
import type { Resolve } from '../../content/address.ts'
import type { MoneyHint } from '../currencies.ts'
import type { Shape } from './shape.ts'
import { type Wanted, wantedOf } from './wanted.ts'
import { phraseOf } from './words.ts'

export interface Ground {
  language: string
  /** What tells a dollar from a dollar. */
  money: MoneyHint
  resolve: Resolve
  /** A name's phrase, remembered: the same few names come again and again. */
  phrase(name: string): string
  /** What classes and ids speak of, remembered: cards of a list share them. */
  classes: Map<string, readonly string[]>
  /** What a field asks for, remembered. */
  wanted(name: string, shape: Shape, around?: readonly string[]): Wanted
}

export function openGround(language: string, host: string, resolve: Resolve): Ground {
  const phrases = new Map<string, string>()
  const wants = new Map<Shape, Map<string, Wanted>>()
  return {
    language,
    money: { language, host },
    classes: new Map(),
    resolve,
    phrase(name) {
      const known = phrases.get(name)
      if (known !== undefined) return known
      const phrase = phraseOf(name)
      phrases.set(name, phrase)
      return phrase
    },
    wanted(name, shape, around = []) {
      const key = around.join('.')
      const known = wants.get(shape)?.get(key)
      if (known) return known
      const made = wantedOf(name, shape, around)
      const byPlace = wants.get(shape) ?? new Map<string, Wanted>()
      wants.set(shape, byPlace.set(key, made))
      return made
    },
  }
}
