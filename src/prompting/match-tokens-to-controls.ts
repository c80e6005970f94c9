// Accounts for every word of a clause by what the page offers: a value for a field, a choice, the label of the button,
// the row that is meant. The cheapest reading wins.

import { assignValuesToFields, hasNameParts, type UnlabelledValueKind } from '../driving/assign-values-to-fields.ts'
import { type ElementContext, findElementContexts } from '../driving/element-context.ts'
import {
  type ChoiceMatch,
  findChoicesByWords,
  findChoicesOfGroup,
  findFieldsByLabel,
  findFieldsByWords,
} from '../driving/find-controls-by-words.ts'
import {
  findWordRun,
  foldText,
  isWeakWord,
  keyWordsOf,
  labelWordsOf,
  scoreLabelCoverage,
  scoreWordMatch,
  stemWord,
} from '../driving/match-label-words.ts'
import {
  type ControlChoice,
  type FormField,
  findOpenDialog,
  type PageButton,
  type PageControls,
} from '../driving/page-controls.ts'
import { parseNumberWord, parseOrdinal, parseTimeOfDay } from '../driving/parse-numbers-and-dates.ts'
import type { ControlSetting } from '../driving/set-control.ts'
import {
  ancestorsOf,
  type DomSnapshot,
  isDescendantOf,
  type SnapshotElement,
} from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { joinTokenValues, type PromptToken, strongWordsOf, textOfTokens } from './tokenize-prompt.ts'

export interface TokenMatch {
  cost: number
  settings: ControlSetting[]
  unexplained: PromptToken[]
  ordinal: number | undefined
  /** Two or more controls that the same words mean. */
  ambiguous: string[]
  twins: SnapshotElement[]
}

export interface TokenMatchScope {
  snapshot: DomSnapshot
  controls: PageControls
  prompt: string
  button?: PageButton
  /** The row or card of the button. */
  unit?: SnapshotElement | undefined
  /** How many of the tokens are the verb, which only a button or a choice can account for. */
  verbs: number
  lists: boolean
  /** The clause only opens something: the noun for its kind needs no place on the page. */
  opens: boolean
  /** The clause asks to sign in: a word without a label may be the password. */
  signsIn: boolean
}

/** A value without a label; it belongs to the field of its kind. */
type Loose = { kind: UnlabelledValueKind; value: string }

interface Piece {
  from: number
  to: number
  cost: number
  setting?: ControlSetting
  loose?: Loose
  ordinal?: number
  unexplained?: boolean
  ambiguous?: string[]
  twins?: SnapshotElement[]
}

/** Verbs that mean a download link. */
export const DOWNLOAD_VERB = /^(download|get|fetch|save)$/
/** Only a button can do these, whatever the page's title says. */
const BUTTON_ONLY_VERB =
  /^(book|reserve|order|buy|pay|send|submit|delete|remove|cancel|add|post|publish|subscribe|register|apply)$/
const UNEXPLAINED = 5
const SOFT = 0.3
const MAX_SEGMENT = 8
/** Kinds of elements and places, which say nothing about which one is meant. */
const ELEMENT_KIND_WORDS = new Set(
  'page site row item entry list button link field box option tab menu section form column table checkbox switch dropdown suggestion result one piece number only value text icon here there slot screen copy named called labelled sent about file document pdf area colour color kind'.split(
    ' ',
  ),
)
const isGeneric = (word: string): boolean =>
  [word, word.replace(/s$/, ''), word.replace(/es$/, '')].some((one) => ELEMENT_KIND_WORDS.has(one))
const TO_VALUE = /^(to|as|is|are|was|were|of|be|with|from|on|at|the|a|an|:|=|named|called)$/
const TO_LABEL = /^(into|in|as|for|under|to|on|the|a|an|my|your|of)$/

