// Runs a prompt in a session: by a model over page snapshots, or by rules. Page text is data to both and never becomes
// a task.
import { rejectWhenAborted, startDeadline } from '../../base/deadline.ts'
import type { LiveSession } from '../../fetch/chrome/live/live-session.ts'
import { type Llm, sumModelUsage, type TokenUsage } from '../../llm/llm.ts'
import { runPromptWithoutModel } from '../../prompting/run-prompt-without-model.ts'
import {
  describeRef,
  findOpenDialog,
  isPasswordRef,
  type PageStateSnapshot,
  writePageStateForModel,
} from './page-state-for-model.ts'
import type { PromptRequest, PromptResult, RunPromptInSession } from './session-service.ts'

const MAX_STEPS = 200
/** Model requests per prompt. */
const MAX_TURNS = 20
/** Steps per model response: the page may change after more. */
const MAX_STEPS_PER_REPLY = 5
const [STEPS_SHOWN, STEP_CHARS] = [6, 80]
/** Work ends with the caller's timeout. What is still under way then, such as connecting to a page, ends this much later. */
const LATE_WORK_MS = 100

export function makePromptRunner(llm: Llm): RunPromptInSession {
  return async (session, request, { signIn, mask }, signal) => {
    const usages: TokenUsage[] = []
    const extract: Llm['extract'] = async (...ask) => {
      const reply = await llm.extract(...ask)
      usages.push(reply.usage)
      return reply
    }
    const driven = llm.by === 'model' ? await modelTurns({ extract }, session, { ...request, mask }, signal) : undefined
    const usage = sumModelUsage(usages)
    const spent = usage ? { usage } : {}
    if (driven && 'done' in driven) return { ...driven, ...spent }
    const limit = startPromptDeadline(request.timeoutMs, signal)
    const options = { maxSteps: MAX_STEPS, timeoutMs: request.timeoutMs, signIn }
    const run = async () => runPromptWithoutModel(await session.page(), request.prompt, options, limit.signal)
    const prompted = await rejectWhenAborted(limit.signal, run()).finally(limit.clear)
    return { ...prompted, ...spent, ...(driven ? { warning: driven.because } : {}) }
  }
}

const startPromptDeadline = (ms: number, parent: AbortSignal) =>
  startDeadline(ms + LATE_WORK_MS, parent, 'it took longer than `timeout`; raise it')

type Step = { command?: unknown; target?: unknown; value?: unknown }

type ModelReply = { steps: readonly Step[]; isFinished: boolean; succeeded: boolean; answer: string }

const COMMANDS = 'click fill select check uncheck hover drag dialog press scroll open back wait look'.split(' ')

const SCHEMA = {
  type: 'object',
  properties: {
    steps: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          command: { type: 'string', enum: COMMANDS },
          target: { type: ['string', 'null'] },
          value: { type: ['string', 'null'] },
        },
        required: ['command'],
      },
    },
    finished: { type: 'boolean' },
    succeeded: { type: 'boolean' },
    answer: { type: ['string', 'null'] },
  },
  required: ['steps', 'finished'],
}

type Undone = { because: string }
type MaskedRequest = PromptRequest & { mask(text: string): string }

/** A model never drives where a sign-in of the vault is typed. */
const modelTurns = async (
  llm: Pick<Llm, 'extract'>,
  session: LiveSession,
  request: MaskedRequest,
  signal: AbortSignal,
): Promise<PromptResult | Undone> =>
  /\bvault:/.test(request.prompt)
    ? { because: 'Rules ran the prompt without the model, because it signs in with a vault entry.' }
    : byModel(llm, session, request, signal)

async function byModel(
  llm: Pick<Llm, 'extract'>,
  session: LiveSession,
  { prompt, timeoutMs, mask }: MaskedRequest,
  signal: AbortSignal,
): Promise<PromptResult | Undone> {
  const steps: string[] = []
  let before: PageStateSnapshot | undefined
  let whole = false
  let wasWarned = false
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const summary = await runWithTimeout(timeoutMs, signal, (within) => summarize(session, within))
    const { reply, because } = await nextSteps(
      llm,
      { prompt, steps, text: writePageStateForModel(summary, before, prompt, whole), mask },
      signal,
    )
    if (!reply)
      return turn === 0
        ? { because }
        : endPrompt(session, false, [...steps, `The model stopped responding: ${because}`], '', signal)
    ;[before, whole] = [summary, reply.steps.some(({ command }) => command === 'look')]
    if (reply.isFinished) {
      const dialog = reply.succeeded ? findOpenDialog(summary.snapshot) : undefined
      if (dialog === undefined || wasWarned) return endPrompt(session, reply.succeeded, steps, reply.answer, signal)
      wasWarned = true
      steps.push(`not finished yet? The dialog “${dialog}” is still open`)
      continue
    }
    steps.push(
      ...(await runWithTimeout(timeoutMs, signal, (within) => takeAll(session, reply.steps, summary, prompt, within))),
    )
  }
  return endPrompt(session, false, steps, `It was not finished within ${MAX_TURNS} steps.`, signal)
}

/** Each step gets the caller's timeout; model time is not counted. */
async function runWithTimeout<T>(ms: number, parent: AbortSignal, work: (signal: AbortSignal) => Promise<T>) {
  const { signal, clear } = startPromptDeadline(ms, parent)
  try {
    return await rejectWhenAborted(signal, work(signal))
  } finally {
    clear()
  }
}

