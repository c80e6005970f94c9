// Does what a request in plain English says on a page, without a model. The whole request is matched to the page before
// anything is pressed; a step counts as done only when its effect was seen.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dialog, Download, Page } from 'playwright-core'
import { type Button, controlsOf, openDialog } from '../driving/controls.ts'
import { coverage, isFaint, keyWords, plain, stem, wordsOf } from '../driving/label-words.ts'
import { OutOfBudget, PageDriver } from '../driving/page-driver.ts'
import { complaints } from '../driving/page-effects.ts'
import { nextControl, reveal, seekInFolds } from '../driving/reveal-hidden.ts'
import { applySetting, type ControlSetting, type StepOutcome } from '../driving/set-control.ts'
import { numberOf, ordinalOf } from '../driving/written-values.ts'
import { pageReader } from '../fetch/chrome/snapshot/page-reader.ts'
import { type DomSnapshot, descendants, isShown, type SnapshotElement } from '../fetch/chrome/snapshot/snapshot.ts'
import { snapshotText } from '../fetch/chrome/snapshot/snapshot-text.ts'
import { type Clause, type ParsedRequest, requestOf } from './clauses.ts'
import { type Grounding, isUnderstood, matchClause } from './match-clause.ts'
import * as steps from './steps.ts'
import { joined, type Token } from './tokens.ts'

interface PromptOptions {
  maxSteps: number
  timeoutMs: number
  /** Returns the reason why it could not; absent: there is no vault. */
  signIn?(driver: PageDriver, vault: string): Promise<string | undefined>
}

interface PromptResult {
  /** Every part of the request was done, and seen to be. */
  done: boolean
  /** What was done and what was not, in sentences. */
  output: string
  steps: StepOutcome[]
  /** The page afterwards, as text with refs. */
  snapshot: string
  /** Pictures that were asked for, as base64 of PNG files. */
  pictures: string[]
}

