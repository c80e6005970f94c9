// Detects look-alike host names: homoglyphs, digits for letters, a brand beside a trick word, or a brand's domain as a
// subdomain.
import { domainToUnicode } from 'node:url'
import { parse } from 'tldts'
import { IMITATED_BRAND_NAMES, LATIN_OF_HOMOGLYPH, TRICK_WORDS, WELL_KNOWN_DOMAINS } from './threat-words.ts'

/** Brands that are also common words match only as whole names. */
const BRANDS_MATCHED_IN_WORDS = IMITATED_BRAND_NAMES.filter(
  (brand) => brand.length >= 6 && !/^(?:orange|postfinance|booking|banco|office|volksbank|ledger|outlook)$/.test(brand),
)
const NAMES = new Set([
  ...BRANDS_MATCHED_IN_WORDS,
  ...[...WELL_KNOWN_DOMAINS].flatMap((domain) => firstLabel(domain) ?? []),
])

function firstLabel(domain: string): string[] | undefined {
  const [label = ''] = domain.split('.')
  return label.length >= 6 ? [label] : undefined
}

export function explainLookAlikeHost(hostname: string): string | undefined {
  const { domain, domainWithoutSuffix: name, subdomain, isIp } = parse(hostname)
  if (isIp || !domain || !name || WELL_KNOWN_DOMAINS.has(domain)) return undefined
  const shown = domainToUnicode(name) || name
  const plain = skeleton(shown)
  if (shown !== name && mixesAlphabets(shown)) return 'its name mixes alphabets'
  if (plain !== name && NAMES.has(plain)) return `its name looks like ${plain}`
  const words = name.split('-')
  const flat = words.map((word) => skeleton(domainToUnicode(word) || word))
  const brand = flat.find(
    (word, at) => BRANDS_MATCHED_IN_WORDS.includes(word) && (words.length > 1 || word !== words[at]),
  )
  if (brand && words.length > 1 && (flat.some((word) => TRICK_WORDS.has(word)) || flat.join('-') !== name))
    return `its name puts ${brand} beside other words`
  const near = nearBrand(plain)
  if (near) return `its name is one letter away from ${near}`
  const glued = BRANDS_MATCHED_IN_WORDS.find(
    (one) => plain !== one && plain.includes(one) && TRICK_WORDS.has(plain.replace(one, '')),
  )
  if (glued) return `its name puts ${glued} beside other words`
  return inFront(subdomain ?? '')
}

/** `paypal.com.evil.example`, `login-microsoft.evil.example`: a brand in the subdomain of another domain. */
function inFront(subdomain: string): string | undefined {
  if (subdomain === '' || subdomain === 'www') return undefined
  const labels = subdomain.split('.')
  for (const [at, label] of labels.entries()) {
    const plain = skeleton(domainToUnicode(label) || label)
    const next = labels[at + 1]
    if (NAMES.has(plain) && next !== undefined && WELL_KNOWN_DOMAINS.has(`${plain}.${next}`))
      return `it begins like ${plain}.${next}`
    const brand = plain.split('-').find((word) => BRANDS_MATCHED_IN_WORDS.includes(word))
    if (brand && (plain.split('-').some((word) => TRICK_WORDS.has(word)) || plain !== label))
      return `it begins like ${brand}`
    if (brand && labels.some((word) => TRICK_WORDS.has(word))) return `it begins like ${brand}`
  }
  return undefined
}

const skeleton = (text: string): string => {
  const plain = [...text.normalize('NFC').toLowerCase()]
    .map((letter) => LATIN_OF_HOMOGLYPH.get(letter) ?? letter)
    .join('')
  return plain.replaceAll('rn', 'm').replaceAll('vv', 'w')
}

const mixesAlphabets = (text: string): boolean =>
  [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u].filter((one) =>
    one.test(text),
  ).length > 1

/** Edit distance one; long brands only, where it is unlikely to be another word. */
function nearBrand(name: string): string | undefined {
  if (name.length < 6) return undefined
  return BRANDS_MATCHED_IN_WORDS.find(
    (brand) => brand.length >= 6 && brand !== name && Math.abs(brand.length - name.length) <= 1 && isNear(name, brand),
  )
}

function isNear(one: string, other: string): boolean {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  if (at === 0) return false
  const rest = (text: string, from: number) => text.slice(from)
  if (one.length === other.length)
    return (
      rest(one, at + 1) === rest(other, at + 1) ||
      (one[at] === other[at + 1] && one[at + 1] === other[at] && rest(one, at + 2) === rest(other, at + 2))
    )
  const [long, short] = one.length > other.length ? [one, other] : [other, one]
  return rest(long, at + 1) === rest(short, at)
}
