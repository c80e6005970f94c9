// Accounts for every word of a clause by what the page offers: a value for a field, a choice, the label of the button,
// the row that is meant. The cheapest reading wins; words that no reading accounts for are returned. Pure.

import { type Button, type Choice, type FormField, openDialog, type PageControls } from '../driving/controls.ts'
import { coverage, isFaint, keyWords, plain, runIn, stem, wordMatch, wordsOf } from '../driving/label-words.ts'
import type { ControlSetting } from '../driving/set-control.ts'
import { clockOf, numberOf, ordinalOf } from '../driving/written-values.ts'
import {
  ancestors,
  type DomSnapshot,
  descendants,
  isInside,
  isShown,
  type SnapshotElement,
  textIn,
} from '../fetch/chrome/snapshot/snapshot.ts'
import { joined, type Token, textOf } from './tokens.ts'

export interface Reading {
  cost: number
  settings: ControlSetting[]
  unexplained: Token[]
  ordinal: number | undefined
  /** Two or more controls that the same words mean. */
  ambiguous: string[]
}

export interface Scope {
  snapshot: DomSnapshot
  controls: PageControls
  prompt: string
  button?: Button
  /** The row or card of the button. */
  unit?: SnapshotElement | undefined
  /** How many of the tokens are the verb, which only a button or a choice can account for. */
  verbs: number
  lists: boolean
  /** The clause asks to sign in: a word without a label may be the password. */
  signsIn: boolean
}

/** A value without a label; it belongs to the field of its kind. */
type Loose = {
  kind: 'date' | 'email' | 'phone' | 'name' | 'password' | 'user' | 'quantity' | 'suggestion'
  value: string
}

interface Piece {
  from: number
  to: number
  cost: number
  setting?: ControlSetting
  loose?: Loose
  ordinal?: number
  unexplained?: boolean
  ambiguous?: string[]
}

const UNEXPLAINED = 5
const MAX_SEGMENT = 8
/** Kinds of elements and places, which say nothing about which one is meant. */
const GENERIC = new Set(
  'page site row item entry list button link field box option tab menu section form column table checkbox switch dropdown suggestion result one piece number only value text icon here there slot screen copy named called labelled sent about'.split(
    ' ',
  ),
)
const isGeneric = (word: string): boolean => GENERIC.has(word) || GENERIC.has(word.replace(/e?s$/, ''))
const TO_VALUE = /^(to|as|is|are|of|be|with|from|the|a|an|:|=|named|called)$/
const TO_LABEL = /^(into|in|as|for|under|to|on|the|a|an|my|your|of)$/

export function explain(tokens: readonly Token[], scope: Scope): Reading {
  const pieces = piecesOf(tokens, scope)
  const best: { cost: number; piece?: Piece }[] = Array.from({ length: tokens.length + 1 }, () => ({
    cost: Number.POSITIVE_INFINITY,
  }))
  best[0] = { cost: 0 }
  for (let at = 0; at < tokens.length; at++) {
    const here = best[at]!.cost
    for (const piece of pieces[at]!)
      if (here + piece.cost < best[piece.to]!.cost) best[piece.to] = { cost: here + piece.cost, piece }
  }
  const chosen: Piece[] = []
  for (let at = tokens.length; at > 0; at = chosen[0]!.from) chosen.unshift(best[at]!.piece!)
  return readingOf(chosen, best[tokens.length]!.cost, tokens, scope)
}

