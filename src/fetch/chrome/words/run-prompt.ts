// A prompt in plain words, done on a page without a model: the words are split into clauses, each clause is matched
// against what the page shows, done and checked. The output tells what was done, and what could not be and why.
import type { Dialog, Download, Page } from 'playwright-core'
import { actCheck, actChoose, actType, placeAll } from './acts-fill.ts'
import {
  actAsk,
  actClose,
  actConsent,
  actCopy,
  actFind,
  actFold,
  actGo,
  actScroll,
  actSearch,
  actSolve,
  actSort,
} from './acts-more.ts'
import { actHover, actPress, keyOf, pressKey, pressThing } from './acts-press.ts'
import { fieldsOf } from './choices.ts'
import { type Clause, clausesOf } from './clauses.ts'
import { findTarget, nameOf, notFound, type PromptContext, type PromptReport, quoted, tell } from './context.ts'
import { actDrag, sortByDragging } from './dragging.ts'
import { eyesOf } from './eyes.ts'
import { actGoal, finishForm, pressExtremeRow } from './goals.ts'
import { keyWords, likeness, type Near, plain, stem } from './likeness.ts'
import { PageDriver, pause, Spent } from './page-driver.ts'
import { actPuzzle } from './puzzles.ts'
import { isShown, labelOf, type Scene } from './scene.ts'
import { snapshotText } from './snapshot-text.ts'
import { kindOf } from './targets.ts'
import { numberOf } from './tokens.ts'

export interface PromptOptions {
  maxSteps: number
  timeoutMs: number
  /** How near two words are in meaning, 0 to 1. */
  near?: Near
}

export interface PromptResult {
  /** Every part of the prompt was done, and the page showed no sign to the contrary. */
  done: boolean
  /** What was done, and what not, in sentences. */
  output: string
  steps: PromptReport[]
  /** The page afterwards, as text with refs. */
  snapshot: string
}

export async function runPrompt(
  page: Page,
  prompt: string,
  options: PromptOptions,
  signal: AbortSignal,
): Promise<PromptResult> {
  const hands = new PageDriver({
    eyes: eyesOf(page),
    near: options.near,
    prompt,
    ends: performance.now() + options.timeoutMs,
    maxActs: options.maxSteps,
    signal,
  })
  const stop = listen(page, hands)
  const ground: PromptContext = {
    hands,
    prompt,
    clauses: [],
    at: 0,
    steps: [],
    memory: {},
    filled: new Set(),
    wantsSubmit: false,
  }
  let done = false
  try {
    done = await runClauses(ground)
  } catch (error) {
    signal.throwIfAborted()
    if (page.isClosed()) throw error
    tell(ground, false, error instanceof Spent ? `Gave up: ${error.message}.` : `Could not go on: ${reason(error)}.`)
  } finally {
    stop()
  }
  const scene = await hands.eyes.look(signal).catch(() => hands.scene)
  return {
    done: done && ground.steps.every(({ ok }) => ok),
    output: outputOf(ground.steps),
    steps: ground.steps,
    snapshot: snapshotText(scene, true).text,
  }
}

const reason = (error: unknown): string =>
  (error as Error).message
    .split('\n', 1)[0]!
    .replace(/^[\w.]+: /, '')
    .slice(0, 200)

/** Dialogs of the browser are answered with yes: the caller asked for what they ask about. */
function listen(page: Page, hands: PageDriver): () => void {
  const onDialog = (dialog: Dialog) => {
    hands.news.push(`the page asked "${dialog.message().slice(0, 200)}" and was answered yes`)
    dialog.accept().catch(() => {})
  }
  const onDownload = (download: Download) =>
    hands.news.push(`the file "${download.suggestedFilename()}" was downloaded`)
  const onPopup = (popup: Page) => hands.news.push(`a new tab opened (${popup.url()})`)
  page.on('dialog', onDialog)
  page.on('download', onDownload)
  page.on('popup', onPopup)
  return () => {
    page.off('dialog', onDialog)
    page.off('download', onDownload)
    page.off('popup', onPopup)
  }
}

/** Words that the page's buttons begin with: "archive", "star", "book". */
function pageVerbs(scene: Scene): Set<string> {
  const verbs = new Set<string>()
  for (const thing of scene.things) {
    if (!thing.does || !/^(button|clickable|link|menuitem)$/.test(kindOf(thing))) continue
    const [first] = keyWords(labelOf(thing))
    if (first && /^\p{L}{2,}$/u.test(first)) verbs.add(stem(first))
  }
  return verbs
}

