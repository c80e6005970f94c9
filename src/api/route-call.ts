// What a handler gets of its request. Members that few handlers read are made when they are read: an abort signal costs
// more than a read of the database.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../base/problem.ts'
import type { RouteCall } from '../capabilities/route.ts'
import type { Caller } from '../teams/keys.ts'
import { readClientAddress } from './client-address.ts'

export interface CallParts {
  /** Aborts when the client is gone or shutdown stops waiting. */
  signalOf(request: FastifyRequest, reply: FastifyReply): AbortSignal
  baseUrl(request: FastifyRequest): string
  trustedProxies: readonly string[]
}

type OwnMembers = Pick<RouteCall, 'warnings' | 'assertFormats' | 'note'>

export class RequestCall implements RouteCall {
  readonly caller: Caller
  readonly requestId: string
  readonly warnings: RouteCall['warnings']
  readonly assertFormats: RouteCall['assertFormats']
  readonly note: RouteCall['note']
  private readonly request: FastifyRequest
  private readonly reply: FastifyReply
  private readonly parts: CallParts
  private ended: AbortSignal | undefined = undefined

  constructor(request: FastifyRequest, reply: FastifyReply, parts: CallParts, own: OwnMembers) {
    this.caller = request.caller as Caller
    this.requestId = request.id
    this.warnings = own.warnings
    this.assertFormats = own.assertFormats
    this.note = own.note
    this.request = request
    this.reply = reply
    this.parts = parts
  }

  get signal(): AbortSignal {
    this.ended ??= this.parts.signalOf(this.request, this.reply)
    return this.ended
  }

  get baseUrl(): string {
    return this.parts.baseUrl(this.request)
  }

  get idempotencyKey(): string | undefined {
    return this.header('x-idempotency-key')
  }

  get range(): string | undefined {
    return this.request.headers.range
  }

  // A property, so that handlers may take it out of the call.
  readonly header = (name: string): string | undefined => {
    const given = this.request.headers[name]
    return typeof given === 'string' && given !== '' ? given : undefined
  }

  get address(): string {
    return readClientAddress(this.request.raw, this.parts.trustedProxies)
  }
}

/** One listener for all calls: `AbortSignal.any` would add one to `stopping` with each. */
export function openSignals(
  stopping: AbortSignal,
  innerCalls: ReadonlyMap<string, AbortSignal>,
): CallParts['signalOf'] {
  const open = new Set<AbortController>()
  const abortAll = () => {
    for (const controller of open) controller.abort(stopping.reason)
  }
  stopping.addEventListener('abort', abortAll, { once: true })
  return (request, { raw }) => {
    const controller = new AbortController()
    const close = () => {
      open.delete(controller)
      if (!raw.writableFinished) controller.abort(new Problem('cancelled'))
    }
    if (stopping.aborted) controller.abort(stopping.reason)
    if (raw.destroyed) close()
    else {
      open.add(controller)
      raw.once('close', close)
    }
    const inner = innerCalls.get(request.id)
    return inner ? AbortSignal.any([controller.signal, inner]) : controller.signal
  }
}
