// Tools that start a job return its id. A client that asks for progress waits for the job instead, and ends it by cancelling.
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { findStatusOperation, type Operation } from '../../capabilities/operation.ts'

const POLL_MS = 1000

export interface McpToolCall {
  outer: FastifyRequest
  signal: AbortSignal
  /** Undefined where the client did not ask for progress. */
  progress?: ((done: number, total: number | undefined, message: string) => Promise<void>) | undefined
}

interface RouteReply {
  statusCode: number
  body: string
  retryAfter: string | undefined
}

export type CallOperation = (
  operation: Operation,
  given: Record<string, unknown>,
  outer: FastifyRequest,
  signal: AbortSignal,
) => Promise<RouteReply>

interface WaitContext {
  operations: ReadonlyMap<string, Operation>
  callOperation: CallOperation
  call: McpToolCall
}

/** The last status of the job that `started` names; `started` itself where the operation starts none. */
export async function waitForJob(
  operation: Operation,
  started: RouteReply,
  { operations, callOperation, call: { outer, signal, progress } }: WaitContext,
): Promise<RouteReply> {
  const all = [...operations.values()]
  const status = findStatusOperation(operation, all)
  const [param] = status?.params ?? []
  if (!status || param === undefined || started.statusCode >= 400) return started
  const { id } = JSON.parse(started.body) as { id?: string }
  if (id === undefined) return started
  for (let polls = 0; ; polls += 1) {
    const reply = await callOperation(status, { [param]: id }, outer, signal)
    const job = reply.statusCode < 400 ? readJobProgress(reply.body) : undefined
    if (!job?.isRunning) return reply
    await progress?.(job.completed ?? polls, job.total, job.message)
    await wait(POLL_MS, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) continue
    const cancel = all.find(({ method, path }) => method === 'DELETE' && path === status.path)
    // The signal of the client has fired: this request needs one of its own.
    if (cancel) await callOperation(cancel, { [param]: id }, outer, new AbortController().signal)
    return reply
  }
}

const RUNNING = new Set(['scraping', 'processing'])

/** Undefined: not a job's status. */
function readJobProgress(body: string) {
  const { status, completed, total } = JSON.parse(body) as { status?: string; completed?: number; total?: number }
  if (status === undefined) return undefined
  const count = completed === undefined || total === undefined ? '' : `: ${completed} of ${total}`
  return { isRunning: RUNNING.has(status), completed, total, message: `${status}${count}` }
}
