// Finds what a clause means on a page: the button to press, the row it is in, and what to set before.

import { costOfPlaceOnPage } from '../driving/element-context.ts'
import { isWeakWord, keyWordsOf, labelWordsOf, scoreWordMatch } from '../driving/match-label-words.ts'
import {
  findRowOrCardOfButton,
  listPageControls,
  type PageButton,
  type PageControls,
} from '../driving/page-controls.ts'
import type { ControlSetting } from '../driving/set-control.ts'
import {
  ancestorsOf,
  type DomSnapshot,
  isDescendantOf,
  type SnapshotElement,
  textOfElement,
} from '../fetch/chrome/snapshot/dom-snapshot.ts'
import {
  DOWNLOAD_VERB,
  matchTokensToControls,
  type TokenMatch,
  type TokenMatchScope,
} from './match-tokens-to-controls.ts'
import { isCommandVerb, type PromptClause } from './parse-prompt.ts'
import { joinTokenValues, type PromptToken } from './tokenize-prompt.ts'

export interface ClauseMatch {
  /** What to set, in order, before the button is pressed. */
  settings: ControlSetting[]
  button?: PageButton
  cost: number
  unexplained: PromptToken[]
  /** Labels or rows that the words mean equally well. */
  ambiguous: string[]
}

export const isMatchUnderstood = ({ unexplained, ambiguous }: ClauseMatch): boolean =>
  unexplained.length === 0 && ambiguous.length === 0

interface ClauseMatchOptions {
  prompt: string
  /** Words of the element that an earlier clause found, to resolve "it". */
  context?: readonly PromptToken[]
  /** Looks for settings only. */
  settingsOnly?: boolean
  /** Buttons that the request has pressed already: of two that fit equally the other one is meant. */
  pressed?: ReadonlySet<string>
  /** The row whose menu is open. */
  row?: SnapshotElement | undefined
  /** Only its controls are set. */
  form?: SnapshotElement | undefined
}

const MAX_CANDIDATES = 60
/** Verbs that setting a filter satisfies when the page has no button of that name. */
const FILTER_VERB = /^(show|see|filter|display|narrow|limit)$/

/** One match for each thing that the clause names; "save A and B" has two. */
export function matchClauseToPage(
  snapshot: DomSnapshot,
  clause: PromptClause,
  options: ClauseMatchOptions,
): ClauseMatch[] {
  const one = matchOne(snapshot, clause, clause.all, clause.rest, options)
  if (isMatchUnderstood(one)) return [one]
  return distributed(snapshot, clause, options) ?? [one]
}

