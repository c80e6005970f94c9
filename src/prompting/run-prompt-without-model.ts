// Does the literal commands of a prompt on a page, without a model. Nothing is pressed before every clause is understood
// and the controls that are there already are found; a step counts as done only when its effect was seen.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { findNewErrorMessages } from '../driving/compare-page-states.ts'
import { foldText } from '../driving/match-label-words.ts'
import { goBackOrForwardInHistory, openAddress, scrollPage, searchByField } from '../driving/navigate.ts'
import { OutOfBudgetError, PageDriver } from '../driving/page-driver.ts'
import { revealElement, scrollUntil } from '../driving/reveal-hidden.ts'
import { applyControlSetting } from '../driving/set-control.ts'
import { failedOutcome, okOutcome, quoteShort, type StepOutcome } from '../driving/step-outcome.ts'
import { type DomSnapshot, isShown, type SnapshotElement } from '../fetch/chrome/snapshot/dom-snapshot.ts'
import { getDomSnapshotReader } from '../fetch/chrome/snapshot/dom-snapshot-reader.ts'
import { writeSnapshotText } from '../fetch/chrome/snapshot/snapshot-text.ts'
import { type FoundControl, findTarget, suggestCommands } from './find-named-controls.ts'
import { type PromptCommand, parseCommands } from './parse-commands.ts'

interface PromptOptions {
  maxSteps: number
  timeoutMs: number
  /** Returns the reason why it could not; absent: there is no vault. */
  signIn?(driver: PageDriver, vault: string): Promise<string | undefined>
}

interface PromptResult {
  /** Every command was done, and seen to be. */
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
  const run: Run = { driver, signIn, outcomes: [], pictures: [] }
  try {
    await runAll(run, prompt)
  } catch (error) {
    signal.throwIfAborted()
    if (page.isClosed()) throw error
    const why = error instanceof OutOfBudgetError ? 'Gave up' : 'Could not go on'
    run.outcomes.push(failedOutcome(`${why}: ${(error as Error).message.split('\n', 1)[0]}.`))
  } finally {
    stop()
  }
  const snapshot = await reader.read(signal).catch(() => driver.snapshot)
  return {
    done: run.outcomes.length > 0 && run.outcomes.every(({ ok }) => ok),
    output: run.outcomes.map(({ text }) => text).join('\n'),
    steps: run.outcomes,
    snapshot: writeSnapshotText(snapshot, true).text,
    pictures: run.pictures,
  }
}

type Run = { driver: PageDriver; signIn: PromptOptions['signIn']; outcomes: StepOutcome[]; pictures: string[] }

/** How long a control may take to come once an earlier command has changed the page. */
const CONTROL_MS = 3000
const MAX_WAIT_SECONDS = 30
const MAX_COMMANDS = 60

async function runAll(run: Run, prompt: string): Promise<void> {
  const snapshot = await run.driver.read()
  const parsed = parseCommands(prompt)
  const refusal =
    'unclear' in parsed
      ? refuse(snapshot, parsed.unclear, 'it is no literal command')
      : refuseAny(snapshot, parsed.commands)
  if (refusal || 'unclear' in parsed) {
    run.outcomes.push(refusal!)
    return
  }
  for (const command of parsed.commands) {
    const outcome = await runCommand(run, command)
    run.outcomes.push(outcome)
    if (!outcome.ok) return
  }
}

const CHANGES_PAGE = new Set<PromptCommand['kind']>(
  'press hover key open back forward reload close search login scroll await wait'.split(' ') as PromptCommand['kind'][],
)

/** The first command that this page cannot have: those after a change of the page are looked up when they are due. */
function refuseAny(snapshot: DomSnapshot, commands: readonly PromptCommand[]): StepOutcome | undefined {
  if (commands.length === 0) return failedOutcome('The prompt has no command.')
  if (commands.length > MAX_COMMANDS) return failedOutcome(`A prompt may have ${MAX_COMMANDS} commands.`)
  let mayChange = false
  for (const command of commands) {
    const isBare = command.kind === 'press' && command.isBare === true
    const found = mayChange && !isBare ? undefined : findTarget(snapshot, command)
    if (found && 'because' in found)
      return refuse(snapshot, command.text, isBare ? 'it is no literal command' : found.because)
    mayChange ||= CHANGES_PAGE.has(command.kind)
  }
  return undefined
}

function refuse(snapshot: DomSnapshot, text: string, because: string): StepOutcome {
  const examples = suggestCommands(snapshot, text).map((command) => `«${command}»`)
  const offer = examples.length > 0 ? ` On this page, for example: ${examples.join(', ')}.` : ''
  return failedOutcome(
    `Could not do ${quoteShort(text)}: ${because}. Nothing was pressed. Without a language model, a prompt is a list of literal commands.${offer}`,
  )
}

