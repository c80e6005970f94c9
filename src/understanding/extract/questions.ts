// Questions that a page asks and answers: a heading, a folded line or a bold one that ends with a question mark, and what
// stands below it until the next.
import type { Element } from 'domhandler'
import { findElement, isElement } from '../../content/tree.ts'
import type { Line } from '../facts/lines.ts'
import type { PagePart } from './page-part.ts'

/** With where it stands, and whether it opens and shuts. */
interface Found extends Answered {
  at: number
  isFolded: boolean
  isMain: boolean
}

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

export function questionsIn({ lines, headings }: PagePart): Answered[] {
  const found: Found[] = []
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
        at: line.at,
        isFolded: isFolded(line.block) || isFolded(line.runs[0]?.element),
        isMain: line.isMain,
      })
  }
  return kept(found, headings)
}

const NAMED =
  /\bfaqs?\b|frequently asked|common(?:ly asked)? questions|questions (?:and|&) answers|\bq\s?&\s?a\b|häufig|foire aux questions|preguntas frecuentes|domande frequenti|veelgestelde|よくある質問/iu

/** Those under a heading that says so; without one, those of a page that asks more than it tells. */
function kept(found: readonly Found[], headings: PagePart['headings']): Answered[] {
  const over = headings.find(({ text }) => NAMED.test(text))
  const end =
    over && headings.find(({ at, level, text }) => at > over.at && level <= over.level && !/[?？]$/u.test(text))?.at
  const under = over ? found.filter(({ at }) => at > over.at && at < (end ?? Number.POSITIVE_INFINITY)) : []
  const bare = (list: readonly Found[]) => list.map(({ question, answer }) => ({ question, answer }))
  if (under.length > 1) return bare(under)
  // A heading that is smaller than those it stands over still begins them.
  const after = over ? found.filter(({ at }) => at > over.at) : []
  if (after.length > 1) return bare(after)
  const folded = found.filter(({ isFolded, isMain }) => isFolded && (isMain || !found.some((one) => one.isMain)))
  if (folded.length > 1) return bare(folded)
  const others = headings.filter(({ isMain, level }) => isMain && level > 1).length
  return found.length > 1 && found.length >= others * 0.6 ? bare(found) : []
}

const isFolded = (element: Element | undefined): boolean =>
  element !== undefined &&
  (element.name === 'summary' ||
    element.name === 'button' ||
    element.name === 'dt' ||
    /faq|question|accordion/i.test(element.attribs.class ?? ''))

/** A question that is a link to another page is the title of that page. */
function leadsAway(block: Element): boolean {
  const inside = findElement(block, ({ name }) => name === 'a', 20)
  const around = [block.parent, block.parent?.parent].find((up) => up && isElement(up) && up.name === 'a')
  const link = inside ?? (around && isElement(around) ? around : undefined)
  return link?.attribs.href !== undefined && !/^(?:#|javascript:|$)/i.test(link.attribs.href)
}

function isQuestion({ text, block, runs }: Line): boolean {
  if (text.length > MAX_QUESTION || !/[?？]\s?[+–▼▾⌄]?$/u.test(text)) return false
  if (block && leadsAway(block)) return false
  const [run] = runs
  return (
    (block !== undefined && (ASKING.has(block.name) || CLASSES.test(block.attribs.class ?? ''))) ||
    (runs.length === 1 && run?.element !== undefined && ASKING.has(run.element.name))
  )
}

const isHeading = (element: Element | undefined): boolean => element !== undefined && /^h[1-6]$/.test(element.name)