export async function runPrompt(
  page: Page,
  prompt: string,
  { maxSteps, timeoutMs, signIn }: PromptOptions,
  signal: AbortSignal,
): Promise<PromptResult> {
  const reader = pageReader(page)
  const driver = new PageDriver({ reader, ends: performance.now() + timeoutMs, maxActs: maxSteps, signal })
  const stop = listen(page, driver)
  const run = new PromptRun(driver, prompt, signIn)
  let done = false
  try {
    done = await run.all()
  } catch (error) {
    signal.throwIfAborted()
    if (page.isClosed()) throw error
    run.report(
      steps.failed(
        error instanceof OutOfBudget
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
    snapshot: snapshotText(snapshot, true).text,
    pictures: run.pictures,
  }
}

/** Dialogs of the browser are accepted: the caller asked for what they ask about. */
function listen(page: Page, driver: PageDriver): () => void {
  const onDialog = (dialog: Dialog) => {
    driver.news.push(`the page asked "${dialog.message().slice(0, 200)}" and was answered yes`)
    dialog.accept().catch(() => {})
  }
  const onDownload = (download: Download) => driver.news.push(`downloaded "${download.suggestedFilename()}"`)
  const onPopup = (popup: Page) => driver.news.push(`a new tab opened (${popup.url()})`)
  page.on('dialog', onDialog)
  page.on('download', onDownload)
  page.on('popup', onPopup)
  return () => {
    page.off('dialog', onDialog)
    page.off('download', onDownload)
    page.off('popup', onPopup)
  }
}

const MATCHED = /^(set|on|off|press|open|goal|hover)$/
const SETS = /^(set|on|off)$/
/** Buttons that cannot be taken back, or that act on what was chosen before. */
const COMMITS =
  /\b(send|pay|payment|delete|remove|order|buy|purchase|submit|place|book|reserve|cancel|publish|post|confirm|checkout|subscribe|add|apply)\b/i
const ASKS_FIRST = /^(delete|remove|cancel|send|submit|pay|order|confirm|discard|reset|clear|sign|log|close)/i
const STEP_ON = /^(next|continue|proceed)( step)?$/i
const SIGN_IN = /^(sign|log|login|in|on|into|with|using|by|the|my|entry|credentials|account|from|of|to|site|page|here)$/
const KEYS =
  /^(enter|return|escape|esc|tab|space|backspace|pageup|pagedown|arrowup|arrowdown|arrowleft|arrowright|f\d+)$/

class PromptRun {
  readonly outcomes: StepOutcome[] = []
  readonly pictures: string[] = []
  private readonly driver: PageDriver
  private readonly prompt: string
  private request: ParsedRequest = { clauses: [], forbidden: [] }
  /** What an earlier clause found: "it". */
  private found: Token[] | undefined
  private copied: string | undefined
  private readonly waiting: Clause[] = []
  private confirmed = false
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
    this.request = requestOf(this.prompt, pageVerbs(snapshot))
    if (this.request.clauses.length === 0)
      return this.report(steps.failed('Could not find anything to do in the request.'))
    const refusal = this.firstRefusal(snapshot)
    if (refusal) return this.report(refusal)
    for (const clause of this.inOrder(snapshot)) {
      await this.driver.read()
      if (clause.optional) await this.doIfAsked(clause)
      else if (!(await this.doClause(clause))) return false
    }
    return true
  }

  /** What is to be given only if asked waits until the page asks for it. */
  private async doIfAsked(clause: Clause): Promise<boolean> {
    const found = this.matchClause(this.driver.snapshot, asMatched(clause))
    const isShownNow = (one: ControlSetting) => isShown(one.type === 'field' ? one.field.element : one.choice.element)
    if (!found.every((one) => isUnderstood(one) && one.settings.every(isShownNow))) return false
    this.waiting.splice(this.waiting.indexOf(clause), 1)
    for (const one of found) if (!(await this.perform(one, clause))) return false
    return true
  }

  /** The first clause that cannot be done, as far as that can be said before anything is pressed. */
  private firstRefusal(snapshot: DomSnapshot): StepOutcome | undefined {
    let mayChange = false
    let commits = false
    for (const clause of this.request.clauses) {
      const isMatched =
        MATCHED.test(clause.kind) && !isKeyPress(clause) && !clause.all.some(({ kind }) => kind === 'url')
      const odd =
        clause.kind === 'login' && clause.all.find(({ kind, word }) => kind !== 'vault' && !SIGN_IN.test(word))
      if (odd) return steps.failed(`Could not understand "${odd.value}" in "${clause.text}".`)
      if (!isMatched) {
        mayChange ||= !/^(ask|wait|picture)$/.test(clause.kind)
        continue
      }
      const found = this.matchClause(snapshot, clause)
      const isClear = found.every(isUnderstood)
      const mayCome = mayChange && !(commits && SETS.test(clause.kind))
      const isOnlyTied =
        found.every(({ unexplained }) => unexplained.length === 0) && clause !== this.request.clauses[0]
      if (
        !isClear &&
        !clause.optional &&
        clause.page === undefined &&
        !mayCome &&
        !isOnlyTied &&
        !canSeek(snapshot, found)
      )
        return this.refusal(clause, found)
      const presses = found.some(({ button }) => button)
      mayChange ||=
        !isClear ||
        presses ||
        found.some(({ settings }) => settings.some((one) => one.type === 'field' && one.field.suggests))
      commits ||= isClear && found.some(({ button }) => button && COMMITS.test(button.label))
    }
    return undefined
  }

  private matchClause(snapshot: DomSnapshot, clause: Clause, context?: readonly Token[]): Grounding[] {
    const found = matchClause(snapshot, clause, { prompt: this.prompt, ...(context && { context }) })
    if (found.every(isUnderstood)) return found
    // "Ask for a quote: from A to B": the words before the colon name the topic; a later clause says what to press.
    const colon = clause.all.findIndex(({ kind, word }) => kind === 'mark' && word === ':')
    const isLast = this.request.clauses.indexOf(clause) === this.request.clauses.length - 1
    if (colon < 1 || isLast) return found
    const rest = clause.all.slice(colon + 1)
    const topical = matchClause(
      snapshot,
      { ...clause, kind: 'set', verb: '', all: rest, rest },
      { prompt: this.prompt, settingsOnly: true },
    )
    const misses = (list: readonly Grounding[]) => list.reduce((sum, { unexplained }) => sum + unexplained.length, 0)
    return misses(topical) < misses(found) && topical.some(({ settings }) => settings.length > 0) ? topical : found
  }

  /** Settings go before the button that acts on them; of two clauses for one button the last presses it. */
  private inOrder(snapshot: DomSnapshot): Clause[] {
    const grounded = this.request.clauses.map((clause) => {
      const list =
        MATCHED.test(clause.kind) || clause.kind === 'consent' ? this.matchClause(snapshot, asMatched(clause)) : []
      return { clause, list, isClear: list.length > 0 && list.every(isUnderstood) }
    })
    const buttonOf = (at: number) =>
      grounded[at]?.isClear && grounded[at]!.list.length === 1 ? grounded[at]!.list[0]!.button?.element.ref : undefined
    const out: Clause[] = []
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
      const again = grounded.findIndex((_, n) => n > at && buttonOf(n) !== undefined && buttonOf(n) === buttonOf(at))
      const isTwice = clause.kind === 'goal' && again > 0 && (list[0]?.settings.length ?? 0) > 0
      if (clause.optional) this.waiting.push(clause)
      out.push(isTwice ? { ...clause, kind: 'set', text: SETTINGS_ONLY } : clause)
    }
    return out
  }

  private async doClause(clause: Clause): Promise<boolean> {
    const { driver } = this
    if (clause.page !== undefined && !this.report(await steps.goToPage(driver, clause.page))) return false
    if (clause.all.length === 0) return true
    const named = await this.doNamed(clause)
    // "until you see the post of Ada": what is sought is what "it" means later.
    if (clause.until)
      this.found = clause.until.filter(({ word }) => !/^(you|see|find|reach|is|shown|appears)$/.test(word))
    if (named) return this.report(named)
    if (clause.kind === 'consent') return this.doMatched(asMatched(clause))
    if (clause.kind === 'go') return this.doMatched({ ...clause, kind: 'open' })
    return this.doMatched(MATCHED.test(clause.kind) ? clause : { ...clause, kind: 'goal' })
  }

  /** Clauses whose verb says all; nothing when the words must be matched to the page. */
  private async doNamed(clause: Clause): Promise<StepOutcome | undefined> {
    const { driver } = this
    const address = clause.all.find(({ kind }) => kind === 'url')
    if (address && /^(open|go)$/.test(clause.kind)) return steps.openAddress(driver, address.value)
    const key = isKeyPress(clause)
    if (key)
      return (await driver.key(key))
        ? steps.done(`Pressed ${key}.`)
        : steps.failed(`Pressed ${key}, but the page did not change.`)
    switch (clause.kind) {
      case 'ask':
        return steps.read(driver, joined(clause.rest.length > 0 ? clause.rest : clause.all))
      case 'press':
        if (!clause.until) return undefined
        return (await steps.go(driver, clause)) ?? steps.failed(`Could not press until ${joined(clause.until)}.`)
      case 'go':
        return steps.go(driver, clause)
      case 'scroll':
        return steps.scroll(driver, clause)
      case 'sort':
        return steps.sort(driver, clause)
      case 'drag':
        return this.isUnderstoodAsGoal(clause) ? undefined : steps.drag(driver, clause)
      case 'close':
        return openDialog(driver.snapshot) || (!this.isUnderstoodAsGoal(clause) && !/\d/.test(clause.text))
          ? steps.closeDialog(driver)
          : undefined
      case 'consent':
        return /\b(cookies?|tracking)\b/.test(plain(clause.text)) ? steps.cookies(driver, clause) : undefined
      case 'search':
      case 'find':
        return this.searchFor(clause)
      case 'copy':
        return this.copy(clause)
      case 'upload':
        return steps.upload(driver, clause)
      case 'confirm':
        return this.confirm()
      case 'login': {
        const name = clause.all.find(({ kind }) => kind === 'vault')!.value.slice('vault:'.length)
        const why = this.signIn ? await this.signIn(driver, name) : 'there is no vault here'
        return why
          ? steps.failed(`Could not sign in: ${why}.`)
          : steps.done(`Signed in with the vault entry "${name}".`)
      }
      case 'picture':
        this.pictures.push(
          (await driver.page.screenshot({ fullPage: /\b(whole|full|entire)\b/.test(plain(clause.text)) })).toString(
            'base64',
          ),
        )
        return steps.done('Took a picture of the page.')
      case 'wait': {
        const seconds = clause.rest.map(({ word }) => numberOf(word)).find((number) => number !== undefined) ?? 1
        await sleep(Math.min(seconds * 1000, 30_000, Math.max(0, driver.timeLeft())))
        return steps.done(`Waited ${seconds} seconds.`)
      }
      default:
        return this.paste(clause)
    }
  }

  private isUnderstoodAsGoal = (clause: Clause): boolean =>
    this.matchClause(this.driver.snapshot, { ...clause, kind: 'goal' }).every(
      (one) => isUnderstood(one) && one.button !== undefined,
    )

  private async searchFor(clause: Clause): Promise<StepOutcome | undefined> {
    const { driver } = this
    const asGoal = this.matchClause(driver.snapshot, { ...clause, kind: 'goal' })
    if (asGoal.every((one) => isUnderstood(one) && one.button && one.settings.length > 0)) return undefined
    this.found = clause.rest
    const isFind = clause.kind === 'find'
    if (isFind && steps.isOnPage(driver.snapshot, clause.rest)) return steps.done(`Found "${clause.text}".`)
    const query = isFind ? properWords(clause.rest) : clause.rest
    const searched = await steps.search(driver, query)
    if (!isFind) return searched
    const isThere = (snapshot: DomSnapshot) => steps.isOnPage(snapshot, query)
    if (searched?.ok && isThere(driver.snapshot)) return searched
    if (!searched && asGoal.some(({ settings, button }) => button && settings.length > 0)) return undefined
    return (await steps.bringOn(driver, isThere))
      ? steps.done(`Found "${clause.text}".`)
      : steps.failed(`Could not find "${clause.text}" on the page.`)
  }

  private async copy({ rest, text }: Clause): Promise<StepOutcome> {
    const at = rest.findIndex(({ kind, word }) => kind === 'word' && /^(into|to)$/.test(word))
    const source = at < 0 ? rest : rest.slice(0, at)
    this.copied = steps.labelledText(this.driver.snapshot, source)
    if (this.copied === undefined) return steps.failed(`Could not find the text of "${text}" on the page.`)
    return at < 0 ? steps.done(`Read "${this.copied}".`) : this.putCopied(rest.slice(at + 1))
  }

  /** "put it into Reference". */
  private async paste({ all, rest }: Clause): Promise<StepOutcome | undefined> {
    const at = rest.findIndex(({ word }) => /^(into|in)$/.test(word))
    const isIt = at > 0 && rest.slice(0, at).every(({ word }) => /^(it|that|the|text|value)$/.test(word))
    return this.copied !== undefined && isIt && /^(put|paste|enter|type|insert)$/.test(all[0]!.word)
      ? this.putCopied(rest.slice(at + 1))
      : undefined
  }

  private async putCopied(tokens: readonly Token[]): Promise<StepOutcome> {
    const words = wordsOf(joined(tokens)).filter((word) => !isFaint(word) && word !== 'field')
    const fields = controlsOf(this.driver.snapshot).fields.filter(
      ({ element }) => isShown(element) && !element.readonly,
    )
    const scored = fields.map((field) => ({
      field,
      score: Math.max(0, ...field.labels.map((label) => coverage(words, label))),
    }))
    const best = scored.sort((a, b) => b.score - a.score)[0]
    if (!best || best.score < 0.5) return steps.failed(`Could not find the field "${words.join(' ')}".`)
    return applySetting(this.driver, { type: 'field', field: best.field, value: this.copied!, from: 0 }, true)
  }

  private async confirm(): Promise<StepOutcome | undefined> {
    const button = steps.affirmative(this.driver.snapshot, 'confirm')
    if (!button) return this.confirmed ? steps.done('It was confirmed.') : undefined
    await this.driver.press(button.element)
    return openDialog(this.driver.snapshot)
      ? steps.failed('Could not confirm: the dialog is still open.')
      : steps.done(`Pressed "${button.label}".`)
  }

  private async doMatched(clause: Clause): Promise<boolean> {
    const found = await this.seek(clause)
    if (!found) return this.wizard(clause)
    for (const at of found.keys()) {
      // An earlier press may have drawn the page anew.
      const one = at === 0 ? found[0]! : (await this.seek(clause))?.[at]
      if (!one || !(await this.perform(one, clause))) return false
    }
    return true
  }

  /** What the clause means here, or on a further page, further down, or under a tab. */
  private async seek(clause: Clause): Promise<Grounding[] | undefined> {
    const { driver } = this
    const context = this.found
    const now = (): Grounding[] | undefined => {
      const found = this.matchClause(driver.snapshot, clause)
      if (found.every(isUnderstood)) return found
      const inContext = context ? this.matchClause(driver.snapshot, clause, context) : []
      if (inContext.length > 0 && inContext.every(isUnderstood)) return inContext
      const item = nthItem(driver.snapshot, clause)
      return item ? [{ settings: [], button: item, cost: 0, unexplained: [], ambiguous: [] }] : undefined
    }
    const isThere = () => now() !== undefined
    if (isThere()) return now()
    const found = this.matchClause(driver.snapshot, clause)
    // Another page cannot make it clearer which one is meant.
    if (found.every(({ unexplained }) => unexplained.length === 0)) return undefined
    if (found.some(({ settings }) => settings.length > 0) && stepOn(driver.snapshot)) return undefined
    if (await driver.until(isThere, 600)) return now()
    if ((await steps.bringOn(driver, isThere)) || (await seekInFolds(driver, isThere))) return now()
    return undefined
  }

  /** A form of several pages: what fits here is set, and the rest on the next page. */
  private async wizard(clause: Clause): Promise<boolean> {
    const { driver } = this
    const verb = clause.kind === 'goal' ? clause.all.slice(0, clause.all.length - clause.rest.length) : []
    let tokens = clause.kind === 'goal' ? clause.all : clause.rest
    for (let page = 0; page < 8; page++) {
      const part: Clause = { ...clause, all: tokens, rest: tokens.slice(verb.length) }
      const found = this.matchClause(driver.snapshot, part)
      if (found.every(isUnderstood)) return this.perform(found[0]!, part)
      const [one] = found
      const next = stepOn(driver.snapshot)
      if (!one || !next || one.ambiguous.length > 0 || one.settings.length === 0)
        return this.report(this.refusal(part, found))
      if (!(await this.applyAll(one.settings, part))) return false
      tokens = [...verb, ...one.unexplained.filter((token) => !verb.includes(token))]
      await driver.read()
      if (!(await this.pressButton(next, clause))) return false
    }
    return this.report(this.refusal(clause, []))
  }

  private async applyAll(settings: readonly ControlSetting[], clause: Clause): Promise<boolean> {
    const { driver } = this
    const elementOf = (one: ControlSetting) => (one.type === 'field' ? one.field.element : one.choice.element)
    // What is hidden may come into view by what is set before.
    const ordered = [...settings].sort((a, b) => Number(elementOf(a).hidden === 2) - Number(elementOf(b).hidden === 2))
    for (const setting of ordered) {
      const on = clause.kind !== 'off'
      const outcome = await applySetting(driver, setting, on)
      if (!this.report(outcome)) return false
    }
    return true
  }

  private async perform({ settings, button }: Grounding, clause: Clause): Promise<boolean> {
    if (!(await this.applyAll(settings, clause))) return false
    if (!button || clause.text === SETTINGS_ONLY) return true
    return this.pressButton(button, clause)
  }

  private async pressButton({ element, label }: Button, clause: Clause): Promise<boolean> {
    const { driver } = this
    const name = `"${label.length > 60 ? `${label.slice(0, 59)}…` : label}"`
    const isForbidden = this.request.forbidden.some((tokens) =>
      tokens.some(({ word }) => keyWords(label).some((one) => stem(one) === stem(word) && !isFaint(word))),
    )
    if (isForbidden) return this.report(steps.failed(`Did not press ${name}: the request forbids it.`))
    const now = driver.again(element) ?? element
    if (!isShown(now) && !(await reveal(driver, now)))
      return this.report(steps.failed(`Could not bring ${name} into view.`))
    const before = driver.snapshot
    const [news, dialog] = [driver.news.length, openDialog(before)]
    if (clause.kind === 'hover') {
      await driver.hover(now)
      return this.report(steps.done(`Pointed at ${name}.`))
    }
    const isChanged = await driver.press(now)
    const asked = openDialog(driver.snapshot)
    if (asked && asked.ref !== dialog?.ref && ASKS_FIRST.test(`${clause.verb || label}`)) {
      const yes = steps.affirmative(driver.snapshot, clause.verb || label)
      if (yes) await driver.press(yes.element)
      this.confirmed = yes !== undefined
    }
    const wrong = complaints(before, driver.snapshot)
    if (wrong.length > 0) return this.mend({ element, label }, clause, wrong)
    if (/^download/.test(clause.verb) && !driver.news.slice(news).some((one) => /^downloaded/.test(one)))
      await driver.until(() => driver.news.length > news, 1500)
    const received = driver.news.slice(news)
    if (!isChanged && received.length === 0)
      return this.report(steps.failed(`Pressed ${name}, but could not see any effect.`))
    return this.report(steps.done([`Pressed ${name}.`, ...received.map((one) => `(${one})`)].join(' ')))
  }

  /** A page that complains may ask for what the request says to give only if asked. */
  private async mend(button: Button, clause: Clause, wrong: readonly string[]): Promise<boolean> {
    const { driver } = this
    let mended = false
    await driver.read()
    for (const optional of [...this.waiting]) mended = (await this.doIfAsked(optional)) || mended
    if (mended) return this.pressButton(button, clause)
    return this.report(
      steps.failed(`Pressed "${button.label}", but the page was not content: ${wrong.slice(0, 3).join('; ')}.`),
    )
  }

  private refusal(clause: Clause, found: readonly Grounding[]): StepOutcome {
    const { buttons, choices, fields } = controlsOf(this.driver.snapshot)
    const tied = found.flatMap(({ ambiguous }) => ambiguous)
    const words = found.flatMap(({ unexplained }) => unexplained.map(({ value }) => value))
    if (words.length === 0 && tied.length > 0)
      return steps.failed(
        `Could not do "${clause.text}": it is not clear which one is meant, ${[...new Set(tied)].map((one) => `"${one}"`).join(' or ')}.`,
      )
    const shown = <T extends { element: SnapshotElement }>(list: readonly T[]) =>
      list.filter(({ element }) => isShown(element))
    const groups = [...new Set(shown(choices).map(({ text }) => `"${text}"`))].slice(0, 12)
    const labels = shown(fields).flatMap(({ labels: [label] }) => (label ? [`"${label}"`] : []))
    const offers = [
      groups.length > 0 ? `choices ${groups.join(', ')}` : '',
      labels.length > 0 ? `fields ${[...new Set(labels)].slice(0, 10).join(', ')}` : '',
      `buttons ${steps.listOf(shown(buttons))}`,
    ]
    const what =
      words.length > 0 ? `nothing on the page answers to "${words.join(' ')}"` : 'the page has no place for it'
    return steps.failed(`Could not do "${clause.text}": ${what}. The page offers ${offers.filter(Boolean).join('; ')}.`)
  }
}

