// Recognises fonts of formulas and maps their glyphs to Unicode signs, since many of these fonts have no Unicode map.

/** Fonts that TeX and word processors use for formulas only. */
const FORMULA_FONT =
  /CM(?:MI|B?SY|EX)|LMMath|MS[AB]M|EU[FS][MB]|(?:tx|px|zplm?)b?(?:mi|sy|ex)|NewTX(?:MI|BMI)|rsfs|MT(?:MI|SY|EX)|StandardSymL-Slant|KaTeX_(?:Math|Size|AMS|Cal|Frak|Script)|Pazo|Math/i
/** Fonts of single signs, which also occur in ordinary text. */
const SIGN_FONT = /Symbol|StandardSym|STIX(?:NonUni|Size|Int|Var)|Euclid(?:Sym|Ext|Frak)/i
/** The large operators, brackets and radicals of TeX, which hang below their base line. */
const EXTENSION_FONT = /CMEX|(?:tx|px|nt)b?ex(?=\d|$)|LMEX|MTEX/i

export const isFormulaFont = (name: string): boolean => FORMULA_FONT.test(name)
export const isMathFont = (name: string): boolean => FORMULA_FONT.test(name) || SIGN_FONT.test(name)
export const isExtensionFont = (name: string): boolean => EXTENSION_FONT.test(name)

/** TeX's encoding of extension fonts, by code; a blank is a part that needs no sign of its own. */
const EXTENSION_SIGNS = [
  '()[]⌊⌋⌈⌉{}⟨⟩|‖/\\',
  '()()[]⌊⌋⌈⌉{}⟨⟩/\\',
  '()[]⌊⌋⌈⌉{}⟨⟩/\\/\\',
  '()[][][]{}{}{}| ',
  '()()⟨⟩⨆⨆∮∮⨀⨀⨁⨁⨂⨂',
  '∑∏∫⋃⋂⨄⋀⋁∑∏∫⋃⋂⨄⋀⋁',
  '∐∐^^^~~~[]⌊⌋⌈⌉{}',
  '√√√√√√√         ',
].join('')

/** PDFium's code points for the parts of tall brackets. */
const BRACKET_PARTS = [
  [0xf8eb, '((([[[{{{{'],
  [0xf8f6, ')))]]]}}}'],
  [0x239b, '((()))[[[]]]{{{{}}}'],
] as const

export const signOfExtension = (code: number): string => EXTENSION_SIGNS[code] ?? ''

/** The bracket of which this is a part. */
export function bracketOfPart(text: string): string | undefined {
  const code = text.codePointAt(0) ?? 0
  for (const [first, signs] of BRACKET_PARTS) {
    const sign = signs[code - first]
    if (sign) return sign
  }
  return undefined
}

const STYLES = [
  [/MSBM|KaTeX_AMS|syb(?=\d|$)/i, 'mathbb', /^[A-Z]$/],
  [/CMB?SY|KaTeX_Cal|rsfs|EUS|(?:tx|px)sy(?=\d|$)|RSFS|KaTeX_Script/i, 'mathcal', /^[A-Z]$/],
  [/EUF|Frak/i, 'mathfrak', /^[A-Za-z]$/],
] as const

/** The TeX command for the alphabet of this font. */
export const alphabetOf = (sign: string, font: string): string | undefined =>
  STYLES.find(([fonts, , letters]) => fonts.test(font) && letters.test(sign))?.[1]
