// Finds answers to questions on the page itself: a cell of a table, the value beside a label, a count, a price.

import { findSuperlative } from '../base/superlatives-and-bounds.ts'
import {
  ancestorsOf,
  type DomSnapshot,
  descendantsOf,
  isShown,
  type SnapshotElement,
  textOfElement,
} from '../fetch/chrome/snapshot/dom-snapshot.ts'
import {
  findWordRun,
  foldText,
  isWeakWord,
  labelWordsOf,
  scoreLabelCoverage,
  scoreWordMatch,
  stemWord,
} from './match-label-words.ts'
import { listPageControls, readTables, type TableRows } from './page-controls.ts'
import { parseNumberWord } from './parse-numbers-and-dates.ts'

interface AnswerOnPage {
  value: string
  /** The part of the page that has it, for the reply. */
  from: string
}

const ASKING = new Set(
  'what whats how much many which who when where does do did tell show give say there find page currently left out read aloud was were has have listed shown now used may can please figure value'.split(
    ' ',
  ),
)
const MONEY = /[$€£¥]\s?\d|\d\s?(€|kr|usd|eur|zł)/i
const AMOUNT = /^\D{0,12}(?:[$€£¥]|usd|eur)\s?\d[\d.,]*\s*$|^\D{0,12}\d[\d.,]*\s?(?:[$€£¥]|kr|usd|eur|zł)\s*$/i
const PRICE = /\b(price|prices|cost|costs|how much|fee|pay)\b/

export function findAnswerOnPage(snapshot: DomSnapshot, question: string): AnswerOnPage | undefined {
  const asked = labelWordsOf(question).filter((word) => !ASKING.has(word) && !isWeakWord(word))
  // "The phone number" stands beside "Phone".
  const bare = asked.filter((word) => !/^(number|name|amount|address|date)$/.test(word))
  return (
    answerTo(snapshot, question, asked) ??
    (bare.length > 0 && bare.length < asked.length ? answerTo(snapshot, question, bare) : undefined)
  )
}

function answerTo(snapshot: DomSnapshot, question: string, asked: readonly string[]): AnswerOnPage | undefined {
  const words = labelWordsOf(question)
  const extreme = findSuperlative(question)?.way ?? 0
  const wantsPrice = PRICE.test(foldText(question))
  const labelled = findLabelledAnswer(snapshot, asked)
  return (
    tableAnswer(snapshot, asked, extreme, wantsPrice) ??
    (words.includes('how') && words.includes('many') ? countOf(snapshot, asked) : undefined) ??
    (labelled && (!wantsPrice || /\d/.test(labelled.value)) ? labelled : undefined) ??
    cardPrice(snapshot, asked, wantsPrice) ??
    labelInCard(snapshot, asked) ??
    pageAnswer(snapshot, asked) ??
    lineWith(snapshot, asked)
  )
}

/** The only line of the page that has all words of the question, and a number. */
function lineWith(snapshot: DomSnapshot, asked: readonly string[]): AnswerOnPage | undefined {
  const title = labelWordsOf(snapshot.title)
  const words = asked.filter((word) => !title.some((other) => stemWord(other) === stemWord(word)))
  const lines = snapshot.elements.filter(({ text, does, hidden }) => {
    if (!text || text.length > 200 || !/\d/.test(text) || does || hidden !== undefined) return false
    const own = labelWordsOf(text)
    return own.length > words.length && words.every((word) => own.some((other) => scoreWordMatch(word, other) > 0))
  })
  return words.length > 1 && lines.length === 1 ? { value: lines[0]!.text!, from: '' } : undefined
}

function pageAnswer({ elements, title, url }: DomSnapshot, asked: readonly string[]): AnswerOnPage | undefined {
  if (
    asked.length === 0 ||
    !asked.every((word) => /^(title|heading|headline|url|address|main|current|site)$/.test(word))
  )
    return undefined
  if (asked.some((word) => word === 'url' || word === 'address')) return { value: url, from: 'address' }
  if (asked.includes('title') && title) return { value: title, from: 'title' }
  const heading = elements.find(({ role, level }) => role === 'heading' && level === 1)
  return heading ? { value: heading.name ?? heading.text ?? '', from: 'heading' } : undefined
}

