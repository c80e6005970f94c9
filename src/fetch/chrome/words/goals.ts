// Requests that name an aim instead of steps: "Archive the mail from Ada", "Book Monday at 9:00 for Ada", "Show flats in
// Ghent". The page tells the steps: which button has that name, in which row; which fields take the values; what to press.
import { placeAll, pressCell } from './acts-fill.ts'
import { keyOf, pressKey, pressThing, unitOf } from './acts-press.ts'
import { fieldsOf } from './choices.ts'
import type { Clause } from './clauses.ts'
import { findTarget, nameOf, notFound, type PromptContext, quoted, tell } from './context.ts'
import { complaints } from './effects.ts'
import { amountFields, setField } from './filling.ts'
import { isFaint, isSynonym, keyWords, plain, stem } from './likeness.ts'
import { contains } from './reading.ts'
import { above, isShown, labelOf, type Scene, type SceneThing, wordsIn } from './scene.ts'
import { seekByScroll, seekInFolds, seekOnPages } from './seeking.ts'
import { valuesIn } from './slots.ts'
import { kindOf, placeOf, scopeWords } from './targets.ts'
import { numberOf, type Token, textOf } from './tokens.ts'

const PROGRESS = /^(next|continue|proceed|weiter|forward|›|»|go on|next step)\b/i
const SUBMITS =
  /\b(submit|send|save|ok|okay|go|search|apply|confirm|continue|next|done|finish|create|book|request|order|sign|log|login|register|subscribe|add|show|find|update|post|publish|track|pay|checkout|start|enter|join)\b/i
const NEVER = /^(cancel|reset|back|previous|prev|undo|close|clear|delete|remove|×|x)\b/i

/** "finish all steps", "correct any errors", "submit": words about the form as a whole. */
export const isFinishing = (clause: Clause): boolean =>
  clause.act === 'goal' &&
  /^(finish|complete|continue|correct|proceed|submit|end)\b/.test(clause.verb) &&
  clause.rest.every(({ kind, word }) => kind !== 'quote' && !/\d/.test(word))

/** A clause that only puts values somewhere, so that something else must send them. */
const onlyFills = (clause: Clause): boolean =>
  clause.when !== undefined || /^(type|paste|choose|check|uncheck|set|consent)$/.test(clause.act) || isFinishing(clause)

export async function actGoal(ground: PromptContext, clause: Clause): Promise<boolean> {
  const key = clause.all.some(({ kind }) => kind === 'key') ? keyOf(clause.all) : undefined
  if (key) return pressKey(ground, key)
  if (isFinishing(clause)) {
    const button = actionButton(ground, clause)
    if (ground.wantsSubmit || !button) {
      ground.wantsSubmit = true
      return true
    }
    return pressThing(ground, button)
  }
  const bought = await putItems(ground, clause)
  if (bought !== undefined) return bought
  const extreme = await pressExtremeRow(ground, clause)
  if (extreme !== undefined) return extreme
  const row = await rowAct(ground, clause)
  if (row !== undefined) return row
  const opened = await openFound(ground, clause)
  return fillAndSend(ground, clause, opened)
}

const LEAST = /\b(cheapest|lowest|least expensive|shortest|smallest|earliest|nearest|fewest)\b/i
const MOST = /\b(most expensive|highest|longest|largest|biggest|latest|best|greatest)\b/i

/** "the cheapest flight": of rows with the same button, the one with the least or most of it. */
export async function pressExtremeRow(ground: PromptContext, clause: Clause): Promise<boolean | undefined> {
  const { hands } = ground
  const way = LEAST.test(clause.text) ? -1 : MOST.test(clause.text) ? 1 : 0
  const label = way === 0 ? undefined : rowLabel(hands.scene, clause)
  if (!label) return undefined
  const same = buttonsOf(hands.scene).filter((button) => plain(labelOf(button)).trim() === plain(label).trim())
  const measure = /short|long/i.test(clause.text)
    ? /(?:(\d+) ?h(?:ours?)?)? ?(?:(\d+) ?m)?/
    : /[$€£] ?(\d[\d.,]*)|(\d[\d.,]*) ?(?:€|kr|eur|usd)/i
  const rows = same.map((button) => {
    const words = wordsIn(hands.scene, unitOf(hands.scene, button, same), 1500)
    const found = [...words.matchAll(new RegExp(measure.source, 'gi'))].find(([text]) => /\d/.test(text))
    const hours = /short|long/i.test(clause.text)
    const value = !found
      ? undefined
      : hours
        ? Number(found[1] ?? 0) * 60 + Number(found[2] ?? 0)
        : numberOf(found[1] ?? found[2] ?? '')
    return { button, value, words }
  })
  if (rows.length < 2 || rows.some(({ value }) => value === undefined)) return undefined
  const best = rows.sort((a, b) => way * (b.value! - a.value!))[0]!
  return pressThing(ground, best.button)
}

