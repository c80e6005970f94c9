// Values in a clause and the places on the page that they belong in: options by their own words, fields by labels that
// stand beside a value, and what is left by its kind. Pure; tokens that were used are never used twice.
import { choicesOf, type FieldChoice, type FormField, fieldsOf, sameText } from './choices.ts'
import { isFaint, isSynonym, keyWords, type Near, stem } from './likeness.ts'
import type { Scene } from './scene.ts'
import { numberOf, type Token, textOf } from './tokens.ts'

export type Placement = (
  | { kind: 'field'; field: FormField; value: string }
  | { kind: 'choice'; choice: FieldChoice; on: boolean }
) & {
  /** Places of the tokens that it uses. */
  uses: number[]
}

export interface SlotInput {
  tokens: readonly Token[]
  prompt: string
  used: ReadonlySet<number>
  /** Also a value of which only the kind fits goes into a field; `typed`: only addresses, dates and times do. */
  loose: boolean | 'typed'
  near?: Near | undefined
  /** Refs of fields that already got their value. */
  filled: ReadonlySet<string>
}

const BOUNDARY = /^(and|then|with|using|but|where|from|in|on|at|,|;|:|\.|\?|!|or|for)$/
const CONNECTOR =
  /^(to|is|as|=|:|with|of|at|be|should|the|a|an|into|in|my|equal|equals|being|number|text|value|set|for|under|it|field|box|input|from|by)$/
const isAtom = ({ kind }: Token): boolean => kind !== 'word' && kind !== 'mark' && kind !== 'key'
const isSecret = ({ kind, value }: Token): boolean =>
  kind === 'word' && /\d/.test(value) && /\p{L}/u.test(value) && !/^\d+(st|nd|rd|th)$/.test(value)

/** Words of all tokens, each with the place of its token. */
function flat(tokens: readonly Token[]): { word: string; at: number }[] {
  return tokens.flatMap((token, at) => keyWords(token.word).map((word) => ({ word, at })))
}

export function placementsOf(scene: Scene, input: SlotInput): Placement[] {
  const used = new Set(input.used)
  const filled = new Set(input.filled)
  const placements: Placement[] = []
  const place = (placement: Placement) => {
    placements.push(placement)
    for (const at of placement.uses) used.add(at)
    if (placement.kind === 'field') filled.add(placement.field.thing.ref)
    else if (placement.choice.kind === 'native') filled.add(placement.choice.thing.ref)
  }
  const fields = fieldsOf(scene)
  const mentions = mentionsOf(fields, input.tokens, used)
  placeChoices(scene, input.tokens, used, mentions, place)
  placeMentioned(mentions, input, used, filled, place)
  if (input.loose) placeByKind(fields, input, used, filled, place)
  if (input.loose === true && input.near) placeByMeaning(fields, input, used, filled, place)
  return placements.sort((a, b) => Math.min(...a.uses) - Math.min(...b.uses))
}

function placeChoices(
  scene: Scene,
  tokens: readonly Token[],
  used: Set<number>,
  mentions: readonly Mention[],
  place: (one: Placement) => void,
): void {
  const words = flat(tokens)
  const choices = choicesOf(scene)
    .filter(
      ({ kind, text, hidden }) =>
        kind !== 'tab' &&
        !(hidden && kind !== 'option') &&
        !/^[\s–—-]*$|^(any|choose|select|please|none)\b/i.test(text) &&
        !/^\d+$/.test(text.trim()),
    )
    .map((choice) => ({ choice, label: keyWords(choice.text) }))
    .filter(({ label }) => label.some((word) => !isFaint(word)))
    .sort((a, b) => b.label.length - a.label.length || Number(a.choice.hidden) - Number(b.choice.hidden))
  for (const { choice, label } of choices) {
    const uses = quoteUse(tokens, choice.text, used) ?? runUse(words, label, used)
    if (!uses) continue
    const rivals = choices.filter(
      (other) =>
        other.choice !== choice &&
        sameText(other.choice.text, choice.text) &&
        other.choice.group !== choice.group &&
        !other.choice.hidden,
    )
    const chosen = rivals.length === 0 ? choice : byGroup([choice, ...rivals.map((rival) => rival.choice)], words, uses)
    if (!chosen) continue
    const near = tokens.slice(Math.max(0, uses[0]! - 3), uses[0]!).map(({ word }) => word)
    const after = tokens.slice(uses.at(-1)! + 1, uses.at(-1)! + 3).map(({ word }) => word)
    const off =
      chosen.kind === 'check' &&
      (near.some((word) => /^(no|not|without|except|uncheck|untick|disable|deselect)$/.test(word)) ||
        after.includes('off'))
    const label_ = mentions.find(({ field }) => field.thing.ref === chosen.thing.ref)
    const group = groupUse(words, chosen.group, uses, used)
    place({ kind: 'choice', choice: chosen, on: !off, uses: [...uses, ...(label_ ? label_.uses : []), ...group] })
  }
}