function readingOf(pieces: readonly Piece[], cost: number, tokens: readonly Token[], scope: Scope): Reading {
  const settings = pieces.flatMap(({ setting }) => setting ?? [])
  const unexplained = pieces.filter(({ unexplained }) => unexplained).map(({ from }) => tokens[from]!)
  const ambiguous = pieces.flatMap((piece) => piece.ambiguous ?? [])
  let extra = 0
  const taken = new Set(settings.flatMap((setting) => (setting.type === 'field' ? setting.field.element.ref : [])))
  for (const kind of new Set(pieces.flatMap(({ loose }) => loose?.kind ?? []))) {
    const loose = pieces.filter((piece) => piece.loose?.kind === kind)
    const placed = placeLoose(kind, loose, scope, taken)
    if (placed) settings.push(...placed)
    else {
      unexplained.push(...loose.flatMap(({ from, to }) => tokens.slice(from, to)))
      extra += UNEXPLAINED * loose.length
    }
  }
  settings.sort((a, b) => a.from - b.from)
  unexplained.sort((a, b) => a.from - b.from)
  return {
    cost: cost + extra,
    settings,
    unexplained,
    ambiguous,
    ordinal: pieces.find(({ ordinal }) => ordinal !== undefined)?.ordinal,
  }
}

function piecesOf(tokens: readonly Token[], scope: Scope): Piece[][] {
  const places = contextOf(scope)
  return tokens.map((_, at) => [
    ...fillers(tokens, at, scope),
    ...buttonPieces(tokens, at, scope),
    ...(at < scope.verbs && !scope.button ? [] : contextPieces(tokens, at, places)),
    ...choicePieces(tokens, at, scope),
    ...fieldPieces(tokens, at, scope),
    ...loosePieces(tokens, at, scope),
    { from: at, to: at + 1, cost: UNEXPLAINED, unexplained: true },
  ])
}

function fillers(tokens: readonly Token[], at: number, { unit, verbs, button, lists }: Scope): Piece[] {
  const { kind, word } = tokens[at]!
  const one = (cost: number, more: Partial<Piece> = {}): Piece[] => [{ from: at, to: at + 1, cost, ...more }]
  if (kind === 'mark') return one(/^[\p{P}×]$/u.test(word) || word === '|' ? 0 : 1)
  if (kind !== 'word') return []
  const ordinal = ordinalOf(word)
  if (ordinal !== undefined) return one(0.3, { ordinal })
  if (isFaint(word) || /^(into|under|using|via|then|also|x|be|so|up|out|again|now|too)$/.test(word)) return one(0.05)
  if (at < verbs && !button) return []
  if (LIGHT_VERBS.test(word) && at < verbs) return one(0.3)
  // "the message from Ada": the kind of thing that the row is.
  const [before, next] = [tokens[at - 1], tokens[at + 1]]
  const isRowNoun = unit && before && /^(the|a|my|this)$/.test(before.word) && next && OF.test(next.word)
  if (isGeneric(word) || ((button || lists) && ITEMS.has(stem(word)))) return one(0.4)
  return isRowNoun ? one(0.8) : []
}

/** What lists are made of; the label or the row says which one is meant. */
const ITEMS = new Set(
  'message mail post thread article product recipe member contact user customer order job vacancy file document folder task card comment review event invoice book song video note project team group station hotel place'
    .split(' ')
    .map(stem),
)
const LIGHT_VERBS = /^(put|make|give|do|place)$/
const OF = /^(from|by|of|named|called|titled|about|sent|whose|for|to)$/

const strongWords = (tokens: readonly Token[]): string[] => wordsOf(joined(tokens)).filter((word) => !isFaint(word))

const isBreak = ({ kind, word }: Token): boolean => kind === 'mark' && /^[,;:.!?()]$/.test(word)

/** Words that stand in the label of the button. */
function buttonPieces(tokens: readonly Token[], at: number, { button }: Scope): Piece[] {
  if (!button) return []
  const label = keyWords(button.label)
  for (const to of [at + 2, at + 1]) {
    const words = wordsOf(joined(tokens.slice(at, to)))
    if (to > tokens.length || (to === at + 2 && words.length !== 1) || words.length === 0) continue
    const strong = words.filter((word) => !isFaint(word))
    const matches = (strong.length > 0 ? strong : words).map((word) =>
      Math.max(...label.map((other) => wordMatch(word, other))),
    )
    if (matches.every((match) => match > 0)) return [{ from: at, to, cost: 0.15 * (1 - Math.min(...matches)) }]
  }
  return []
}

interface Context {
  words: string[]
  cost: number
}