function matchOne(
  snapshot: DomSnapshot,
  clause: PromptClause,
  all: readonly PromptToken[],
  rest: readonly PromptToken[],
  options: ClauseMatchOptions,
): ClauseMatch {
  const isGoal = clause.kind === 'goal'
  const verbs = all.length - rest.length
  const isShow = isGoal && FILTER_VERB.test(clause.verb)
  const tokens = isGoal ? all : rest
  const extra = [...(options.context ?? []), ...afterBreak(clause.background)]
  const found: ClauseMatch[] = []
  if (clause.verb === 'see') {
    // To see the returned orders is to filter them, not to view one of them.
    const filtered = settingsOnly(snapshot, clause, rest, 0, options)
    const isFilter = filtered.settings.length > 0 && filtered.settings.every(({ type }) => type === 'choice')
    if (isMatchUnderstood(filtered) && isFilter) return filtered
  }
  if (clause.kind !== 'press' && clause.kind !== 'open' && clause.kind !== 'hover')
    found.push(settingsOnly(snapshot, clause, tokens, isGoal ? verbs : 0, options))
  if (options.settingsOnly) return found[0]!
  const isChoosing = clause.kind === 'set' || clause.kind === 'on' || clause.kind === 'off'
  // "Check the availability on 2 May" sets the day and presses "Check availability".
  const named = isGoal ? [] : withButton(snapshot, clause, [...all, ...extra], verbs, options)
  const asked = named.find(
    (one) => isMatchUnderstood(one) && one.settings.length > 0 && isSaidToPress(one.button!, all),
  )
  if (isChoosing && asked) return asked
  const settled = isChoosing && found[0] && isMatchUnderstood(found[0]) && found[0].settings.length > 0
  if (!settled) {
    found.push(...withButton(snapshot, clause, [...tokens, ...extra], isGoal ? verbs : 0, options))
    // A label may begin with the verb: "Change card", "Keep me signed in".
    found.push(...named.map((one) => ({ ...one, cost: one.cost + 0.1 })))
  }
  if (isChoosing || isGoal) {
    const whole = settingsOnly(snapshot, clause, all, verbs, options)
    if (whole.settings.length > 0) found.push({ ...whole, cost: whole.cost + 0.1 })
    if (isShow) {
      found.push(settingsOnly(snapshot, clause, rest, 0, options))
      const opened = withButton(snapshot, { ...clause, kind: 'open' }, [...rest, ...extra], 0, options)
      found.push(...opened.map((one) => ({ ...one, cost: one.cost + 0.2 })))
    }
  }
  // "Under Notifications, turn on Sounds": the button only says where.
  for (const one of isChoosing ? found : []) if (one.settings.length > 0) delete one.button
  // "Delete Bread" is a button; the box "Bread" beside it was not asked for.
  for (const one of isChoosing ? [] : found) one.settings = one.settings.filter((set) => !isNamedBy(one.button, set))
  // Filled fields do not sign anybody in.
  const needsButton = isGoal && signsIn(clause)
  const usable = found.filter(({ settings, button }) => button || (settings.length > 0 && !needsButton))
  const list = usable.length > 0 || needsButton ? usable : found
  const least = (one: ClauseMatch) => one.unexplained.length * 10 + one.cost + (one.ambiguous.length > 0 ? 3 : 0)
  const best = list.reduce<ClauseMatch | undefined>(
    (a, b) => (a === undefined || least(b) < least(a) ? b : a),
    undefined,
  )
  return best ?? { settings: [], cost: 99, unexplained: [...tokens], ambiguous: [] }
}

const scopeOf = (
  snapshot: DomSnapshot,
  clause: PromptClause,
  verbs: number,
  { prompt, form }: ClauseMatchOptions,
): TokenMatchScope => ({
  snapshot,
  controls: form ? controlsIn(snapshot, form) : listPageControls(snapshot),
  prompt,
  verbs,
  lists: FILTER_VERB.test(clause.verb) || !isCommandVerb(clause.verb.split(' ', 1)[0]!),
  opens: /^(open|go)$/.test(clause.kind),
  signsIn: signsIn(clause),
})

function controlsIn(snapshot: DomSnapshot, part: SnapshotElement): PageControls {
  const { buttons, fields, choices } = listPageControls(snapshot)
  const isInside = ({ element }: { element: SnapshotElement }) => isDescendantOf(snapshot, element, part)
  return { buttons, fields: fields.filter(isInside), choices: choices.filter(isInside) }
}

const signsIn = ({ all }: PromptClause): boolean =>
  labelWordsOf(joinTokenValues(all)).some((word) => /^(signin|login|logon)$/.test(word))

const BREAK: PromptToken = { kind: 'mark', raw: ';', word: ';', value: ';', capital: false, from: 0, to: 0 }
const afterBreak = (tokens: readonly PromptToken[] = []): PromptToken[] => (tokens.length > 0 ? [BREAK, ...tokens] : [])

function settingsOnly(
  snapshot: DomSnapshot,
  clause: PromptClause,
  tokens: readonly PromptToken[],
  verbs: number,
  options: ClauseMatchOptions,
): ClauseMatch {
  const scope = scopeOf(snapshot, clause, verbs, options)
  const reading = inNamedSection(tokens, scope, matchTokensToControls(tokens, scope))
  const { settings, unexplained, ambiguous, cost } = reading
  const isNothing = settings.length === 0 && unexplained.length === 0
  return { settings, unexplained: isNothing ? strong(tokens) : unexplained, ambiguous, cost }
}

