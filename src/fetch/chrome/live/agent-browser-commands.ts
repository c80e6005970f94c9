// Named steps in a session's page, as `agent-browser` offers them in a shell: `open`, `snapshot -i`, `click @e3`, `get
// text @e5`.
import type { Dialog, Page } from 'playwright-core'
import { limitWithin } from '../../../base/deadline.ts'
import { findElementByRef, takeSnapshotText } from '../snapshot/element-refs.ts'
import { isNavigableUrl } from './allowed-cdp-messages.ts'

interface CommandOutput {
  stdout: string
  stderr: string
  exitCode: number
  file?: { path: string; base64: string }
}

export type RunAgentBrowserCommand = (args: readonly string[], signal: AbortSignal) => Promise<CommandOutput>

interface CommandContext {
  page: Page
  pages(): Page[]
  turnTo(page: Page): void
  answer(accept: boolean, words: string | undefined): void
  signal: AbortSignal
}

type Command = (
  args: readonly string[],
  context: CommandContext,
) => Promise<string | Omit<CommandOutput, 'exitCode' | 'stderr'>>

const ELEMENT_MS = 10_000
/** As browser libraries wait for a page, or what remains of the call. */
const NAVIGATION_MS = 30_000
const MAX_WAIT_MS = 60_000
const MAX_TEXT = 500_000

export function makeAgentBrowserCommands(firstPage: () => Promise<Page>): RunAgentBrowserCommand {
  let current: Page | undefined
  const questions = openQuestions()
  return async (args, signal) => {
    const [name = 'help', ...rest] = args.filter((arg) => arg !== '--json')
    const command = commands.get(name)
    if (!command) return makeFailedOutput(`There is no \`${name}\`. ${HELP}`)
    try {
      if (!current || current.isClosed()) current = await firstPage()
      const page = current
      questions.listen(page)
      const context: CommandContext = {
        page,
        pages: () => page.context().pages(),
        turnTo(other) {
          current = other
        },
        answer: questions.answer,
        signal,
      }
      const said = await command(rest, context)
      const asked = questions.received()
      return typeof said === 'string'
        ? { stdout: [said.slice(0, MAX_TEXT), ...asked].join('; '), stderr: '', exitCode: 0 }
        : { ...said, stderr: '', exitCode: 0 }
    } catch (error) {
      return makeFailedOutput(
        (error as Error).message
          .replace(/^\w+\.\w+: /, '')
          .split('\nCall log:')[0]
          ?.trim() ?? 'Failed',
      )
    }
  }
}

/** Dialogs are dismissed unless `dialog accept` came before; their text is reported. */
function openQuestions() {
  const known = new WeakSet<Page>()
  let received: string[] = []
  let next: { accept: boolean; words: string | undefined } = { accept: false, words: undefined }
  const reply = async (dialog: Dialog) => {
    const { accept, words } = next
    next = { accept: false, words: undefined }
    const yes = accept || dialog.type() === 'alert' || dialog.type() === 'beforeunload'
    received.push(
      `the page showed the dialog "${dialog.message().slice(0, 200)}", which was ${yes ? 'accepted' : 'dismissed'}`,
    )
    await (yes ? dialog.accept(words) : dialog.dismiss())
  }
  return {
    listen(page: Page) {
      if (known.has(page)) return
      known.add(page)
      page.on('dialog', (dialog) => void reply(dialog).catch(() => {}))
    },
    answer(accept: boolean, words: string | undefined) {
      next = { accept, words }
    },
    received() {
      const all = received
      received = []
      return all
    },
  }
}

const makeFailedOutput = (stderr: string): CommandOutput => ({ stdout: '', stderr, exitCode: 1 })

/** By a ref of the last snapshot, or a selector. */
async function element(page: Page, name: string | undefined) {
  if (!name) throw new Error('Name an element: a ref such as @e3, or a selector')
  if (!/^@?e\d+$/.test(name)) return page.locator(name).first()
  const found = await findElementByRef(page, name)
  if (!found) throw new Error(`${name} is no longer on the page; take a new snapshot`)
  return found
}

