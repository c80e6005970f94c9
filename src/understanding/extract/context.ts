// What every question about one page shares: its language, its addresses, and the words already looked up. Made once for
// an extraction and dropped with it.
import type { ResolveLink } from '../../content/address.ts'
import type { FieldContext, Rules, WantedField } from './asking.ts'
import type { Shape, ShapeField } from './shape.ts'
import { wantedOf } from './wanted.ts'
import { phraseOf } from './words.ts'

export function openTestContext(language: string, host: string, resolve: ResolveLink): FieldContext {
  const phrases = new Map<string, string>()
  const wants = new Map<Shape, Map<string, WantedField>>()
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
      const byPlace = wants.get(shape) ?? new Map<string, WantedField>()
      wants.set(shape, byPlace.set(key, made))
      return made
    },
  }
}

/** The first of some fields whose concept has a rule: `isName` finds the one that asks what the thing is called. */
export const fieldThat = (
  has: keyof Rules,
  fields: readonly ShapeField[],
  ground: FieldContext,
): ShapeField | undefined => fields.find(({ name, shape }) => ground.wanted(name, shape).rules[has])