/** Static text that says where an element is: its row, the headings above it, the tab or menu it belongs to. */
function contextOf({ snapshot, button, unit }: Scope): Context[] {
  const out: Context[] = [{ words: wordsOf(snapshot.title), cost: 0.7 }]
  const add = (text: string | undefined, cost = 0.6) => {
    if (text) out.push({ words: wordsOf(text), cost })
  }
  if (unit) {
    const labels = descendants(snapshot, unit).filter(({ role, tag }) => role === 'label' || tag === 'fieldset')
    for (const one of [unit, ...descendants(snapshot, unit)])
      if (one.text && !labels.some((label) => isInside(snapshot, one, label))) add(one.text, 0.4)
    add(textIn(snapshot, unit, 400), 0.5)
  }
  for (const one of snapshot.elements)
    if (one.role === 'heading' && isShown(one) && (one.level === 1 || !button)) add(one.name ?? one.text)
  if (!button) {
    for (const one of snapshot.elements) if (/^(tab|group|region|dialog|form)$/.test(one.role ?? '')) add(one.name)
    return out
  }
  for (const one of [button.element, ...ancestors(snapshot, button.element)]) {
    add(one.role === 'link' || one.role === 'button' ? undefined : one.name)
    if (one.dom) add(snapshot.elements.find(({ controls, role }) => controls === one.dom && role !== 'combobox')?.name)
    if (one.tag === 'main' || one.tag === 'body') break
    const parent = snapshot.elements[one.up]
    const sisters = parent ? snapshot.elements.slice(parent.at + 1, one.at).filter(({ up }) => up === parent.at) : []
    const before = sisters.findLast(
      (sister) => sister.role === 'heading' || sister.popup || (one.hidden && sister.does),
    )
    add(before?.name ?? before?.text)
    add(
      parent?.role === 'label'
        ? undefined
        : parent?.hidden
          ? undefined
          : sisters.find(({ role }) => role === 'legend' || role === 'caption')?.name,
    )
  }
  return out
}

function contextPieces(tokens: readonly Token[], at: number, places: readonly Context[]): Piece[] {
  const out: Piece[] = []
  for (let to = at + 1; to <= Math.min(tokens.length, at + MAX_SEGMENT); to++) {
    if (isBreak(tokens[to - 1]!)) break
    const words = wordsOf(joined(tokens.slice(at, to)))
    if (words.length === 0 || isFaint(words[0]!) || isFaint(words.at(-1)!)) continue
    const found = places.filter(({ words: text }) => runIn(words, text) >= 0)
    if (found.length > 0) out.push({ from: at, to, cost: Math.min(...found.map(({ cost }) => cost)) })
  }
  return out
}

/** Controls that can be reached where the button is: in its row, in the open dialog, else anywhere but in other rows. */
function reachable<T extends { element: SnapshotElement }>(list: readonly T[], { snapshot, unit }: Scope): T[] {
  const within = (root: SnapshotElement | undefined) =>
    root ? list.filter(({ element }) => isInside(snapshot, element, root)) : []
  for (const root of [unit, openDialog(snapshot)]) {
    const found = within(root)
    if (found.length > 0) return found
  }
  const shown = list.filter(({ element }) => !element.hidden)
  return shown.length > 0 ? shown : [...list]
}

