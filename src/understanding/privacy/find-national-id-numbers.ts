// Finds national identifiers: social security, tax, identity card and passport numbers. A check digit must match;
// ambiguous formats need a preceding keyword.
import { passesLuhn } from './find-financial-numbers.ts'
import type { MaskedText, PrivacyFinding } from './privacy-finding.ts'

interface IdNumberFormat {
  shape: RegExp
  /** `code`: letters and digits only. */
  isValid(code: string): boolean
}

const EDGE = '(?<![\\p{L}\\p{N}.,/-]|\\p{N} )'
const END = '(?![\\p{L}\\p{N}]|[.,/ -][\\p{N}])'
const shape = (source: string, flags = 'gu'): RegExp => new RegExp(`${EDGE}(?:${source})${END}`, flags)

const digitsOf = (code: string): number[] => [...code].map(Number)
const weighDigits = (code: string, weights: readonly number[]): number =>
  digitsOf(code.slice(0, weights.length)).reduce((sum, digit, at) => sum + digit * weights[at]!, 0)

/** Validates day and month after offsets for sex, coordination numbers or century are removed. */
const isDay = (month: number, day: number): boolean => month >= 1 && month <= 12 && day >= 1 && day <= 31

/** Turns and reflections of a pentagon: 0 to 4 turn, 5 to 9 reflect. */
const combine = (one: number, other: number): number =>
  one < 5 ? ((one + other) % 5) + (other < 5 ? 0 : 5) : ((one - other + 5) % 5) + (other < 5 ? 5 : 0)
const MOVES = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]
/** The check digit of Verhoeff. */
function verhoeff(code: string): boolean {
  const moved = (digit: number, times: number): number => (times === 0 ? digit : moved(MOVES[digit]!, times - 1))
  return [...code].reverse().reduce((sum, char, at) => combine(sum, moved(Number(char), at % 8)), 0) === 0
}

function isCpf(code: string): boolean {
  if (/^(\d)\1+$/.test(code)) return false
  const check = (length: number) => {
    const rest = digitsOf(code.slice(0, length)).reduce((sum, digit, at) => sum + digit * (length + 1 - at), 0) % 11
    return rest < 2 ? 0 : 11 - rest
  }
  return check(9) === Number(code[9]) && check(10) === Number(code[10])
}

function isKimlik(code: string): boolean {
  const [a, b, c, d, e, f, g, h, i, tenth, last] = digitsOf(code) as [number, ...number[]] as number[]
  const odd = a! + c! + e! + g! + i!
  const even = b! + d! + f! + h!
  return (((odd * 7 - even) % 10) + 10) % 10 === tenth && (odd + even + tenth!) % 10 === last
}

