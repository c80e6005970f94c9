// Normalises text against obfuscation: removes invisible characters, maps tag characters and look-alike letters to
// ASCII, joins spaced-out words. Pure and linear.
import { makeLookupTable } from '../../base/lookup-table.ts'

// Invisible format characters: soft hyphens, joiners, direction marks, variation selectors.
const INVISIBLE_CHARACTERS =
  /(?:[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0]|\u034f|\u200d|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])/gu
/** Unicode tag characters, an invisible copy of ASCII. */
const UNICODE_TAG_CHARACTERS = /[\u{e0020}-\u{e007e}]/gu
/** Look-alike letters of other alphabets inside words that are otherwise Latin. */
const LATIN_OF_LOOK_ALIKE = makeLookupTable<string>({
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'i',
  ѕ: 's',
  ј: 'j',
  ԁ: 'd',
  ո: 'n',
  ѡ: 'w',
  А: 'A',
  В: 'B',
  Е: 'E',
  К: 'K',
  М: 'M',
  Н: 'H',
  О: 'O',
  Р: 'P',
  С: 'C',
  Т: 'T',
  Х: 'X',
  І: 'I',
  ο: 'o',
  α: 'a',
  ν: 'v',
  ι: 'i',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  κ: 'k',
  Α: 'A',
  Ε: 'E',
  Ι: 'I',
  Ο: 'O',
  Ρ: 'P',
  Τ: 'T',
})
const MIXED = /(?=\S*[A-Za-z])(?=\S*[\u0370-\u03ff\u0400-\u058f])\S+/gu
/** `i g n o r e`: five or more single letters. */
const SPACED_OUT_WORD = /(?<![\p{L}\p{N}])(?:\p{L}[ .\-_*]){4,}\p{L}(?![\p{L}\p{N}])/gu

export function normaliseText(text: string): string {
  return text
    .replace(UNICODE_TAG_CHARACTERS, (letter) => String.fromCharCode(letter.codePointAt(0)! - 0xe0000))
    .replace(INVISIBLE_CHARACTERS, '')
    .normalize('NFKC')
    .replace(MIXED, (word) => word.replace(/[\u0370-\u058f]/gu, (letter) => LATIN_OF_LOOK_ALIKE[letter] ?? letter))
    .replace(SPACED_OUT_WORD, (word) => word.replace(/[ .\-_*]/g, ''))
    .replace(/\s+/g, ' ')
    .trim()
}
