// Values into fields and choices: typing, choosing, ticking, copying, and values that must be worked out first.
import { extremeOf, menuPath, pressPath, pressThing } from './acts-press.ts'
import { cellNamed, choicesOf, type FieldChoice, type FormField, fieldsOf } from './choices.ts'
import type { Clause } from './clauses.ts'
import { findTarget, nameOf, notFound, type PromptContext, quoted, tell } from './context.ts'
import { bestOption, chooseCustom, setField } from './filling.ts'
import { keyWords, likeness, plain } from './likeness.ts'
import { valueMeant } from './meanings.ts'
import { inside, isShown, labelOf, type SceneThing } from './scene.ts'
import { looksIn, sighted } from './sight.ts'
import { type Placement, placementsOf, valuesIn } from './slots.ts'
import { labelScore } from './targets.ts'
import { isPlainValue, numberOf, ordinalOf, type Token, textOf } from './tokens.ts'

/** Puts one value where it belongs and tells it. */
export async function place(ground: PromptContext, placement: Placement): Promise<boolean> {
  const { hands } = ground
  if (placement.kind === 'field') {
    const { field, value } = placement
    const name = quoted(field.labels[0] ?? field.kind)
    const done = await setField(hands, field, value)
    if (done) {
      ground.filled.add(field.thing.ref)
      ground.last = field.thing
    }
    const shown = field.kind === 'password' ? 'the password' : quoted(value)
    return tell(ground, done, done ? `Put ${shown} into ${name}.` : `Could not put ${shown} into ${name}.`)
  }
  const { choice, on } = placement
  const done = await choose(ground, choice, on)
  ground.last = choice.thing
  const into = choice.group ? ` under ${quoted(choice.group)}` : ''
  return tell(
    ground,
    done,
    done
      ? `${on ? 'Chose' : 'Switched off'} ${quoted(choice.text)}${into}.`
      : `Could not choose ${quoted(choice.text)}${into}.`,
  )
}

async function choose({ hands }: PromptContext, choice: FieldChoice, on: boolean): Promise<boolean> {
  const { thing, kind, text } = choice
  if (kind === 'native') {
    const kept = thing.multiple
      ? (hands.again(thing)?.options ?? []).filter(([, chosen]) => chosen).map(([label]) => label)
      : []
    return hands.select(thing, on ? [...kept, text] : kept.filter((label) => label !== text))
  }
  if (kind === 'check' || kind === 'radio') return hands.check(hands.again(thing) ?? thing, on)
  if (!choice.hidden) return hands.press(thing)
  const [owner] = hands.scene.things
    .filter((one) => isShown(one) && one.type !== 'select' && (one.role === 'combobox' || one.popup === 'listbox'))
    .sort((a, b) => Math.abs(a.at - thing.at) - Math.abs(b.at - thing.at))
  return owner ? chooseCustom(hands, owner, text) : false
}

/** Places all that can be placed; says which tokens are used, and whether all went well. */
export async function placeAll(
  ground: PromptContext,
  tokens: readonly Token[],
  used: Set<number>,
  loose: boolean | 'typed',
): Promise<{ placed: number; failed: number }> {
  const { hands } = ground
  let [placed, failed] = [0, 0]
  const tried = new Set<string>()
  for (let turn = 0; turn < 30; turn++) {
    const placements = placementsOf(hands.scene, {
      tokens,
      prompt: ground.prompt,
      used,
      loose,
      near: hands.near,
      filled: ground.filled,
    })
    const next = placements.find((one) => !tried.has(keyFor(one)))
    if (!next) break
    tried.add(keyFor(next))
    if (await place(ground, next)) {
      placed++
      for (const at of next.uses) used.add(at)
    } else failed++
  }
  return { placed, failed }
}

const keyFor = (placement: Placement): string =>
  placement.kind === 'field'
    ? `${placement.field.thing.ref}=${placement.value}`
    : `${placement.choice.thing.ref}:${placement.choice.text}`

const textFields = (ground: PromptContext): FormField[] =>
  fieldsOf(ground.hands.scene).filter(
    ({ kind, thing }) => /^(text|search|password|email|number|editor|date|time)$/.test(kind) && !thing.readonly,
  )

