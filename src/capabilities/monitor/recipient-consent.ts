// Mail recipients: an address gets mail only after consent. The installation asks an address at most once a day until it
// answers, and never again once it declined.

import { Problem } from '../../base/problem.ts'
import { newId } from '../../store/id.ts'
import type { Tx } from '../../store/tables.ts'
import { fingerprintMailAddress, readRecipientToken } from './mail-and-feed-tokens.ts'
import type { NotificationOption } from './notification-options.ts'
import { type HandlerServices, NOTICE_QUEUE_NAME } from './own-services.ts'
import { monitorStore } from './store/index.ts'
import type { RecipientStatus } from './store/recipients-and-notices.ts'

export type ConsentRequestMessage = { asks: true }

/** Asks new recipients in the transaction that adds them. `known` were asked before. */
export async function queueConsentRequests(
  parts: HandlerServices,
  tx: Tx,
  monitor: { id: string; teamId: string },
  notification: NotificationOption | null | undefined,
  known: ReadonlySet<string>,
): Promise<void> {
  const { store, queue, clock } = parts
  const wanted = new Set(
    (notification?.email?.enabled ? notification.email.recipients : []).map((one) => one.toLowerCase()),
  )
  for (const email of wanted) {
    if (known.has(email)) continue
    await monitorStore(store).notices.setRecipient(tx, monitor.id, { email, status: 'pending', source: 'opt_in' })
    const id = newId(clock.now())
    const message: ConsentRequestMessage = { asks: true }
    const where = { monitorId: monitor.id, teamId: monitor.teamId, checkId: null, channel: 'email', address: email }
    await monitorStore(store).notices.add(tx, [{ id, ...where, state: 'pending', nextAt: clock.now(), message }])
    await queue.enqueue(tx, NOTICE_QUEUE_NAME, [id])
  }
}

export type RecipientAnswer = 'confirm' | 'unsubscribe'

const STATES: Readonly<Record<RecipientAnswer, RecipientStatus>> = { confirm: 'confirmed', unsubscribe: 'unsubscribed' }

export async function findRecipientByToken({ store }: HandlerServices, said: RecipientAnswer, token: string) {
  const found = await readRecipientToken(store, token)
  if (!found) throw new Problem('not_found', { instead: 'not_found' })
  if (said === 'confirm' && found.purpose === 'decline') throw new Problem('bad_request', { instead: 'invalid_token' })
  const monitor = await monitorStore(store).monitors.get(found.monitorId)
  if (!monitor || monitor.status === 'deleted') throw new Problem('not_found', { instead: 'not_found' })
  return { ...found, monitor }
}

export async function applyRecipientAnswer(parts: HandlerServices, said: RecipientAnswer, token: string) {
  const { store } = parts
  const { monitorId, monitor, recipient, purpose } = await findRecipientByToken(parts, said, token)
  const status = STATES[said]
  const result = recipient.status === status ? (`already_${status}` as const) : status
  const print = await fingerprintMailAddress(store, recipient.email)
  await store.transaction(async (tx) => {
    await monitorStore(store).notices.setRecipient(tx, monitorId, { ...recipient, status })
    if (said === 'confirm') await monitorStore(store).notices.confirmWaiting(tx, monitor.teamId, recipient.email)
    if (said === 'confirm') await monitorStore(store).notices.answerAsk(tx, print, 'confirmed')
    else if (purpose === 'decline') await monitorStore(store).notices.answerAsk(tx, print, 'declined')
  })
  return { result, email: recipient.email, monitorName: monitor.name }
}
