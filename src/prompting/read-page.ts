// Answers that stand on the page: a cell of a table, the value beside a label, a count, a price. Pure; what the page
// does not say is not answered.

import { superlativeIn } from '../base/comparatives.ts'
import { controlsOf, type TableRows, tablesOf } from '../driving/controls.ts'
import { coverage, isFaint, plain, runIn, stem, wordMatch, wordsOf } from '../driving/label-words.ts'
import { numberOf } from '../driving/written-values.ts'
import {
  ancestors,
  type DomSnapshot,
  descendants,
  isShown,
  type SnapshotElement,
  textIn,
} from '../fetch/chrome/snapshot/snapshot.ts'

interface FoundAnswer {
  value: string
  /** Where it stands. */
  from: string
}

const ASKING = new Set(
  'what whats how much many which who when where does do did tell show give say there find page currently left out read aloud was were has have listed shown now used'.split(
    ' ',
  ),
)
const MONEY = /[$€£¥]\s?\d|\d\s?(€|kr|usd|eur|zł)/i
const AMOUNT = /^\D{0,12}(?:[$€£¥]|usd|eur)\s?\d[\d.,]*\s*$|^\D{0,12}\d[\d.,]*\s?(?:[$€£¥]|kr|usd|eur|zł)\s*$/i
const PRICE = /\b(price|prices|cost|costs|how much|fee|pay)\b/

export function answerTo(snapshot: DomSnapshot, question: string): FoundAnswer | undefined {
  const words = wordsOf(question)
  const asked = words.filter((word) => !ASKING.has(word) && !isFaint(word))
  const extreme = superlativeIn(question)?.way ?? 0
  const wantsPrice = PRICE.test(plain(question))
  return (
    tableAnswer(snapshot, asked, extreme, wantsPrice) ??
    (words.includes('how') && words.includes('many') ? countOf(snapshot, asked) : undefined) ??
    labelledAnswer(snapshot, asked) ??
    cardPrice(snapshot, asked, wantsPrice) ??
    pageAnswer(snapshot, asked)
  )
}