export async function actType(ground: PromptContext, clause: Clause): Promise<boolean> {
  const { hands } = ground
  const meant = clause.act === 'set' ? undefined : await valueMeant(ground, clause)
  const every =
    clause.rest.some(({ word }) => /^(both|all|each|every)$/.test(word)) &&
    clause.rest.some(({ word }) => /^(fields?|boxes|inputs?|textboxes)$/.test(word))
  if (every) {
    const value = meant ?? clause.rest.find(({ kind }) => kind === 'quote')?.value
    if (value !== undefined) return fillEvery(ground, value)
  }
  if (meant !== undefined) {
    const field = await fieldMeant(ground, clause.rest)
    if (!field) return notFound(ground, `a field for ${quoted(meant)}`)
    ground.memory.value = meant
    return place(ground, { kind: 'field', field, value: meant, uses: [] })
  }
  const special = (await fillInTurn(ground, clause)) ?? (await fillByEnds(ground, clause))
  if (special !== undefined) return special
  const ordinal = ordinalField(ground, clause.rest)
  const value = clause.rest.find(({ kind }) => kind !== 'word' && kind !== 'mark')
  if (ordinal && value) return place(ground, { kind: 'field', field: ordinal, value: value.value, uses: [] })
  const plainly = isPlainValue(clause.rest) ? await typeByPattern(ground, clause) : undefined
  if (plainly !== undefined) return plainly
  const used = new Set<number>()
  const { placed, failed } = await placeAll(ground, clause.rest, used, true)
  const left = valuesIn(clause.rest, used)
  if (placed > 0 && left.length === 0) return failed === 0
  if (placed === 0) {
    const direct = await typeByPattern(ground, clause)
    if (direct !== undefined) return direct
  }
  if (placed > 0 || left.length > 0) return deferOrRefuse(ground, clause, used)
  // "fill in the form" without values says nothing to put anywhere.
  await hands.look()
  return notFound(ground, `what to type where in ${quoted(clause.text)}`)
}

/** "the combination [2,9,16]": one number for each slider or number field, in order. */
async function fillInTurn(ground: PromptContext, clause: Clause): Promise<boolean | undefined> {
  const values = clause.rest.find(({ kind }) => kind === 'list')?.value.match(/-?\d+(?:\.\d+)?/g)
  if (!values) return undefined
  const all = fieldsOf(ground.hands.scene)
  const fields = [
    all.filter(({ kind }) => kind === 'slider'),
    all.filter(({ kind }) => kind === 'number' || kind === 'stepper'),
    all.filter(({ kind }) => kind === 'text'),
  ].find((list) => list.length === values.length)
  if (!fields) return notFound(ground, `${values.length} fields for ${quoted(values.join(', '))}`)
  let ok = true
  for (const [at, field] of fields.entries())
    ok = (await place(ground, { kind: 'field', field, value: values[at]!, uses: [] })) && ok
  return ok
}

/** "an item that starts with "Pa" and ends with "lau"": from the suggestions or the list of a field. */
async function fillByEnds(ground: PromptContext, clause: Clause): Promise<boolean | undefined> {
  const { hands } = ground
  const after = (pattern: RegExp) => {
    const at = clause.rest.findIndex(({ word, kind }) => kind === 'word' && pattern.test(word))
    return at < 0 ? undefined : clause.rest.slice(at + 1).find(({ kind }) => kind === 'quote')?.value
  }
  const [start, end] = [after(/^(starts?|begins?|starting|beginning)$/), after(/^(ends?|ending)$/)]
  if (start === undefined) return undefined
  const fits = (text: string) =>
    plain(text).startsWith(plain(start)) && (end === undefined || plain(text).endsWith(plain(end)))
  const field = textFields(ground)[0]
  if (!field) return notFound(ground, 'a field to type into')
  const before = new Set(hands.scene.things.filter(isShown).map(({ ref }) => ref))
  await hands.type(field.thing, start)
  const offer = () =>
    hands.scene.things.find(
      (thing) =>
        isShown(thing) &&
        !before.has(thing.ref) &&
        fits((thing.text ?? thing.name ?? '').trim()) &&
        labelOf(thing).length < 80,
    )
  await hands.until(() => offer() !== undefined, 2000)
  const found = offer()
  if (!found)
    return notFound(
      ground,
      `a suggestion that starts with ${quoted(start)}${end ? ` and ends with ${quoted(end)}` : ''}`,
    )
  await hands.press(found)
  const value = hands.again(field.thing)?.value ?? ''
  return tell(
    ground,
    fits(value),
    fits(value)
      ? `Took ${quoted(value)} from the suggestions.`
      : `Could not take ${quoted(labelOf(found))} from the suggestions.`,
  )
}