export function matchTokensToControls(tokens: readonly PromptToken[], scope: TokenMatchScope): TokenMatch {
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

function readingOf(
  pieces: readonly Piece[],
  cost: number,
  tokens: readonly PromptToken[],
  scope: TokenMatchScope,
): TokenMatch {
  const settings = pieces.flatMap(({ setting }) => setting ?? [])
  const unexplained = pieces.filter(({ unexplained }) => unexplained).map(({ from }) => tokens[from]!)
  const ambiguous = pieces.flatMap((piece) => piece.ambiguous ?? [])
  let extra = 0
  const taken = new Set(settings.flatMap((setting) => (setting.type === 'field' ? setting.field.element.ref : [])))
  for (const kind of new Set(pieces.flatMap(({ loose }) => loose?.kind ?? []))) {
    const loose = pieces.filter((piece) => piece.loose?.kind === kind)
    const free = scope.controls.fields.filter(({ element }) => !taken.has(element.ref))
    const values = loose.map((piece) => piece.loose!.value)
    const placed = assignValuesToFields(kind, values, { ...scope, free, near: reachable(free, scope) })
    for (const [n, { field, value }] of (placed ?? []).entries()) {
      taken.add(field.element.ref)
      settings.push({ type: 'field', field, value, from: (loose[n] ?? loose[0]!).from })
    }
    if (!placed) {
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
    twins: pieces.flatMap(({ twins }) => twins ?? []),
    ordinal: pieces.find(({ ordinal }) => ordinal !== undefined)?.ordinal,
  }
}

function piecesOf(tokens: readonly PromptToken[], scope: TokenMatchScope): Piece[][] {
  const places = findElementContexts(scope)
  // The text of a row says which one is meant, not what to do with it.
  const isBinding = BUTTON_ONLY_VERB.test(tokens[0]?.word ?? '')
  const forVerbs = scope.button && !isBinding ? places.filter(({ isOfRow }) => !isOfRow) : []
  return tokens.map(({ soft }, at) => [
    ...fillers(tokens, at, scope),
    ...buttonPieces(tokens, at, scope),
    ...contextPieces(tokens, at, at < scope.verbs ? forVerbs : places),
    ...(soft === 'background' || scope.opens ? [] : settingPieces(tokens, at, scope)),
    { from: at, to: at + 1, cost: soft ? SOFT : UNEXPLAINED, unexplained: !soft },
  ])
}

const settingPieces = (tokens: readonly PromptToken[], at: number, scope: TokenMatchScope): Piece[] => [
  ...choicePieces(tokens, at, scope),
  ...fieldPieces(tokens, at, scope),
  ...loosePieces(tokens, at, scope),
]

function fillers(tokens: readonly PromptToken[], at: number, scope: TokenMatchScope): Piece[] {
  const { unit, verbs, button, lists, opens } = scope
  const { kind, word } = tokens[at]!
  const one = (cost: number, more: Partial<Piece> = {}): Piece[] => [{ from: at, to: at + 1, cost, ...more }]
  if (kind === 'mark') return one(/^[\p{P}×]$/u.test(word) || word === '|' ? 0 : 1)
  if (kind !== 'word') return []
  const ordinal = parseOrdinal(word)
  if (ordinal !== undefined) return one(0.3, { ordinal })
  if (
    isWeakWord(word) ||
    /^(into|under|using|via|between|then|also|x|be|so|up|out|again|now|too|ending|pls|where|can|just|down|whether|if)$/.test(
      word,
    )
  )
    return one(0.05)
  if (LIGHT_VERBS.test(word) && at < verbs) return one(0.3)
  if (word === 'get' && at < verbs && button?.element.role === 'link') return one(0.3)
  // 'claim it with "This is mine"': the button that is quoted does what the verb says.
  const isQuoted = ({ kind, value }: PromptToken) =>
    kind === 'quote' && foldText(value) === foldText(button?.label ?? '')
  if (at < verbs && tokens.some(isQuoted)) return one(0.3)
  if (at < verbs && !button) return []
  // "the message from Ada": the kind of thing that the row is.
  const [before, next] = [tokens[at - 1], tokens[at + 1]]
  if (before?.kind === 'number' && CURRENCY.test(word)) return one(0.05)
  // "2 pairs of socks": the number says how many.
  const isMeasure = before && next?.word === 'of' && parseNumberWord(before.word) !== undefined
  if (isMeasure) return one(0.3)
  const isRowNoun =
    (unit || opens) && before && /^(the|a|my|this|that)$/.test(before.word) && next && OF.test(next.word)
  // "the baby question": the noun at the end says what kind of thing is opened.
  const isLast = opens && button && (!next || next.kind === 'mark' || next.soft) && before
  if (isLast && (/^(that|this)$/.test(before.word) || isOfLabel(tokens, at - 1, button))) return one(0.8)
  // "post it" is no noun.
  const isVerb = /^(it|them)$/.test(next?.word ?? '')
  if (isGeneric(word) || ((button || lists) && at >= verbs && !isVerb && LIST_ITEM_NOUNS.has(stemWord(word))))
    return one(0.4)
  return isRowNoun ? one(0.8) : []
}

const isOfLabel = (tokens: readonly PromptToken[], at: number, { label }: PageButton): boolean =>
  strongWordsOf([tokens[at]!]).some((word) => keyWordsOf(label).some((other) => scoreWordMatch(word, other) > 0))

/** Nouns for the items of a list; other words of the clause say which item is meant. */
const LIST_ITEM_NOUNS = new Set(
  'message mail post thread article product recipe member contact user customer order job vacancy file document folder task card comment review event invoice book song video note project team group station hotel place'
    .split(' ')
    .map(stemWord),
)
const CURRENCY = /^(euros?|dollars?|pounds?|francs?|kroner|kronor|eur|usd|gbp|chf)$/
const LIGHT_VERBS = /^(put|make|give|do|run|place|move)$/
const OF = /^(from|by|of|on|named|called|titled|about|sent|whose|for|to)$/

const isBreak = ({ kind, word }: PromptToken): boolean => kind === 'mark' && /^[,;:.!?()]$/.test(word)

function buttonPieces(tokens: readonly PromptToken[], at: number, { button }: TokenMatchScope): Piece[] {
  if (!button) return []
  const label = keyWordsOf(button.label)
  if (button.element.download && DOWNLOAD_VERB.test(tokens[at]!.word)) return [{ from: at, to: at + 1, cost: 0.15 }]
  for (const to of [at + 2, at + 1]) {
    const words = labelWordsOf(joinTokenValues(tokens.slice(at, to)))
    if (to > tokens.length || (to === at + 2 && words.length !== 1) || words.length === 0) continue
    const strong = words.filter((word) => !isWeakWord(word))
    const matches = (strong.length > 0 ? strong : words).map((word) =>
      Math.max(...label.map((other) => scoreWordMatch(word, other))),
    )
    if (matches.every((match) => match > 0)) return [{ from: at, to, cost: 0.15 * (1 - Math.min(...matches)) }]
  }
  return []
}

function contextPieces(tokens: readonly PromptToken[], at: number, places: readonly ElementContext[]): Piece[] {
  const out: Piece[] = []
  for (let to = at + 1; to <= Math.min(tokens.length, at + MAX_SEGMENT); to++) {
    if (isBreak(tokens[to - 1]!)) break
    const words = labelWordsOf(joinTokenValues(tokens.slice(at, to)))
    if (words.length === 0 || isWeakWord(words[0]!) || isWeakWord(words.at(-1)!)) continue
    const found = places.filter(({ words: text }) => findWordRun(words, text) >= 0)
    // The whole text of a cell is meant rather than a part of another.
    const least = Math.min(...found.map(({ words: text, cost }) => (text.length === words.length ? cost - 0.1 : cost)))
    if (found.length > 0) out.push({ from: at, to, cost: least })
  }
  return out
}

/** Controls that can be reached where the button is: in its row, its form or the open dialog, else those that are shown. */
function reachable<T extends { element: SnapshotElement }>(
  list: readonly T[],
  { snapshot, unit, button }: TokenMatchScope,
): T[] {
  const within = (root: SnapshotElement | undefined) =>
    root ? list.filter(({ element }) => isDescendantOf(snapshot, element, root)) : []
  const form = button && ancestorsOf(snapshot, button.element).find(({ tag }) => tag === 'form')
  for (const root of [unit, form, findOpenDialog(snapshot)]) {
    const found = within(root)
    if (found.length > 0) return found
  }
  const shown = list.filter(({ element }) => !element.hidden)
  return shown.length > 0 ? shown : [...list]
}

function choicePieces(tokens: readonly PromptToken[], at: number, scope: TokenMatchScope): Piece[] {
  if (tokens[at]!.kind === 'mark' || isWeakWord(tokens[at]!.word)) return []
  const out: Piece[] = []
  for (let to = at + 1; to <= Math.min(tokens.length, at + MAX_SEGMENT); to++) {
    if (isBreak(tokens[to - 1]!) && tokens[to - 1]!.word !== ',') break
    if (tokens[to - 1]!.kind === 'mark' || isWeakWord(tokens[to - 1]!.word)) continue
    // "Sign" of "sign in" says nothing about "Keep me signed in".
    if (at < scope.verbs && to < scope.verbs) continue
    const said = strongWordsOf(tokens.slice(at, to))
    const significant = said.filter((word) => !isGeneric(word))
    const words = significant.length > 0 ? significant : said
    if (words.length === 0) continue
    const hasComma = tokens.slice(at, to).some(({ word }) => word === ',')
    // "Delete Bread" presses that button and does not tick the box of the bread.
    const label = scope.button ? keyWordsOf(scope.button.label) : []
    const isOfButton = words.every((word) => label.some((other) => stemWord(word) === stemWord(other)))
    const found = findChoicesByWords(isOfButton ? [] : scope.controls.choices, words).filter(
      ({ choice }) => (!hasComma || choice.kind === 'cell') && (to > scope.verbs || isSaidWhole(tokens, choice)),
    )
    out.push(...choiceEnds(tokens, at, to, found, scope))
    // "colour turquoise", "Size: Large": the group comes first.
    const inGroup = findChoicesOfGroup(scope.controls.choices, words)
    if (inGroup.length === 0) continue
    const from = skip(tokens, to, TO_VALUE)
    for (let end = from + 1; end <= Math.min(tokens.length, from + 6) && !isBreak(tokens[end - 1]!); end++) {
      const wanted = strongWordsOf(tokens.slice(from, end))
      const matched = findChoicesByWords(inGroup, wanted)
      if (matched.length > 0)
        out.push(...choiceEnds(tokens, at, end, matched, scope).map((piece) => ({ ...piece, cost: piece.cost - 0.1 })))
    }
  }
  return out
}

/** "Send" alone does not mean "Send me the magazine"; "keep me signed in" does mean a box of that name. */
const isSaidWhole = (tokens: readonly PromptToken[], { text }: ControlChoice): boolean => {
  const words = strongWordsOf(tokens)
  return keyWordsOf(text).every((own) => words.some((word) => scoreWordMatch(word, own) > 0))
}

/** The ways in which a choice can end: with the name of its group, or with "on" and "off". */
function choiceEnds(
  tokens: readonly PromptToken[],
  from: number,
  to: number,
  found: readonly ChoiceMatch[],
  scope: TokenMatchScope,
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
        twins: distinct.map(({ element }) => element),
      }),
    }
  }
  const out = [piece(found, to, undefined)]
  const label = skip(tokens, to, TO_LABEL)
  for (let end = label + 1; end <= Math.min(tokens.length, label + 3) && !isBreak(tokens[end - 1]!); end++) {
    const words = strongWordsOf(tokens.slice(label, end))
    const inGroup = found.filter(({ choice }) => choice.group && scoreLabelCoverage(words, choice.group) >= 0.5)
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

const skip = (tokens: readonly PromptToken[], at: number, words: RegExp): number => {
  let to = at
  while (tokens[to] && tokens[to]!.kind !== 'quote' && words.test(tokens[to]!.word)) to++
  return to
}

/** "town to Ghent", "Bo Ek as your name", "2 adults". */
function fieldPieces(tokens: readonly PromptToken[], at: number, scope: TokenMatchScope): Piece[] {
  const out: Piece[] = []
  const fields = scope.controls.fields
  for (const { field, end, cost } of labelsAt(tokens, at, fields)) {
    const linked = skip(tokens, end, TO_VALUE)
    // "my voucher, BREAD87".
    const from = tokens[linked]?.word === ',' && /\d/.test(tokens[linked + 1]?.word ?? '') ? linked + 1 : linked
    for (const value of valuesAt(tokens, from, scope.prompt))
      if (accepts(field, value)) out.push(fieldPiece(field, at, value.to, value, cost + value.cost))
  }
  for (const value of valuesAt(tokens, at, scope.prompt)) {
    const from = skip(tokens, value.to, TO_LABEL)
    const hasLink = tokens.slice(value.to, from).some(({ word }) => /^(into|in|as|for|under|to|on)$/.test(word))
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
function merged(pieces: readonly Piece[], scope: TokenMatchScope): Piece[] {
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
      {
        ...piece,
        ...(distinct.length > 1 && {
          ambiguous: distinct.map(({ labels }) => labels[0] ?? 'a field'),
          twins: distinct.map(({ element }) => element),
        }),
      },
    ]
  })
}