function choicePieces(tokens: readonly Token[], at: number, scope: Scope): Piece[] {
  if (tokens[at]!.kind === 'mark' || isFaint(tokens[at]!.word)) return []
  const out: Piece[] = []
  for (let to = at + 1; to <= Math.min(tokens.length, at + MAX_SEGMENT); to++) {
    if (isBreak(tokens[to - 1]!) && tokens[to - 1]!.word !== ',') break
    if (tokens[to - 1]!.kind === 'mark' || isFaint(tokens[to - 1]!.word)) continue
    const said = strongWords(tokens.slice(at, to))
    const significant = said.filter((word) => !isGeneric(word))
    const words = significant.length > 0 ? significant : said
    if (words.length === 0) continue
    const hasComma = tokens.slice(at, to).some(({ word }) => word === ',')
    const found = matchingChoices(scope.controls.choices, words).filter(
      ({ choice }) => !hasComma || choice.kind === 'cell',
    )
    out.push(...choiceEnds(tokens, at, to, found, scope))
    // "colour turquoise", "Size: Large": the group comes first.
    const isGroup = (group: string) => coverage(words, group) >= 0.5
    const inGroup = scope.controls.choices.filter(({ group, kind }) => kind !== 'check' && isGroup(group))
    if (inGroup.length === 0) continue
    const from = skip(tokens, to, TO_VALUE)
    for (let end = from + 1; end <= Math.min(tokens.length, from + 6) && !isBreak(tokens[end - 1]!); end++) {
      const wanted = strongWords(tokens.slice(from, end))
      const matched = matchingChoices(inGroup, wanted)
      if (matched.length > 0)
        out.push(...choiceEnds(tokens, at, end, matched, scope).map((piece) => ({ ...piece, cost: piece.cost - 0.1 })))
    }
  }
  return out
}

interface ChoiceMatch {
  choice: Choice
  covers: number
}

function matchingChoices(choices: readonly Choice[], words: readonly string[]): ChoiceMatch[] {
  const isBareNumber = words.length === 1 && /^\d+$/.test(words[0]!)
  const found = choices
    .map((choice) => ({ choice, covers: coverage(words, choice.text) }))
    .filter(
      ({ choice, covers }) =>
        covers > 0 &&
        (choice.kind === 'check' || choice.kind === 'cell' || covers >= 0.5 || startsWith(choice.text, words)),
    )
    .filter(
      ({ choice, covers }) => !isBareNumber || (covers === 1 && choice.kind !== 'native' && choice.kind !== 'cell'),
    )
  const best = Math.max(...found.map(({ covers }) => covers))
  return found.filter(({ covers }) => covers > best - 0.05)
}

const startsWith = (text: string, words: readonly string[]): boolean =>
  keyWords(text).slice(0, words.length).join(' ') === words.join(' ')

/** The ways in which a choice can end: with the name of its group, or with "on" and "off". */
function choiceEnds(
  tokens: readonly Token[],
  from: number,
  to: number,
  found: readonly ChoiceMatch[],
  scope: Scope,
): Piece[] {
  if (found.length === 0) return []
  const piece = (matches: readonly ChoiceMatch[], end: number, on: boolean | undefined): Piece => {
    const near = reachable(
      matches.map(({ choice }) => choice),
      scope,
    )
    const distinct = [...new Map(near.map((choice) => [choice.element.ref + choice.text, choice])).values()]
    const choice = distinct[0]!
    const cost =
      0.25 + 0.5 * (1 - Math.min(1, matches[0]!.covers)) + (choice.element.hidden && choice.kind !== 'option' ? 0.2 : 0)
    return {
      from,
      to: end,
      cost,
      setting: { type: 'choice', choice, on, from },
      ...(distinct.length > 1 && {
        ambiguous: distinct.map(({ text, group }) => (group ? `${text} (${group})` : text)),
      }),
    }
  }
  const out = [piece(found, to, undefined)]
  const label = skip(tokens, to, TO_LABEL)
  for (let end = label + 1; end <= Math.min(tokens.length, label + 3) && !isBreak(tokens[end - 1]!); end++) {
    const words = strongWords(tokens.slice(label, end))
    const inGroup = found.filter(({ choice }) => choice.group && coverage(words, choice.group) >= 0.5)
    if (inGroup.length > 0) out.push(piece(inGroup, end, undefined))
  }
  const state = /^(switched|turned)$/.test(tokens[to]?.word ?? '') ? to + 1 : to
  if (
    /^(on|off)$/.test(tokens[state]?.word ?? '') &&
    (state > to || tokens[state + 1] === undefined || isBreak(tokens[state + 1]!))
  )
    out.push(piece(found, state + 1, tokens[state]!.word === 'on'))
  return out
}

