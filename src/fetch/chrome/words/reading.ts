// Answers that stand on the page: a cell of a table, the value beside a label, a count, a sum, the nth word of a text.
// Pure; what the page does not say is not answered.
import { fieldsOf, tablesOf } from './choices.ts'
import {
  isFaint,
  isSynonym,
  keyWords,
  likeness,
  type Near,
  plain,
  runOf,
  wordsIn as splitWords,
  stem,
} from './likeness.ts'
import { above, inside, isShown, type Scene, type SceneThing, wordsIn } from './scene.ts'
import { numberOf, type Token } from './tokens.ts'

export interface ReadValue {
  value: string
  /** Where it stands, for telling. */
  from: string
}

const ASKING = new Set(
  'what whats how much many which who when where is are was does do did tell me the a an of for cost costs show give say value number there please find in on this page currently name list'.split(
    ' ',
  ),
)

/** The answer to a question about what is shown. */
export function answerTo(scene: Scene, question: string, tokens: readonly Token[], near?: Near): ReadValue | undefined {
  const words = keyWords(question)
  const extreme = /\b(cheapest|lowest|smallest|least|fewest|earliest|shortest|worst|minimum)\b/.exec(plain(question))
    ? -1
    : /\b(most expensive|highest|largest|biggest|most|greatest|latest|longest|best|maximum|oldest)\b/.exec(
          plain(question),
        )
      ? 1
      : 0
  const fromTable = tableAnswer(scene, question, words, extreme, near)
  if (fromTable) return fromTable
  if (words[0] === 'how' && words[1] === 'many') {
    const counted = countOf(scene, words.slice(2))
    if (counted) return counted
  }
  return (
    labelledAnswer(scene, asked(words), tokens, near) ??
    onlyAmount(scene, asked(words), question) ??
    pageAnswer(scene, asked(words))
  )
}

const OF_THE_PAGE = new Set('title heading headline h1 url address main current site website'.split(' '))

/** What the page itself is called, or where it is: "what is the title of this page?" */
function pageAnswer({ things, title, url }: Scene, wanted: readonly string[]): ReadValue | undefined {
  if (!wanted.every((word) => OF_THE_PAGE.has(word))) return undefined
  if (wanted.some((word) => word === 'url' || word === 'address')) return { value: url, from: 'address' }
  if (wanted.includes('title') && title) return { value: title, from: 'title' }
  const headings = things.filter((thing) => thing.role === 'heading' && isShown(thing))
  const first = headings.find(({ level }) => level === 1) ?? headings[0]
  const words = first?.name ?? first?.text
  return words && wanted.some((word) => word.startsWith('h') || word === 'title')
    ? { value: words, from: 'heading' }
    : undefined
}

const asked = (words: readonly string[]): string[] => words.filter((word) => !ASKING.has(word))
const MONEY = /[$€£¥]\s?\d|\d\s?(€|kr|usd|eur|zł)/i
const AMOUNT = /(?:[$€£¥]|usd|eur)\s?\d[\d.,]*|\d[\d.,]*\s?(?:[$€£¥]|kr|usd|eur|zł)/gi
const OF_MONEY = /\b(price|prices|cost|costs|how much|fee|pay)\b/
/** Words that point at what the page is about, or ask for its price, and name nothing else. */
const POINTING = new Set('it this that one price prices cost costs fee pay much thing item product'.split(' '))

/** "What does it cost?" on a page that shows one amount: that one. Several are not chosen among. */
function onlyAmount({ things }: Scene, wanted: readonly string[], question: string): ReadValue | undefined {
  if (!OF_MONEY.test(plain(question)) || !wanted.every((word) => POINTING.has(word))) return undefined
  const amounts = new Set(
    things.filter(isShown).flatMap(({ text = '' }) => (text.match(AMOUNT) ?? []).map((amount) => amount.trim())),
  )
  const [only] = amounts
  return only !== undefined && amounts.size === 1 ? { value: only.replace(/[.,]+$/, ''), from: 'price' } : undefined
}