interface Value {
  to: number
  text: string
  kind: PromptToken['kind']
  cost: number
}

/** What may be a value here: a quoted text, an address, a number, a date, or a few plain words. */
function valuesAt(tokens: readonly PromptToken[], at: number, prompt: string): Value[] {
  const first = tokens[at]
  if (!first || first.kind === 'mark') return []
  if (first.kind !== 'word') {
    const unit = first.kind === 'number' && tokens[at + 1]?.word === '%' ? 1 : 0
    const alone: Value = { to: at + 1 + unit, text: first.value, kind: first.kind, cost: 0 }
    return first.kind === 'number' ? [alone, ...runsAt(tokens, at, prompt)] : [alone]
  }
  const number = parseNumberWord(first.word)
  const runs = runsAt(tokens, at, prompt)
  return number === undefined ? runs : [{ to: at + 1, text: String(number), kind: 'number', cost: 0 }, ...runs]
}

function runsAt(tokens: readonly PromptToken[], at: number, prompt: string): Value[] {
  const out: Value[] = []
  for (let to = at + 1; to <= Math.min(tokens.length, at + MAX_SEGMENT); to++) {
    const last = tokens[to - 1]!
    if (
      last.kind === 'quote' ||
      (isBreak(last) && !(last.word === '.' && tokens[to]?.word === ',')) ||
      last.word === 'and'
    )
      break
    if ((isWeakWord(last.word) && !last.capital) || (isWeakWord(tokens[at]!.word) && !tokens[at]!.capital)) continue
    // "Cork to Bergamo" is rather two values than one.
    const run = tokens.slice(at, to)
    const links = run.filter(({ word }) => /^(from|to|with|for|as)$/.test(word)).length
    const others = run.filter(({ kind }) => kind === 'date' || kind === 'email').length
    out.push({
      to,
      text: textOfTokens(tokens.slice(at, to), prompt),
      kind: 'word',
      cost: 0.1 + 0.12 * (to - at) + 0.5 * links + 1.5 * others - (last.capital ? 0.05 : last.word === '.' ? 0.25 : 0),
    })
  }
  return out
}

