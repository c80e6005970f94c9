// Watches a job: documents on standard output, progress on standard error. Watching can be resumed.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { makeOperationRequest, type Operation } from '../capabilities/operation.ts'
import { CommandExitError, exitCodes } from './command.ts'
import type { Filter } from './jq.ts'
import { callService, describeErrorReply, type ServiceConnection } from './service-call.ts'
import { makeTextStyler, toOneLine } from './terminal-output.ts'
import { addFrontMatter } from './write-page-file.ts'

interface Watching {
  connection: ServiceConnection
  status: Operation
  trace?: Operation | undefined
  id: string
  again: string
  json: boolean
  filter: Filter | undefined
  output: string | undefined
}

interface Standing {
  status: string
  total?: number
  completed?: number
  creditsUsed?: number
  duration?: number
  warning?: string
  error?: string
  data?: unknown
}

type Page = Record<string, unknown> & {
  metadata?: { statusCode?: number; url?: string; sourceURL?: string; title?: unknown }
}

const POLL_MS = 700
const PAGES_AT_ONCE = 50
const OVER = new Set(['completed', 'failed', 'cancelled'])

export async function watchJob(watching: Watching, signal: AbortSignal): Promise<number> {
  const { connection, status, id, output } = watching
  if (output !== undefined) mkdirSync(output, { recursive: true })
  const bar = openBar(process.stderr)
  let seen = 0
  let shownCount = 0
  try {
    for (;;) {
      shownCount = await printSteps(watching, shownCount, signal, bar)
      const standing = await standingOf(connection, status, id, seen, signal)
      const { data, ...sums } = standing
      const pages = Array.isArray(data) ? (data as Page[]) : []
      for (const page of pages) {
        seen += 1
        bar.clear()
        await show(page, seen, watching)
      }
      bar.draw(sums)
      const isOver = OVER.has(sums.status)
      if (isOver && pages.length === 0) {
        bar.clear()
        return await end(watching, sums, Array.isArray(data) ? undefined : data)
      }
      if (!isOver && pages.length < PAGES_AT_ONCE) await wait(POLL_MS, undefined, { signal })
    }
  } catch (error) {
    bar.clear()
    if (signal.aborted)
      throw new CommandExitError(`The job continues. Watch it again: ${watching.again}`, exitCodes.interrupted.code)
    throw error
  }
}

async function printSteps(
  { connection, trace, id, json }: Watching,
  shownCount: number,
  signal: AbortSignal,
  bar: { clear(): void },
): Promise<number> {
  if (!trace || json) return shownCount
  const answer = await callService(connection, makeOperationRequest(trace, { [trace.params[0] ?? 'id']: id }), signal)
  const events = answer.status === 200 ? (answer.json?.events as AgentRunEvent[] | undefined) : undefined
  if (!events) return shownCount
  const news = writeRunTree(events, shownCount)
  if (news.lines.length > 0) bar.clear()
  for (const line of news.lines) console.error(line)
  return news.shownCount
}

async function standingOf(
  connection: ServiceConnection,
  status: Operation,
  id: string,
  skip: number,
  signal: AbortSignal,
): Promise<Standing> {
  const pages = Object.hasOwn(status.inputs().properties, 'skip') ? { skip, limit: PAGES_AT_ONCE } : {}
  const request = makeOperationRequest(status, { [status.params[0] ?? 'id']: id, ...pages })
  const answer = await callService(connection, request, signal)
  if (answer.status !== 200 || typeof answer.json?.status !== 'string')
    throw new CommandExitError(describeErrorReply(answer, connection))
  return answer.json as unknown as Standing
}

async function show(page: Page, number: number, { json, filter, output }: Watching): Promise<void> {
  if (output !== undefined) writeFileSync(join(output, fileName(page, number)), fileText(page))
  if (json) await printLine(page, filter)
  else {
    const { statusCode = '', sourceURL = '', url = sourceURL, title = '' } = page.metadata ?? {}
    const paint = makeTextStyler(process.stdout)
    const status = Number(statusCode) >= 400 ? paint.bad(String(statusCode)) : paint.good(String(statusCode))
    console.log(`${status}  ${url}  ${paint.dim(oneLine(title))}`.trimEnd())
  }
}

async function printLine(data: object, filter: Filter | undefined): Promise<void> {
  const line = JSON.stringify(data)
  const selected = filter ? await filter(line) : line
  if (selected !== '') console.log(selected)
}

const oneLine = (value: unknown): string =>
  toOneLine(Array.isArray(value) ? String(value[0]) : String(value)).slice(0, 200)