function tableAnswer(
  scene: Scene,
  question: string,
  words: readonly string[],
  extreme: number,
  near?: Near,
): ReadValue | undefined {
  const wanted = asked(words)
  const wantsMoney = OF_MONEY.test(plain(question))
  let best: { score: number; answer: ReadValue } | undefined
  for (const { head, rows } of tablesOf(scene)) {
    if (rows.length === 0) continue
    if (extreme !== 0 && head.length > 0) {
      const found = extremeRow(scene, head, rows, words, extreme)
      if (found) return found
    }
    for (const { cells } of rows) {
      const texts = cells.map((cell) => wordsIn(scene, cell, 200))
      for (const [at, text] of texts.entries()) {
        const own = splitWords(text).filter((word) => !isFaint(word))
        if (
          own.length === 0 ||
          /^[\d\s.,€$%]+$/.test(text) ||
          !own.every((word) => words.some((other) => stem(other) === stem(word)))
        )
          continue
        const column = columnFor(
          head,
          texts,
          wanted.filter((word) => !own.some((one) => stem(one) === stem(word))),
          at,
          wantsMoney,
          near,
        )
        if (column === undefined) continue
        const score = own.length
        if (!best || score > best.score)
          best = { score, answer: { value: texts[column]!, from: head[column] ? `${text}, ${head[column]}` : text } }
      }
    }
  }
  return best?.answer
}

function columnFor(
  head: readonly string[],
  texts: readonly string[],
  wanted: readonly string[],
  own: number,
  wantsMoney: boolean,
  near?: Near,
): number | undefined {
  const ranked = head
    .map((label, at) => ({
      at,
      score: Math.max(
        0,
        ...wanted.map((word) => likeness(word, label, near).covers * (0.5 + likeness(word, label, near).score / 2)),
      ),
    }))
    .filter(({ at, score }) => at !== own && score > 0.6)
    .sort((a, b) => b.score - a.score)
  if (ranked[0]) return ranked[0].at
  if (wantsMoney) {
    const money = texts.findIndex((text, at) => at !== own && MONEY.test(text))
    if (money >= 0) return money
  }
  return texts.length === 2 ? 1 - own : undefined
}

function extremeRow(
  scene: Scene,
  head: readonly string[],
  rows: { cells: SceneThing[] }[],
  words: readonly string[],
  way: number,
): ReadValue | undefined {
  const numbers = (at: number) =>
    rows.map(({ cells }) =>
      numberOf((/-?[\d.,]*\d/.exec(cells[at] ? wordsIn(scene, cells[at]!, 100) : '') ?? [''])[0]!),
    )
  const full = head.map((_, at) => at).filter((at) => numbers(at).every((number) => number !== undefined))
  const named =
    full.find((at) =>
      keyWords(head[at]!).some((word) => words.some((other) => stem(other) === stem(word) || isSynonym(word, other))),
    ) ?? full.find((at) => /price|cost|€|\$/i.test(head[at]!) && words.some((word) => /cheap|expens/.test(word)))
  const column = named ?? (full.length === 1 ? full[0] : undefined)
  if (column === undefined) return undefined
  const list = numbers(column) as number[]
  const at = list.indexOf(way > 0 ? Math.max(...list) : Math.min(...list))
  const cells = rows[at]!.cells.map((cell) => wordsIn(scene, cell, 120))
  return { value: `${cells[0]} (${head[column]}: ${cells[column]})`, from: head[column]! }
}