/** "type orb into Search", "type hello": words without quotes or capitals. */
async function typeByPattern(ground: PromptContext, clause: Clause): Promise<boolean | undefined> {
  const { hands } = ground
  const at = clause.rest.findLastIndex(({ word, kind }) => kind === 'word' && /^(into|in|to|on|under|as)$/.test(word))
  const value = textOf(at > 0 ? clause.rest.slice(0, at) : clause.rest, ground.prompt)
  if (!value) return undefined
  const only = (thing: SceneThing) => fieldsOf(hands.scene).some((field) => field.thing.ref === thing.ref)
  const found = at > 0 ? await findTarget(ground, clause.rest.slice(at + 1), { only, seek: false }) : undefined
  const focused = hands.scene.focus >= 0 ? hands.scene.things[hands.scene.focus] : undefined
  const fields = textFields(ground)
  const thing = found?.thing ?? (at < 0 ? (focused ?? (fields.length === 1 ? fields[0]!.thing : undefined)) : undefined)
  const field = thing && fieldsOf(hands.scene).find((one) => one.thing.ref === thing.ref)
  return field ? place(ground, { kind: 'field', field, value, uses: [] }) : undefined
}

async function fillEvery(ground: PromptContext, value: string): Promise<boolean> {
  const fields = textFields(ground)
  if (fields.length === 0) return notFound(ground, 'a field to type into')
  let ok = true
  for (const field of fields) ok = (await place(ground, { kind: 'field', field, value, uses: [] })) && ok
  return ok
}

function ordinalField(ground: PromptContext, tokens: readonly Token[]): FormField | undefined {
  const at = tokens.findIndex(
    ({ word, kind }) => kind === 'word' && ordinalOf(word) !== undefined && !/^(top|bottom)$/.test(word),
  )
  if (at < 0 || !tokens.slice(at + 1, at + 4).some(({ word }) => /^(text|input|field|box|textbox|textarea)/.test(word)))
    return undefined
  const number = ordinalOf(tokens[at]!.word)!
  const areas = tokens.slice(at).some(({ word }) => /area/.test(word))
  const fields = textFields(ground).filter(({ thing }) => !areas || thing.tag === 'textarea')
  return number < 0 ? fields.at(number) : fields[number - 1]
}

/** The field that some words name, or the only one there is. */
export async function fieldMeant(ground: PromptContext, tokens: readonly Token[]): Promise<FormField | undefined> {
  const ordinal = ordinalField(ground, tokens)
  if (ordinal) return ordinal
  const at = tokens.findLastIndex(({ word, kind }) => kind === 'word' && /^(into|in|to|as|under)$/.test(word))
  const fields = fieldsOf(ground.hands.scene).filter(({ thing }) => !thing.readonly)
  const words = textOf(
    at >= 0 ? tokens.slice(at + 1).filter(({ word }) => !/^(the|field|box|input|textbox|text|a|an)$/.test(word)) : [],
    ground.prompt,
  )
  if (words) {
    const ranked = fields
      .map((field) => ({ field, score: Math.max(...field.labels.map((label) => likeness(words, label).score), 0) }))
      .sort((a, b) => b.score - a.score)
    if (ranked[0] && ranked[0].score > 0.7) return ranked[0].field
  }
  const empty = fields.filter(({ kind, thing }) => /^(text|search|number|password|email)$/.test(kind) && !thing.value)
  return empty.length === 1
    ? empty[0]
    : fields.filter(({ kind }) => /^(text|search|number)$/.test(kind)).length === 1
      ? fields.find(({ kind }) => /^(text|search|number)$/.test(kind))
      : (empty.find(({ thing }) => thing.tag !== 'textarea') ?? empty[0])
}

/** What could not be placed yet may have its place on a later page of the form. */
export function deferOrRefuse(ground: PromptContext, clause: Clause, used: ReadonlySet<number>): boolean {
  const left = valuesIn(clause.rest, used).map((value) =>
    quoted(
      textOf(
        value.map((at) => clause.rest[at]!),
        ground.prompt,
      ),
    ),
  )
  return notFound(ground, `a place for ${left.join(', ') || quoted(clause.text)}`)
}

