// Selects a page's best passage: the sentences with most query words, weighted by rarity in the page and counted once.
import { makeQueryWord, tokenizeText } from './tokenize-text.ts'

const MAX_TEXT = 40_000
const MAX_PASSAGE = 320
const MIN_PASSAGE = 80
const MAX_SENTENCE = 400

export function findBestPassage(text: string, words: readonly string[], language: string): string | undefined {
  const wanted = new Map<string, number>()
  const read = words.map((word) => makeQueryWord(word, [language || 'en', 'en']))
  const significant = read.some(({ stop }) => !stop) ? read.filter(({ stop }) => !stop) : read
  for (const [at, { terms }] of significant.entries())
    for (const term of terms) if (!wanted.has(term)) wanted.set(term, at)
  if (wanted.size === 0) return undefined
  const sentences = sentencesOf(text.slice(0, MAX_TEXT))
  const having = sentences.map((sentence) => {
    const found = new Set<number>()
    for (const { terms } of tokenizeText(sentence, language || 'en'))
      for (const term of terms) {
        const at = wanted.get(term)
        if (at !== undefined) found.add(at)
      }
    return found
  })
  const often = new Array<number>(significant.length).fill(0)
  for (const found of having) for (const at of found) often[at] = often[at]! + 1
  const worth = often.map((count) => (count === 0 ? 0 : 1 + Math.log(sentences.length / count)))
  const best = findBestRun(sentences, having, worth)
  if (!best) return undefined
  // Extend a short passage, such as a heading alone.
  let { until } = best
  let passage = sentences.slice(best.from, until + 1).join(' ')
  while (passage.length < MIN_PASSAGE && ++until < sentences.length) passage += ` ${sentences[until]}`
  return passage.length <= MAX_PASSAGE + 80 ? passage : `${passage.slice(0, MAX_PASSAGE).replace(/\s+\S*$/, '')} …`
}

/** `having`: the words in each sentence; `worth`: of each word. */
function findBestRun(
  sentences: readonly string[],
  having: readonly ReadonlySet<number>[],
  worth: readonly number[],
): { from: number; until: number } | undefined {
  let best: { from: number; until: number; score: number } | undefined
  for (let from = 0; from < sentences.length; from++) {
    if (having[from]!.size === 0) continue
    const seen = new Set<number>()
    let length = 0
    for (let until = from; until < sentences.length && until < from + 4; until++) {
      length += sentences[until]!.length + 1
      if (until > from && length > MAX_PASSAGE) break
      for (const at of having[until]!) seen.add(at)
      // Prefer shorter passages with the same words, and earlier ones.
      let score = -0.05 * (until - from) - 0.3 * (from / sentences.length)
      for (const at of seen) score += worth[at]!
      if (!best || score > best.score) best = { from, until, score }
    }
  }
  return best
}

export function findMissingWords(text: string, words: readonly string[], language: string): string[] {
  const code = language || 'en'
  const there = new Set(tokenizeText(text, code).flatMap(({ terms }) => terms))
  return words.filter((word) => {
    const { terms, stop } = makeQueryWord(word, [code, 'en'])
    return !stop && !terms.some((term) => there.has(term))
  })
}

/** A point before a letter or digit belongs to a number or name. */
const SENTENCE = /(?:[^.!?。！？؟।]|[.!?](?=[\p{L}\p{N}]))+[.!?。！？؟।]*/gu

function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  for (const line of text.split('\n'))
    for (const [sentence] of line.matchAll(SENTENCE)) {
      const trimmed = sentence.trim()
      if (trimmed.length > 1) sentences.push(trimmed.slice(0, MAX_SENTENCE))
    }
  return sentences
}