function tableAnswer(
  snapshot: DomSnapshot,
  asked: readonly string[],
  extreme: number,
  wantsPrice: boolean,
): AnswerOnPage | undefined {
  let best: { score: number; answer: AnswerOnPage } | undefined
  let isTied = false
  for (const table of readTables(snapshot)) {
    if (extreme !== 0) {
      const found = extremeRow(snapshot, table, asked, extreme)
      if (found) return found
      continue
    }
    for (const { cells } of table.rows) {
      const texts = cells.map((cell) => textOfElement(snapshot, cell, 200))
      for (const [at, text] of texts.entries()) {
        const own = labelWordsOf(text).filter((word) => !isWeakWord(word))
        if (own.length === 0 || findWordRun(own, asked) < 0) continue
        const others = asked.filter((word) => !own.some((one) => stemWord(one) === stemWord(word)))
        const column = columnFor(table.head, texts, others, at, wantsPrice)
        if (column === undefined || (best && own.length < best.score)) continue
        const labels = `${table.head[column] ?? ''} ${table.head[at] ?? ''} ${wantsPrice ? 'price fee pay' : ''}`
        if (!others.every((word) => isNamedBy(snapshot, word, labels))) continue
        const value = texts[column]!
        // Two rows of the same name with different values: neither is the answer.
        isTied = best?.score === own.length && best.answer.value !== value
        best = {
          score: own.length,
          answer: { value, from: table.head[column] ? `${text}, ${table.head[column]}` : text },
        }
      }
    }
  }
  return isTied ? undefined : best?.answer
}

/** A word that the labels or the headings have; a question with any other word asks for something else. */
const isNamedBy = (snapshot: DomSnapshot, word: string, labels: string): boolean => {
  const titles = snapshot.elements
    .filter(({ role }) => role === 'heading' || role === 'caption')
    .map(({ name }) => name ?? '')
  return labelWordsOf(`${labels} ${titles.join(' ')} ${snapshot.title}`).some(
    (other) => scoreWordMatch(word, other) > 0 || (other.length > 2 && word.startsWith(other)),
  )
}

/** A label such as "Ext." abbreviates the word of the question. */
const isLabelAsked = (label: string, asked: readonly string[]): boolean =>
  labelWordsOf(label).some((word) =>
    asked.some((other) => scoreWordMatch(word, other) > 0 || (word.length > 2 && other.startsWith(word))),
  )

function columnFor(
  head: readonly string[],
  texts: readonly string[],
  asked: readonly string[],
  own: number,
  wantsPrice: boolean,
): number | undefined {
  const isAsked = (label: string) => isLabelAsked(label, asked)
  const named = head.findIndex((label, at) => at !== own && isAsked(label))
  if (named >= 0) return named
  const money = wantsPrice ? texts.findIndex((text, at) => at !== own && MONEY.test(text)) : -1
  if (money >= 0) return money
  return texts.length === 2 && head.every((label) => !isAsked(label)) && asked.length <= 1 ? 1 - own : undefined
}

function extremeRow(
  snapshot: DomSnapshot,
  { head, rows }: TableRows,
  asked: readonly string[],
  way: number,
): AnswerOnPage | undefined {
  const numbers = (at: number) =>
    rows.map(({ cells }) =>
      parseNumberWord((/-?[\d.,]*\d/.exec(cells[at] ? textOfElement(snapshot, cells[at]!, 100) : '') ?? [''])[0]!),
    )
  const full = head
    .map((_, at) => at)
    .filter((at) => rows.length > 0 && numbers(at).every((number) => number !== undefined))
  const isAsked = (label: string) => isLabelAsked(label, asked)
  const isCost = asked.some((word) => /cheap|expens/.test(word))
  const column =
    full.find((at) => at > 0 && isAsked(head[at]!)) ??
    full.find((at) => isAsked(head[at]!)) ??
    (isCost ? full.find((at) => /price|cost|amount|€|\$/i.test(head[at]!)) : undefined)
  if (column === undefined) return undefined
  const list = numbers(column) as number[]
  const at = list.indexOf(way > 0 ? Math.max(...list) : Math.min(...list))
  const cells = rows[at]!.cells.map((cell) => textOfElement(snapshot, cell, 120))
  return { value: `${cells[0]} (${head[column]}: ${cells[column]})`, from: head[column]! }
}

function countOf(snapshot: DomSnapshot, asked: readonly string[]): AnswerOnPage | undefined {
  const noun = asked.at(-1)
  if (!noun) return undefined
  const said = snapshot.elements.find((one) => isShown(one) && /^\d[\d.,]*$/.test(countedIn(one.text ?? '', asked)))
  if (said) return { value: countedIn(said.text!, asked), from: said.text! }
  if (asked.length > 1) return undefined
  // The page's one table lists what its heading names.
  const [table, ...others] = readTables(snapshot)
  const isNamed =
    snapshot.elements.some((one) => one.role === 'heading' && scoreLabelCoverage([noun], one.name ?? '') > 0) ||
    noun === 'row'
  return table && others.length === 0 && isNamed
    ? { value: String(table.rows.length), from: 'counted in the table' }
    : undefined
}

/** The number right before the words: "14 flats found". */
const countedIn = (text: string, words: readonly string[]): string => {
  const all = labelWordsOf(text)
  return all[findWordRun(words, all) - 1] ?? ''
}

const CONTROL = /^(link|button|option|tab|menuitem)$/