const options = { timeout: ELEMENT_MS }
const wordsOf = (args: readonly string[]) => args.filter((arg) => !/^-{1,2}[a-z]/.test(arg))
const has = (args: readonly string[], ...flags: string[]) => args.some((arg) => flags.includes(arg))

const navigation = (signal: AbortSignal) => ({
  waitUntil: 'domcontentloaded' as const,
  timeout: Math.max(1, limitWithin(signal, NAVIGATION_MS)),
})

const open: Command = async ([given = ''], { page, signal }) => {
  const url = /^[a-z][a-z0-9+.-]*:/i.test(given) && !/^localhost:|^[\w.-]+:\d+/.test(given) ? given : `https://${given}`
  if (given === '' || !isNavigableUrl(url))
    throw new Error(`${given || 'Nothing'} cannot be opened: only http and https URLs can`)
  await page.goto(url, navigation(signal))
  return `${await page.title()}\n${page.url()}`
}

const get: Command = async ([what = '', name, attribute], { page }) => {
  if (what === 'title') return page.title()
  if (what === 'url') return page.url()
  if (what === 'count') return String(await page.locator(name ?? '*').count())
  if (what === 'text' && !name) return page.innerText('body', options)
  if (what === 'html' && !name) return page.content()
  const one = await element(page, name)
  if (what === 'text') return one.innerText()
  if (what === 'html') return one.innerHTML()
  if (what === 'value') return one.inputValue()
  if (what === 'attr') return (await one.getAttribute(attribute ?? '')) ?? ''
  throw new Error('get text|title|url|html|value|attr|count')
}

const is: Command = async ([what = '', name], { page }) => {
  const one = await element(page, name)
  if (what === 'visible') return String(await one.isVisible())
  if (what === 'enabled') return String(await one.isEnabled())
  if (what === 'checked') return String(await one.isChecked())
  throw new Error('is visible|enabled|checked')
}

const scroll: Command = async ([direction = 'down', amount], { page }) => {
  const step = Number(amount) || 600
  const ways: Record<string, [number, number]> = {
    down: [0, step],
    up: [0, -step],
    right: [step, 0],
    left: [-step, 0],
    bottom: [0, 1e7],
    top: [0, -1e7],
  }
  if (/^@?e\d+$/.test(direction)) {
    await (await element(page, direction)).scrollIntoViewIfNeeded(options)
    return 'scrolled'
  }
  const [x, y] = ways[direction] ?? [0, step]
  await page.evaluate(`(document.scrollingElement ?? document.documentElement).scrollBy(${x}, ${y})`)
  return `scrolled ${direction}`
}

const screenshot: Command = async (args, { page }) => {
  const [path = '/tmp/screenshot.png'] = wordsOf(args)
  const bytes = await page.screenshot({ fullPage: has(args, '--full', '-f') })
  return { stdout: path, file: { path, base64: bytes.toString('base64') } }
}

const wait: Command = async ([what = ''], { page, signal }) => {
  if (/^\d+$/.test(what)) await page.waitForTimeout(limitWithin(signal, Math.min(Number(what), MAX_WAIT_MS)))
  else if (what === '' || what.startsWith('--')) await page.waitForLoadState('networkidle', options)
  else await page.waitForSelector(what, options)
  return 'done'
}

const tab: Command = async ([what = 'list', name], { page, pages, turnTo, signal }) => {
  if (what === 'new') {
    const other = await page.context().newPage()
    turnTo(other)
    if (name) await other.goto(name, navigation(signal))
  } else if (what === 'close') {
    const left = pages().filter((one) => one !== page)
    await page.close()
    turnTo(left[0] ?? page)
  } else if (/^\d+$/.test(what)) {
    const other = pages()[Number(what)]
    if (!other) throw new Error(`There is no tab ${what}`)
    await other.bringToFront()
    turnTo(other)
  } else if (what !== 'list') throw new Error('tab list|new [url]|close|<number>')
  const titles = await Promise.all(pages().map((one) => one.title().catch(() => '')))
  return pages()
    .map((one, at) => `[${at}] ${titles[at]} ${one.url()}`)
    .join('\n')
}