/** Deeds on a thing that is there: without a control of that name they cannot be done, whatever fields there are. */
const DEEDS = new Set(
  'delete remove archive star like unlike reply forward share retweet report block follow unfollow download print rename edit cancel merge split translate export import duplicate mute pin close play pause rate vote upvote'.split(
    ' ',
  ),
)

async function fillAndSend(ground: PromptContext, clause: Clause, opened: boolean): Promise<boolean> {
  const { hands } = ground
  const hasControl = () => buttonsOf(hands.scene).some((button) => nameFits(clause, button) >= 0.8)
  if (!opened && !hasControl() && DEEDS.has(clause.verb)) {
    const found = await findTarget(ground, clause.all, { where: clause.where, seek: false })
    const isIt =
      found &&
      keyWords(labelOf(found.thing)).some((word) => stem(word) === stem(clause.verb) || isSynonym(word, clause.verb))
    return isIt ? pressThing(ground, found.thing) : notFound(ground, `a control for ${quoted(clause.text)}`)
  }
  const used = new Set<number>([0])
  const begun = ground.steps.length
  if (await pressCell(ground, clause, used)) await hands.look()
  let total = 0
  for (let round = 0; round < 10; round++) {
    // Without a button of that name, a value goes only where a label or an option says so.
    const { placed } = await placeAll(ground, clause.all, used, opened || hasControl() || total > 0 || 'typed')
    total += placed
    if (placed > 0 && !hasControl()) total += (await placeAll(ground, clause.all, used, true)).placed
    const left = valuesIn(clause.all, used)
    if (left.length === 0) break
    if (total === 0 && round === 0 && !hasFields(hands.scene)) break
    const next = progressButton(ground)
    const fits = (scene: Scene) => scene.things.length > 0 && hasFields(scene)
    if (!next || !(await hands.pressOn(next))) break
    tell(ground, true, `Pressed ${nameOf(next)}.`)
    await hands.until(fits, 1500)
  }
  const left = valuesIn(clause.all, used).filter((value) => !isPartOfButton(ground, clause, value))
  if (total === 0 && ground.steps.length === begun) return pressNamed(ground, clause)
  if (left.length > 0)
    return notFound(
      ground,
      `a place for ${left
        .map((value) =>
          quoted(
            textOf(
              value.map((at) => clause.all[at]!),
              ground.prompt,
            ),
          ),
        )
        .join(', ')}`,
    )
  const lost = lostWords(ground, clause, used)
  if (lost.length > 0) return notFound(ground, `a place for ${lost.map(quoted).join(' or ')}`)
  const later = ground.clauses.slice(ground.at + 1)
  const button = actionButton(ground, clause)
  const strong = button !== undefined && nameFits(clause, button) >= 0.9
  if (later.some((one) => !onlyFills(one)))
    return strong && !later.some((one) => nameFits(one, button) >= 0.9) ? pressThing(ground, button) : true
  ground.wantsSubmit = true
  return true
}

const hasFields = (scene: Scene): boolean => fieldsOf(scene).some(({ kind }) => kind !== 'search')

/**
 * Words that describe what is wanted and that neither the page nor a field took, while a field is still empty: "comedy"
 * in a form with Genre. Sending the form without them would not be what was asked for.
 */