/** "Total: € 45", `<dt>Total<dd>45`, a field with its label. */
export function findLabelledAnswer(snapshot: DomSnapshot, asked: readonly string[]): AnswerOnPage | undefined {
  if (asked.length === 0) return undefined
  let best: { score: number; answer: AnswerOnPage } | undefined
  const offer = (score: number, value: string | undefined, from: string) => {
    if (score >= 0.6 && value?.trim() && (!best || score > best.score))
      best = { score, answer: { value: value.trim(), from } }
  }
  for (const { element, labels, kind } of listPageControls(snapshot).fields)
    if (kind !== 'password') for (const label of labels) offer(scoreLabelCoverage(asked, label), element.value, label)
  for (const element of snapshot.elements) {
    if (!isShown(element) || !element.text || element.text.length > 200 || CONTROL.test(element.role ?? '')) continue
    const [, label, value] = /^([^:]{2,60}):\s*(\S.{0,200})$/.exec(element.text) ?? []
    if (label) offer(scoreLabelCoverage(withoutVerb(asked, label), label), value, label)
    const score = scoreLabelCoverage(asked, element.text.replace(/[:*]\s*$/, ''))
    if (score >= 0.6) offer(score, valueAfter(snapshot, element), element.text)
  }
  return best?.answer
}

/** "how much storage is used" asks for "Storage used". */
const withoutVerb = (asked: readonly string[], label: string): string[] => {
  const own = labelWordsOf(label)
  const words = asked.filter((word) => own.some((one) => stemWord(one) === stemWord(word)))
  const extra = own.filter((one) => ASKING.has(one))
  return words.length === asked.length ? [...words, ...extra] : [...asked]
}

/** The text right after a label: in the same line, or in the next cell. */
function valueAfter(snapshot: DomSnapshot, element: SnapshotElement): string | undefined {
  const within = descendantsOf(snapshot, element).find((one) => isShown(one) && one.text)
  if (within && /:\s*$/.test(element.text ?? '')) return textOfElement(snapshot, within, 200)
  for (const one of [element, ...ancestorsOf(snapshot, element).slice(0, 2)]) {
    const parent = snapshot.elements[one.up]
    if (!parent) return undefined
    const sisters = descendantsOf(snapshot, parent).filter(({ up }) => up === parent.at)
    const next = sisters[sisters.indexOf(one) + 1]
    if (next && isShown(next) && !next.does) {
      const text = next.value ?? textOfElement(snapshot, next, 200)
      if (text) return text
    }
  }
  return undefined
}

/** "The extension of Ada Lovelace": a label in the smallest part of the page that names her and has that label once. */
function labelInCard(snapshot: DomSnapshot, asked: readonly string[]): AnswerOnPage | undefined {
  const answers = new Map<string, AnswerOnPage>()
  for (const label of snapshot.elements) {
    const own = labelWordsOf((label.text ?? '').slice(0, 60))
    if (!isShown(label) || own.length === 0 || label.does || label.role === 'heading' || findWordRun(own, asked) < 0)
      continue
    const others = asked.filter((word) => !own.some((one) => stemWord(one) === stemWord(word)))
    if (others.length === 0) continue
    const isNamed = (part: SnapshotElement) =>
      findWordRun(others, labelWordsOf(textOfElement(snapshot, part, 2000))) >= 0
    const card = ancestorsOf(snapshot, label).find(isNamed)
    const twins = card ? descendantsOf(snapshot, card).filter(({ text }) => text === label.text) : []
    const value = twins.length === 1 ? valueAfter(snapshot, label) : undefined
    if (value) answers.set(value, { value, from: label.text! })
  }
  return answers.size === 1 ? [...answers.values()][0] : undefined
}

/** The one amount in the smallest part of the page that names the product; several are not chosen among. */
function cardPrice(snapshot: DomSnapshot, asked: readonly string[], wantsPrice: boolean): AnswerOnPage | undefined {
  if (!wantsPrice) return undefined
  const product = asked.filter((word) => !PRICE.test(word))
  const names = snapshot.elements.filter(
    (one) =>
      isShown(one) &&
      product.length > 0 &&
      findWordRun(product, labelWordsOf(`${one.text ?? ''} ${one.name ?? ''}`)) >= 0,
  )
  const roots =
    product.length === 0 ? [snapshot.elements[0]!] : names.flatMap((one) => [one, ...ancestorsOf(snapshot, one)])
  for (const root of roots.sort((a, b) => b.at - a.at)) {
    const amounts = new Set(
      descendantsOf(snapshot, root)
        .filter((one) => isShown(one) && one.role !== 'label' && AMOUNT.test(one.text ?? ''))
        .map(({ text }) => text!.trim()),
    )
    if (amounts.size === 1) return { value: [...amounts][0]!, from: 'price' }
    if (amounts.size > 1) return undefined
  }
  return undefined
}
