// Features for the scorer: a sentence's words, its beginning and end, and its context on the page.
import type { PlacedSentence } from './list-sentences.ts'

export const FEATURE_BUCKET_COUNT = 16_384
const MAX_WORDS = 40
const WORDS = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}]+)?/gu
/** Scripts without spaces between words use letter pairs. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2,}/u

/** Hash buckets of a sentence's words, word pairs, beginning, end and length. */
export function hashSentenceFeatures(text: string): number[] {
  const words = wordsOf(text)
  const found = new Set<number>()
  const add = (piece: string) => found.add(bucketOf(piece))
  for (const [at, word] of words.entries()) {
    add(word)
    if (at > 0) add(`${words[at - 1]} ${word}`)
  }
  add(`^${words[0] ?? ''}`)
  add(`^${words[0] ?? ''} ${words[1] ?? ''}`)
  add(`$${/[?？]\W*$/u.test(text) ? '?' : /[.!。:]\W*$/u.test(text) ? '.' : ''}`)
  add(`#${Math.min(6, Math.ceil(words.length / 6))}`)
  return [...found]
}

function wordsOf(text: string): string[] {
  const found = (text.toLowerCase().match(WORDS) ?? []).slice(0, MAX_WORDS)
  return found.flatMap((word) => {
    if (/^\p{N}+$/u.test(word)) return ['0']
    if (!UNSPACED.test(word)) return [word.replace('’', "'")]
    return Array.from({ length: Math.min(MAX_WORDS, word.length - 1) }, (_, at) => word.slice(at, at + 2))
  })
}

function bucketOf(piece: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < piece.length; at++) hash = Math.imul(hash ^ piece.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) & (FEATURE_BUCKET_COUNT - 1)
}

/** A page that mentions such attacks shows some as examples. */
const INJECTION_TOPIC = /prompt[- ]?injections?|jailbreak|adversarial prompt|system prompt leak/gi

interface ScoringContext {
  terms: ReadonlyMap<string, number>
  total: number
  isAbout: boolean
  /** Sentences that look like requests. */
  requests: number
}

const REQUEST_SCORE = 0
/** A sentence whose words score lower is no instruction in any context, so it is skipped. */
export const MIN_SENTENCE_SCORE = -2

export function makeScoringContext(sentences: readonly PlacedSentence[], scores: readonly number[]): ScoringContext {
  const terms = new Map<string, number>()
  let [total, mentions] = [0, 0]
  for (const { text } of sentences) {
    for (const term of termsOf(text)) {
      terms.set(term, (terms.get(term) ?? 0) + 1)
      total += 1
    }
    mentions += text.match(INJECTION_TOPIC)?.length ?? 0
  }
  const requests = scores.filter((score, at) => score > REQUEST_SCORE && sentences[at]?.isProse).length
  return { terms, total, isAbout: mentions >= 2, requests }
}

/** Context features of a sentence; the first is its word score. */
export function contextFeaturesOf(sentence: PlacedSentence, score: number, page: ScoringContext): number[] {
  const own = new Map<string, number>()
  for (const term of termsOf(sentence.text)) own.set(term, (own.get(term) ?? 0) + 1)
  let shared = 0
  let count = 0
  for (const [term, times] of own) {
    count += times
    if ((page.terms.get(term) ?? 0) > times) shared += 1
  }
  const others = Math.max(0, page.total - count)
  const overlap = own.size === 0 ? 1 : shared / own.size
  const isCertain = Math.max(0, score - 4)
  return [
    score,
    isCertain,
    others < 20 ? 0.5 : overlap,
    others < 20 ? 1 : 0,
    Math.log10(1 + others),
    Math.min(3, Math.log2(1 + Math.max(0, page.requests - (score > REQUEST_SCORE ? 1 : 0)))),
    sentence.isAlone ? 1 : 0,
    sentence.isProse ? 1 : 0,
    sentence.isExample ? 1 : 0,
    sentence.isExample && page.isAbout ? 1 : 0,
    page.isAbout ? 1 : 0,
    sentence.place === 'hidden text' ? 1 : 0,
    sentence.place === 'description' || sentence.place === 'comment' ? 1 : 0,
    Math.min(3, own.size / 4),
  ]
}

/** Content words without their endings. */
const termsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []).map((word) => word.slice(0, 6))
