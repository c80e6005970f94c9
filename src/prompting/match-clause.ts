// Finds what a clause means on a page: the button to press, the row it is in, and what to set before. Pure.

import { type Button, controlsOf, openDialog, unitOf } from '../driving/controls.ts'
import { isFaint, keyWords, wordMatch, wordsOf } from '../driving/label-words.ts'
import type { ControlSetting } from '../driving/set-control.ts'
import { type DomSnapshot, isShown, type SnapshotElement, textIn } from '../fetch/chrome/snapshot/snapshot.ts'
import type { Clause } from './clauses.ts'
import { explain, type Reading, type Scope } from './explain.ts'
import { joined, type Token } from './tokens.ts'

export interface Grounding {
  /** What to set, in order, before the button is pressed. */
  settings: ControlSetting[]
  button?: Button
  cost: number
  unexplained: Token[]
  /** Labels or rows that the words mean equally well. */
  ambiguous: string[]
}

export const isUnderstood = ({ unexplained, ambiguous }: Grounding): boolean =>
  unexplained.length === 0 && ambiguous.length === 0

interface MatchOptions {
  prompt: string
  /** Words of what an earlier clause found, for "open it". */
  context?: readonly Token[]
  /** Looks for settings only. */
  settingsOnly?: boolean
}

const MAX_CANDIDATES = 60
/** Verbs that a filter or a list satisfies where no button of that name is. */
const SHOWS = /^(show|filter|display|narrow|limit)$/

/** One grounding for each thing that the clause names; "save A and B" has two. */
export function matchClause(snapshot: DomSnapshot, clause: Clause, options: MatchOptions): Grounding[] {
  const one = matchOne(snapshot, clause, clause.all, clause.rest, options)
  if (isUnderstood(one)) return [one]
  return distributed(snapshot, clause, options) ?? [one]
}

function matchOne(
  snapshot: DomSnapshot,
  clause: Clause,
  all: readonly Token[],
  rest: readonly Token[],
  options: MatchOptions,
): Grounding {
  const isGoal = clause.kind === 'goal'
  const verbs = all.length - rest.length
  const isShow = isGoal && SHOWS.test(clause.verb)
  const tokens = isGoal ? all : rest
  const extra = options.context ?? []
  const found: Grounding[] = []
  if (clause.kind !== 'press' && clause.kind !== 'open' && clause.kind !== 'hover')
    found.push(settingsOnly(snapshot, clause, tokens, isGoal ? verbs : 0, options))
  if (options.settingsOnly) return found[0]!
  const isChoosing = clause.kind === 'set' || clause.kind === 'on' || clause.kind === 'off'
  const settled = isChoosing && found[0] && isUnderstood(found[0]) && found[0].settings.length > 0
  if (!settled) {
    found.push(...withButton(snapshot, clause, [...tokens, ...extra], isGoal ? verbs : 0, options))
    // A label may begin with the verb: "Change card", "Keep me signed in".
    if (!isGoal)
      found.push(
        ...withButton(snapshot, clause, [...all, ...extra], verbs, options).map((one) => ({
          ...one,
          cost: one.cost + 0.1,
        })),
      )
  }
  if (isChoosing || isGoal) {
    const whole = settingsOnly(snapshot, clause, all, verbs, options)
    if (whole.settings.length > 0) found.push({ ...whole, cost: whole.cost + 0.1 })
    if (isShow) found.push(settingsOnly(snapshot, clause, rest, 0, options))
  }
  // "Under Notifications, turn on Sounds": the button only says where.
  for (const one of isChoosing ? found : []) if (one.settings.length > 0) delete one.button
  const usable = found.filter(({ settings, button }) => settings.length > 0 || button)
  const list = usable.length > 0 ? usable : found
  const least = (one: Grounding) => one.unexplained.length * 10 + one.cost + (one.ambiguous.length > 0 ? 3 : 0)
  const best = list.reduce<Grounding | undefined>((a, b) => (a === undefined || least(b) < least(a) ? b : a), undefined)
  return best ?? { settings: [], cost: 99, unexplained: [...tokens], ambiguous: [] }
}

const scopeOf = (snapshot: DomSnapshot, clause: Clause, verbs: number, { prompt }: MatchOptions): Scope => ({
  snapshot,
  controls: controlsOf(snapshot),
  prompt,
  verbs,
  lists: SHOWS.test(clause.verb),
  signsIn: /^(sign|log) in$/.test(clause.verb),
})

function settingsOnly(
  snapshot: DomSnapshot,
  clause: Clause,
  tokens: readonly Token[],
  verbs: number,
  options: MatchOptions,
): Grounding {
  const reading = explain(tokens, scopeOf(snapshot, clause, verbs, options))
  const { settings, unexplained, ambiguous, cost } = reading
  const isNothing = settings.length === 0 && unexplained.length === 0
  return { settings, unexplained: isNothing ? strong(tokens) : unexplained, ambiguous, cost }
}

const strong = (tokens: readonly Token[]): Token[] =>
  tokens.filter(({ kind, word }) => kind !== 'mark' && !(kind === 'word' && isFaint(word)))