const skip = (tokens: readonly Token[], at: number, words: RegExp): number => {
  let to = at
  while (tokens[to] && tokens[to]!.kind !== 'quote' && words.test(tokens[to]!.word)) to++
  return to
}

/** "town to Ghent", "Bo Ek as your name", "2 adults". */
function fieldPieces(tokens: readonly Token[], at: number, scope: Scope): Piece[] {
  const out: Piece[] = []
  const fields = scope.controls.fields
  for (const { field, end, cost } of labelsAt(tokens, at, fields)) {
    const from = skip(tokens, end, TO_VALUE)
    for (const value of valuesAt(tokens, from, scope.prompt))
      if (accepts(field, value)) out.push(fieldPiece(field, at, value.to, value, cost + value.cost))
  }
  for (const value of valuesAt(tokens, at, scope.prompt)) {
    const from = skip(tokens, value.to, TO_LABEL)
    const hasLink = from > value.to
    for (const { field, end, cost } of labelsAt(tokens, from, fields))
      if (accepts(field, value) && (hasLink || value.kind === 'number'))
        out.push(fieldPiece(field, at, end, value, cost + value.cost + 0.1))
  }
  return merged(out, scope)
}

const fieldPiece = (field: FormField, from: number, to: number, { text: value }: Value, cost: number): Piece => ({
  from,
  to,
  cost: cost + (field.element.hidden ? 0.2 : 0),
  setting: { type: 'field', field, value, from },
})

/** Pieces of equal reach and cost mean different fields: the nearest is taken, or the words are ambiguous. */
function merged(pieces: readonly Piece[], scope: Scope): Piece[] {
  const byReach = new Map<string, Piece[]>()
  for (const piece of pieces) {
    const key = `${piece.to}`
    byReach.set(key, [...(byReach.get(key) ?? []), piece])
  }
  return [...byReach.values()].flatMap((list) => {
    const least = Math.min(...list.map(({ cost }) => cost))
    const best = list.filter(({ cost }) => cost < least + 0.02)
    const fieldIn = (piece: Piece) => (piece.setting as ControlSetting & { type: 'field' }).field
    const near = reachable(best.map(fieldIn), scope)
    const distinct = [...new Map(near.map((field) => [field.element.ref, field])).values()]
    const piece = best.find((one) => fieldIn(one) === distinct[0])!
    return [
      { ...piece, ...(distinct.length > 1 && { ambiguous: distinct.map(({ labels }) => labels[0] ?? 'a field') }) },
    ]
  })
}

interface Value {
  to: number
  text: string
  kind: Token['kind']
  cost: number
}

/** What may be a value here: a quoted text, an address, a number, a date, or a few plain words. */
function valuesAt(tokens: readonly Token[], at: number, prompt: string): Value[] {
  const first = tokens[at]
  if (!first || first.kind === 'mark') return []
  if (first.kind !== 'word') {
    const unit = first.kind === 'number' && tokens[at + 1]?.word === '%' ? 1 : 0
    const alone: Value = { to: at + 1 + unit, text: first.value, kind: first.kind, cost: 0 }
    return first.kind === 'number' ? [alone, ...runsAt(tokens, at, prompt)] : [alone]
  }
  const number = numberOf(first.word)
  const runs = runsAt(tokens, at, prompt)
  return number === undefined ? runs : [{ to: at + 1, text: String(number), kind: 'number', cost: 0 }, ...runs]
}

function runsAt(tokens: readonly Token[], at: number, prompt: string): Value[] {
  const out: Value[] = []
  for (let to = at + 1; to <= Math.min(tokens.length, at + MAX_SEGMENT); to++) {
    const last = tokens[to - 1]!
    if (
      last.kind === 'quote' ||
      (isBreak(last) && !(last.word === '.' && tokens[to]?.word === ',')) ||
      last.word === 'and'
    )
      break
    if ((isFaint(last.word) && !last.capital) || (isFaint(tokens[at]!.word) && !tokens[at]!.capital)) continue
    // "Cork to Bergamo" is rather two values than one.
    const run = tokens.slice(at, to)
    const links = run.filter(({ word }) => /^(from|to|with|for|as)$/.test(word)).length
    const others = run.filter(({ kind }) => kind === 'date' || kind === 'email').length
    out.push({
      to,
      text: textOf(tokens.slice(at, to), prompt),
      kind: 'word',
      cost: 0.1 + 0.12 * (to - at) + 0.5 * links + 1.5 * others - (last.capital ? 0.05 : last.word === '.' ? 0.25 : 0),
    })
  }
  return out
}

