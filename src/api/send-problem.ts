// Maps Problems to HTTP responses, for all routes.
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../base/escape-html.ts'
import { asProblem, Problem } from '../base/problem.ts'
import { makeHtmlPage } from '../content/escape-and-build-html.ts'
import { problemOfFastifyError } from './fastify-errors.ts'

interface ErrorBody {
  success: false
  error: string
  code?: string
  details?: unknown
  help?: string
  detail?: { error: string }
}

function errorBody(problem: Problem, baseUrl: string): ErrorBody {
  const { code } = problem.row
  return {
    success: false,
    error: problem.message,
    ...(code ? { code } : {}),
    ...(problem.details === undefined ? {} : { details: problem.details }),
    ...problem.also,
    ...(baseUrl ? { help: `${baseUrl}/docs/errors#${problem.kind}` } : {}),
  }
}

export async function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  baseUrl: string,
): Promise<void> {
  const problem = error instanceof Problem ? error : (problemOfFastifyError(error as object) ?? asProblem(error))
  const { status, code } = problem.row
  if (request.work) request.work.error = code ?? problem.kind
  request.problem = problem.kind
  if (problem.kind === 'too_large') await readAway(request.raw)
  if (problem.kind === 'internal') request.log.error({ err: problem.cause ?? error }, 'request failed')
  if (status === 401)
    reply.header(
      'www-authenticate',
      `Bearer resource_metadata="${baseUrl}/.well-known/oauth-protected-resource${/^\/mcp(?:\?|$)/.test(request.url) ? '/mcp' : ''}"`,
    )
  // Links of sessions are opened by people.
  if (request.url.startsWith('/live/') && request.headers.accept?.includes('text/html')) {
    const page = makeHtmlPage('Session', `<h1>This page cannot be shown</h1><p>${escapeHtml(problem.message)}</p>`)
    return void reply.code(status).type('text/html; charset=utf-8').send(page)
  }
  const retryAfter = problem.retryAfterSeconds ?? (status === 429 ? 1 : undefined)
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfter))))
  const body = errorBody(problem, baseUrl)
  // Clients of Tavily read the message there.
  if (request.url.startsWith('/tavily/')) body.detail = { error: problem.message }
  await reply.code(status).type('application/json; charset=utf-8').send(body)
}

/** Replies to input that is not HTTP in our error format. */
export function answerMalformedHttp(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new Problem('headers_too_large')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? new Problem('timeout', { because: 'the request did not arrive in time' })
        : new Problem('bad_request', { because: 'this is not valid HTTP' })
  endWithProblem(socket, problem)
}

/** The answer to a request that no route handles, written to its connection, which ends. */
export function endWithProblem(socket: Duplex, problem: Problem): void {
  const body = JSON.stringify(errorBody(problem, ''))
  socket.end(
    `HTTP/1.1 ${problem.row.status} ${STATUS_CODES[problem.row.status]}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  // A client that never closes its side would hold the connection forever.
  setTimeout(() => socket.destroy(), GRACE_MS).unref()
}

const GRACE_MS = 1000

const MAX_READ_AWAY_BYTES = 64 * 1024 * 1024
const MAX_READ_AWAY_MS = 5000

/** Drains the request: a client that is still sending would see a reset instead of the reply. */
function readAway(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0
    const timer = setTimeout(resolve, MAX_READ_AWAY_MS)
    const stopWaiting = () => {
      clearTimeout(timer)
      resolve()
    }
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_READ_AWAY_BYTES) stopWaiting()
    })
    request.once('end', stopWaiting).once('close', stopWaiting).once('error', stopWaiting).resume()
  })
}