/** The reading with the button that leaves the least unexplained; several that do equally well are ambiguous. */
function withButton(
  snapshot: DomSnapshot,
  clause: Clause,
  tokens: readonly Token[],
  verbs: number,
  options: MatchOptions,
): Grounding[] {
  const words = wordsOf(joined(tokens))
  const strongOnes = words.filter((word) => !isFaint(word))
  const { buttons } = controlsOf(snapshot)
  const named = buttons.filter(({ label }) =>
    keyWords(label).some((other) => strongOnes.some((word) => wordMatch(word, other) > 0)),
  )
  const candidates = inNamedRows(snapshot, named, buttons, strongOnes)
  const scope = scopeOf(snapshot, clause, verbs, options)
  const readings = candidates.map((button) => {
    const unit = unitOf(snapshot, button, buttons)
    const reading = explain(tokens, { ...scope, button, unit })
    return {
      button,
      reading,
      cost: reading.cost + labelCost(button, strongOnes, tokens) + placeCost(snapshot, button.element),
    }
  })
  const least = Math.min(...readings.map(({ cost }) => cost))
  const best = readings.filter(({ cost }) => cost < least + 0.05)
  if (best.length === 0) return []
  return [chosenOf(snapshot, best)]
}

interface Candidate {
  button: Button
  reading: Reading
  cost: number
}

function chosenOf(snapshot: DomSnapshot, best: readonly Candidate[]): Grounding {
  const distinct = [...new Map(best.map((one) => [one.button.element.href ?? one.button.element.ref, one])).values()]
  const { ordinal } = distinct[0]!.reading
  const inOrder = [...distinct].sort((a, b) => a.button.element.at - b.button.element.at)
  const pick = ordinal === undefined ? distinct[0] : inOrder.at(ordinal < 0 ? ordinal : ordinal - 1)
  const { button, reading, cost } = pick ?? distinct[0]!
  const isTied = ordinal === undefined ? distinct.length > 1 : !pick
  const rows = isTied ? distinct.slice(0, 6).map((one) => rowText(snapshot, one.button)) : []
  return {
    settings: reading.settings,
    unexplained: reading.unexplained,
    ambiguous: [...reading.ambiguous, ...rows],
    button,
    cost,
  }
}

const rowText = (snapshot: DomSnapshot, button: Button): string => {
  const unit = unitOf(snapshot, button, controlsOf(snapshot).buttons)
  return unit ? `${button.label} (${textIn(snapshot, unit, 60).slice(0, 60)})` : button.label
}

/** Of many buttons with one label only those whose rows have the most of the clause's words are worth a reading. */
function inNamedRows(
  snapshot: DomSnapshot,
  named: readonly Button[],
  all: readonly Button[],
  words: readonly string[],
): Button[] {
  if (named.length <= 3) return [...named]
  const byLabel = new Map<string, Button[]>()
  for (const button of named) byLabel.set(button.label, [...(byLabel.get(button.label) ?? []), button])
  return [...byLabel.values()]
    .flatMap((twins) => {
      if (twins.length === 1) return twins
      const scores = twins.map((button) => {
        const unit = unitOf(snapshot, button, all)
        const text = new Set(unit ? wordsOf(textIn(snapshot, unit, 400)) : [])
        return words.filter((word) => text.has(word)).length
      })
      const most = Math.max(...scores)
      return twins.filter((_, n) => scores[n] === most)
    })
    .slice(0, MAX_CANDIDATES)
}

/** Each word of the label that the clause does not have makes the button less likely. */
function labelCost({ label }: Button, words: readonly string[], tokens: readonly Token[]): number {
  if (tokens.some(({ kind, value }) => kind === 'quote' && value.trim().toLowerCase() === label.trim().toLowerCase()))
    return -1
  const own = keyWords(label)
  const missing = own.filter((word) => !words.some((other) => wordMatch(word, other) > 0)).length
  return missing === 0 ? 0 : 0.6 + 0.4 * missing
}

/** What lies in an open dialog is meant first; what is hidden or in a menu of the site last. */
function placeCost(snapshot: DomSnapshot, element: SnapshotElement): number {
  const dialog = openDialog(snapshot)
  const end = dialog ? snapshot.elements.findIndex(({ at, up }) => at > dialog.at && up < dialog.at) : -1
  const isInDialog = dialog !== undefined && element.at > dialog.at && (end < 0 || element.at < end)
  const hidden = isShown(element) ? 0 : 0.3
  let place = 0
  for (let at = element.up; at >= 0; at = snapshot.elements[at]!.up)
    if (/^(banner|contentinfo|navigation)$/.test(snapshot.elements[at]!.role ?? '')) place = 0.1
  return hidden + place + (dialog && !isInDialog ? 0.3 : 0)
}

/** "Save A and B", "Put 2 × A and one B in the cart": one clause for each, with the words around them. */
function distributed(snapshot: DomSnapshot, clause: Clause, options: MatchOptions): Grounding[] | undefined {
  const verbs = clause.all.length - clause.rest.length
  const at = clause.all.findIndex(
    ({ kind, word }, n) => n > verbs && kind !== 'quote' && (word === 'and' || word === ','),
  )
  if (at < 0) return undefined
  const head = clause.all.slice(0, verbs)
  for (let end = clause.all.length; end > at + 1; end--) {
    const tail = clause.all.slice(end)
    const left = [...head, ...clause.all.slice(verbs, at), ...tail]
    const one = matchOne(snapshot, clause, left, left.slice(verbs), options)
    if (!isUnderstood(one) || !one.button) continue
    const right = [...head, ...clause.all.slice(at + 1, end), ...tail]
    const others = matchClause(snapshot, { ...clause, all: right, rest: right.slice(verbs) }, options)
    if (others.every((other) => isUnderstood(other) && other.button)) return [one, ...others]
  }
  return undefined
}