function accepts({ kind, element }: FormField, value: Value): boolean {
  if (kind === 'number' || kind === 'slider' || kind === 'stepper') return value.kind === 'number'
  if (kind === 'date') return value.kind === 'date'
  if (kind === 'time') return value.kind === 'time' || parseTimeOfDay(value.text) !== undefined
  if (kind === 'email') return value.kind === 'email' || value.kind === 'quote'
  if (kind === 'select') return (element.options ?? []).some(([text]) => foldText(text) === foldText(value.text))
  if (kind === 'list') return value.kind !== 'date'
  if (kind === 'file') return false
  return element.tag === 'textarea' || value.kind !== 'word' || !NAME_WITH_CONDITION.test(value.text)
}

/** "Aarhus with a bicycle": a name, and a condition that must be met elsewhere on the page. */
const NAME_WITH_CONDITION = /^\p{Lu}.* (?:(?:with|without|via|including) \p{Ll}|(?:today|tomorrow|tonight)$)/u

interface LabelMatch {
  field: FormField
  end: number
  cost: number
}

function labelsAt(tokens: readonly PromptToken[], at: number, fields: readonly FormField[]): LabelMatch[] {
  const out: LabelMatch[] = []
  if (!tokens[at] || tokens[at]!.kind === 'mark') return out
  for (let end = at + 1; end <= Math.min(tokens.length, at + 7); end++) {
    const last = tokens[end - 1]!
    if (isBreak(last)) break
    if (last.kind === 'mark') continue
    // Small words tell "Moving from" and "Moving to" apart.
    const exact = labelWordsOf(joinTokenValues(tokens.slice(at, end)))
    for (const field of findFieldsByLabel(fields, exact)) out.push({ field, end, cost: 0.05 })
    if (end === at + 1 && /^(from|to)$/.test(last.word)) {
      const named = fields.filter(({ labels }) => labelWordsOf(labels[0] ?? '').includes(last.word))
      if (named.length === 1) out.push({ field: named[0]!, end, cost: 0.45 })
    }
    if (isWeakWord(last.word) && last.kind === 'word') continue
    const words = strongWordsOf(tokens.slice(at, end)).filter(
      (word, _n, all) => all.length === 1 || !isGeneric(word) || keyWordsHave(fields, word),
    )
    if (words.length === 0) continue
    for (const { field, cost } of findFieldsByWords(fields, words)) out.push({ field, end, cost })
  }
  return out
}