function quoteUse(tokens: readonly Token[], text: string, used: ReadonlySet<number>): number[] | undefined {
  const at = tokens.findIndex(
    (token, index) => token.kind === 'quote' && !used.has(index) && sameText(token.value, text),
  )
  return at < 0 ? undefined : [at]
}

function runUse(
  words: readonly { word: string; at: number }[],
  label: readonly string[],
  used: ReadonlySet<number>,
): number[] | undefined {
  for (let from = 0; from + label.length <= words.length; from++) {
    const run = words.slice(from, from + label.length)
    if (run.some(({ at }) => used.has(at))) continue
    if (run.every(({ word }, index) => stem(word) === stem(label[index]!))) return [...new Set(run.map(({ at }) => at))]
  }
  return undefined
}

/** The group's own name beside the option, as in "Large under Size": it is no value. */
function groupUse(
  words: readonly { word: string; at: number }[],
  group: string,
  uses: readonly number[],
  used: ReadonlySet<number>,
): number[] {
  const label = keyWords(group).filter((word) => !isFaint(word))
  return words
    .filter(
      ({ word, at }) => !used.has(at) && Math.abs(at - uses[0]!) < 6 && label.some((one) => stem(one) === stem(word)),
    )
    .map(({ at }) => at)
}

/** Of choices that say the same, the one whose group's name stands nearest to the words. */
function byGroup(
  choices: readonly FieldChoice[],
  words: readonly { word: string; at: number }[],
  uses: readonly number[],
): FieldChoice | undefined {
  const ranked = choices
    .map((choice) => {
      const group = keyWords(choice.group).filter((word) => !isFaint(word))
      const far = words
        .filter(({ word }) => group.some((one) => stem(one) === stem(word)))
        .map(({ at }) => Math.abs(at - uses[0]!))
      return { choice, far: far.length > 0 ? Math.min(...far) : Number.POSITIVE_INFINITY }
    })
    .sort((a, b) => a.far - b.far)
  return Number.isFinite(ranked[0]!.far) ? ranked[0]!.choice : undefined
}

interface Mention {
  field: FormField
  uses: number[]
  score: number
}

/** Where the labels of fields stand in the words, whole or in part; the best for each field, none twice. */
function mentionsOf(fields: readonly FormField[], tokens: readonly Token[], used: ReadonlySet<number>): Mention[] {
  const words = flat(tokens).filter(({ at }) => tokens[at]!.kind === 'word')
  const found: Mention[] = []
  for (const field of fields)
    for (const [rank, label] of field.labels.entries())
      found.push(...mentionsOfLabel(field, keyWords(label.replace(/([a-z])([A-Z])/g, '$1 $2')), words, used, rank))
  // Two fields for one word are told apart by what else they are called; a quote as a label is a mention, too.
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'quote' || used.has(at)) continue
    for (const field of fields)
      if (field.labels.some((label) => sameText(label, token.value))) found.push({ field, uses: [at], score: 2 })
  }
  found.sort((a, b) => b.score - a.score || b.uses.length - a.uses.length)
  const taken = new Set<number>()
  const refs = new Set<string>()
  return found.filter(({ field, uses }) => {
    if (refs.has(field.thing.ref) || uses.some((at) => taken.has(at))) return false
    refs.add(field.thing.ref)
    for (const at of uses) taken.add(at)
    return true
  })
}

const sameWord = (a: string, b: string): boolean =>
  stem(a) === stem(b) ||
  isSynonym(a, b) ||
  (stem(a).length >= 5 && stem(b).length >= 5 && stem(a).slice(0, 6) === stem(b).slice(0, 6))

