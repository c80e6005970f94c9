// Does what a request in plain English says on a page, without a model. The whole request is matched to the page before
// anything is pressed; a step counts as done only when its effect was seen.
import { setImmediate as letOthersRun, setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { findAnswerOnPage } from '../driving/answer-from-page.ts'
import { describePageControls, findAffirmativeButton } from '../driving/answer-page-overlays.ts'
import { findNewErrorMessages } from '../driving/compare-page-states.ts'
import { normalizeKeyCombination, normalizeKeyName } from '../driving/keyboard-key-names.ts'
import { foldText, isWeakWord, keyWordsOf, scoreLabelCoverage, stemWord } from '../driving/match-label-words.ts'
import { openAddress } from '../driving/navigate.ts'
import {
  findApplyButton,
  findButtonAfterSettings,
  findNextStepButton,
  findOpenDialog,
  linksOfLongestList,
  listPageVerbs,
  type PageButton,
} from '../driving/page-controls.ts'
import { OutOfBudgetError, PageDriver } from '../driving/page-driver.ts'
import { parseNumberWord, parseOrdinal } from '../driving/parse-numbers-and-dates.ts'
import { goToPageNumber, mayShowMore, openRowMenu, openSectionsUntil, revealElement } from '../driving/reveal-hidden.ts'
import { isSearchField, searchByField } from '../driving/search-page.ts'
import { applyControlSetting, type ControlSetting } from '../driving/set-control.ts'
import { sortList } from '../driving/sort-list.ts'
import { failedOutcome, okOutcome, type StepOutcome } from '../driving/step-outcome.ts'
import { ancestorsOf, type DomSnapshot, isShown, type SnapshotElement } from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { getDomSnapshotReader } from '../fetch/chrome/snapshot/dom-snapshot-reader.ts'
import { writeSnapshotText } from '../fetch/chrome/snapshot/snapshot-text.ts'
import { type ClauseMatch, isMatchUnderstood, matchClauseToPage } from './match-clause-to-page.ts'
import {
  asBackground,
  isCommandVerb,
  isLiteralValue,
  type ParsedPrompt,
  type PromptClause,
  parsePrompt,
} from './parse-prompt.ts'
import * as steps from './run-browser-steps.ts'
import { joinTokenValues, type PromptToken, strongWordsOf } from './tokenize-prompt.ts'

interface PromptOptions {
  maxSteps: number
  timeoutMs: number
  /** Returns the reason why it could not; absent: there is no vault. */
  signIn?(driver: PageDriver, vault: string): Promise<string | undefined>
}

interface PromptResult {
  /** Every part of the request was done, and seen to be. */
  done: boolean
  output: string
  steps: StepOutcome[]
  /** The page afterwards, as text with refs. */
  snapshot: string
  /** Pictures that were asked for, as base64 of PNG files. */
  pictures: string[]
}

export async function runPromptWithoutModel(
  page: Page,
  prompt: string,
  { maxSteps, timeoutMs, signIn }: PromptOptions,
  signal: AbortSignal,
): Promise<PromptResult> {
  const reader = getDomSnapshotReader(page)
  const driver = new PageDriver({ reader, ends: performance.now() + timeoutMs, maxActs: maxSteps, signal })
  const stop = driver.listen()
  const run = new PromptRun(driver, prompt, signIn)
  let done = false
  try {
    done = await run.all()
  } catch (error) {
    signal.throwIfAborted()
    if (page.isClosed()) throw error
    run.report(
      failedOutcome(
        error instanceof OutOfBudgetError
          ? `Gave up: ${error.message}.`
          : `Could not go on: ${(error as Error).message.split('\n', 1)[0]}.`,
      ),
    )
  } finally {
    stop()
  }
  const snapshot = await reader.read(signal).catch(() => driver.snapshot)
  return {
    done: done && run.outcomes.every(({ ok }) => ok),
    output: run.outcomes.map(({ text }) => text).join('\n') || 'There was nothing to do.',
    steps: run.outcomes,
    snapshot: writeSnapshotText(snapshot, true).text,
    pictures: run.pictures,
  }
}

/** Words of a sentence are matched to a page in all ways: twice as many take four times as long. */
const MAX_CLAUSE_WORDS = 160
const MATCHED = /^(set|on|off|press|open|goal|hover)$/
const SETS = /^(set|on|off)$/
/** Labels of buttons whose effect cannot be undone, or that submit earlier choices. */
const IRREVERSIBLE_BUTTON_LABEL =
  /\b(send|pay|payment|delete|remove|order|buy|purchase|submit|place|book|reserve|cancel|publish|post|confirm|checkout|subscribe|add|apply)\b/i
const SIGN_IN = /^(sign|log|login|in|on|into|with|using|by|the|my|entry|credentials|account|from|of|to|site|page|here)$/

const SUBJECTS = /^(i|we|you|it|there|i'm|we're|it's|there's|am|are|is|was|were|have|has)$/
const WHOLE_PAGE = /^(page|screen|site|website|view|window|whole|full|entire|current|now|it|here)$/
const PUTS_IT = /^(put|enter|fill|type|write) (it|that|this|them|in)( in| down)?$/
/** Commands that change nothing; a question before one is its explanation, not a question to answer. */
const VIEW_ONLY_COMMAND = /^(open|search|find|go)\b| (get|show|download)$/
/** Words of a sentence that make it a condition, or that name something for its own sake; "I do not drive" has none. */
const isRequired = (token: PromptToken, at: number, all: readonly PromptToken[]): boolean =>
  isLiteralValue(token) ||
  // "The purple one is nicer" names a choice.
  (/^ones?$/.test(token.word) && at > 0 && !isWeakWord(all[at - 1]!.word)) ||
  /^(must|should|only|no|without|except|never|instead)$/.test(token.word) ||
  (token.word === 'not' && !/^(do|does|did|is|am|are|was|were|can|could|have|has)$/.test(all[at - 1]?.word ?? ''))

class PromptRun {
  readonly outcomes: StepOutcome[] = []
  readonly pictures: string[] = []
  private readonly driver: PageDriver
  private readonly prompt: string
  private request: ParsedPrompt = { clauses: [], forbidden: [] }
  /** What an earlier clause found: "it". */
  private found: PromptToken[] | undefined
  private readonly pressed = new Set<string>()
  /** The row whose menu was opened. */
  private row: SnapshotElement | undefined
  private copied: string | undefined
  private readonly waiting: PromptClause[] = []
  private confirmed = false
  /** What was typed since the last press: one field cannot hold two values. */
  private readonly typed = new Map<string, string>()
  /** The last field that was typed into to see a part of a list. */
  private filter: SnapshotElement | undefined
  private readonly signIn: PromptOptions['signIn']

  constructor(driver: PageDriver, prompt: string, signIn: PromptOptions['signIn']) {
    this.driver = driver
    this.prompt = prompt
    this.signIn = signIn
  }

  report(outcome: StepOutcome): boolean {
    this.outcomes.push(outcome)
    return outcome.ok
  }

  async all(): Promise<boolean> {
    const snapshot = await this.driver.read()
    const parsed = parsePrompt(this.prompt, listPageVerbs(snapshot))
    const tooLong = parsed.clauses.find(({ all }) => all.length > MAX_CLAUSE_WORDS)
    if (tooLong)
      return this.report(
        failedOutcome(`Could not do "${tooLong.text.slice(0, 60)}…": a sentence may have ${MAX_CLAUSE_WORDS} words.`),
      )
    this.request = await this.withoutStatements(parsed, snapshot)
    if (this.request.clauses.length === 0)
      return this.report(failedOutcome('Could not find anything to do in the request.'))
    const refusal = await this.firstRefusal(snapshot)
    if (refusal) return this.report(refusal)
    for (const clause of await this.inOrder(snapshot)) {
      await this.driver.read()
      if (clause.optional) await this.doIfAsked(clause)
      else if (!(await this.doClause(clause))) return false
    }
    return this.applyFilter()
  }

  /** A filter that was typed takes effect by the button beside its field. */
  private async applyFilter(): Promise<boolean> {
    const field = this.filter && this.typed.has(this.filter.ref) ? this.driver.again(this.filter) : undefined
    const button = field && findApplyButton(this.driver.snapshot, field)
    return !button || this.pressButton(button, this.request.clauses.at(-1)!)
  }

  /**
   * Sentences that order nothing: those with values for the page are set, the others are the background of the order
   * that follows, as is a question before an order to show something.
   */
  private async withoutStatements({ clauses, forbidden }: ParsedPrompt, snapshot: DomSnapshot): Promise<ParsedPrompt> {
    const out: PromptClause[] = []
    let waiting: PromptToken[] = []
    const isBackground = (clause: PromptClause, next?: PromptClause): boolean => {
      if (clause.kind === 'ask') {
        const isMeant = /^(it|that|this)$/.test(next?.rest[0]?.word ?? '') || !findAnswerOnPage(snapshot, clause.text)
        return !!next && VIEW_ONLY_COMMAND.test(`${next.kind} ${next.verb}`) && isMeant
      }
      const found = this.matchClauseToPage(snapshot, clause)
      const commands = clauses.filter((other) => !other.isStatement)
      // "We now have 80. Set the stock to 80": the command says it too.
      const isRepeated = ({ value }: PromptToken) => commands.some(({ all }) => all.some((one) => one.value === value))
      return (
        commands.length > 0 &&
        !clause.all.some((token, at, all) => isRequired(token, at, all) && !isRepeated(token)) &&
        found.every(({ settings }) => settings.length === 0)
      )
    }
    for (const [at, one] of clauses.entries()) {
      await letOthersRun()
      const body = one.all.slice(one.all.findIndex(({ word }) => !SUBJECTS.test(word)))
      const clause: PromptClause = one.isStatement ? { ...one, kind: 'set', verb: '', all: body, rest: body } : one
      const next = clauses.find((other, n) => n > at && !other.isStatement)
      const last = out.at(-1)
      // "I was born on 2 May. Put that in": the value is set already.
      if (
        last?.kind === 'set' &&
        clauses[at - 1]?.isStatement &&
        PUTS_IT.test(one.all.map(({ word }) => word).join(' '))
      )
        continue
      // "Fill in the order form and send it. Name: Ada": the values follow.
      if (next && /^fill\b/.test(one.verb) && isTopicOfForm(one.rest)) {
        waiting = [...waiting, ...asBackground(one.rest)]
        continue
      }
      // "I want to travel to Rome, show me the trains": where the rest can be set, the verb says why.
      if (one.isIndirect && next && one.rest.length > 0) {
        const setting: PromptClause = { ...one, kind: 'set', verb: '', all: one.rest }
        if (
          this.matchClauseToPage(snapshot, setting).every((each) => isMatchUnderstood(each) && each.settings.length > 0)
        ) {
          out.push(setting)
          continue
        }
      }
      if (!(one.isStatement || one.kind === 'ask') || !isBackground(clause, next)) {
        const background = [...waiting.splice(0), ...(clause.background ?? [])]
        out.push(background.length > 0 ? { ...clause, background } : clause)
      } else if (next) waiting = [...waiting, ...asBackground(one.all)]
      else if (last)
        out[out.length - 1] = { ...last, background: [...(last.background ?? []), ...asBackground(one.all)] }
    }
    return { clauses: out, forbidden }
  }

  /** What is to be given only if asked waits until the page asks for it. */
  private async doIfAsked(clause: PromptClause): Promise<boolean> {
    const found = this.matchClauseToPage(this.driver.snapshot, asMatched(clause))
    const isShownNow = (one: ControlSetting) => isShown(elementOf(one))
    if (!found.every((one) => isMatchUnderstood(one) && one.settings.every(isShownNow))) return false
    this.waiting.splice(this.waiting.indexOf(clause), 1)
    for (const one of found) if (!(await this.perform(one, clause))) return false
    return true
  }

  /** The first clause that cannot be done, as far as that can be said before anything is pressed. */
  private async firstRefusal(snapshot: DomSnapshot): Promise<StepOutcome | undefined> {
    let mayChange = false
    let commits = false
    const typed = new Map<string, string>()
    for (const clause of this.request.clauses) {
      await letOthersRun()
      const isMatched =
        MATCHED.test(clause.kind) && !isKeyPress(clause) && !clause.all.some(({ kind }) => kind === 'url')
      const odd =
        clause.kind === 'login' && clause.all.find(({ kind, word }) => kind !== 'vault' && !SIGN_IN.test(word))
      if (odd) return failedOutcome(`Could not understand "${odd.value}" in "${clause.text}".`)
      if (!isMatched) {
        typed.clear()
        mayChange ||= !/^(ask|wait|picture)$/.test(clause.kind)
        continue
      }
      const found = this.matchClauseToPage(snapshot, clause)
      const isClear = found.every(isMatchUnderstood)
      const mayCome =
        mayChange && !(commits && (SETS.test(clause.kind) || !isCommandVerb(clause.verb.split(' ', 1)[0]!)))
      const isOnlyTied =
        found.every(({ unexplained }) => unexplained.length === 0) && clause !== this.request.clauses[0]
      if (
        !isClear &&
        !clause.optional &&
        clause.page === undefined &&
        !mayCome &&
        !isOnlyTied &&
        !isAskedFor(snapshot, clause) &&
        !canSeek(snapshot, found)
      )
        return this.refusal(clause, found)
      const presses = found.some(({ button }) => button)
      for (const one of isClear ? found.flatMap(({ settings }) => settings) : []) {
        const refusal = refuseSecondValue(typed, one, clause)
        if (refusal) return refusal
      }
      if (presses || !isClear) typed.clear()
      mayChange ||=
        !isClear ||
        presses ||
        found.some(({ settings }) => settings.some((one) => one.type === 'field' && one.field.suggests))
      commits ||= isClear && found.some(({ button }) => button && IRREVERSIBLE_BUTTON_LABEL.test(button.label))
    }
    return undefined
  }

  private matchClauseToPage(
    snapshot: DomSnapshot,
    clause: PromptClause,
    context?: readonly PromptToken[],
  ): ClauseMatch[] {
    if (this.driver.timeLeft() <= 0) throw new OutOfBudgetError('the time was up')
    const { row, pressed, prompt } = this
    const options = { prompt, row, pressed, ...(context && { context }) }
    // Values that follow one another belong to one form.
    const form = SETS.test(clause.kind) ? this.formInUse(snapshot) : undefined
    const inForm = form ? matchClauseToPage(snapshot, clause, { ...options, form }) : []
    if (inForm.length > 0 && inForm.every(isMatchUnderstood)) return inForm
    const found = matchClauseToPage(snapshot, clause, options)
    if (found.every(isMatchUnderstood)) return found
    const rest = this.afterTopic(clause)
    if (rest.length === clause.all.length) return found
    const topical = matchClauseToPage(
      snapshot,
      { ...clause, kind: 'set', verb: '', all: rest, rest },
      { prompt: this.prompt, settingsOnly: true },
    )
    const misses = (list: readonly ClauseMatch[]) => list.reduce((sum, { unexplained }) => sum + unexplained.length, 0)
    return misses(topical) < misses(found) && topical.some(({ settings }) => settings.length > 0) ? topical : found
  }

  private formInUse(snapshot: DomSnapshot): SnapshotElement | undefined {
    const last = snapshot.elements.find(({ ref }) => ref === [...this.typed.keys()].at(-1))
    return last && ancestorsOf(snapshot, last).find(({ tag }) => tag === 'form')
  }

  /** "Ask for a quote: from A to B": the words before the colon name the topic; a later clause says what to press. */
  private afterTopic(clause: PromptClause): PromptToken[] {
    const isLast = clause.text === this.request.clauses.at(-1)?.text
    return clause.all.slice(isLast ? 0 : clause.all.findIndex(({ kind, word }) => kind === 'mark' && word === ':') + 1)
  }

  /** Settings go before the button that acts on them; of two clauses for one button the last presses it. */
  private async inOrder(snapshot: DomSnapshot): Promise<PromptClause[]> {
    const grounded: { clause: PromptClause; list: ClauseMatch[]; isClear: boolean }[] = []
    for (const clause of this.request.clauses) {
      await letOthersRun()
      const isMatched = MATCHED.test(clause.kind) || clause.kind === 'consent'
      const list = isMatched ? this.matchClauseToPage(snapshot, asMatched(clause)) : []
      grounded.push({ clause, list, isClear: list.length > 0 && list.every(isMatchUnderstood) })
    }
    const buttonOf = (at: number) =>
      grounded[at]?.isClear && grounded[at]!.list.length === 1 ? grounded[at]!.list[0]!.button?.element.ref : undefined
    const out: PromptClause[] = []
    for (const [at, { clause, list, isClear }] of grounded.entries()) {
      const isSet = isClear && list.every(({ button, settings }) => !button && settings.length > 0)
      const goal = out.findIndex((one) => one.kind === 'goal')
      if (
        isSet &&
        goal >= 0 &&
        !clause.optional &&
        out.slice(goal).every(({ kind }) => kind === 'goal' || SETS.test(kind))
      ) {
        out.splice(goal, 0, clause)
        continue
      }
      // "Send it to Ada, but send a test first": both are to have what the request says.
      const before = out.findIndex((one) => one.kind === 'goal')
      if (before >= 0 && clause.kind === 'goal' && list.some(({ button, settings }) => button && settings.length > 0))
        if (list.every(({ unexplained }) => unexplained.length === 0))
          out.splice(before, 0, { ...clause, kind: 'set', text: SETTINGS_ONLY })
      const again = grounded.findIndex((_, n) => n > at && buttonOf(n) !== undefined && buttonOf(n) === buttonOf(at))
      const isTwice = clause.kind === 'goal' && again > 0 && (list[0]?.settings.length ?? 0) > 0
      if (clause.optional) this.waiting.push(clause)
      out.push(isTwice ? { ...clause, kind: 'set', text: SETTINGS_ONLY } : clause)
    }
    return out
  }

  private async doClause(clause: PromptClause): Promise<boolean> {
    const { driver } = this
    if (clause.page !== undefined && !this.report(await goToPageNumber(driver, clause.page))) return false
    if (clause.all.length === 0) return true
    if (clause.kind === 'copy') return this.copy(clause)
    const isPaste = /^(it|that)$/.test(clause.rest[0]?.word ?? '') && /^(into|in)$/.test(clause.rest[1]?.word ?? '')
    if (isPaste && this.copied !== undefined) return this.paste(this.copied, clause.rest.slice(1))
    const named = await this.doNamed(clause)
    // What is sought is what "it" means later.
    if (clause.until) this.found = steps.wordsSoughtIn(clause)
    if (named) return this.report(named)
    if (clause.until)
      return this.report(failedOutcome(`Could not do "${clause.text}" until ${joinTokenValues(clause.until)}.`))
    if (clause.kind === 'consent') return this.doMatched(asMatched(clause))
    if (clause.kind === 'go') return this.doMatched({ ...clause, kind: 'open' })
    return this.doMatched(MATCHED.test(clause.kind) ? clause : asDelete({ ...clause, kind: 'goal' }))
  }

  /** Clauses whose verb says all; nothing when the words must be matched to the page. */
  private async doNamed(clause: PromptClause): Promise<StepOutcome | undefined> {
    const { driver } = this
    const address = clause.all.find(({ kind }) => kind === 'url')
    if (address && /^(open|go)$/.test(clause.kind)) return openAddress(driver, address.value)
    const key = isKeyPress(clause)
    if (key)
      return (await driver.key(key))
        ? okOutcome(`Pressed ${key}.`)
        : failedOutcome(`Pressed ${key}, but the page did not change.`)
    const leafed =
      clause.until && clause.kind !== 'scroll' ? await steps.goBackForwardOrNext(driver, clause) : undefined
    if (leafed) return leafed
    switch (clause.kind) {
      case 'ask':
        return steps.answerQuestionOnPage(driver, joinTokenValues(clause.rest.length > 0 ? clause.rest : clause.all))
      case 'go':
        return steps.goBackForwardOrNext(driver, clause)
      case 'scroll':
        return steps.scrollOnPage(driver, clause)
      case 'sort':
        return sortList(driver, joinTokenValues(clause.rest.length > 0 ? clause.rest : clause.all))
      case 'drag': {
        const dragged =
          driver.snapshot.elements.some(({ draggable }) => draggable) && (await steps.dragOnPage(driver, clause))
        return dragged && (dragged.ok || !this.isUnderstoodAsGoal(clause)) ? dragged : undefined
      }
      case 'close':
        return steps.wordsOfWhatToClose(clause).length > 0 && this.isUnderstoodAsGoal(asDelete(clause))
          ? undefined
          : steps.closeOverlayOnPage(driver, clause)
      case 'consent': {
        const boxes = this.matchClauseToPage(driver.snapshot, asMatched(clause))
        const isBox = boxes.every((one) => isMatchUnderstood(one) && one.settings.length > 0)
        return isBox ? undefined : steps.answerCookiesOnPage(driver, clause)
      }
      case 'search':
      case 'find':
        return this.searchFor(clause)
      case 'upload':
        return steps.uploadFileOnPage(driver, clause)
      case 'confirm':
        return this.confirmed ? okOutcome('It was confirmed.') : undefined
      case 'login': {
        const name = clause.all.find(({ kind }) => kind === 'vault')!.value.slice('vault:'.length)
        const why = this.signIn ? await this.signIn(driver, name) : 'there is no vault here'
        return why
          ? failedOutcome(`Could not sign in: ${why}.`)
          : okOutcome(`Signed in with the vault entry "${name}".`)
      }
      case 'picture': {
        const part = strongWordsOf(clause.rest).find((word) => !WHOLE_PAGE.test(word))
        if (part) return failedOutcome(`Could not take a picture of "${part}": only of the page.`)
        this.pictures.push(
          (await driver.page.screenshot({ fullPage: /\b(whole|full|entire)\b/.test(foldText(clause.text)) })).toString(
            'base64',
          ),
        )
        return okOutcome('Took a picture of the page.')
      }
      case 'wait': {
        const seconds = clause.rest.map(({ word }) => parseNumberWord(word)).find((number) => number !== undefined) ?? 1
        await sleep(Math.min(seconds * 1000, 30_000, Math.max(0, driver.timeLeft())))
        return okOutcome(`Waited ${seconds} seconds.`)
      }
      default:
        return undefined
    }
  }

  private isUnderstoodAsGoal = (clause: PromptClause): boolean =>
    this.matchClauseToPage(this.driver.snapshot, { ...clause, kind: 'goal' }).every(
      (one) => isMatchUnderstood(one) && one.button !== undefined,
    )

  private async searchFor(clause: PromptClause): Promise<StepOutcome | undefined> {
    const { driver } = this
    const asGoal = this.matchClauseToPage(driver.snapshot, { ...clause, kind: 'goal' })
    if (asGoal.every((one) => isMatchUnderstood(one) && one.button && one.settings.length > 0)) return undefined
    // 'Search for "Red Kuri" in Variety' sets the list of scopes before it searches.
    const [only] = asGoal.length === 1 && isMatchUnderstood(asGoal[0]!) ? asGoal : []
    const term = only?.settings.find((one) => one.type === 'field' && isSearchField(driver.snapshot, one.field))
    if (only && term?.type === 'field' && only.settings.length > 1) {
      const others = only.settings.filter((one) => one !== term)
      if (await this.applyAll(others, clause)) return searchByField(driver, term.field, term.value)
      return failedOutcome(`Did not search for "${term.value}": what it is to be searched in could not be set.`)
    }
    this.found = clause.rest
    const isFind = clause.kind === 'find'
    if (isFind && steps.areTokensOnPage(driver.snapshot, clause.rest)) return okOutcome(`Found "${clause.text}".`)
    const query = isFind ? properWords(clause.rest) : clause.rest
    const searched = await steps.searchOnPage(driver, query)
    if (!isFind) return searched
    const isThere = (snapshot: DomSnapshot) => steps.areTokensOnPage(snapshot, query)
    if (searched?.ok && isThere(driver.snapshot)) return searched
    if (!searched && asGoal.some(({ settings, button }) => button && settings.length > 0)) return undefined
    return (await steps.findByPagingOrScrolling(driver, isThere))
      ? okOutcome(`Found "${clause.text}".`)
      : failedOutcome(`Could not find "${clause.text}" on the page.`)
  }

  private async copy({ rest, text }: PromptClause): Promise<boolean> {
    const at = rest.findIndex(({ kind, word }) => kind === 'word' && /^(into|to)$/.test(word))
    const source = at < 0 ? rest : rest.slice(0, at)
    this.copied = steps.findLabelledText(this.driver.snapshot, source)
    if (this.copied === undefined)
      return this.report(failedOutcome(`Could not find the text of "${text}" on the page.`))
    return at < 0 ? this.report(okOutcome(`Read "${this.copied}".`)) : this.paste(this.copied, rest.slice(at))
  }

  /** "put it into Reference": what was copied is the value. */
  private paste(value: string, into: readonly PromptToken[]): Promise<boolean> {
    const all: PromptToken[] = [{ ...into[0]!, kind: 'quote', raw: value, word: value, value }, ...into]
    return this.doMatched({ kind: 'set', verb: '', all, rest: all, text: joinTokenValues(all), optional: false })
  }

  private async doMatched(clause: PromptClause): Promise<boolean> {
    const found = await this.seek(clause)
    if (!found && isAskedFor(this.driver.snapshot, clause))
      return this.report(await steps.answerQuestionOnPage(this.driver, questionIn(clause)))
    if (!found) return this.wizard(clause)
    for (const at of found.keys()) {
      // An earlier press may have drawn the page anew.
      const one = at === 0 ? found[0]! : (await this.seek(clause))?.[at]
      if (!one || !(await this.perform(one, clause))) return false
    }
    return true
  }

  /** What the clause means here, or on a further page, further down, or under a tab. */
  private async seek(clause: PromptClause): Promise<ClauseMatch[] | undefined> {
    const { driver } = this
    const context = this.found
    const now = (): ClauseMatch[] | undefined => {
      const found = this.matchClauseToPage(driver.snapshot, clause)
      if (found.every(isMatchUnderstood)) return found
      const inContext = context ? this.matchClauseToPage(driver.snapshot, clause, context) : []
      if (inContext.length > 0 && inContext.every(isMatchUnderstood)) return inContext
      const item = nthItem(driver.snapshot, clause)
      return item ? [{ settings: [], button: item, cost: 0, unexplained: [], ambiguous: [] }] : undefined
    }
    const isThere = () => now() !== undefined
    if (isThere()) return now()
    const found = this.matchClauseToPage(driver.snapshot, clause)
    // Another page cannot make it clearer which one is meant.
    if (found.every(({ unexplained }) => unexplained.length === 0)) return undefined
    if (found.some(({ settings }) => settings.length > 0) && findNextStepButton(driver.snapshot)) return undefined
    if (await driver.until(isThere, 600)) return now()
    this.row = await openRowMenu(driver, strongWordsOf([...clause.rest, ...(clause.background ?? [])]))
    if (this.row && isThere()) return now()
    if ((await steps.findByPagingOrScrolling(driver, isThere)) || (await openSectionsUntil(driver, isThere)))
      return now()
    return undefined
  }

  /** A form of several pages: what fits here is set, and the rest on the next page. */
  private async wizard(clause: PromptClause): Promise<boolean> {
    const { driver } = this
    const isTopic = this.afterTopic(clause).length < clause.all.length
    const verb = clause.kind === 'goal' && !isTopic ? clause.all.slice(0, clause.all.length - clause.rest.length) : []
    let tokens = isTopic ? this.afterTopic(clause) : clause.kind === 'goal' ? clause.all : clause.rest
    for (let page = 0; page < 8; page++) {
      const part: PromptClause = { ...clause, all: tokens, rest: tokens.slice(verb.length) }
      const found = this.matchClauseToPage(driver.snapshot, part)
      if (found.every(isMatchUnderstood)) return this.perform(found[0]!, part)
      const [one] = found
      const next = findNextStepButton(driver.snapshot)
      if (!one || !next || one.ambiguous.length > 0 || one.settings.length === 0)
        return this.report(this.refusal(part, found))
      if (!(await this.applyAll(one.settings, part))) return false
      tokens = [...verb, ...one.unexplained.filter((token) => !verb.includes(token))]
      await driver.read()
      if (!(await this.pressButton(next, clause))) return false
    }
    return this.report(this.refusal(clause, []))
  }

  private async applyAll(settings: readonly ControlSetting[], clause: PromptClause): Promise<boolean> {
    const { driver } = this
    // What is hidden may come into view by what is set before.
    const ordered = [...settings].sort((a, b) => Number(elementOf(a).hidden === 2) - Number(elementOf(b).hidden === 2))
    for (const setting of ordered) {
      const on = clause.kind !== 'off'
      const outcome = refuseSecondValue(this.typed, setting, clause) ?? (await applyControlSetting(driver, setting, on))
      if (!this.report(outcome)) return false
      if (setting.type === 'field' && isFilter(clause)) this.filter = setting.field.element
    }
    return true
  }

  private async perform({ settings, button }: ClauseMatch, clause: PromptClause): Promise<boolean> {
    if (!(await this.applyAll(settings, clause))) return false
    if (!button || clause.text === SETTINGS_ONLY) return true
    const target = findButtonAfterSettings(this.driver.snapshot, button, settings.map(elementOf))
    if (target) return this.pressButton(target, clause)
    return this.report(failedOutcome(`Could not tell which button of the dialog stands for "${button.label}".`))
  }

  private async pressButton({ element, label }: PageButton, clause: PromptClause): Promise<boolean> {
    const { driver } = this
    const name = `"${label.length > 60 ? `${label.slice(0, 59)}…` : label}"`
    const isForbidden = this.request.forbidden.some((tokens) =>
      tokens.some(({ word }) => keyWordsOf(label).some((one) => stemWord(one) === stemWord(word) && !isWeakWord(word))),
    )
    if (isForbidden) return this.report(failedOutcome(`Did not press ${name}: the request forbids it.`))
    const now = driver.again(element) ?? element
    if (!isShown(now) && !(await revealElement(driver, now)))
      return this.report(failedOutcome(`Could not bring ${name} into view.`))
    const before = driver.snapshot
    const [news, dialog] = [driver.news.length, findOpenDialog(before)]
    if (clause.kind === 'hover') {
      await driver.hover(now)
      return this.report(okOutcome(`Pointed at ${name}.`))
    }
    const isChanged = await driver.press(now)
    this.pressed.add(now.ref)
    this.typed.clear()
    const asked = findOpenDialog(driver.snapshot)
    if (asked && asked.ref !== dialog?.ref && clause.kind !== 'open') {
      const yes = findAffirmativeButton(driver.snapshot, `${label} ${clause.verb}`)
      if (yes) await driver.press(yes.element)
      this.confirmed = yes !== undefined
    }
    const wrong = findNewErrorMessages(before, driver.snapshot)
    if (wrong.length > 0) return this.mend({ element, label }, clause, wrong)
    if (/^download/.test(clause.verb) && !driver.news.slice(news).some((one) => /^downloaded/.test(one)))
      await driver.until(() => driver.news.length > news, 1500)
    const received = driver.news.slice(news)
    if (!isChanged && received.length === 0)
      return this.report(failedOutcome(`Pressed ${name}, but could not see any effect.`))
    return this.report(okOutcome([`Pressed ${name}.`, ...received.map((one) => `(${one})`)].join(' ')))
  }

  /** A page that complains may ask for what the request says to give only if asked. */
  private async mend(button: PageButton, clause: PromptClause, wrong: readonly string[]): Promise<boolean> {
    const { driver } = this
    let mended = false
    await driver.read()
    for (const optional of [...this.waiting]) mended = (await this.doIfAsked(optional)) || mended
    if (mended) return this.pressButton(button, clause)
    return this.report(
      failedOutcome(`Pressed "${button.label}", but the page was not content: ${wrong.slice(0, 3).join('; ')}.`),
    )
  }

  private refusal(clause: PromptClause, found: readonly ClauseMatch[]): StepOutcome {
    const tied = found.flatMap(({ ambiguous }) => ambiguous)
    const words = found.flatMap(({ unexplained }) => unexplained.map(({ value }) => value))
    if (words.length === 0 && tied.length > 0)
      return failedOutcome(
        `Could not do "${clause.text}": it is not clear which one is meant, ${[...new Set(tied)].map((one) => `"${one}"`).join(' or ')}.`,
      )
    const what =
      words.length > 0 ? `nothing on the page answers to "${words.join(' ')}"` : 'the page has no place for it'
    return failedOutcome(
      `Could not do "${clause.text}": ${what}. The page offers ${describePageControls(this.driver.snapshot)}.`,
    )
  }
}

const SETTINGS_ONLY = '(settings only)'

const elementOf = (one: ControlSetting): SnapshotElement =>
  one.type === 'field' ? one.field.element : one.choice.element

/** "I am looking for …", "show only …": what is set is to be seen at once. */
const isFilter = ({ kind, verb }: PromptClause): boolean => kind === 'goal' || verb === ''

const isTopicOfForm = (tokens: readonly PromptToken[]): boolean =>
  /^(form|fields|details)$/.test(tokens.at(-1)?.word ?? '') && !tokens.some(isLiteralValue)

/** A field that would get a second value before anything is pressed: one of the two was misread. */
function refuseSecondValue(
  typed: Map<string, string>,
  setting: ControlSetting,
  { text }: PromptClause,
): StepOutcome | undefined {
  if (setting.type !== 'field') return undefined
  const { field, value } = setting
  const earlier = typed.get(field.element.ref)
  typed.set(field.element.ref, value)
  if (earlier === undefined || earlier === value) return undefined
  return failedOutcome(
    `Could not do "${text}": both "${earlier}" and "${value}" would go into "${field.labels[0] ?? 'one field'}".`,
  )
}

/** "accept the terms" ticks a box. */
const asMatched = (clause: PromptClause): PromptClause =>
  clause.kind === 'consent'
    ? { ...clause, kind: /^(reject|decline|refuse|deny)/.test(clause.verb) ? 'off' : 'on' }
    : clause

function isKeyPress({ kind, rest, all }: PromptClause): string | undefined {
  const combination = all.find((token) => token.kind === 'key')
  if (combination) return normalizeKeyCombination(combination.value)
  const at = all.findIndex(({ word }) => word === 'shortcut')
  const words = (at >= 0 ? all.slice(at + 1) : rest).filter(
    ({ kind: one, word }) => !/^(the|key|on|this|page)$/.test(word) && (one !== 'mark' || /^[/?]$/.test(word)),
  )
  const [only] = words
  if (words.length !== 1 || (kind !== 'press' && at < 0) || only!.kind === 'quote') return undefined
  return only!.kind === 'mark' ? only!.word : normalizeKeyName(only!.word)
}

/** More of the page may come by leafing, scrolling, unfolding or a further part of the form. */
const canSeek = (snapshot: DomSnapshot, found: readonly ClauseMatch[]): boolean =>
  found.some(({ unexplained }) => unexplained.length > 0) &&
  (mayShowMore(snapshot) ||
    (findNextStepButton(snapshot) !== undefined && found.some(({ settings }) => settings.length > 0)))

/** "get rid of X" where X is no dialog. */
const asDelete = (clause: PromptClause): PromptClause =>
  clause.verb === 'get rid of'
    ? { ...clause, verb: 'delete', all: [{ ...clause.all[0]!, word: 'delete', value: 'delete' }, ...clause.rest] }
    : clause

const questionIn = ({ verb, all, rest }: PromptClause): string => joinTokenValues(isCommandVerb(verb) ? rest : all)

/** "Give me the price of the lamp", "price of the lamp": asks for what can be read on the page. */
const isAskedFor = (snapshot: DomSnapshot, clause: PromptClause): boolean =>
  clause.kind === 'goal' &&
  (!isCommandVerb(clause.verb) || /^(me|us)$/.test(clause.rest[0]?.word ?? '')) &&
  findAnswerOnPage(snapshot, questionIn(clause)) !== undefined

const properWords = (tokens: readonly PromptToken[]): PromptToken[] => {
  const proper = tokens.filter(({ kind, capital }) => kind === 'quote' || capital)
  return proper.length > 0 ? tokens.slice(tokens.indexOf(proper[0]!)) : tokens.filter(({ word }) => !isWeakWord(word))
}

/** "the third result": an item of the page's longest list, by its first link. */
function nthItem(snapshot: DomSnapshot, { kind, rest }: PromptClause): PageButton | undefined {
  if (kind !== 'open' && kind !== 'press') return undefined
  const ordinal = rest.map(({ word }) => parseOrdinal(word)).find((number) => number !== undefined)
  const others = strongWordsOf(rest).filter((word) => parseOrdinal(word) === undefined)
  const titles = snapshot.elements.filter(({ role }) => role === 'heading').map(({ name }) => name ?? '')
  const isNoun = (word: string) =>
    /^(result|item|link|entry|article|product|row|one|hit)s?$/.test(word) ||
    titles.some((title) => scoreLabelCoverage([word], title) > 0)
  if (ordinal === undefined || !others.every(isNoun)) return undefined
  const element = linksOfLongestList(snapshot).at(ordinal < 0 ? ordinal : ordinal - 1)
  return element ? { element, label: element.name ?? element.text ?? '' } : undefined
}
