// The sentence of a page that answers a question: it holds a value of the kind that is asked for, and it or its headings
// say what is asked about. A passage whose sentences only share words with the question answers nothing.
import { containsValueKind, findAskedValueKinds } from './find-asked-value-kinds.ts'
import { type ParsedQuestion, PassageIndex } from './rank-passages.ts'
import type { Passage } from './split-into-passages.ts'
import { splitIntoSentences } from './split-into-sentences.ts'
import { synonymStemsOf } from './stem-terms.ts'

interface AnswerSentence {
  text: string
  passage: Passage
  /** Share of the question that the sentence and its headings say; 0 to 1. */
  coverage: number
}

const MAX_ANSWER = 300
/** A row of a table or a short passage is read as one sentence. */
const MAX_WHOLE = 160

export class SentenceIndex {
  readonly #index: PassageIndex
  /** The sentence that each entry of the index stands for. */
  readonly #sources = new Map<Passage, { text: string; passage: Passage }>()

  constructor(passages: readonly Passage[]) {
    const entries = passages.flatMap((passage) => {
      const sentences = sentencesOf(passage)
      return sentences.map((text, n) => {
        // Headings say what the sentence is about as well as it does itself; the sentence before less.
        const entry = { ...passage, text: [...passage.headings, text].join('\n'), headings: sentences.slice(n - 1, n) }
        this.#sources.set(entry, { text: text.slice(0, MAX_ANSWER), passage })
        return entry
      })
    })
    this.#index = new PassageIndex([{ url: '', title: '', passages: entries }])
  }

  best(question: ParsedQuestion): AnswerSentence | undefined {
    const numbers = question.text.match(/\d+(?:[.,:]\d+)*/g) ?? []
    const kinds = specificKinds(question.kinds)
    const ranked = this.#index
      .rank({ ...question, terms: termsToSay(question), kinds })
      // The sentence itself holds the value: a name in a heading above it is no answer.
      .filter(({ passage }) => kinds.size === 0 || containsValueKind(this.#sources.get(passage)!.text, kinds))
      // "In 2024" is not answered by a sentence about 2025.
      .filter(({ passage }) => numbers.every((one) => passage.text.includes(one)))
    const best = ranked.reduce<(typeof ranked)[number] | undefined>(
      (most, one) => (most === undefined || one.coverage > most.coverage + 0.01 ? one : most),
      undefined,
    )
    return best && { ...this.#sources.get(best.passage)!, coverage: best.coverage }
  }
}

/** "How much does it cost" asks for an amount of money, which any number is not. */
const specificKinds = (kinds: ParsedQuestion['kinds']): ParsedQuestion['kinds'] =>
  kinds.size > 1 ? new Set([...kinds].filter((kind) => kind !== 'number')) : kinds

/** The value says "cost" or "price" itself; a number does not say whether it is a weight or a height. */
function termsToSay({ terms }: ParsedQuestion): ParsedQuestion['terms'] {
  const others = terms.filter(({ term, word }) => {
    const kinds = findAskedValueKinds(word ?? term)
    return kinds.size === 0 || (kinds.size === 1 && kinds.has('number') && synonymStemsOf(term).size > 0)
  })
  return others.length > 0 ? others : terms
}

function sentencesOf(passage: Passage): string[] {
  if (passage.cells || passage.text.length <= MAX_WHOLE) return [passage.text]
  return labelledLines(passage.text).flatMap((line) =>
    splitIntoSentences(line).map(({ start, end }) => line.slice(start, end)),
  )
}

/** A line that ends in a colon is the label of the next one. */
function labelledLines(text: string): string[] {
  const lines: string[] = []
  for (const line of text.split('\n'))
    if (/[:：]$/u.test(lines.at(-1) ?? '')) lines.push(`${lines.pop()} ${line}`)
    else lines.push(line)
  return lines
}
