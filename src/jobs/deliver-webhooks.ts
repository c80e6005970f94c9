// Sends webhooks through the egress, signed.

import { createHmac } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { problemOfAbort } from '../base/deadline.ts'
import type { Log } from '../base/log.ts'
import { asProblem, Problem } from '../base/problem.ts'
import type { Store } from '../store/index.ts'
import { webhookSecretSettingName } from '../store/settings.ts'
import { webhookDeliveryStore } from './store/index.ts'
import type { DueWebhookDelivery, WebhookDeliveryAttempt, WebhookDeliveryOutcome } from './store/webhook-deliveries.ts'
import type { WorkMessageHandler, WorkQueue } from './work-queue.ts'

const LIMIT_MS = 10_000
const RETRIES_MS = [60_000, 300_000, 900_000]

/** app.ts binds it to the egress: no redirects, a small response limit. */
export type PostWebhook = (
  request: { url: string; headers: Record<string, string>; body: Uint8Array },
  signal: AbortSignal,
) => Promise<{ status: number }>

interface DeliveryParts {
  store: Store
  queue: WorkQueue
  clock: Clock
  log: Log
  post: PostWebhook
  as<T>(keyId: string | null, work: () => Promise<T>): Promise<T>
  under<T>(teamId: string, options: { keeps: boolean }, work: () => Promise<T>): Promise<T>
  limitMs?: number
}

export function makeWebhookDeliveryHandler(parts: DeliveryParts): WorkMessageHandler {
  const { store, queue, clock, log, post, as, under, limitMs = LIMIT_MS } = parts
  async function send(
    parcel: DueWebhookDelivery,
    signed: SignedDelivery,
    stopping: AbortSignal,
  ): Promise<WebhookDeliveryOutcome> {
    const limit = new AbortController()
    const tooSlow = new Problem('timeout', { instead: `The receiver did not respond within ${limitMs / 1000} s` })
    const timer = setTimeout(() => limit.abort(tooSlow), limitMs)
    try {
      const { body, headers } = signed
      const ends = AbortSignal.any([limit.signal, stopping])
      const { status } = await as(parcel.keyId, () =>
        under(parcel.teamId, { keeps: !parcel.zeroDataRetention }, () =>
          post({ url: parcel.url, headers, body }, ends),
        ),
      )
      if (status >= 200 && status < 300) return { state: 'delivered', status }
      return makeMissedOutcome(parcel, status, `The receiver returned ${status}`)
    } catch (error) {
      if (stopping.aborted) throw problemOfAbort(stopping)
      const problem = limit.signal.aborted ? tooSlow : asProblem(error)
      // A retry cannot make a forbidden address allowed.
      if (problem.kind === 'refused_address' || problem.kind === 'unsafe_domain')
        return { state: 'dead', status: null, error: problem.message }
      return makeMissedOutcome(parcel, null, problem.message)
    } finally {
      clearTimeout(timer)
    }
  }

  function makeMissedOutcome(
    { attempts }: DueWebhookDelivery,
    status: number | null,
    error: string,
  ): WebhookDeliveryOutcome {
    const waitMs = RETRIES_MS[attempts]
    return waitMs === undefined
      ? { state: 'dead', status, error }
      : { state: 'pending', status, error, nextAt: clock.now() + waitMs }
  }

  return async (id, stopping) => {
    const parcel = await webhookDeliveryStore(store).due(id)
    if (!parcel) return
    const signed = signDelivery(parcel, await store.settings.get(webhookSecretSettingName(parcel.teamId)))
    const [at, began] = [clock.now(), performance.now()]
    const outcome = await send(parcel, signed, stopping)
    const tried: WebhookDeliveryAttempt = {
      at,
      ms: Math.round(performance.now() - began),
      status: outcome.status,
      error: outcome.state === 'delivered' ? null : outcome.error,
      signature: signed.signature,
    }
    const isRecorded = await store.transaction(async (tx) => {
      if (!(await webhookDeliveryStore(store).record(tx, parcel, outcome, tried))) return false
      if (outcome.state === 'pending') await queue.enqueue(tx, 'webhook', [id], { runAt: outcome.nextAt })
      return true
    })
    if (isRecorded && outcome.state !== 'delivered')
      log.info(
        { delivery: id, event: parcel.event, state: outcome.state, error: outcome.error },
        'a webhook was not taken',
      )
  }
}

type SignedDelivery = { body: Uint8Array; headers: Record<string, string>; signature: string | null }

export function signDelivery(
  parcel: Pick<DueWebhookDelivery, 'headers' | 'body'>,
  secret: string | undefined,
): SignedDelivery {
  const body = Buffer.from(parcel.body)
  const signature = secret ? `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` : null
  return { body, headers: webhookHeaders(parcel.headers, signature), signature }
}

/** The owner's headers override ours, except the signature. */
export function webhookHeaders(
  own: Readonly<Record<string, string>>,
  signature: string | null,
): Record<string, string> {
  const merged: Record<string, string> = { 'content-type': 'application/json', 'user-agent': 'Orbweaver-Webhook/1' }
  for (const [name, value] of Object.entries(own)) merged[name.toLowerCase()] = value
  for (const name of SIGNATURES) delete merged[name]
  if (signature !== null) for (const name of SIGNATURES) merged[name] = signature
  return merged
}

const SIGNATURES = ['x-firecrawl-signature', 'x-webhook-signature']