async function summarize(session: LiveSession, signal: AbortSignal): Promise<PageStateSnapshot> {
  const { stdout: snapshot } = await session.command(['snapshot', '--rest'], signal)
  const { stdout: url } = await session.command(['get', 'url'], signal)
  const { stdout: title } = await session.command(['get', 'title'], signal)
  return { snapshot, url, title: title.slice(0, 100) }
}

async function nextSteps(
  llm: Pick<Llm, 'extract'>,
  { prompt, steps, text, mask }: { prompt: string; steps: readonly string[]; text: string; mask(text: string): string },
  signal: AbortSignal,
): Promise<{ reply?: ModelReply; because: string }> {
  // The names of elements are words of the page, so the steps are fenced with it.
  const done =
    steps.length === 0
      ? ''
      : `Done so far:\n${steps
          .slice(-STEPS_SHOWN)
          .map((step) => step.slice(0, STEP_CHARS))
          .join('\n')}\n\n`
  const { by, value, warnings } = await llm.extract(
    {
      job: 'act',
      schema: SCHEMA,
      isSchemaKnown: true,
      prompt: JSON.stringify(prompt),
      text: () => mask(`${done}${text}`),
      found: undefined,
    },
    signal,
  )
  if (by !== 'model' || value === null || typeof value !== 'object')
    return {
      because: warnings[0]?.replace(/: this was extracted.*$/, '; rules did it instead.') ?? 'The model gave no steps.',
    }
  const { steps: listed, finished, succeeded, answer, ...single } = value as Record<string, unknown>
  const all = (Array.isArray(listed) ? listed : [single]).filter((one): one is Step => typeof one?.command === 'string')
  const taken = all.filter(({ command }) => command !== 'none').slice(0, MAX_STEPS_PER_REPLY)
  return {
    because: '',
    reply: {
      steps: taken,
      // Steps come first: the model confirms the end after them.
      isFinished: taken.length === 0,
      succeeded: succeeded !== false && (finished === true || succeeded === true),
      answer: typeof answer === 'string' ? answer : '',
    },
  }
}

/** Runs steps until one fails or navigates, because refs of another page differ. */
async function takeAll(
  session: LiveSession,
  steps: readonly Step[],
  summary: PageStateSnapshot,
  prompt: string,
  signal: AbortSignal,
): Promise<string[]> {
  const said: string[] = []
  for (const step of steps) {
    if (step.command === 'look') continue
    const { words, failed } = await take(session, step, summary, prompt, signal)
    said.push(words)
    if (failed || (await session.command(['get', 'url'], signal)).stdout !== summary.url) break
  }
  return said
}

/** Runs a step and reports the outcome with the page's element names. */
async function take(
  session: LiveSession,
  { command, target, value }: Step,
  summary: PageStateSnapshot,
  prompt: string,
  signal: AbortSignal,
): Promise<{ words: string; failed: boolean }> {
  const name = String(command)
  const args = [target, value].filter((part): part is string => typeof part === 'string' && part !== '')
  const describe = (secret: boolean) =>
    [name, ...args.map((arg, n) => describeRef(arg, summary.snapshot) ?? (n > 0 && secret ? '•••' : arg))].join(' ')
  if (!COMMANDS.includes(name)) return { words: `${describe(false)}: there is no such step`, failed: true }
  if (name === 'open' && !isAllowed(args[0] ?? '', prompt, summary.url))
    return { words: `${describe(false)}: refused, the user named no such URL`, failed: true }
  const { stdout, stderr, exitCode } = await session.command([name, ...args], signal)
  // A value that could not be filled in may be a password on the wrong element.
  const secret = name === 'fill' && (exitCode !== 0 || (await isFilledSecret(session, args[0] ?? '', signal)))
  if (exitCode !== 0) return { words: `${describe(secret)}: failed, ${stderr.split('\n', 1)[0]}`, failed: true }
  // The text of a JavaScript dialog follows the step's name.
  const asked = stdout.includes('; ') ? `: ${stdout.slice(stdout.indexOf('; ') + 2).split('\n', 1)[0]}` : ''
  return { words: `${describe(secret)}${asked}`, failed: false }
}

async function isFilledSecret(session: LiveSession, ref: string, signal: AbortSignal): Promise<boolean> {
  if (!/^@?e\d+$/.test(ref)) return false
  const { stdout } = await session.command(['snapshot', '-i'], signal)
  return isPasswordRef(ref.startsWith('@') ? ref : `@${ref}`, stdout)
}

/**
 * Only URLs whose host the user named, or of the current site, are opened; a page cannot send the browser elsewhere.
 */
function isAllowed(address: string, prompt: string, current: string): boolean {
  try {
    const { host, origin } = new URL(address, current)
    return prompt.toLowerCase().includes(host.toLowerCase()) || origin === new URL(current).origin
  } catch {
    return false
  }
}

async function endPrompt(
  session: LiveSession,
  done: boolean,
  steps: readonly string[],
  answer: string,
  signal: AbortSignal,
): Promise<PromptResult> {
  const { stdout: snapshot } = await session.command(['snapshot'], signal)
  return { done, output: [...steps, answer].filter(Boolean).join('\n'), steps, snapshot }
}