const keyWordsHave = (fields: readonly FormField[], word: string): boolean =>
  fields.some(({ labels }) => labels.some((label) => keyWordsOf(label).includes(word)))

function loosePieces(tokens: readonly PromptToken[], at: number, scope: TokenMatchScope): Piece[] {
  const { prompt, signsIn, controls, verbs, button } = scope
  const token = tokens[at]!
  const before = tokens
    .slice(Math.max(0, at - 2), at)
    .map(({ word }) => word)
    .join(' ')
  const piece = (kind: Loose['kind'], to: number, cost: number, from = at): Piece => ({
    from: at,
    to,
    cost,
    loose: { kind, value: textOfTokens(tokens.slice(from, to), prompt) },
  })
  const out: Piece[] = []
  if (token.kind === 'date') out.push(piece('date', at + 1, 0.5))
  if (token.kind === 'email' || /^\S+@\S+\.\S+$/.test(token.value)) out.push(piece('email', at + 1, 0.5))
  const limit = limitAt(tokens, at)
  if (limit) out.push({ from: at, to: limit.to, cost: 0.6, loose: { kind: limit.kind, value: limit.value } })
  if (token.kind === 'number' && /^[+0][\d -]{6,}/.test(token.value)) out.push(piece('phone', at + 1, 0.5))
  const isNamed = /^(quantity|qty)$/.test(token.word)
  const number = parseNumberWord((isNamed ? tokens[at + 1] : token)?.word ?? '')
  if (number !== undefined && /^(number|word)$/.test(token.kind)) {
    const to = isNamed || /^(×|x|of)$/.test(tokens[at + 1]?.word ?? '') ? at + 2 : at + 1
    out.push({ from: at, to, cost: 0.9, loose: { kind: 'quantity', value: String(number) } })
  }
  if (signsIn && (token.kind === 'quote' || (token.kind === 'word' && /\d|[!?#$%&*=]/.test(token.value))))
    out.push(piece('password', at + 1, 0.8))
  if (signsIn && token.kind === 'word' && /\b(as|user|username)$/.test(before)) out.push(piece('user', at + 1, 0.7))
  // "ada / secret1".
  if (signsIn && token.kind !== 'mark' && tokens[at + 1]?.word === '/') out.push(piece('user', at + 1, 0.7))
  if (signsIn && token.kind !== 'mark' && tokens[at - 1]?.word === '/') out.push(piece('password', at + 1, 0.7))
  // "name Ada Holm" where the form has a field for each part.
  const named = token.word === 'name' && hasNameParts(controls.fields) ? skip(tokens, at + 1, TO_VALUE) : -1
  if (tokens[named]?.capital && tokens[named + 1]?.capital) out.push(piece('name', named + 2, 0.4, named))
  let to = at
  while (
    tokens[to] &&
    (tokens[to]!.capital || tokens[to]!.kind === 'quote') &&
    /^(word|quote)$/.test(tokens[to]!.kind) &&
    to < at + 5
  ) {
    to++
    if (/\b(as|for|name|name is|by|under)$/.test(before) || (at === verbs && to > at + 1))
      out.push(piece('name', to, 0.8))
    if (button && at === verbs) out.push(piece('entry', to, 1.2))
    if (controls.fields.some(({ suggests }) => suggests)) out.push(piece('suggestion', to, 1.1))
    if (tokens[at]!.kind === 'quote') break
  }
  return out
}

const AT_LEAST = /^(at least|from|over|above|more than|minimum)$/
const AT_MOST = /^(at most|under|below|up to|less than|maximum)$/

/** "at least 300", "300 or more": a value for a field such as "Price from". */
function limitAt(
  tokens: readonly PromptToken[],
  at: number,
): { kind: 'least' | 'most'; value: string; to: number } | undefined {
  const words = (from: number, to: number) =>
    tokens
      .slice(from, to)
      .map(({ word }) => word)
      .join(' ')
  for (const length of [2, 1]) {
    const number = tokens[at + length]
    const isLeast = AT_LEAST.test(words(at, at + length))
    if (number?.kind === 'number' && (isLeast || AT_MOST.test(words(at, at + length))))
      return { kind: isLeast ? 'least' : 'most', value: number.value, to: at + length + 1 }
  }
  const after = tokens[at]!.kind === 'number' ? words(at + 1, at + 3) : ''
  if (!/^(or (more|less)|and up)$/.test(after)) return undefined
  return { kind: after === 'or less' ? 'most' : 'least', value: tokens[at]!.value, to: at + 3 }
}