async function runClauses(ground: PromptContext): Promise<boolean> {
  const { hands } = ground
  const scene = await hands.look()
  ground.clauses = clausesOf(ground.prompt, pageVerbs(scene))
  if (ground.clauses.length === 0) return notFound(ground, 'anything to do in the prompt')
  const open: { clause: Clause; used: Set<number>; at: number }[] = []
  let goal: Clause | undefined
  for (const [at, clause] of ground.clauses.entries()) {
    ground.at = at
    const before = ground.steps.length
    await hands.look()
    const ok = await actOn(ground, clause)
    if (clause.act === 'goal' || ground.wantsSubmit) goal ??= clause
    if (ok) continue
    // A condition that the page does not meet is no failure; a value may have its place on a later page of the form.
    const mayCome =
      clause.when !== undefined ||
      (/^(choose|type|check|set|goal)$/.test(clause.act) && (ground.wantsSubmit || ground.pending !== undefined))
    if (!mayCome) return false
    const optional = clause.when !== undefined
    const failed = ground.steps.splice(before).filter((step) => step.ok)
    ground.steps.push(...failed)
    open.push({ clause, used: new Set(), at: optional ? -1 : ground.steps.length })
  }
  const mend = async () => {
    let placed = 0
    for (const one of open) {
      const result = await placeAll(ground, one.clause.all, one.used, true)
      if (result.placed > 0) one.at = -1
      placed += result.placed
    }
    if (goal) placed += (await placeAll(ground, goal.all, new Set([0]), false)).placed
    return placed
  }
  const sent =
    ground.wantsSubmit || ground.pending || open.some(({ at }) => at >= 0) ? await sendForm(ground, goal, mend) : true
  const row = sent && goal && ground.wantsSubmit ? await pressExtremeRow(ground, goal) : undefined
  if (row === false) return false
  const missed = open.filter(({ at }) => at >= 0)
  for (const { clause } of missed) notFound(ground, quoted(clause.text))
  return sent && missed.length === 0
}

async function sendForm(
  ground: PromptContext,
  goal: Clause | undefined,
  mend: () => Promise<number>,
): Promise<boolean> {
  // The complaint that is being mended is no longer the last word.
  const wrong = ground.pending ? ground.steps.findLastIndex(({ ok }) => !ok) : -1
  const sent = await finishForm(ground, goal, mend)
  if (sent && wrong >= 0) ground.steps[wrong]!.ok = true
  return sent
}

async function actOn(ground: PromptContext, clause: Clause): Promise<boolean> {
  const { hands } = ground
  if (!/^(press|type|goal|ask|find)$/.test(clause.act) && clause.all.length < 7) {
    const named = namedWhole(hands.scene, clause)
    if (named) return actPress(ground, { ...clause, act: 'press', rest: clause.all })
  }
  // "Follow Hiker 37" where every row has a Follow button.
  if (!/^(press|type|ask)$/.test(clause.act) && isRowVerb(hands.scene, clause))
    return actGoal(ground, { ...clause, act: 'goal' })
  const puzzle = await actPuzzle(ground, clause)
  if (puzzle !== undefined) return puzzle
  if (clause.act === 'goal' && /^(put|place|insert)$/.test(clause.verb) && isIntoField(ground, clause))
    return actType(ground, clause)
  switch (clause.act) {
    case 'press':
      return actPress(ground, clause)
    case 'open': {
      const at = clause.rest.findIndex(({ word }) => word === 'shortcut')
      const key = at < 0 ? undefined : keyOf(clause.rest.slice(at + 1))
      if (key) return pressKey(ground, key)
      return clause.all.some(({ kind }) => kind === 'key')
        ? pressKey(ground, keyOf(clause.all)!)
        : actPress(ground, clause)
    }
    case 'type':
    case 'paste':
    case 'set':
      return actType(ground, clause)
    case 'choose':
      return actChoose(ground, clause)
    case 'check':
      return actCheck(ground, clause, true)
    case 'uncheck':
      return actCheck(ground, clause, false)
    case 'drag':
      return (await actDrag(ground, clause)) && sendOrder(ground)
    case 'sort': {
      const byHand = await sortByDragging(ground, clause)
      return byHand === undefined ? actSort(ground, clause) : byHand && sendOrder(ground)
    }
    case 'copy':
      return actCopy(ground, clause)
    case 'find':
      return actFind(ground, clause)
    case 'search':
      return (await actSearch(ground, clause)) || (ground.steps.at(-1)?.ok !== false && actGoal(ground, clause))
    case 'scroll':
      return actScroll(ground, clause)
    case 'hover':
      return actHover(ground, clause)
    case 'expand':
      return actFold(ground, clause, true)
    case 'collapse':
      return actFold(ground, clause, false)
    case 'close':
      return actClose(ground, clause)
    case 'consent':
      return actConsent(ground, clause)
    case 'go':
      return actGo(ground, clause)
    case 'ask':
      return actAsk(ground, clause)
    case 'solve':
      return actSolve(ground)
    case 'focus':
    case 'highlight':
    case 'clear':
    case 'resize':
      return actOnField(ground, clause)
    case 'wait': {
      const seconds = clause.rest.map(({ word }) => numberOf(word)).find((number) => number !== undefined) ?? 1
      await pause(Math.min(seconds * (/milli/.test(clause.text) ? 1 : 1000), 30_000, Math.max(0, hands.timeLeft())))
      return tell(ground, true, `Waited ${seconds} ${/milli/.test(clause.text) ? 'milliseconds' : 'seconds'}.`)
    }
    case 'upload':
      return tell(
        ground,
        false,
        'Could not upload anything: a prompt has no files to give. Use code with `page.setInputFiles`.',
      )
    default:
      return actGoal(ground, clause)
  }
}