function mentionsOfLabel(
  field: FormField,
  label: readonly string[],
  words: readonly { word: string; at: number }[],
  used: ReadonlySet<number>,
  rank: number,
): Mention[] {
  const weight = label.reduce((sum, word) => sum + (isFaint(word) ? 0.3 : 1), 0)
  if (weight === 0 || label.length > 8) return []
  const found: Mention[] = []
  for (let from = 0; from < words.length; from++) {
    for (let start = 0; start < label.length; start++) {
      let length = 0
      let score = 0
      while (
        start + length < label.length &&
        from + length < words.length &&
        !used.has(words[from + length]!.at) &&
        sameWord(label[start + length]!, words[from + length]!.word)
      ) {
        const exact = stem(label[start + length]!) === stem(words[from + length]!.word)
        score += (isFaint(label[start + length]!) ? 0.3 : 1) * (exact ? 1 : 0.9)
        length++
      }
      if (length === 0) continue
      const run = words.slice(from, from + length)
      const direction = run.length === 1 && /^(from|to)$/.test(run[0]!.word)
      if (!direction && run.every(({ word }) => isFaint(word))) continue
      const whole = (direction ? 0.35 : score / weight) - 0.01 * rank
      if (whole >= 0.3) found.push({ field, uses: [...new Set(run.map(({ at }) => at))], score: whole })
    }
  }
  return found
}

function placeMentioned(
  mentions: readonly Mention[],
  { tokens, prompt }: SlotInput,
  used: Set<number>,
  filled: ReadonlySet<string>,
  place: (one: Placement) => void,
): void {
  const starts = new Set(mentions.flatMap(({ uses }) => uses))
  for (const mention of [...mentions].sort((a, b) => a.uses[0]! - b.uses[0]!)) {
    const { field, uses } = mention
    if (uses.some((at) => used.has(at)) || filled.has(field.thing.ref)) continue
    const value = valueBeside(tokens, uses, used, starts, field)
    if (!value) continue
    place({
      kind: 'field',
      field,
      value: textOf(
        value.map((at) => tokens[at]!),
        prompt,
      ),
      uses: [...uses, ...value],
    })
  }
}

/** The value right before or after a label. */
function valueBeside(
  tokens: readonly Token[],
  uses: readonly number[],
  used: ReadonlySet<number>,
  labels: ReadonlySet<number>,
  field: FormField,
): number[] | undefined {
  const free = (at: number) => tokens[at] !== undefined && !used.has(at) && !labels.has(at)
  const isNumber = (at: number) =>
    free(at) &&
    (tokens[at]!.kind === 'number' || (numberOf(tokens[at]!.word) !== undefined && !isFaint(tokens[at]!.word)))
  const numeric = /^(number|stepper|slider|select)$/.test(field.kind)
  const first = uses[0]!
  // "3 rooms", "5 × chairs"
  if (numeric && isNumber(first - 1)) return [first - 1]
  // "X as the name", "X into the name field"
  let back = first - 1
  while (back >= 0 && /^(the|a|my|your|field|box|labeled|named|called)$/.test(tokens[back]!.word)) back--
  if (
    back > 0 &&
    /^(as|into|in|under|for|on|to|from|using)$/.test(tokens[back]!.word) &&
    free(back - 1) &&
    (isAtom(tokens[back - 1]!) || tokens[back - 1]!.capital || isSecret(tokens[back - 1]!))
  ) {
    const after = nextValue(tokens, uses.at(-1)! + 1, used, labels, numeric)
    const followed = after && after[0]! === uses.at(-1)! + 1 && isAtom(tokens[after[0]!]!)
    if (!followed && !/^(from|to|for|using)$/.test(tokens[back]!.word)) return runBack(tokens, back - 1, free)
  }
  return nextValue(tokens, uses.at(-1)! + 1, used, labels, numeric)
}

/** A name of several words, read backwards from its end. */
function runBack(tokens: readonly Token[], end: number, free: (at: number) => boolean): number[] {
  if (isAtom(tokens[end]!)) return [end]
  let from = end
  while (from > 0 && free(from - 1) && tokens[from - 1]!.capital && tokens[from - 1]!.kind === 'word') from--
  return Array.from({ length: end - from + 1 }, (_, index) => from + index)
}

function nextValue(
  tokens: readonly Token[],
  from: number,
  used: ReadonlySet<number>,
  labels: ReadonlySet<number>,
  numeric: boolean,
): number[] | undefined {
  let at = from
  let joined = false
  while (
    tokens[at] &&
    !used.has(at) &&
    !labels.has(at) &&
    tokens[at]!.kind !== 'quote' &&
    CONNECTOR.test(tokens[at]!.word)
  ) {
    joined = true
    at++
  }
  const first = tokens[at]
  if (!first || used.has(at) || labels.has(at)) return undefined
  if (isAtom(first) || isSecret(first)) return [at]
  if (numeric) return numberOf(first.word) !== undefined ? [at] : undefined
  if (first.kind === 'mark' || (!joined && !first.capital)) return undefined
  const run: number[] = []
  while (tokens[at] && !used.has(at) && !labels.has(at) && !isAtom(tokens[at]!) && !BOUNDARY.test(tokens[at]!.word))
    run.push(at++)
  return run.length > 0 && run.length <= 8 ? run : undefined
}

