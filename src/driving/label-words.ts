// Compares the words of a request with the words of a label: by letters, stems, and names that interfaces use for the
// same thing. Pure.

export const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[’‘]/g, "'")

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

/** Words of a text; numbers in words become digits, and pairs such as "sign in" one word. */
export function wordsOf(text: string): string[] {
  const words =
    plain(text)
      .replace(/e-mail/g, 'email')
      .replace(/\bpop-up/g, 'popup')
      .replace(/'s\b/g, '')
      .match(/\d+(?:[.,:]\d+)+|[\p{L}\p{N}]+|[+−×÷<>«»‹›%🗑🔍★☆✎]/gu) ?? []
  const out: string[] = []
  for (let at = 0; at < words.length; at++) {
    const pair = /^(sign|log|check)$/.test(words[at]!) && /^(in|on|up|out|off)$/.test(words[at + 1] ?? '')
    const number = NUMBERS.indexOf(words[at]!)
    out.push(pair ? `${words[at]}${words[++at]}` : number > 1 ? String(number) : words[at]!)
  }
  return out
}

/** Words that say nothing about which element is meant. */
const FAINT = new Set(
  'a an the this that these those my your our their his her its it to of in on at for with from by as is are be and or please me i we you them'.split(
    ' ',
  ),
)
export const isFaint = (word: string): boolean => FAINT.has(word)

/** Words that a label is recognised by; asides in brackets only count where nothing else is left. */
export function keyWords(label: string): string[] {
  const bare = label.replace(/\([^)]*\)/g, ' ')
  const words = wordsOf(/[\p{L}\p{N}]/u.test(bare) ? bare : label)
  const strong = words.filter((word) => !FAINT.has(word))
  return strong.length > 0 ? strong : words
}

/** Light stemming: `selects` and `selected` meet at `select`. */
export function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word
  const cut = word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/([^s])s$/, '$1')
    .replace(/(?<=.{3})(?:ing|ed)$/, '')
  return cut.replace(/([bdgklmnprt])\1$/, '$1').replace(/(?<=.{3})e$/, '')
}

/** One row: words that buttons and fields use for the same. */
const SAME = [
  'delete remove trash erase discard 🗑',
  'signin login logon',
  'signup register join subscribe enrol enroll',
  'signout logout logoff',
  'search find lookup 🔍',
  'next continue proceed forward',
  'previous back prev',
  'submit send confirm finish complete place',
  'save apply store update keep',
  'close dismiss',
  'accept agree allow consent',
  'reject decline refuse deny',
  'add put include',
  'cart basket bag trolley',
  'buy purchase order checkout',
  'email mail',
  'phone telephone mobile tel cell',
  'town city',
  'zip postcode postal',
  'picture image photo',
  'star favourite favorite bookmark ★ ☆',
  'edit change modify ✎',
  'quantity amount qty',
  'like heart',
  'user username login account',
  'firstname forename given first',
  'lastname surname family last',
  'price cost',
  'rating score',
  'reserve book',
  'movie film',
  'flat apartment',
  'newsletter letter',
  'show display view see',
  'colour color',
  'delivery shipping',
  'adult grownup',
  'child kid children',
  'where destination location',
  'person people guest',
]
const groups = new Map<string, Set<number>>()
for (const [row, line] of SAME.entries())
  for (const word of line.split(' ')) {
    const rows = groups.get(stem(word)) ?? new Set<number>()
    groups.set(stem(word), rows.add(row))
  }

function isSynonym(a: string, b: string): boolean {
  const [one, other] = [groups.get(stem(a)), groups.get(stem(b))]
  if (!one || !other) return false
  for (const row of one) if (other.has(row)) return true
  return false
}

/** 1: the same word; less for another form of it or a synonym; 0: another word. */
export function wordMatch(a: string, b: string): number {
  if (a === b) return 1
  if (stem(a) === stem(b)) return 0.97
  return isSynonym(a, b) ? 0.85 : 0
}

/** How much of a label's words a list of words has; 0 when one of the words is not in the label. */
export function coverage(words: readonly string[], label: string): number {
  const given = keyWords(label)
  if (words.length === 0 || given.length === 0 || words.length > given.length + 1) return 0
  const taken = new Set<number>()
  let sum = 0
  for (const word of words) {
    let [best, at] = [0, -1]
    for (const [index, other] of given.entries()) {
      if (taken.has(index)) continue
      const match = wordMatch(word, other)
      if (match > best) [best, at] = [match, index]
    }
    if (at < 0) return 0
    taken.add(at)
    sum += best
  }
  return sum / given.length
}

/** Where words stand in a text as one run; -1 when they do not. */
export function runIn(words: readonly string[], text: readonly string[], from = 0): number {
  for (let at = from; at + words.length <= text.length; at++)
    if (words.every((word, index) => wordMatch(word, text[at + index]!) > 0)) return at
  return -1
}