const SETTINGS_ONLY = '(settings only)'

/** "accept the terms" ticks a box. */
const asMatched = (clause: Clause): Clause =>
  clause.kind === 'consent'
    ? { ...clause, kind: /^(reject|decline|refuse|deny)/.test(clause.verb) ? 'off' : 'on' }
    : clause

/** First words of the page's buttons, which begin clauses: "archive", "star". */
function pageVerbs(snapshot: DomSnapshot): Set<string> {
  const { buttons, choices } = controlsOf(snapshot)
  const long = choices.filter(({ kind, text }) => kind === 'check' && wordsOf(text).length > 2).map(({ text }) => text)
  const first = [...buttons.map(({ label }) => label), ...long].map((label) => keyWords(label)[0] ?? '')
  return new Set(first.filter((word) => /^\p{L}{3,}$/u.test(word)).map(stem))
}

function isKeyPress({ kind, rest, all }: Clause): string | undefined {
  const combination = all.find((token) => token.kind === 'key')
  if (combination)
    return combination.value
      .split('+')
      .map((part) => part.trim())
      .map((part) =>
        /^(ctrl|control)$/i.test(part)
          ? 'Control'
          : /^(cmd|command|meta)$/i.test(part)
            ? 'Meta'
            : part.length === 1
              ? part.toLowerCase()
              : part[0]!.toUpperCase() + part.slice(1).toLowerCase(),
      )
      .join('+')
  const at = all.findIndex(({ word }) => word === 'shortcut')
  const words = (at >= 0 ? all.slice(at + 1) : rest).filter(
    ({ kind: one, word }) => !/^(the|key|on|this|page)$/.test(word) && (one !== 'mark' || /^[/?]$/.test(word)),
  )
  if (words.length !== 1 || (kind !== 'press' && at < 0) || words[0]!.kind === 'quote') return undefined
  if (words[0]!.kind === 'mark') return words[0]!.word
  const name = words[0]!.word
  return KEYS.test(name)
    ? name === 'esc'
      ? 'Escape'
      : name === 'return'
        ? 'Enter'
        : name.replace(
            /^(arrow|page)?(.)(.*)$/,
            (_, a: string = '', b: string, c: string) =>
              (a ? a[0]!.toUpperCase() + a.slice(1) : '') + b.toUpperCase() + c,
          )
    : undefined
}

