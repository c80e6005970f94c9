// Text without end that is the same each time, so that a packed copy of it can lie beside the tests.
import { readFileSync } from 'node:fs'

const WORDS = 'tide wall gauge ferry lock harbour marsh notebook minute water clock brass'.split(' ')

export function tideWords(count: number): string {
  let seed = 7
  const words: string[] = []
  for (let left = count; left > 0; left--) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    words.push(WORDS[(seed >> 16) % WORDS.length]!)
  }
  return words.join(' ')
}

/** `tideWords(50_000)` as `zstd -3` packs it: several blocks, matches across them, a checksum. */
export const packedWords = (): Buffer => readFileSync(new URL('packed/words.zst', import.meta.url))