function lostWords(ground: PromptContext, clause: Clause, used: ReadonlySet<number>): string[] {
  const { scene } = ground.hands
  const empty = fieldsOf(scene).filter(({ kind, thing }) => kind === 'text' && !thing.value && !thing.readonly)
  const seen = new Set(keyWords(wordsIn(scene, scene.things[0]!, 20_000)).map(stem))
  if (empty.length === 0 || clause.act !== 'search') return []
  return clause.all
    .filter(
      ({ kind, word }, at) =>
        at > 0 &&
        kind === 'word' &&
        !used.has(at) &&
        !isFaint(word) &&
        !seen.has(stem(word)) &&
        !/^(for|with|using)$/.test(word),
    )
    .map(({ word }) => word)
}

/** Capital letters of a button's own name ask for no place. */
const isPartOfButton = (ground: PromptContext, clause: Clause, value: readonly number[]): boolean => {
  const button = actionButton(ground, clause)
  return button !== undefined && contains(labelOf(button), value.map((at) => clause.all[at]!.value).join(' '))
}

/** "Find the mail by Ada and reply to it": the button is on the thing's own page, which is opened first. */
async function openFound(ground: PromptContext, clause: Clause): Promise<boolean> {
  const { hands, memory } = ground
  const fits = () => buttonsOf(hands.scene).find((button) => nameFits(clause, button) >= 0.8)
  if (!memory.scope || ground.at === 0) return false
  if (!fits()) {
    const thing = (memory.thing && hands.again(memory.thing)) ?? hands.scene.things[placeOf(hands.scene, memory.scope)]
    if (!thing) return false
    const row = thing.does ? thing : ([...above(hands.scene, thing)].find(({ does }) => does) ?? thing)
    if (await hands.pressOn(row, 600)) tell(ground, true, `Opened ${nameOf(row)}.`)
  }
  const button = fits()
  // What asks for words first shows where they go.
  const asks = button && valuesIn(clause.all, new Set([0])).length > 0 && !hasFields(hands.scene)
  return asks && (await hands.pressOn(button, 600)) ? tell(ground, true, `Pressed ${nameOf(button)}.`) : false
}

/** A button that the whole clause names, without any values: "save the changes", "track it", "check out". */
async function pressNamed(ground: PromptContext, clause: Clause): Promise<boolean> {
  const button = actionButton(ground, clause)
  if (button && nameFits(clause, button) >= 0.8) return pressThing(ground, button)
  const found =
    (await findTarget(ground, clause.all, { where: clause.where, seek: false })) ??
    (await findTarget(ground, clause.rest, { where: clause.where, seek: false }))
  if (found?.thing.does && found.thing.role !== 'textbox') return pressThing(ground, found.thing)
  return notFound(ground, quoted(clause.text))
}

const buttonsOf = (scene: Scene): SceneThing[] =>
  scene.things.filter(
    (thing) =>
      isShown(thing) &&
      !thing.disabled &&
      thing.does &&
      /^(button|link|clickable|tab|menuitem|summary)$/.test(kindOf(thing)) &&
      labelOf(thing) !== '',
  )

/** How far a button's name says what a clause asks for: all its words in the clause, its verb first. */
export function nameFits(clause: Clause, button: SceneThing): number {
  const label = keyWords(labelOf(button)).filter((word) => !isFaint(word))
  if (label.length === 0) return 0
  const words = keyWords(clause.text)
  const verb = keyWords(clause.verb)[0] ?? ''
  const exact = label.filter((word) => words.some((other) => stem(other) === stem(word))).length
  const leads = stem(label[0]!) === stem(verb)
  if (exact === label.length && leads) return kindOf(button) === 'link' ? 0.92 : 1
  const close = label.filter(
    (word) => words.some((other) => stem(other) === stem(word)) || isSynonym(word, verb),
  ).length
  if (close === label.length && (leads || isSynonym(label[0]!, verb))) return kindOf(button) === 'link' ? 0.85 : 0.92
  if (exact === label.length && label.length > 1) return 0.84
  if (leads || isSynonym(label[0]!, verb))
    return (0.5 + 0.3 * (close / label.length)) * (kindOf(button) === 'link' ? 0.8 : 1)
  return 0
}