export async function actChoose(ground: PromptContext, clause: Clause): Promise<boolean> {
  const { hands } = ground
  const path = menuPath(clause)
  if (path && path.length > 1) return pressPath(ground, path)
  if (clause.rest.length === 1 && /^(nothing|none)$/.test(clause.rest[0]!.word))
    return tell(ground, true, 'Chose nothing, as asked.')
  const extreme = extremeOf(hands.scene, clause.rest)
  if (extreme) return pressThing(ground, extreme)
  if (await pressCell(ground, clause, new Set())) return true
  const similar = await chooseSimilar(ground, clause)
  if (similar !== undefined) return similar
  const looks = looksIn(clause.rest.filter(({ kind }) => kind === 'word').map(({ word }) => word))
  const used = new Set<number>()
  const { placed, failed } = await placeAll(ground, clause.rest, used, true)
  if (placed > 0 && failed === 0 && valuesIn(clause.rest, used).length === 0) return true
  if (placed === 0 && looks) {
    const seen = sighted(hands.scene, looks)
    if (seen.length > 0)
      return pressSeen(
        ground,
        clause,
        seen.map(({ thing }) => thing),
      )
  }
  const rest = clause.rest.filter((_, at) => !used.has(at))
  const lists = listed(rest)
  if (placed === 0 || lists.length > 0) {
    let ok = placed > 0 || lists.length > 0
    for (const part of lists) ok = (await chooseOne(ground, clause, part)) && ok
    if (lists.length > 0) return ok
  }
  return failed === 0 && valuesIn(clause.rest, used).length === 0 && placed > 0
    ? true
    : deferOrRefuse(ground, clause, used)
}

async function pressSeen(ground: PromptContext, clause: Clause, things: readonly SceneThing[]): Promise<boolean> {
  const all = clause.rest.some(({ word }) => /^(all|every|each|both)$/.test(word))
  for (const thing of all ? things : things.slice(0, 1)) await ground.hands.press(thing)
  return tell(ground, true, `Chose ${all ? things.length : 1} by their looks.`)
}

/** The cell of a grid whose row and column both stand in the clause. */
export async function pressCell(ground: PromptContext, clause: Clause, used: Set<number>): Promise<boolean> {
  const cell = cellNamed(ground.hands.scene, clause.text)
  if (!cell) return false
  const pressable = [cell.thing, ...inside(ground.hands.scene, cell.thing)].find(
    ({ does, disabled }) => does && !disabled,
  )
  if (!pressable) return false
  for (const [at, { word }] of clause.all.entries())
    if (keyWords(word).some((one) => keyWords(`${cell.row} ${cell.column}`).includes(one))) used.add(at)
  await ground.hands.press(pressable)
  return tell(ground, true, `Chose ${quoted(`${cell.column}, ${cell.row}`)} in the table.`)
}

/** "A, B and C from the list" → three parts, each with the words that go for all. */
function listed(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]]
  for (const token of tokens)
    if (token.word === ',' || token.word === 'and' || token.word === '&') parts.push([])
    else if (token.kind !== 'mark' || parts.at(-1)!.length > 0) parts.at(-1)!.push(token)
  return parts.filter((part) =>
    part.some(({ kind, word }) => kind !== 'mark' && !/^(the|a|an|from|with|list|under|in|on|as|to|of)$/.test(word)),
  )
}

async function chooseOne(ground: PromptContext, clause: Clause, tokens: readonly Token[]): Promise<boolean> {
  const number = tokens.find(({ kind, word }) => kind === 'number' || numberOf(word) !== undefined)
  const named = tokens.some(({ word }) => /^(slider|spinner|stepper|scale)$/.test(word))
  const dials = fieldsOf(ground.hands.scene).filter(({ kind }) => /^(slider|stepper|number)$/.test(kind))
  if (number && (named || dials.length === 1) && dials[0])
    return place(ground, { kind: 'field', field: dials[0], value: number.value, uses: [] })
  const found = await findTarget(ground, tokens, { where: clause.where })
  if (found)
    return /^(checkbox|radio|switch)$/.test(found.thing.role ?? '')
      ? place(ground, {
          kind: 'choice',
          choice: {
            text: labelOf(found.thing),
            thing: found.thing,
            kind: 'check',
            group: '',
            on: false,
            hidden: false,
          },
          on: true,
          uses: [],
        })
      : pressThing(ground, found.thing)
  return notFound(ground, quoted(textOf(tokens, ground.prompt)))
}