/** A list put in order counts only once it is sent, where the page's one button is there to send it. */
async function sendOrder(ground: PromptContext): Promise<boolean> {
  if (ground.at < ground.clauses.length - 1) return true
  const buttons = ground.hands.scene.things.filter((thing) => isShown(thing) && thing.role === 'button')
  return buttons.length === 1 && /^(submit|done|finish)$/i.test(labelOf(buttons[0]!).trim())
    ? pressThing(ground, buttons[0]!)
    : true
}

/** A button whose name is the whole clause: "change card", "search", "copy link". */
const namedWhole = (scene: Scene, clause: Clause): boolean =>
  scene.things.some(
    (thing) =>
      thing.does &&
      /^(button|link|clickable|menuitem|tab)$/.test(kindOf(thing)) &&
      !thing.disabled &&
      likeness(clause.text, labelOf(thing)).score >= 0.98,
  )

const isRowVerb = (scene: Scene, { verb, rest }: Clause): boolean =>
  rest.length > 0 &&
  scene.things.filter((thing) => isShown(thing) && thing.does && plain(labelOf(thing)).trim() === verb).length > 1

/** "put it into Reference": a text that is known, and a field. */
function isIntoField(ground: PromptContext, { rest }: Clause): boolean {
  const at = rest.findIndex(({ word, kind }) => kind === 'word' && /^(into|in)$/.test(word))
  if (at < 1) return false
  const known = rest
    .slice(0, at)
    .every(
      ({ word, kind }) =>
        kind === 'quote' ||
        kind === 'email' ||
        (/^(it|that|this|the|text|value)$/.test(word) && ground.memory.value !== undefined),
    )
  return known && fieldsOf(ground.hands.scene).length > 0
}

/** Acts on a field or a text itself: the focus, a mark over its words, its emptying, its size. */
async function actOnField(ground: PromptContext, clause: Clause): Promise<boolean> {
  const { hands } = ground
  const texts = hands.scene.things.filter(
    (thing) =>
      isShown(thing) &&
      (clause.act === 'highlight'
        ? thing.role === 'paragraph' || thing.tag === 'textarea' || (thing.text?.length ?? 0) > 30
        : fieldsOf(hands.scene).some((field) => field.thing.ref === thing.ref)),
  )
  const found = await findTarget(ground, clause.rest, { seek: false, only: (thing) => texts.includes(thing) })
  const ordinal = clause.rest.map(({ word }) => /^(\d+)(st|nd|rd|th)$/.exec(word)?.[1]).find(Boolean)
  const usable = texts.filter((thing) => !hands.prompt.includes(thing.text ?? '\n'))
  const thing = found?.thing ?? (ordinal ? usable[Number(ordinal) - 1] : usable[0])
  if (!thing) return notFound(ground, quoted(clause.text))
  const handle = await hands.handle(thing)
  if (clause.act === 'highlight') {
    await handle.selectText({ timeout: 1500 })
    return tell(ground, true, `Marked the text ${nameOf(thing)}.`)
  }
  if (clause.act === 'clear') {
    const done = await hands.fill(thing, '')
    return tell(ground, done, done ? `Emptied ${nameOf(thing)}.` : `Could not empty ${nameOf(thing)}.`)
  }
  if (clause.act === 'resize') return resize(ground, clause, thing)
  await handle.focus()
  await hands.look()
  const has = hands.scene.things[hands.scene.focus]?.ref === thing.ref
  return tell(ground, has, has ? `The focus is on ${nameOf(thing)}.` : `Could not focus ${nameOf(thing)}.`)
}

async function resize(
  ground: PromptContext,
  clause: Clause,
  thing: Parameters<PageDriver['middle']>[0],
): Promise<boolean> {
  const { hands } = ground
  const { x, y, width, height } = await hands.middle(thing)
  const sign = /\b(small|less|narrow|short)/.test(clause.text) ? -1 : 1
  const [wide, tall] = [!/height|tall/.test(clause.text), !/width|wide/.test(clause.text)]
  const corner = { x: x + width / 2 - 4, y: y + height / 2 - 4 }
  await hands.drag(corner, { x: corner.x + (wide ? sign * 40 : 0), y: corner.y + (tall ? sign * 30 : 0) })
  const now = await hands.middle(thing)
  const done = now.width !== width || now.height !== height
  return tell(
    ground,
    done,
    done
      ? `Resized ${nameOf(thing)} to ${Math.round(now.width)} × ${Math.round(now.height)}.`
      : `Could not resize ${nameOf(thing)}.`,
  )
}

function outputOf(steps: readonly PromptReport[]): string {
  if (steps.length === 0) return 'There was nothing to do.'
  return steps.map(({ text }) => text).join('\n')
}