/** What to press for a clause: by its name, or what sends the form that was filled. */
export function actionButton(ground: PromptContext, clause: Clause | undefined): SceneThing | undefined {
  const { scene } = ground.hands
  const last = ground.last && ground.hands.again(ground.last)
  const holder =
    last &&
    above(scene, last).find(
      (one) =>
        one.role === 'form' ||
        one.role === 'dialog' ||
        buttonsOf(scene).some(
          (button) => isUnder(scene, button, one) && kindOf(button) !== 'link' && !NEVER.test(labelOf(button)),
        ),
    )
  const ranked = buttonsOf(scene)
    .map((button) => {
      const name = clause ? nameFits(clause, button) : 0
      const sends =
        holder &&
        isUnder(scene, button, holder) &&
        !NEVER.test(labelOf(button)) &&
        kindOf(button) !== 'link' &&
        button.at > last.at
      const send = sends ? 0.6 + (SUBMITS.test(labelOf(button)) ? 0.06 : 0) : 0
      return { button, score: Math.max(name, send) }
    })
    .filter(({ score }) => score >= 0.6)
    .sort((a, b) => b.score - a.score)
  return ranked[0]?.button
}

const isUnder = (scene: Scene, thing: SceneThing, outer: SceneThing): boolean => above(scene, thing).includes(outer)

export function progressButton(ground: PromptContext): SceneThing | undefined {
  const { scene } = ground.hands
  const buttons = buttonsOf(scene).filter((button) => kindOf(button) !== 'link' || PROGRESS.test(labelOf(button)))
  const last = ground.last && ground.hands.again(ground.last)
  const after = buttons.filter((button) => !last || button.at > last.at)
  return after.find((button) => PROGRESS.test(labelOf(button).trim()))
}

/** Sends the forms that were filled: presses, mends what the page complains about with words not used yet, and again. */
export async function finishForm(
  ground: PromptContext,
  clause: Clause | undefined,
  mend: () => Promise<number>,
): Promise<boolean> {
  const { hands } = ground
  for (let round = 0; round < 8; round++) {
    await mend()
    const button =
      (ground.pending && hands.again(ground.pending)) ?? actionButton(ground, clause) ?? progressButton(ground)
    if (!button || !isShown(button)) return notFound(ground, 'a button that sends the form')
    const before = hands.scene
    const changed = await hands.press(button)
    const wrong = complaints(before, hands.scene)
    const leads = PROGRESS.test(labelOf(button).trim())
    const mended = wrong.length > 0 || leads || !changed ? await mend() : 0
    if (wrong.length > 0 && mended === 0)
      return tell(ground, false, `Pressed ${nameOf(button)}, and the page says: ${wrong.slice(0, 3).join(' / ')}.`)
    tell(ground, true, `Pressed ${nameOf(button)}${changed ? '' : '; the page shows no change'}.`)
    ground.pending = undefined
    if (wrong.length === 0 && !leads) return true
    if (leads && mended === 0 && !hands.again(button) && !actionButton(ground, clause)) return true
  }
  return tell(ground, false, 'Could not get to the end of the form.')
}

/** "Archive the mail from Ada", "Like the post by Bo": a button that many rows have, in the one that is meant. */
async function rowAct(ground: PromptContext, clause: Clause): Promise<boolean | undefined> {
  const { hands } = ground
  const label = rowLabel(hands.scene, clause)
  if (!label) return undefined
  const said = keyWords(label)
  const about = clause.all.filter(
    ({ kind, word }, at) =>
      kind !== 'mark' && at > 0 && !keyWords(word).every((one) => said.some((other) => stem(one) === stem(other))),
  )
  const scope = scopeWords(about) || ground.memory.scope || ''
  const same = (scene: Scene) =>
    buttonsOf(scene).filter((button) => plain(labelOf(button)).trim() === plain(label).trim())
  const fitting = (scene: Scene) => {
    const list = same(scene)
    return list.find((button) => contains(wordsIn(scene, unitOf(scene, button, list), 3000), scope))
  }
  if (same(hands.scene).length < 2 && !(scope && fitting(hands.scene))) return undefined
  if (!scope) return undefined
  const isThere = (scene: Scene) => fitting(scene) !== undefined
  const there =
    isThere(hands.scene) ||
    (await seekOnPages(hands, isThere)) ||
    (await seekByScroll(hands, isThere)) ||
    (await seekInFolds(hands, isThere))
  const button = there ? fitting(hands.scene) : undefined
  if (!button) return notFound(ground, `${quoted(scope)} with a ${quoted(label)} button`)
  const done = await pressThing(ground, button)
  if (done)
    ground.steps.at(-1)!.text = ground.steps.at(-1)!.text.replace(/^Pressed (".*?")/, `Pressed $1 at ${quoted(scope)}`)
  return done
}