function accepts({ kind, element }: FormField, value: Value): boolean {
  if (kind === 'number' || kind === 'slider' || kind === 'stepper') return value.kind === 'number'
  if (kind === 'date') return value.kind === 'date'
  if (kind === 'time') return value.kind === 'time' || clockOf(value.text) !== undefined
  if (kind === 'email') return value.kind === 'email' || value.kind === 'quote'
  if (kind === 'select') return (element.options ?? []).some(([text]) => plain(text) === plain(value.text))
  if (kind === 'list') return value.kind !== 'date'
  if (kind === 'file') return false
  return element.tag === 'textarea' || value.kind !== 'word' || !QUALIFIED.test(value.text)
}

/** "Aarhus with a bicycle": a name, and a condition that must be met elsewhere on the page. */
const QUALIFIED = /^\p{Lu}.* (?:with|without|via|including) \p{Ll}/u

interface LabelMatch {
  field: FormField
  end: number
  cost: number
}

function labelsAt(tokens: readonly Token[], at: number, fields: readonly FormField[]): LabelMatch[] {
  const out: LabelMatch[] = []
  if (!tokens[at] || tokens[at]!.kind === 'mark') return out
  for (let end = at + 1; end <= Math.min(tokens.length, at + 7); end++) {
    const last = tokens[end - 1]!
    if (isBreak(last)) break
    if (last.kind === 'mark') continue
    // Small words tell "Moving from" and "Moving to" apart.
    const exact = wordsOf(joined(tokens.slice(at, end))).join(' ')
    for (const field of fields)
      if (field.labels.some((label) => wordsOf(label).join(' ') === exact)) out.push({ field, end, cost: 0.15 })
    if (end === at + 1 && /^(from|to)$/.test(last.word)) {
      const named = fields.filter(({ labels }) => wordsOf(labels[0] ?? '').includes(last.word))
      if (named.length === 1) out.push({ field: named[0]!, end, cost: 0.45 })
    }
    if (isFaint(last.word) && last.kind === 'word') continue
    const words = strongWords(tokens.slice(at, end)).filter(
      (word, _n, all) => all.length === 1 || !isGeneric(word) || keyWordsHave(fields, word),
    )
    if (words.length === 0) continue
    for (const field of fields) {
      const covers = Math.max(0, ...field.labels.map((label, n) => coverage(words, label) - (n === 0 ? 0 : 0.03)))
      if (covers >= 0.3) out.push({ field, end, cost: 0.2 + 0.6 * (1 - Math.min(1, covers)) })
    }
  }
  return out
}

const keyWordsHave = (fields: readonly FormField[], word: string): boolean =>
  fields.some(({ labels }) => labels.some((label) => keyWords(label).includes(word)))