/** "words similar to x, y": the choice that is nearest in meaning to each. */
async function chooseSimilar(ground: PromptContext, clause: Clause): Promise<boolean | undefined> {
  const at = clause.rest.findIndex(({ word }) => /^(similar|synonyms?|close|related)$/.test(word))
  const { near } = ground.hands
  if (at < 0 || !near) return undefined
  const wanted = clause.rest
    .slice(at + 1)
    .filter(({ word, kind }) => kind !== 'mark' && !/^(to|of|for|and|in|meaning)$/.test(word))
    .flatMap(({ value }) => value.split(/\s*,\s*|\s+and\s+/))
  const choices = choicesOf(ground.hands.scene).filter(({ hidden }) => !hidden)
  let ok = true
  const taken = new Set<FieldChoice>()
  for (const word of wanted) {
    const ranked = choices
      .map((choice) => ({
        choice,
        like: Math.max(near(plain(word), plain(choice.text)), likeness(word, choice.text).score),
      }))
      .sort((a, b) => b.like - a.like)
    const best = ranked[0]
    if (!best || best.like < 0.45 || taken.has(best.choice)) {
      ok = notFound(ground, `a word like ${quoted(word)}`)
      continue
    }
    taken.add(best.choice)
    ok = (await place(ground, { kind: 'choice', choice: best.choice, on: true, uses: [] })) && ok
  }
  return ok
}

export async function actCheck(ground: PromptContext, clause: Clause, on: boolean): Promise<boolean> {
  const { hands } = ground
  const tokens = clause.rest.filter(({ word }) => !/^(on|off)$/.test(word))
  const boxes = () =>
    choicesOf(hands.scene).filter(({ kind, hidden }) => (kind === 'check' || kind === 'radio') && !hidden)
  if (tokens.some(({ word }) => /^(all|every|each|both|everything)$/.test(word)) && boxes().length > 0) {
    for (const { thing } of boxes()) await hands.check(hands.again(thing) ?? thing, on)
    return tell(
      ground,
      boxes().every((box) => box.on === on),
      `${on ? 'Ticked' : 'Unticked'} all ${boxes().length} boxes.`,
    )
  }
  let ok = true
  for (const part of listed(tokens)) {
    const words = textOf(
      part.filter(({ word }) => !/^(the|box|checkbox|switch|option|toggle|radio|button)$/.test(word)),
      ground.prompt,
    )
    const ordinal = part.find(({ word }) => ordinalOf(word) !== undefined)
    const list = boxes()
    const kind = part.some(({ word }) => word === 'radio')
      ? list.filter((box) => box.kind === 'radio')
      : part.some(({ word }) => /^check/.test(word))
        ? list.filter((box) => box.kind === 'check')
        : list
    const nth = ordinal && (ordinalOf(ordinal.word)! < 0 ? kind.at(-1) : kind[ordinalOf(ordinal.word)! - 1])
    const text = nth
      ? undefined
      : bestOption(
          list.map((box) => box.text),
          words,
        )
    const box =
      nth ||
      list.find((one) => one.text === text) ||
      list.find(({ thing }) => labelScore(words, thing, hands.near) > 0.7)
    if (box) ok = (await place(ground, { kind: 'choice', choice: { ...box, kind: 'check' }, on, uses: [] })) && ok
    else {
      const found = await findTarget(ground, part, { where: clause.where })
      ok = (found ? await toggle(ground, found.thing, on) : notFound(ground, `a box or switch ${quoted(words)}`)) && ok
    }
  }
  return ok
}

async function toggle(ground: PromptContext, thing: SceneThing, on: boolean): Promise<boolean> {
  const done = await ground.hands.check(thing, on)
  return tell(
    ground,
    done,
    done
      ? `Switched ${nameOf(thing)} ${on ? 'on' : 'off'}.`
      : `Could not switch ${nameOf(thing)} ${on ? 'on' : 'off'}.`,
  )
}