/** A name that several buttons share and that the clause says, its verb before its other words. */
function rowLabel(scene: Scene, clause: Clause): string | undefined {
  const verb = keyWords(clause.verb)[0] ?? ''
  const words = keyWords(textWithoutNames(clause))
  const names = new Map<string, number>()
  for (const button of buttonsOf(scene)) names.set(labelOf(button).trim(), (names.get(labelOf(button).trim()) ?? 0) + 1)
  const ranked = [...names]
    .filter(([, count]) => count > 1)
    .map(([name, count]) => {
      const label = keyWords(name).filter((word) => !isFaint(word))
      const byVerb = label.length > 0 && (stem(label[0]!) === stem(verb) ? 1 : isSynonym(label[0]!, verb) ? 0.9 : 0)
      const said = label.length > 0 && label.every((word) => words.some((other) => stem(other) === stem(word)))
      return { name, count, score: byVerb || (said ? 0.8 : 0) }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  return ranked[0]?.name
}

const textWithoutNames = (clause: Clause): string =>
  clause.all
    .filter(({ kind, capital }, at) => kind === 'word' && (at === 0 || !capital))
    .map(({ word }) => word)
    .join(' ')

interface Item {
  amount: number
  name: string
}

/** "3 × Desk lamp and one Oak stool in the cart": each from its own card, as often as asked. */
async function putItems(ground: PromptContext, clause: Clause): Promise<boolean | undefined> {
  const { hands } = ground
  if (!/^(put|add|buy|order|get|purchase|place)$/.test(clause.verb)) return undefined
  const label = cardLabel(hands.scene)
  if (!label) return undefined
  const items = itemsIn(clause.rest, ground.prompt)
  if (items.length === 0) return undefined
  for (const { amount, name } of items) {
    const cards = buttonsOf(hands.scene).filter((button) => labelOf(button).trim() === label)
    const button = cards.find((one) => contains(wordsIn(hands.scene, unitOf(hands.scene, one, cards), 2000), name))
    if (!button) return notFound(ground, `${quoted(name)} with a ${quoted(label)} button`)
    const unit = unitOf(hands.scene, button, cards)
    const [field] = amountFields(hands.scene, unit, fieldsOf(hands.scene))
    const set =
      field && field.thing.value !== String(amount) ? await setField(hands, field, String(amount)) : field !== undefined
    if (field && !set) return tell(ground, false, `Could not set the amount of ${quoted(name)} to ${amount}.`)
    // The button of a stepper has been pressed as often as it must be.
    const presses = field?.more?.ref === button.ref ? 0 : field ? 1 : amount
    for (let time = 0; time < presses; time++) await hands.press(hands.again(button) ?? button)
    tell(ground, true, `Pressed ${quoted(label)} for ${amount} × ${quoted(name)}.`)
  }
  return true
}

/** The name of the buttons that put a card's thing into the cart. */
function cardLabel(scene: Scene): string | undefined {
  const names = buttonsOf(scene).map((button) => labelOf(button).trim())
  return names.find((name, at) => names.indexOf(name) !== at && /\b(add|buy|order|cart|basket|bag)\b|^\+$/i.test(name))
}

function itemsIn(tokens: readonly Token[], prompt: string): Item[] {
  const items: Item[] = []
  let amount = 1
  let name: Token[] = []
  const end = () => {
    if (name.length > 0) items.push({ amount, name: textOf(name, prompt) })
    name = []
    amount = 1
  }
  for (const token of tokens) {
    if (token.kind !== 'quote' && /^(to|into|in)$/.test(token.word)) break
    if (token.word === 'and' || token.word === ',') end()
    else if (name.length === 0 && token.kind !== 'quote' && numberOf(token.word) !== undefined)
      amount = numberOf(token.word)!
    else if (token.kind === 'mark' || /^(of|×|x|the|pieces?|items?|copies)$/.test(token.word)) continue
    else name.push(token)
  }
  end()
  return items
}