function countOf(scene: Scene, words: readonly string[]): ReadValue | undefined {
  const noun = words.find((word) => !isFaint(word) && !ASKING.has(word))
  if (!noun) return undefined
  const said = scene.things.find(
    (thing) => isShown(thing) && new RegExp(`\\b\\d[\\d.,]* ${stem(noun)}`, 'i').test(thing.text ?? ''),
  )
  if (said) return { value: /\d[\d.,]*/.exec(said.text!)![0], from: said.text! }
  const roles: Record<string, RegExp> = {
    link: /^link$/,
    button: /^button$/,
    row: /^row$/,
    item: /^listitem$/,
    image: /^img$/,
    checkbox: /^checkbox$/,
    field: /^(textbox|searchbox)$/,
    heading: /^heading$/,
    tab: /^tab$/,
    option: /^(option|radio)$/,
  }
  const kind = roles[stem(noun).replace(/^imag$/, 'image')]
  if (!kind) return undefined
  const tables = tablesOf(scene)
  const count =
    noun.startsWith('row') && tables.length > 0
      ? tables.reduce((sum, { rows }) => sum + rows.length, 0)
      : scene.things.filter((thing) => isShown(thing) && kind.test(thing.role ?? '')).length
  return { value: String(count), from: `counted on the page` }
}

/** "Total: € 45", `<dt>Total<dd>45`, a field with a label, a heading with a line. */
export function labelledAnswer(
  scene: Scene,
  wanted: readonly string[],
  _tokens: readonly Token[],
  near?: Near,
): ReadValue | undefined {
  if (wanted.length === 0) return undefined
  const ask = wanted.join(' ')
  for (const field of fieldsOf(scene)) {
    if (field.thing.value && field.labels.some((label) => likeness(ask, label, near).score > 0.85))
      return { value: field.thing.value, from: field.labels[0]! }
  }
  let best: { score: number; answer: ReadValue } | undefined
  const offer = (score: number, value: string, from: string) => {
    if (value.trim() && (!best || score > best.score)) best = { score, answer: { value: value.trim(), from } }
  }
  for (const thing of scene.things) {
    if (!isShown(thing) || !thing.text) continue
    const inline = /^([^:]{2,60}):\s*(\S.{0,200})$/.exec(thing.text)
    if (inline) offer(likeness(ask, inline[1]!, near).score, inline[2]!, inline[1]!)
    const like = likeness(ask, thing.text.replace(/[:*]\s*$/, ''), near)
    if (like.score < 0.8) continue
    const value = valueAfter(scene, thing)
    if (value) offer(like.score, value, thing.text)
  }
  return best && best.score >= 0.8 ? best.answer : undefined
}

/** What stands right after a label: in the same line, or in the next cell. */
function valueAfter(scene: Scene, thing: SceneThing): string | undefined {
  const within = inside(scene, thing).find((one) => isShown(one) && one.text)
  if (within && /:\s*$/.test(thing.text ?? '')) return wordsIn(scene, within, 200)
  for (const one of [thing, ...above(scene, thing).slice(0, 2)]) {
    const parent = scene.things[one.up]
    if (!parent) return undefined
    const sisters = inside(scene, parent).filter(({ up }) => up === parent.at)
    const next = sisters[sisters.indexOf(one) + 1]
    if (next && isShown(next)) {
      const text = next.value ?? wordsIn(scene, next, 200)
      if (text) return text
    }
    const line = parent.text?.trim()
    if (one === thing && line && /[\p{L}\p{N}]/u.test(line)) return line
  }
  return undefined
}

/** The nth word of the longest text shown, or of the nth text field. */
export function nthWord(scene: Scene, ordinal: number, prompt: string): string | undefined {
  const texts = scene.things
    .filter((thing) => isShown(thing) && !(thing.text && plain(prompt).includes(plain(thing.text))))
    .flatMap((thing) =>
      thing.tag === 'textarea' ? [thing.value ?? ''] : thing.text && !thing.does ? [thing.text] : [],
    )
    .sort((a, b) => b.length - a.length)
  const words = (texts[0] ?? '').match(/[\p{L}\p{N}'-]+/gu) ?? []
  return ordinal < 0 ? words.at(ordinal) : words[ordinal - 1]
}

export const contains = (text: string, words: string): boolean => runOf(splitWords(words), splitWords(text)) >= 0
