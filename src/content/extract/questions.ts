// Questions that a page asks and answers: a heading, a folded line or a bold one that ends with a question mark, and what
// stands below it until the next.
import type { Element } from 'domhandler'
import type { Line } from '../facts/lines.ts'
import type { Scope } from './scope.ts'

export interface Answered {
  question: string
  answer: string
}

const ASKING = new Set(['h2', 'h3', 'h4', 'h5', 'h6', 'dt', 'summary', 'button', 'strong', 'b'])
const CLASSES = /question|faq|accordion|toggle|summary|collapse|title|header/i
const MAX_QUESTION = 250
const MAX_ANSWER = 5000
const MAX_FOUND = 200
/** Answers end where the page goes on to something else. */
const MAX_LINES = 40

export function questionsIn({ lines, headings }: Scope): Answered[] {
  const found: Answered[] = []
  const breaks = new Set(headings.map(({ at }) => at))
  for (let n = 0; n < lines.length && found.length < MAX_FOUND; n++) {
    const line = lines[n]!
    if (!isQuestion(line)) continue
    const answer: string[] = []
    let chars = 0
    for (let m = n + 1; m < lines.length && m <= n + MAX_LINES && chars < MAX_ANSWER; m++) {
      const next = lines[m]!
      if (isQuestion(next) || isHeading(next.block) || breaks.has(next.at) || next.isMain !== line.isMain) break
      answer.push(next.text)
      chars += next.text.length
    }
    const question = line.text.replace(/^(?:Q|\d{1,2})\s?[.:)]\s*/i, '').replace(/\s?[+–▼▾⌄]$/u, '')
    if (answer.length > 0)
      found.push({
        question,
        answer: answer
          .join('\n')
          .replace(/^A\s?[.:)]\s*/i, '')
          .slice(0, MAX_ANSWER),
      })
  }
  // One question is a figure of speech; several are a list of them.
  return found.length > 1 ? found : []
}

function isQuestion({ text, block, runs }: Line): boolean {
  if (text.length > MAX_QUESTION || !/[?？]\s?[+–▼▾⌄]?$/u.test(text)) return false
  const [run] = runs
  return (
    (block !== undefined && (ASKING.has(block.name) || CLASSES.test(block.attribs.class ?? ''))) ||
    (runs.length === 1 && run?.element !== undefined && ASKING.has(run.element.name))
  )
}

const isHeading = (element: Element | undefined): boolean => element !== undefined && /^h[1-6]$/.test(element.name)
