// Names of keys as people write them, as the browser knows them. Pure.
import { makeLookupTable } from '../base/lookup-table.ts'

const NAMES = makeLookupTable<string>({
  ctrl: 'Control',
  control: 'Control',
  cmd: 'Meta',
  command: 'Meta',
  meta: 'Meta',
  alt: 'Alt',
  option: 'Alt',
  shift: 'Shift',
  enter: 'Enter',
  return: 'Enter',
  escape: 'Escape',
  esc: 'Escape',
  tab: 'Tab',
  space: 'Space',
  backspace: 'Backspace',
  pageup: 'PageUp',
  pagedown: 'PageDown',
  arrowup: 'ArrowUp',
  arrowdown: 'ArrowDown',
  arrowleft: 'ArrowLeft',
  arrowright: 'ArrowRight',
})

/** `esc` → `Escape`; nothing for a word that names no key. */
export const normalizeKeyName = (word: string): string | undefined =>
  NAMES[word.toLowerCase()] ?? (/^f\d{1,2}$/i.test(word) ? word.toUpperCase() : undefined)

/** `ctrl + K` → `Control+k`. */
export const normalizeKeyCombination = (text: string): string =>
  text
    .split('+')
    .map((part) => part.trim())
    .map((part) => normalizeKeyName(part) ?? (part.length === 1 ? part.toLowerCase() : part))
    .join('+')