/** The title, heading or address of the page itself. */
function pageAnswer({ elements, title, url }: DomSnapshot, asked: readonly string[]): FoundAnswer | undefined {
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
): FoundAnswer | undefined {
  let best: { score: number; answer: FoundAnswer } | undefined
  let isTied = false
  for (const table of tablesOf(snapshot)) {
    if (extreme !== 0) {
      const found = extremeRow(snapshot, table, asked, extreme)
      if (found) return found
      continue
    }
    for (const { cells } of table.rows) {
      const texts = cells.map((cell) => textIn(snapshot, cell, 200))
      for (const [at, text] of texts.entries()) {
        const own = wordsOf(text).filter((word) => !isFaint(word))
        if (own.length === 0 || runIn(own, asked) < 0) continue
        const others = asked.filter((word) => !own.some((one) => stem(one) === stem(word)))
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
  return wordsOf(`${labels} ${titles.join(' ')} ${snapshot.title}`).some((other) => wordMatch(word, other) > 0)
}

function columnFor(
  head: readonly string[],
  texts: readonly string[],
  asked: readonly string[],
  own: number,
  wantsPrice: boolean,
): number | undefined {
  const isAsked = (label: string) => wordsOf(label).some((word) => asked.some((other) => wordMatch(word, other) > 0))
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
): FoundAnswer | undefined {
  const numbers = (at: number) =>
    rows.map(({ cells }) =>
      numberOf((/-?[\d.,]*\d/.exec(cells[at] ? textIn(snapshot, cells[at]!, 100) : '') ?? [''])[0]!),
    )
  const full = head
    .map((_, at) => at)
    .filter((at) => rows.length > 0 && numbers(at).every((number) => number !== undefined))
  const isAsked = (label: string) => wordsOf(label).some((word) => asked.some((other) => wordMatch(word, other) > 0))
  const isCost = asked.some((word) => /cheap|expens/.test(word))
  const column =
    full.find((at) => isAsked(head[at]!)) ??
    (isCost ? full.find((at) => /price|cost|amount|€|\$/i.test(head[at]!)) : undefined)
  if (column === undefined) return undefined
  const list = numbers(column) as number[]
  const at = list.indexOf(way > 0 ? Math.max(...list) : Math.min(...list))
  const cells = rows[at]!.cells.map((cell) => textIn(snapshot, cell, 120))
  return { value: `${cells[0]} (${head[column]}: ${cells[column]})`, from: head[column]! }
}

const COUNTED: Readonly<Record<string, RegExp>> = {
  link: /^link$/,
  button: /^button$/,
  image: /^img$/,
  heading: /^heading$/,
  tab: /^tab$/,
  field: /^(textbox|searchbox)$/,
}

function countOf(snapshot: DomSnapshot, asked: readonly string[]): FoundAnswer | undefined {
  const noun = asked.at(-1)
  if (!noun) return undefined
  const said = snapshot.elements.find((one) => isShown(one) && /^\d[\d.,]*$/.test(countedIn(one.text ?? '', asked)))
  if (said) return { value: countedIn(said.text!, asked), from: said.text! }
  if (asked.length > 1) return undefined
  const kind = COUNTED[stem(noun)] ?? COUNTED[noun]
  if (kind)
    return {
      value: String(snapshot.elements.filter((one) => isShown(one) && kind.test(one.role ?? '')).length),
      from: 'counted on the page',
    }
  // The page's one table lists what its heading names.
  const [table, ...others] = tablesOf(snapshot)
  const isNamed =
    snapshot.elements.some((one) => one.role === 'heading' && coverage([noun], one.name ?? '') > 0) || noun === 'row'
  return table && others.length === 0 && isNamed
    ? { value: String(table.rows.length), from: 'counted in the table' }
    : undefined
}

/** The number right before the words: "14 flats found". */
const countedIn = (text: string, words: readonly string[]): string => {
  const all = wordsOf(text)
  return all[runIn(words, all) - 1] ?? ''
}

/** "Total: € 45", `<dt>Total<dd>45`, a field with its label. */
export function labelledAnswer(snapshot: DomSnapshot, asked: readonly string[]): FoundAnswer | undefined {
  if (asked.length === 0) return undefined
  let best: { score: number; answer: FoundAnswer } | undefined
  const offer = (score: number, value: string | undefined, from: string) => {
    if (score >= 0.6 && value?.trim() && (!best || score > best.score))
      best = { score, answer: { value: value.trim(), from } }
  }
  for (const { element, labels, kind } of controlsOf(snapshot).fields)
    if (kind !== 'password') for (const label of labels) offer(coverage(asked, label), element.value, label)
  for (const element of snapshot.elements) {
    if (!isShown(element) || !element.text || element.text.length > 200) continue
    const [, label, value] = /^([^:]{2,60}):\s*(\S.{0,200})$/.exec(element.text) ?? []
    if (label) offer(coverage(withoutVerb(asked, label), label), value, label)
    const score = coverage(asked, element.text.replace(/[:*]\s*$/, ''))
    if (score >= 0.6) offer(score, valueAfter(snapshot, element), element.text)
  }
  return best?.answer
}

/** "how much storage is used" asks for "Storage used". */
const withoutVerb = (asked: readonly string[], label: string): string[] => {
  const own = wordsOf(label)
  const words = asked.filter((word) => own.some((one) => stem(one) === stem(word)))
  const extra = own.filter((one) => ASKING.has(one))
  return words.length === asked.length ? [...words, ...extra] : [...asked]
}

/** What stands right after a label: in the same line, or in the next cell. */
function valueAfter(snapshot: DomSnapshot, element: SnapshotElement): string | undefined {
  const within = descendants(snapshot, element).find((one) => isShown(one) && one.text)
  if (within && /:\s*$/.test(element.text ?? '')) return textIn(snapshot, within, 200)
  for (const one of [element, ...ancestors(snapshot, element).slice(0, 2)]) {
    const parent = snapshot.elements[one.up]
    if (!parent) return undefined
    const sisters = descendants(snapshot, parent).filter(({ up }) => up === parent.at)
    const next = sisters[sisters.indexOf(one) + 1]
    if (next && isShown(next) && !next.does) {
      const text = next.value ?? textIn(snapshot, next, 200)
      if (text) return text
    }
  }
  return undefined
}

/** The one amount in the smallest part of the page that names the product; several are not chosen among. */
function cardPrice(snapshot: DomSnapshot, asked: readonly string[], wantsPrice: boolean): FoundAnswer | undefined {
  if (!wantsPrice) return undefined
  const product = asked.filter((word) => !PRICE.test(word))
  const names = snapshot.elements.filter(
    (one) => isShown(one) && product.length > 0 && runIn(product, wordsOf(`${one.text ?? ''} ${one.name ?? ''}`)) >= 0,
  )
  const roots =
    product.length === 0 ? [snapshot.elements[0]!] : names.flatMap((one) => [one, ...ancestors(snapshot, one)])
  for (const root of roots.sort((a, b) => b.at - a.at)) {
    const amounts = new Set(
      descendants(snapshot, root)
        .filter((one) => isShown(one) && one.role !== 'label' && AMOUNT.test(one.text ?? ''))
        .map(({ text }) => text!.trim()),
    )
    if (amounts.size === 1) return { value: [...amounts][0]!, from: 'price' }
    if (amounts.size > 1) return undefined
  }
  return undefined
}