const evaluate: Command = async (args, { page }) => {
  const value = await page.evaluate(args.join(' '))
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'undefined')
}

const go =
  (way: 'goBack' | 'goForward' | 'reload'): Command =>
  async (_args, { page, signal }) => {
    await page[way](navigation(signal))
    return page.url()
  }

const act =
  (
    done: string,
    step: (one: Awaited<ReturnType<typeof element>>, rest: readonly string[]) => Promise<unknown>,
  ): Command =>
  async ([name, ...rest], { page }) => {
    await step(await element(page, name), rest)
    return `${done} ${name}`
  }

const snapshot: Command = async (args, { page, signal }) => {
  const [interactive, waitUntilStill] = [has(args, '-i', '--interactive'), has(args, '--rest')]
  return (await takeSnapshotText(page, { interactive, waitUntilStill }, signal)).text
}

const press: Command = async ([key = ''], { page }) => {
  await page.keyboard.press(key)
  return `pressed ${key}`
}

const drag: Command = async ([from, to], { page }) => {
  const [one, other] = [await element(page, from), await element(page, to)]
  await one.scrollIntoViewIfNeeded(options)
  const [start, end] = [await one.boundingBox(), await other.boundingBox()]
  if (!start || !end) throw new Error('One of the two is not shown on the page')
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 12 })
  await page.mouse.up()
  return `dragged ${from} to ${to}`
}

const dialog: Command = async ([what = '', ...words], { answer }) => {
  if (what !== 'accept' && what !== 'dismiss') throw new Error('dialog accept [text]|dismiss')
  answer(what === 'accept', words.length > 0 ? words.join(' ') : undefined)
  return `the next dialog of the page will be ${what === 'accept' ? 'accepted' : 'dismissed'}`
}

const HELP = `agent-browser <command>
  open <url>                     go to an address
  snapshot [-i] [--rest]         the page as a tree with refs; -i: only what can be acted on; --rest: once it is still
  click|dblclick|hover|focus|check|uncheck <@ref|selector>
  fill|type <@ref|selector> <text>
  select <@ref|selector> <option>
  drag <@ref|selector> <@ref|selector>
  dialog accept [text]|dismiss   how the next dialog of the page is handled
  press <key>                    such as Enter or Control+a
  scroll [up|down|top|bottom|@ref] [pixels]
  get text|html|value|attr|count|title|url [@ref|selector] [name]
  is visible|enabled|checked <@ref|selector>
  eval <script>                  run a script in the page
  screenshot [path] [--full]     save a picture
  scrape                         the text of the page
  back|forward|reload
  wait <milliseconds|selector>
  tab list|new [url]|close|<number>`

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['open', open],
  ['goto', open],
  ['navigate', open],
  ['snapshot', snapshot],
  ['click', act('clicked', (one) => one.click(options))],
  ['dblclick', act('clicked twice', (one) => one.dblclick(options))],
  ['hover', act('over', (one) => one.hover(options))],
  ['focus', act('focused', (one) => one.focus())],
  ['check', act('checked', (one) => one.check(options))],
  ['uncheck', act('unchecked', (one) => one.uncheck(options))],
  ['fill', act('filled', (one, rest) => one.fill(rest.join(' '), options))],
  ['type', act('typed into', (one, rest) => one.type(rest.join(' '), options))],
  ['select', act('selected in', (one, rest) => one.selectOption(rest.join(' '), options))],
  ['drag', drag],
  ['dialog', dialog],
  ['press', press],
  ['key', press],
  ['scroll', scroll],
  ['get', get],
  ['is', is],
  ['eval', evaluate],
  ['screenshot', screenshot],
  ['scrape', async (_args, { page }) => `# ${await page.title()}\n\n${await page.innerText('body', options)}`],
  ['back', go('goBack')],
  ['forward', go('goForward')],
  ['reload', go('reload')],
  ['wait', wait],
  ['tab', tab],
  ['close', async () => 'The session ends when it is stopped'],
  ['help', async () => HELP],
  ['--help', async () => HELP],
  ['-h', async () => HELP],
])

export const isAgentBrowserCommand = (name: string): boolean => commands.has(name)
