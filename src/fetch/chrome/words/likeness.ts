// How well the words of a request fit a label on the page: by their letters, their stems, names that interfaces use for
// one and the same thing, and nearness in meaning, which is given from above. Pure.

/** 0 (unrelated) to 1 (the same) for two words. */
export type Near = (a: string, b: string) => number

export const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[’‘]/g, "'")

export const wordsIn = (text: string): string[] =>
  plain(text)
    .replace(/e-mail/g, 'email')
    .replace(/'s\b/g, '')
    .match(/[\p{L}\p{N}]+|[+−×÷<>«»‹›…#%]/gu) ?? []

/** Words that tell little about which thing is meant. */
const FAINT = new Set(
  'a an the this that these those my your our their his her its it to of in on at for with from by as is are be and or please new all any some into onto you me i we them up out now here there'.split(
    ' ',
  ),
)
export const isFaint = (word: string): boolean => FAINT.has(word)

/** Light stemming: `selections` and `selected` meet at `select`. */
export function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word
  const cut = word
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/([^s])s$/, '$1')
    .replace(/(?<=.{3})(?:ing|ed)$/, '')
  return cut.replace(/([bdgklmnprt])\1$/, '$1').replace(/(?<=.{3})e$/, '')
}

/** One row: words and phrases that buttons and fields use for the same. The caller's word on either side. */
const SAME = [
  'delete remove trash bin erase discard 🗑 ✕',
  'signin login logon',
  'signup register join subscribe enrol enroll',
  'signout logout logoff',
  'search find lookup 🔍 magnifier',
  'next continue proceed forward › »',
  'previous back prev ‹ «',
  'submit send confirm ok okay go done finish complete',
  'save apply store update keep',
  'close dismiss x × ✕ cancel',
  'accept agree allow consent ok',
  'reject decline refuse deny',
  'add put include plus +',
  'cart basket bag trolley',
  'buy purchase order',
  'checkout pay',
  'email mail e-mail',
  'phone telephone mobile tel cell',
  'town city',
  'zip postcode postal',
  'picture image photo',
  'message mail email note text',
  'star favourite favorite bookmark',
  'edit change modify',
  'expand open show unfold',
  'collapse close hide fold',
  'quantity amount number count qty',
  'like heart love',
  'user username login account',
  'password secret passphrase',
  'firstname forename given',
  'lastname surname family',
  'price cost',
  'rating score stars',
  'large big',
  'small little tiny',
  'reserve book',
  'movie film',
  'flat apartment',
  'newsletter letter',
  'nickname nick',
  'departure leaving depart',
  'retweet repost share',
  'answer reply respond',
  'brightness light',
  'menu options',
]
const groups = new Map<string, Set<number>>()
for (const [row, line] of SAME.entries())
  for (const word of line.split(' ')) {
    const at = groups.get(stem(word)) ?? new Set<number>()
    groups.set(stem(word), at.add(row))
  }

/** Two words that interfaces use for one and the same. */
export function isSynonym(a: string, b: string): boolean {
  const [one, other] = [groups.get(stem(a)), groups.get(stem(b))]
  if (!one || !other) return false
  for (const row of one) if (other.has(row)) return true
  return false
}

/** Expressions of two words that count as one. */
const joined = (words: readonly string[]): string[] => {
  const out: string[] = []
  for (let at = 0; at < words.length; at++) {
    const pair = `${words[at]}${words[at + 1] ?? ''}`
    const known =
      /^(sign|log|check|look|user|first|last)$/.test(words[at]!) &&
      /^(in|on|up|out|off|name)$/.test(words[at + 1] ?? '')
    if (known) at++
    out.push(known ? pair : words[at]!)
  }
  return out
}

/** Words that a request and a label are compared by. */
export const keyWords = (text: string): string[] => joined(wordsIn(text))

function wordLikeness(a: string, b: string, near: Near | undefined): number {
  if (a === b) return 1
  if (stem(a) === stem(b)) return 0.96
  if (isSynonym(a, b)) return 0.85
  if (a.length >= 4 && b.length >= 4 && (a.startsWith(b) || b.startsWith(a))) return 0.8
  const close = near && a.length > 2 && b.length > 2 ? near(a, b) : 0
  return close >= 0.75 ? 0.75 * close : 0
}

export interface Likeness {
  /** 0 to 1, both ways. */
  score: number
  /** How much of the request's weight was found in the label. */
  covers: number
}

const NONE: Likeness = { score: 0, covers: 0 }

/** How well a label answers to the words of a request. */
export function likeness(request: string, label: string, near?: Near): Likeness {
  if (!request || !label) return NONE
  const [a, b] = [plain(request).trim(), plain(label).trim()]
  if (a === b) return { score: request.trim() === label.trim() ? 1 : 0.995, covers: 1 }
  const wanted = keyWords(request)
  const given = keyWords(label)
  if (wanted.length === 0 || given.length === 0) return NONE
  if (wanted.join(' ') === given.join(' ')) return { score: 0.99, covers: 1 }
  const taken = new Set<number>()
  let [found, weight] = [0, 0]
  for (const word of wanted) {
    const worth = FAINT.has(word) ? 0.15 : 1
    weight += worth
    let [best, at] = [0, -1]
    for (const [index, other] of given.entries()) {
      if (taken.has(index)) continue
      const like = wordLikeness(word, other, near)
      if (like > best) [best, at] = [like, index]
    }
    if (at >= 0) taken.add(at)
    found += best * worth
  }
  const rest = given.reduce((sum, word, index) => sum + (taken.has(index) ? 0 : FAINT.has(word) ? 0.1 : 1), 0)
  const covers = weight === 0 ? 0 : found / weight
  return { score: Math.min(0.98, (2 * found) / (weight + found + rest)), covers }
}

/** Where the words of a label stand in a row of words, as one run; the stem of each must be the same. */
export function runOf(label: readonly string[], words: readonly string[], from = 0): number {
  for (let at = from; at + label.length <= words.length; at++)
    if (label.every((word, index) => stem(word) === stem(words[at + index]!))) return at
  return -1
}
