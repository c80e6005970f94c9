// Summarises a page: its own description, else its first sentences and those with the most recurring words; at most
// five, in page order.
import { countEach } from '../../base/values.ts'
import { splitIntoPassages } from './split-into-passages.ts'
import { splitIntoSentences } from './split-into-sentences.ts'
import { isStopWord, stemText } from './stem-terms.ts'

const MAX_SENTENCES = 5
const MIN_SENTENCE = 35
const MAX_SENTENCE = 420
const MAX_LETTERS = 900
const MIN_DESCRIPTION = 60
/** Weights of a page's first sentences. */
const WEIGHTS_OF_FIRST_SENTENCES = [1.6, 1.3, 1.15]
/** Factor for words that a chosen sentence already covers. */
const REPEATED_WORD_FACTOR = 0.35

const ENDS = /[.!?…。！？।؟][)"'”’»\]]*$/
/** A byline, date or notice has links, addresses or hardly any other words. */
const BYLINE_OR_NOTICE = /cookie|©|copyright|https?:|www\.|newsletter|@/i

/** Undefined when the page has neither a description nor a sentence. `description` comes from the page's head. */
export function summarise(markdown: string, description?: string): string | undefined {
  const passages = splitIntoPassages(markdown)
  const sentences = wholeSentences(passages.flatMap(({ text, isLinks, cells }) => (isLinks || cells ? [] : [text])))
  const beginning = passages.slice(0, 8).map(({ text, headings }) => `${headings.join(' ')} ${text}`)
  const own = ownDescription(description, beginning)
  if (own !== undefined) return own
  const headings = [...new Set(passages.flatMap(({ headings }) => headings.at(-1) ?? []))]
  // A page without sentences is summarised by its headings, or by its beginning.
  if (sentences.length === 0) return headings.slice(0, 8).join('; ') || passages[0]?.text.slice(0, MAX_SENTENCE)
  return pickCentral(sentences, headings[0] ?? '').join(' ')
}

/** A description counts when it is at least a whole sentence about this page. */
function ownDescription(description: string | undefined, beginning: readonly string[]): string | undefined {
  const text = (description ?? '').replace(/\s+/g, ' ').trim()
  const whole = /(?:\.{3}|…)$/.test(text) ? (/^.*[.!?。！？](?=\s)/u.exec(text)?.[0] ?? '') : text
  if (whole.length < MIN_DESCRIPTION || whole.length > MAX_LETTERS || !ENDS.test(whole) || BYLINE_OR_NOTICE.test(whole))
    return undefined
  const known = new Set(beginning.flatMap((one) => stemText(one)))
  const shared = new Set(stemText(whole).filter((term) => !isStopWord(term) && known.has(term)))
  return shared.size >= 2 ? whole : undefined
}

function wholeSentences(texts: readonly string[]): string[] {
  const found = new Set<string>()
  for (const text of texts)
    for (const line of text.split('\n'))
      for (const { start, end } of splitIntoSentences(line)) {
        const sentence = line.slice(start, end)
        const isWhole = sentence.length >= MIN_SENTENCE && sentence.length <= MAX_SENTENCE && ENDS.test(sentence)
        if (isWhole && !BYLINE_OR_NOTICE.test(sentence) && !/^\p{Ll}/u.test(sentence)) found.add(sentence)
      }
  return [...found]
}

/** Ranks sentences by position and recurring words; each choice lowers the weight of its words. */
function pickCentral(sentences: readonly string[], title: string): string[] {
  const stems = sentences.map((one) => [...new Set(stemText(one))].filter((term) => !isStopWord(term)))
  const weight = countEach(stems.flat())
  for (const [term, times] of weight) weight.set(term, times > 1 ? Math.log2(times) : 0.15)
  for (const term of stemText(title)) weight.set(term, (weight.get(term) ?? 0) * 1.25)
  const worth = (at: number) => {
    const sum = stems[at]!.reduce((total, term) => total + (weight.get(term) ?? 0), 0)
    return ((WEIGHTS_OF_FIRST_SENTENCES[at] ?? 1) * sum) / (stems[at]!.length + 6) ** 0.75
  }
  const chosen = new Set([0])
  let letters = sentences[0]!.length
  const say = (at: number) => {
    for (const term of stems[at]!) weight.set(term, (weight.get(term) ?? 0) * REPEATED_WORD_FACTOR)
  }
  say(0)
  while (chosen.size < MAX_SENTENCES) {
    let best = -1
    for (const [at, sentence] of sentences.entries())
      if (!chosen.has(at) && letters + sentence.length <= MAX_LETTERS && (best < 0 || worth(at) > worth(best)))
        best = at
    if (best < 0) break
    chosen.add(best)
    letters += sentences[best]!.length
    say(best)
  }
  return [...chosen].sort((one, other) => one - other).map((at) => sentences[at]!)
}