/** The button that leads to the next part of a form. */
function stepOn(snapshot: DomSnapshot): Button | undefined {
  const { buttons, fields, choices } = controlsOf(snapshot)
  const isForm = [...fields, ...choices].some(({ element }) => isShown(element))
  return isForm ? buttons.find(({ element, label }) => isShown(element) && STEP_ON.test(label.trim())) : undefined
}

/** More of the page may come by leafing, scrolling, unfolding or a further part of the form. */
const canSeek = (snapshot: DomSnapshot, found: readonly Grounding[]): boolean => {
  if (found.every(({ unexplained }) => unexplained.length === 0)) return false
  const [, , , height = 0, whole = 0] = snapshot.view
  return (
    nextControl(snapshot) !== undefined ||
    whole > height + 50 ||
    (stepOn(snapshot) !== undefined && found.some(({ settings }) => settings.length > 0))
  )
}

const properWords = (tokens: readonly Token[]): Token[] => {
  const proper = tokens.filter(({ kind, capital }) => kind === 'quote' || capital)
  return proper.length > 0 ? tokens.slice(tokens.indexOf(proper[0]!)) : tokens.filter(({ word }) => !isFaint(word))
}

/** "the third result": an item of the page's longest list, by its first link. */
function nthItem(snapshot: DomSnapshot, { kind, rest }: Clause): Button | undefined {
  if (kind !== 'open' && kind !== 'press') return undefined
  const ordinal = rest.map(({ word }) => ordinalOf(word)).find((number) => number !== undefined)
  const others = wordsOf(joined(rest)).filter((word) => !isFaint(word) && ordinalOf(word) === undefined)
  const titles = snapshot.elements.filter(({ role }) => role === 'heading').map(({ name }) => name ?? '')
  const isNoun = (word: string) =>
    /^(result|item|link|entry|article|product|row|one|hit)s?$/.test(word) ||
    titles.some((title) => coverage([word], title) > 0)
  if (ordinal === undefined || !others.every(isNoun)) return undefined
  const items = snapshot.elements.filter((one) => isShown(one) && /^(listitem|article|row)$/.test(one.role ?? ''))
  const links = items.flatMap((item) => {
    const link = descendants(snapshot, item).find((one) => isShown(one) && one.role === 'link')
    return link ? [{ item, link }] : []
  })
  const lists = new Map<number, typeof links>()
  for (const one of links) lists.set(one.item.up, [...(lists.get(one.item.up) ?? []), one])
  const longest = [...lists.values()].sort((a, b) => b.length - a.length)[0] ?? []
  const element = longest.at(ordinal < 0 ? ordinal : ordinal - 1)?.link
  return element ? { element, label: element.name ?? element.text ?? '' } : undefined
}
