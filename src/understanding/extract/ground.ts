// What every question about one page shares: its language, its addresses, and the words already looked up. Made once for
// an extraction and dropped with it.
import type { Resolve } from '../../content/address.ts'
import type { Ground, Rules, Wanted } from './asking.ts'
import type { Field, Shape } from './shape.ts'
import { wantedOf } from './wanted.ts'
import { phraseOf } from './words.ts'

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

/** The first of some fields whose concept has a rule: `isName` finds the one that asks what the thing is called. */
export const fieldThat = (has: keyof Rules, fields: readonly Field[], ground: Ground): Field | undefined =>
  fields.find(({ name, shape }) => ground.wanted(name, shape).rules[has])