function isSteuerId(code: string): boolean {
  let product = 10
  for (const digit of digitsOf(code.slice(0, 10))) {
    const sum = (digit + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === Number(code[10])
}

const CURP_LETTERS = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ'
const isCurp = (code: string): boolean =>
  (10 - ([...code.slice(0, 17)].reduce((sum, char, at) => sum + CURP_LETTERS.indexOf(char) * (18 - at), 0) % 10)) %
    10 ===
  Number(code[17])

const ODD_VALUES = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]
const isCodiceFiscale = (code: string): boolean => {
  const sum = [...code.slice(0, 15)].reduce((all, char, at) => {
    const value = /\d/.test(char) ? Number(char) : char.charCodeAt(0) - 65
    return all + (at % 2 === 0 ? ODD_VALUES[value]! : value)
  }, 0)
  return String.fromCharCode(65 + (sum % 26)) === code[15]
}

const NIF_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'
const isDni = (code: string): boolean => {
  const number = Number(code.replace(/^X/, '0').replace(/^Y/, '1').replace(/^Z/, '2').slice(0, -1))
  return NIF_LETTERS[number % 23] === code.at(-1)
}

const isPesel = (code: string): boolean =>
  isDay(Number(code.slice(2, 4)) % 20, Number(code.slice(4, 6))) &&
  (10 - (weighDigits(code, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10 === Number(code[10])

const isNir = (code: string): boolean =>
  97 - Number(BigInt(code.slice(0, 13).replace('2A', '19').replace('2B', '18')) % 97n) === Number(code.slice(13))

const isChinese = (code: string): boolean =>
  isDay(Number(code.slice(10, 12)), Number(code.slice(12, 14))) &&
  '10X98765432'[weighDigits(code, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11] === code[17]

const isBelgian = (code: string): boolean => {
  const rest = Number(code.slice(9))
  return [code.slice(0, 9), `2${code.slice(0, 9)}`].some((number) => 97 - (Number(number) % 97) === rest)
}

const isNorwegian = (code: string): boolean => {
  const check = (weights: number[]) => (11 - (weighDigits(code, weights) % 11)) % 11
  return (
    isDay(Number(code.slice(2, 4)), Number(code.slice(0, 2)) % 40) &&
    check([3, 7, 6, 1, 8, 9, 4, 5, 2]) === Number(code[9]) &&
    check([5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) === Number(code[10])
  )
}

const isFinnish = (code: string): boolean =>
  '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(code.slice(0, 6) + code.slice(-4, -1)) % 31] === code.at(-1)

/** Recognised by format and check digit. */
const ID_NUMBER_FORMATS: readonly IdNumberFormat[] = [
  // United States: excludes area numbers that were never issued.
  { shape: shape('(?!000|666|9\\d\\d)\\d{3}-(?!00)\\d{2}-(?!0000)\\d{4}'), isValid: () => true },
  {
    shape: shape('(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PQR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\\d{2} ?\\d{2} ?\\d{2} ?[A-D]'),
    isValid: () => true,
  },
  {
    shape: shape('(?:19|20)?\\d{6}[-+]\\d{4}'),
    isValid: (code) => {
      const ten = code.slice(-10)
      return isDay(Number(ten.slice(2, 4)), ((Number(ten.slice(4, 6)) - 1) % 60) + 1) && passesLuhn(ten)
    },
  },
  {
    shape: shape('[12378] ?\\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\\d) ?(?:\\d{2}|2[AB]) ?\\d{3} ?\\d{3} ?\\d{2}'),
    isValid: isNir,
  },
  { shape: shape('[A-Z]{4}\\d{6}[HMX][A-Z]{5}[A-Z0-9]\\d'), isValid: isCurp },
  { shape: shape('[A-Z]{6}\\d{2}[A-EHLMPRST]\\d{2}[A-Z]\\d{3}[A-Z]'), isValid: isCodiceFiscale },
  { shape: shape('(?:\\d{8}|[XYZ]-?\\d{7})-?[A-HJ-NP-TV-Z]'), isValid: isDni },
  { shape: shape('\\d{3}\\.\\d{3}\\.\\d{3}-\\d{2}'), isValid: isCpf },
  { shape: shape('[2-9]\\d{3} \\d{4} \\d{4}'), isValid: verhoeff },
  { shape: shape('\\d{17}[\\dX]'), isValid: isChinese },
  { shape: shape('\\d{6}-[1-8]\\d{6}'), isValid: (code) => isDay(Number(code.slice(2, 4)), Number(code.slice(4, 6))) },
  { shape: shape('\\d{2}\\.\\d{2}\\.\\d{2}-\\d{3}\\.\\d{2}'), isValid: isBelgian },
  { shape: shape('\\d{6} ?\\d{5}'), isValid: isNorwegian },
  { shape: shape('\\d{6}[-+A-F]\\d{3}[0-9A-Y]'), isValid: isFinnish },
  {
    shape: shape('756\\.\\d{4}\\.\\d{4}\\.\\d{2}'),
    isValid: (code) => (10 - (weighDigits(code, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10 === Number(code[12]),
  },
  {
    shape: shape('\\d{3}-\\d{3}-\\d{3} \\d{2}'),
    isValid: (code) => (weighDigits(code, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101) % 100 === Number(code.slice(9)),
  },
]

/** Recognised after a keyword; the check must pass if there is one. */
const ID_NUMBERS_AFTER_KEYWORD: readonly { name: string; value: string; isValid?(code: string): boolean }[] = [
  { name: 'PESEL\\p{L}*', value: '\\d{11}', isValid: isPesel },
  { name: 'T\\.?C\\.? ?(?:kimlik)?|TCKN|kimlik', value: '[1-9]\\d{10}', isValid: isKimlik },
  { name: 'CPF', value: '\\d{11}', isValid: isCpf },
  { name: '[Aa]adhaar|UID(?:AI)?|आधार', value: '[2-9]\\d{11}', isValid: verhoeff },
  {
    name: 'Steuer-?(?:ID|Identifikationsnummer|identifikationsnummer)|IdNr\\.?|TIN',
    value: '\\d{2} ?\\d{3} ?\\d{3} ?\\d{3}',
    isValid: isSteuerId,
  },
  {
    name: 'NHS',
    value: '\\d{3} ?\\d{3} ?\\d{4}',
    isValid: (code) => (11 - (weighDigits(code, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === Number(code[9]),
  },
  { name: 'NIF|contribuinte', value: '\\d{9}' },
  { name: 'SIN|[Ss]ocial [Ii]nsurance|TFN|[Tt]ax [Ff]ile', value: '\\d{3}[ -]?\\d{3}[ -]?\\d{3}' },
  {
    name: 'BSN|[Bb]urgerservicenummer',
    value: '\\d{8,9}',
    isValid: (code) => weighDigits(code.padStart(9, '0'), [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0,
  },
  {
    name: '(?:[Ss]ocial [Ss]ecurity|SSN|[Nn]ational [Ii]nsurance|NINO|[Ss]écurité sociale|NIR|Sozialversicherungs\\p{L}*|SV-Nummer|RVNR|[Pp]ersonnummer|[Ss]amordningsnummer|[Ff]ødselsnummer|CPR|[Hh]enkilötunnus|СНИЛС|ИНН|CURP|RFC|[Cc]odice fiscale|C\\.F\\.|DNI|NIE|PAN|マイナンバー|個人番号|주민등록번호|身份证号?码?|身分證|EGN|JMBG|OIB|CNP|SIREN personnel)',
    value: '[A-Z]{0,5} ?\\d[A-Z0-9 ./-]{4,20}[A-Z0-9]|[A-Z]{4,6}\\d[A-Z0-9]{5,14}',
  },
  {
    name: "(?:[Pp]assport|[Rr]eisepass|[Pp]asseport|[Pp]asaporte|[Pp]assaporte?|[Pp]aspoort|[Pp]aszport|[Pp]asaport|[Pp]ass(?:nummer)?|паспорт\\p{L}*|旅券番号|护照|여권|[Pp]ersonalausweis|[Cc]arte (?:nationale )?d['’]identité|[Cc]arta d['’]identità|[Dd]owód (?:osobisty|osobistego)|[Ii]dentity card|ID card|RG|[Vv]oter (?:ID|card)|EPIC|[Dd]river['’]?s? licen[cs]e|[Ff]ührerschein|[Pp]ermis de conduire|[Pp]atente|[Pp]rawo jazdy|[Cc]édula)",
    value: '(?=[A-Z0-9 -]{0,14}\\d{2})[A-Z0-9]{1,4}[ -]?[A-Z0-9]{4,10}',
  },
]
const FILLER =
  '(?:[\\s:.#№º°-]|(?<!\\p{L})(?:is|was|number|no|n[°ºo]|nr|num(?:éro|ero|er|ber|aras[ıi])?|nummer|número|kimlik|le|la|el|il|the|est|es|è|é|är|er|ist|lautet|to|jest|dela|dele|of|code|card|ID|her|his|for)(?!\\p{L})\\.?|[は是为]){0,10}'
const ANNOUNCED = ID_NUMBERS_AFTER_KEYWORD.map(({ name, value, isValid }) => ({
  pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${name})(?![\\p{L}])${FILLER}(?<value>${value})(?![\\p{L}\\p{N}])`, 'gu'),
  isValid,
}))

/** Quick filter: most pages contain no such keyword. */
const ID_NUMBER_KEYWORD =
  /pesel|kimlik|tckn|cpf|aadhaar|uidai|आधार|steuer-?id|idnr|\bTIN\b|\bNHS\b|\bNIF\b|contribuinte|\bSIN\b|insurance|\bTFN\b|tax file|\bBSN\b|burgerservice|social sec|\bSSN\b|nino|sécurité sociale|\bNIR\b|sozialvers|sv-nummer|rvnr|personnummer|samordning|fødsel|\bCPR\b|henkilö|снилс|инн|curp|\bRFC\b|fiscale|C\.F\.|\bDNI\b|\bNIE\b|\bPAN\b|マイナンバー|個人番号|주민등록|身份证|身分證|\bEGN\b|jmbg|\bOIB\b|\bCNP\b|siren|passport|reisepass|passeport|pasaport|passapor|paspoort|paszport|pass(?:nummer)?\b|паспорт|旅券|护照|여권|personalausweis|identit|dowód|\bID card|\bRG\b|voter|\bEPIC\b|licen[cs]e|führerschein|permis|patente|prawo jazdy|cédula/i

const OTHERWISE =
  /(?:\b(?:part|article|item|model|ref(?:erence)?|référence|referencia|riferimento|order|invoice|serial|sku|lot|lote|lotto|batch|catalogue?|katalog\p{L}*|artikel\p{L}*|bestell\p{L}*|ordernummer|zamówieni\p{L}*|tracking|nota fiscal|factura|facture|fattura|pezzo|pièce|peça|część|parça|sipariş|isbn|version)\b)[\s.:#№º-]{0,3}(?:(?:no|number|nr|nummer|n[°º]|is|numer|katalogowy)\b[\s.:]{0,2}){0,2}$/iu

export function findNationalIdNumbers({ words }: MaskedText): PrivacyFinding[] {
  const findings: PrivacyFinding[] = []
  const add = (start: number, length: number) => findings.push({ start, end: start + length, entity: 'SECRET' })
  for (const { shape: pattern, isValid } of ID_NUMBER_FORMATS)
    for (const found of words.matchAll(pattern)) {
      const before = words.slice(Math.max(0, found.index - 40), found.index)
      const code = found[0].replace(/[ .+-]/g, '').toUpperCase()
      if (!OTHERWISE.test(before) && isValid(code)) add(found.index, found[0].length)
    }
  if (!ID_NUMBER_KEYWORD.test(words)) return findings
  for (const { pattern, isValid } of ANNOUNCED)
    for (const found of words.matchAll(pattern)) {
      const value = found.groups!.value!.replace(/[\s./-]+$/, '')
      const code = value.replace(/[ ./-]/g, '').toUpperCase()
      const digits = code.replace(/\D/g, '').length
      if (digits < 5 || (isValid && !isValid(code))) continue
      add(found.index + found[0].lastIndexOf(found.groups!.value!), value.length)
    }
  return findings
}