/** Values that no label named, in order: quotes, addresses, dates, numbers and names. */
export function valuesIn(tokens: readonly Token[], used: ReadonlySet<number>): number[][] {
  const found: number[][] = []
  for (let at = 0; at < tokens.length; at++) {
    if (used.has(at)) continue
    const token = tokens[at]!
    if (isAtom(token) || isSecret(token)) found.push([at])
    else if (token.kind === 'word' && token.capital) {
      const run = [at]
      while (
        tokens[at + 1]?.kind === 'word' &&
        (tokens[at + 1]!.capital ||
          (/^(of|de|van|von|the|and)$/.test(tokens[at + 1]!.word) &&
            tokens[at + 2]?.capital &&
            tokens[at + 1]!.word !== 'and')) &&
        !used.has(at + 1)
      )
        run.push(++at)
      if (run.length > 1 || !/^(I|Press|Click|The|It)$/.test(token.value)) found.push(run)
    }
  }
  return found
}

/** A word that is left and near in meaning to the label of a field that is left: "comedy" and "Genre". */
function placeByMeaning(
  fields: readonly FormField[],
  { tokens, near }: SlotInput,
  used: Set<number>,
  filled: ReadonlySet<string>,
  place: (one: Placement) => void,
): void {
  if (filled.size === 0) return
  for (const field of fields) {
    if (filled.has(field.thing.ref) || field.kind !== 'text' || field.thing.value) continue
    const labels = keyWords(field.labels[0] ?? '').filter((word) => !isFaint(word))
    let best: { at: number; like: number } | undefined
    for (const [at, { word, kind }] of tokens.entries()) {
      if (
        at === 0 ||
        used.has(at) ||
        kind !== 'word' ||
        isFaint(word) ||
        fields.some(({ labels: own }) => own.some((label) => keyWords(label).some((one) => sameWord(one, word)))) ||
        CONNECTOR.test(word) ||
        BOUNDARY.test(word)
      )
        continue
      const like = Math.max(0, ...labels.map((label) => near!(label, word)))
      if (like > 0.3 && like > (best?.like ?? 0)) best = { at, like }
    }
    if (best) place({ kind: 'field', field, value: tokens[best.at]!.value, uses: [best.at] })
  }
}

function placeByKind(
  fields: readonly FormField[],
  { tokens, prompt, loose }: SlotInput,
  used: Set<number>,
  filled: ReadonlySet<string>,
  place: (one: Placement) => void,
): void {
  for (const value of valuesIn(tokens, used)) {
    const token = tokens[value[0]!]!
    const text = textOf(
      value.map((at) => tokens[at]!),
      prompt,
    )
    const open = fields.filter(
      ({ thing, kind }) =>
        !filled.has(thing.ref) && kind !== 'file' && !(thing.readonly && kind !== 'date' && kind !== 'number'),
    )
    if (loose === 'typed' && !isTyped(token)) continue
    const field = fieldFor(token, text, open, tokens[value[0]! - 1]?.word ?? '')
    if (field) place({ kind: 'field', field, value: text, uses: value })
  }
}

const isTyped = ({ kind, value }: Token): boolean =>
  /^(email|date|time)$/.test(kind) || /^[^\s@]+@[^\s@]+\.\w+$/.test(value)

function fieldFor(token: Token, text: string, open: readonly FormField[], before: string): FormField | undefined {
  const of = (...kinds: string[]) => open.filter(({ kind }) => kinds.includes(kind))
  const only = (list: readonly FormField[]) => (list.length === 1 ? list[0] : undefined)
  if (token.kind === 'email' || /^[^\s@]+@[^\s@]+\.\w+$/.test(text)) return of('email')[0] ?? only(of('text', 'search'))
  if (token.kind === 'date') return of('date')[0] ?? only(of('text'))
  if (token.kind === 'time') return of('time')[0] ?? only(of('text'))
  if (token.kind === 'number' && numberOf(text) !== undefined)
    return only(of('number', 'stepper', 'slider')) ?? only(of('text', 'search', 'password'))
  if (isSecret(token) && of('password').length === 1) return of('password')[0]
  const named = of('text').filter(({ labels }) => labels.some((label) => /\bname\b/i.test(label)))
  if (/^(as|for|by)$/.test(before) && named.length === 1) return named[0]
  return (
    only(of('text', 'search', 'editor')) ??
    (token.kind === 'quote'
      ? only(open.filter(({ kind }) => /^(text|search|password|email)$/.test(kind)))
      : undefined) ??
    (named.length === 1 && token.capital && text.includes(' ') ? named[0] : undefined)
  )
}
