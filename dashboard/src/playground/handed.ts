// What another screen hands to the playground beside its address: a file, which fits into none, and the wish to run at once,
// which must not stand in one: a link from a stranger would spend credits.
import { signal } from '@preact/signals'

export const handed = signal<{ file?: File | undefined; run?: boolean }>({})

/** What was handed over, once. */
export function takeHanded(): { file?: File | undefined; run?: boolean } {
  const given = handed.value
  if (given.file || given.run) handed.value = {}
  return given
}