/** The number first: no address can name a file outside the folder or an existing one. */
function fileName({ metadata, markdown }: Page, number: number): string {
  const address = (metadata?.url ?? metadata?.sourceURL ?? 'page').replace(/^https?:\/\//, '')
  const readable = address.replace(/[^A-Za-z0-9.-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '')
  return `${String(number).padStart(5, '0')}-${readable.slice(0, 120)}.${typeof markdown === 'string' ? 'md' : 'json'}`
}

const fileText = (page: Page): string =>
  typeof page.markdown === 'string'
    ? addFrontMatter(page.markdown, page.metadata)
    : `${JSON.stringify(page, null, 2)}\n`

async function end({ id, json, filter, again }: Watching, sums: Standing, data: unknown): Promise<number> {
  if (json) await printLine({ id, ...sums, ...(data === undefined ? {} : { data }) }, filter)
  else {
    if (data !== undefined) console.log(JSON.stringify(data, null, 2))
    const { status, completed, total, creditsUsed, duration, error, warning } = sums
    const pages = completed === undefined ? '' : `, ${completed} of ${total} pages`
    const took = duration === undefined ? '' : `, ${duration} s`
    console.error(`${status}${pages}, ${creditsUsed ?? 0} credits${took}${error ? `: ${toOneLine(error)}` : ''}`)
    if (warning) console.error(`Note: ${toOneLine(warning)}`)
    if (completed !== undefined && total !== undefined && completed < total)
      console.error(
        `${total - completed} pages have no document; \`${again.replace(' watch ', ' errors ')}\` lists the reasons.`,
      )
  }
  return sums.status === 'completed' ? exitCodes.done.code : exitCodes.failed.code
}

function openBar(stream: NodeJS.WriteStream) {
  let drawn = false
  const began = performance.now()
  let first: number | undefined
  return {
    draw({ completed, total, status }: Standing): void {
      if (!stream.isTTY) return
      first ??= completed
      const seconds = (performance.now() - began) / 1000
      stream.write(
        `\r\u001b[K${formatProgressLine({ completed, total, status, rate: ((completed ?? 0) - (first ?? 0)) / seconds })}`,
      )
      drawn = true
    },
    clear(): void {
      if (drawn) stream.write('\r\u001b[K')
      drawn = false
    },
  }
}

const BAR_CELLS = 24

export function formatProgressLine(at: {
  completed: number | undefined
  total: number | undefined
  status: string
  rate: number
}): string {
  const { completed = 0, total, status, rate } = at
  if (!total) return status
  const cells = Math.min(BAR_CELLS, Math.round((BAR_CELLS * completed) / total))
  const left = rate > 0 && status === 'scraping' ? `, ${Math.ceil((total - completed) / rate)} s left` : ''
  const speed = rate > 0 ? `  ${rate.toFixed(1)} pages/s${left}` : ''
  return `${'█'.repeat(cells)}${'░'.repeat(BAR_CELLS - cells)}  ${completed} of ${total} pages${speed}`
}

export interface AgentRunEvent {
  type: string
  agent?: { role?: string }
  text?: string
  message?: string
  toolCallId?: string
  toolName?: string
  parameters?: unknown
  result?: unknown
}

const MOST = 160

/** The steps of an agent run; parallel readers are indented. */
export function writeRunTree(
  events: readonly AgentRunEvent[],
  shownCount: number,
): { lines: string[]; shownCount: number } {
  const lines: string[] = []
  for (const event of events.slice(shownCount)) {
    const inner = event.agent?.role === 'subagent' ? '│  ' : ''
    if (event.type === 'reasoning.summary') lines.push(`● ${toPlainLine(event.text)}`)
    else if (event.type === 'progress.reported') lines.push(`● ${toPlainLine(event.message)}`)
    else if (event.type === 'tool_call.finished') {
      const asked = events.find(
        ({ type, toolCallId }) => type === 'tool_call.started' && toolCallId === event.toolCallId,
      )
      lines.push(`${inner}├─ ${toPlainLine(event.toolName)} ${toPlainLine(askedFor(asked?.parameters))}`)
      lines.push(`${inner}│    ${toPlainLine(cameOf(event.result))}`)
    }
  }
  return { lines, shownCount: events.length }
}

function askedFor(parameters: unknown): string {
  const [first] = Object.values((parameters ?? {}) as object).filter((value) => typeof value === 'string')
  return first ?? ''
}

function cameOf(result: unknown): string {
  const { error, title, data, hits } = (result ?? {}) as {
    error?: string
    title?: string
    data?: unknown
    hits?: unknown[]
  }
  if (error !== undefined) return `✗ ${error}`
  if (hits !== undefined) return `${hits.length} URLs`
  const found = data === null || data === undefined ? 'no data' : JSON.stringify(data)
  return title ? `${title}: ${found}` : found
}

const toPlainLine = (text: unknown): string => {
  const one = toOneLine(String(text ?? ''))
  return one.length > MOST ? `${one.slice(0, MOST)} …` : one
}