async function runCommand(run: Run, command: PromptCommand): Promise<StepOutcome> {
  const { driver } = run
  switch (command.kind) {
    case 'key':
      return (await driver.key(command.keys))
        ? okOutcome(`Pressed ${command.keys}.`)
        : failedOutcome(`Pressed ${command.keys}, but the page did not change.`)
    case 'open':
      return openAddress(driver, command.url)
    case 'back':
      return goBackOrForwardInHistory(driver, 'goBack')
    case 'forward':
      return goBackOrForwardInHistory(driver, 'goForward')
    case 'reload':
      return openAddress(driver, driver.page.url())
    case 'close':
      return (await driver.closeOverlay())
        ? okOutcome('Closed the dialog.')
        : failedOutcome('Could not close anything: no dialog with a button to close it is open.')
    case 'login': {
      const why = run.signIn ? await run.signIn(driver, command.vault) : 'there is no vault here'
      return why
        ? failedOutcome(`Could not sign in: ${why}.`)
        : okOutcome(`Signed in with the vault entry "${command.vault}".`)
    }
    case 'scroll':
      if (command.until === undefined) return scrollPage(driver, command.words)
      return (await scrollUntil(driver, (snapshot) => hasText(snapshot, command.until!)))
        ? okOutcome(`Scrolled until ${quoteShort(command.until)} was shown.`)
        : failedOutcome(`Could not find ${quoteShort(command.until)} by scrolling.`)
    case 'wait':
      await sleep(Math.min(command.seconds, MAX_WAIT_SECONDS, Math.max(0, driver.timeLeft() / 1000)) * 1000)
      return okOutcome(`Waited ${Math.min(command.seconds, MAX_WAIT_SECONDS)} seconds.`)
    case 'await':
      return (await driver.until((snapshot) => hasText(snapshot, command.value), MAX_WAIT_SECONDS * 1000))
        ? okOutcome(`${quoteShort(command.value)} is shown.`)
        : failedOutcome(`Waited for ${quoteShort(command.value)}, but it did not appear.`)
    case 'picture':
      run.pictures.push((await driver.page.screenshot({ fullPage: command.isWhole })).toString('base64'))
      return okOutcome('Took a picture of the page.')
    default:
      return runOnTarget(driver, command)
  }
}

async function runOnTarget(driver: PageDriver, command: PromptCommand): Promise<StepOutcome> {
  await driver.read()
  const find = (): FoundControl => findTarget(driver.snapshot, command) ?? { because: 'the page has no place for it' }
  const isThere = () => !('because' in find())
  if (!isThere()) await driver.until(isThere, CONTROL_MS)
  const found = find()
  if ('because' in found) {
    const examples = suggestCommands(driver.snapshot, command.text).map((one) => `«${one}»`)
    return failedOutcome(
      `Could not do ${quoteShort(command.text)}: ${found.because}.${examples.length > 0 ? ` The page offers ${examples.join(', ')}.` : ''}`,
    )
  }
  if ('value' in found) return okOutcome(found.value)
  if ('element' in found) return press(driver, found, command.kind === 'hover')
  const { setting } = found
  if (command.kind === 'search' && setting.type === 'field') return searchByField(driver, setting.field, setting.value)
  return applyControlSetting(driver, setting, true)
}

const hasText = ({ elements }: DomSnapshot, text: string): boolean => {
  const wanted = foldText(text)
  return elements.some((one) => isShown(one) && foldText(`${one.text ?? ''}\n${one.name ?? ''}`).includes(wanted))
}

async function press(
  driver: PageDriver,
  { element, label }: { element: SnapshotElement; label: string },
  isHover: boolean,
): Promise<StepOutcome> {
  const name = quoteShort(label)
  if (!isShown(element) && !(await revealElement(driver, element)))
    return failedOutcome(`Could not bring ${name} into view.`)
  if (isHover) {
    await driver.hover(element)
    return okOutcome(`Pointed at ${name}.`)
  }
  const [before, news] = [driver.snapshot, driver.news.length]
  const isChanged = await driver.press(element)
  const wrong = findNewErrorMessages(before, driver.snapshot)
  if (wrong.length > 0)
    return failedOutcome(`Pressed ${name}, but the page reported an error: ${wrong.slice(0, 3).join('; ')}.`)
  const received = driver.news.slice(news).map((one) => ` (${one})`)
  return isChanged || received.length > 0
    ? okOutcome(`Pressed ${name}.${received.join('')}`)
    : failedOutcome(`Pressed ${name}, but could not see any effect.`)
}