/** Of controls that the words mean equally well, those of the section that the other words of the clause name. */
function inNamedSection(tokens: readonly PromptToken[], scope: TokenMatchScope, reading: TokenMatch): TokenMatch {
  const twins = reading.twins.map((element) => ({ element, label: '' }))
  if (twins.length < 2 || twins.length > MAX_CANDIDATES) return reading
  const readings = twins
    .map((twin) =>
      matchTokensToControls(tokens, { ...scope, unit: findRowOrCardOfButton(scope.snapshot, twin, twins) }),
    )
    .sort((a, b) => a.cost - b.cost)
  const [best, second] = readings
  return best!.unexplained.length === 0 && best!.ambiguous.length === 0 && best!.cost < second!.cost - 0.05
    ? best!
    : reading
}

const strong = (tokens: readonly PromptToken[]): PromptToken[] =>
  tokens.filter(({ kind, word }) => kind !== 'mark' && !(kind === 'word' && isWeakWord(word)))

/** The reading with the button that leaves the least unexplained; several that do equally well are ambiguous. */
function withButton(
  snapshot: DomSnapshot,
  clause: PromptClause,
  tokens: readonly PromptToken[],
  verbs: number,
  options: ClauseMatchOptions,
): ClauseMatch[] {
  const words = labelWordsOf(joinTokenValues(tokens))
  const strongOnes = words.filter((word) => !isWeakWord(word))
  const { buttons } = listPageControls(snapshot)
  const isDownload = DOWNLOAD_VERB.test(clause.verb)
  const named = buttons.filter(
    ({ label, element }) =>
      (isDownload && element.download) ||
      keyWordsOf(label).some((other) => strongOnes.some((word) => scoreWordMatch(word, other) > 0)),
  )
  const candidates = inNamedRows(snapshot, named, buttons, strongOnes)
  const scope = scopeOf(snapshot, clause, verbs, options)
  const readings = candidates.flatMap((button) => {
    const unit = unitOf(snapshot, button, options)
    const reading = matchTokensToControls(tokens, { ...scope, button, unit })
    // Another page would not have what was set on this one.
    if (reading.settings.length > 0 && leadsAway(snapshot, button)) return []
    return {
      button,
      reading,
      // Who means the button of a card names the card; else that of the page itself is meant.
      cost:
        reading.cost +
        labelCost(button, strongOnes, tokens, clause.verb === '') +
        costOfPlaceOnPage(snapshot, button.element) +
        (unit ? 0.1 : 0) +
        (options.pressed?.has(button.element.ref) ? 0.2 : 0),
    }
  })
  const least = Math.min(...readings.map(({ cost }) => cost))
  const best = readings.filter(({ cost }) => cost < least + 0.05)
  if (best.length === 0) return []
  return [chosenOf(snapshot, best)]
}

/** A button that opens nothing, and all of whose label the clause says outside of its values. */
const isSaidToPress = ({ element, label }: PageButton, tokens: readonly PromptToken[]): boolean => {
  const said = tokens.filter(({ kind }) => kind === 'word').flatMap(({ value }) => labelWordsOf(value))
  const own = keyWordsOf(label)
  const isPlain = element.role === 'button' && !element.popup && !element.controls && element.pressed === undefined
  return isPlain && own.length > 0 && own.every((word) => said.some((other) => scoreWordMatch(other, word) === 1))
}

const leadsAway = ({ url }: DomSnapshot, { element: { href, download } }: PageButton): boolean =>
  href !== undefined && /^https?:/.test(href) && !download && href.split('#', 1)[0] !== url.split('#', 1)[0]

/** The row or card of a button; an entry of a menu belongs to the row whose menu was opened. */
const unitOf = (snapshot: DomSnapshot, button: PageButton, { row }: ClauseMatchOptions): SnapshotElement | undefined =>
  (button.element.role === 'menuitem' && row ? snapshot.elements.find(({ ref }) => ref === row.ref) : undefined) ??
  findRowOrCardOfButton(snapshot, button, listPageControls(snapshot).buttons) ??
  ancestorsOf(snapshot, button.element).find(({ role }) => /^(row|listitem|article)$/.test(role ?? ''))