function loosePieces(tokens: readonly Token[], at: number, { prompt, signsIn, controls }: Scope): Piece[] {
  const token = tokens[at]!
  const before = tokens
    .slice(Math.max(0, at - 2), at)
    .map(({ word }) => word)
    .join(' ')
  const piece = (kind: Loose['kind'], to: number, cost: number): Piece => ({
    from: at,
    to,
    cost,
    loose: { kind, value: textOf(tokens.slice(at, to), prompt) },
  })
  const out: Piece[] = []
  if (token.kind === 'date') out.push(piece('date', at + 1, 0.5))
  if (token.kind === 'email') out.push(piece('email', at + 1, 0.5))
  if (token.kind === 'number' && /^[+0][\d -]{6,}/.test(token.value)) out.push(piece('phone', at + 1, 0.5))
  if (numberOf(token.word) !== undefined && (token.kind === 'number' || token.kind === 'word')) {
    const to = /^(×|x|of)$/.test(tokens[at + 1]?.word ?? '') ? at + 2 : at + 1
    out.push({ ...piece('quantity', to, 0.9), loose: { kind: 'quantity', value: String(numberOf(token.word)) } })
  }
  if (signsIn && (token.kind === 'quote' || (token.kind === 'word' && /\d|[!?#$%&*=]/.test(token.value))))
    out.push(piece('password', at + 1, 0.8))
  if (signsIn && token.kind === 'word' && /\b(as|user|username)$/.test(before)) out.push(piece('user', at + 1, 0.8))
  let to = at
  while (
    tokens[to] &&
    (tokens[to]!.capital || tokens[to]!.kind === 'quote') &&
    /^(word|quote)$/.test(tokens[to]!.kind) &&
    to < at + 5
  ) {
    to++
    if (/\b(as|for|name|name is|by|under)$/.test(before)) out.push(piece('name', to, 0.8))
    if (controls.fields.some(({ suggests }) => suggests)) out.push(piece('suggestion', to, 1.1))
    if (tokens[at]!.kind === 'quote') break
  }
  return out
}

const NOT_A_PERSON = /\b(user|nick|company|card|display|file|street|product|listener|project)/i

/** The fields that values without a label belong to; nothing when there is none, or no telling which. */
function placeLoose(
  kind: Loose['kind'],
  pieces: readonly Piece[],
  scope: Scope,
  taken: Set<string>,
): ControlSetting[] | undefined {
  const free = reachable(
    scope.controls.fields.filter(({ element }) => !taken.has(element.ref)),
    scope,
  )
  const all = scope.controls.fields.filter(({ element }) => !taken.has(element.ref))
  const labelled = (list: readonly FormField[], words: RegExp) =>
    list.filter(({ labels }) => labels.some((label) => words.test(label)))
  const values = pieces.map(({ loose }) => loose!.value)
  const each = (fields: readonly FormField[]): ControlSetting[] | undefined => {
    if (fields.length !== values.length) return undefined
    return fields.map((field, n) => {
      taken.add(field.element.ref)
      return { type: 'field', field, value: values[n]!, from: pieces[n]!.from }
    })
  }
  const firstOf = (...lists: readonly (readonly FormField[])[]) => each(lists.find((list) => list.length > 0) ?? [])
  const ofKind = (...kinds: FormField['kind'][]) =>
    [free, all].map((list) => list.filter((field) => kinds.includes(field.kind)))
  switch (kind) {
    case 'date':
      return firstOf(...ofKind('date'))
    case 'email':
      return firstOf(...ofKind('email'), labelled(all, /\buser|\blog ?in\b|account/i))
    case 'phone':
      return firstOf(labelled(all, /phone|mobile|\btel/i))
    case 'user':
      return firstOf(labelled(all, /\buser|\blog ?in\b|account|name/i), ...ofKind('email'), ...ofKind('text'))
    case 'password':
      return firstOf(...ofKind('password'))
    case 'quantity':
      return firstOf(labelled(free, /\b(quantity|qty|amount|how many|pieces)\b/i))
    case 'suggestion':
      return each(all.filter(({ suggests }) => suggests))
    case 'name': {
      const named = labelled(all, /\bname\b/i).filter(({ labels }) => !NOT_A_PERSON.test(labels[0] ?? ''))
      const given = labelled(named, /first|given|fore/i)
      const family = labelled(named, /last|family|sur/i)
      if (given.length !== 1 || family.length !== 1 || values.length !== 1) return each(named)
      const [first = '', ...last] = values[0]!.split(' ')
      const from = pieces[0]!.from
      return last.length === 0
        ? undefined
        : [
            { type: 'field', field: given[0]!, value: first, from },
            { type: 'field', field: family[0]!, value: last.join(' '), from },
          ]
    }
  }
}