interface Candidate {
  button: PageButton
  reading: TokenMatch
  cost: number
}

function chosenOf(snapshot: DomSnapshot, best: readonly Candidate[]): ClauseMatch {
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

const isNamedBy = (button: PageButton | undefined, setting: ControlSetting): boolean => {
  const own = labelWordsOf(button?.label ?? '')
  return setting.type === 'choice' && labelWordsOf(setting.choice.text).every((word) => own.includes(word))
}

const rowText = (snapshot: DomSnapshot, button: PageButton): string => {
  const unit = findRowOrCardOfButton(snapshot, button, listPageControls(snapshot).buttons)
  return unit ? `${button.label} (${textOfElement(snapshot, unit, 60).slice(0, 60)})` : button.label
}

/** Among many buttons with one label, only those whose rows share most words with the clause are examined. */
function inNamedRows(
  snapshot: DomSnapshot,
  named: readonly PageButton[],
  all: readonly PageButton[],
  words: readonly string[],
): PageButton[] {
  if (named.length <= 3) return [...named]
  const byLabel = new Map<string, PageButton[]>()
  for (const button of named) byLabel.set(button.label, [...(byLabel.get(button.label) ?? []), button])
  return [...byLabel.values()]
    .flatMap((twins) => {
      if (twins.length === 1) return twins
      const scores = twins.map((button) => {
        const unit = findRowOrCardOfButton(snapshot, button, all)
        const text = new Set(unit ? labelWordsOf(textOfElement(snapshot, unit, 400)) : [])
        return words.filter((word) => text.has(word)).length
      })
      const most = Math.max(...scores)
      return twins.filter((_, n) => scores[n] === most)
    })
    .slice(0, MAX_CANDIDATES)
}

/** Each word of the label that the clause does not have makes the button less likely. */
function labelCost(
  { label }: PageButton,
  words: readonly string[],
  tokens: readonly PromptToken[],
  isVerbImplied: boolean,
): number {
  if (tokens.some(({ kind, value }) => kind === 'quote' && value.trim().toLowerCase() === label.trim().toLowerCase()))
    return -1
  // "two of them in my bag" implies the verb of "Add to bag".
  const own = keyWordsOf(label).slice(isVerbImplied && keyWordsOf(label).length > 1 ? 1 : 0)
  const missing = own.filter((word) => !words.some((other) => scoreWordMatch(word, other) > 0)).length
  return missing === 0 ? 0 : 0.6 + 0.4 * missing
}

const MAX_ITEMS = 8

/** "Save A, B and C", "Put 2 × A and one B in the cart": one match for each, with the verb and the words after the last. */
function distributed(
  snapshot: DomSnapshot,
  clause: PromptClause,
  options: ClauseMatchOptions,
): ClauseMatch[] | undefined {
  const verbs = clause.all.length - clause.rest.length
  const items: PromptToken[][] = [[]]
  for (const token of clause.rest)
    if (token.kind !== 'quote' && (token.word === 'and' || token.word === ',')) items.push([])
    else items.at(-1)!.push(token)
  const named = items.filter((item) => item.length > 0)
  const last = named.pop()
  if (!last || named.length === 0 || named.length >= MAX_ITEMS) return undefined
  for (let end = last.length; end > 0; end--) {
    const matches: ClauseMatch[] = []
    for (const item of [last.slice(0, end), ...named]) {
      const rest = [...item, ...last.slice(end)]
      const one = matchOne(snapshot, clause, [...clause.all.slice(0, verbs), ...rest], rest, options)
      if (!isMatchUnderstood(one) || !one.button) break
      matches.push(one)
    }
    if (matches.length > named.length) return [...matches.slice(1), matches[0]!]
  }
  return undefined
}
