// Mail recipients: each address is asked once per monitor and gets mail only after consent. An address that declined is
// not asked again.
import { Problem } from '../../base/problem.ts'
import { newId } from '../../store/id.ts'
import type { RecipientStatus } from '../../store/monitor-notices.ts'
import type { Tx } from '../../store/tables.ts'
import type { MonitorParts } from './needs.ts'
import type { NotificationOption } from './notification.ts'
import { NOTICE_BELL } from './parts.ts'
import { readRecipientToken } from './tokens.ts'

export interface RecipientQuestion {
  asks: true
  monitor: string
}

/** Asks new recipients in the transaction that adds them. `known` were asked before. */
export async function askRecipients(
  parts: MonitorParts,
  tx: Tx,
  monitor: { id: string; teamId: string; name: string },
  notification: NotificationOption | null | undefined,
  known: ReadonlySet<string>,
): Promise<void> {
  const { store, queue, clock } = parts
  const wanted = new Set(
    (notification?.email?.enabled ? notification.email.recipients : []).map((one) => one.toLowerCase()),
  )
  for (const email of wanted) {
    if (known.has(email)) continue
    await store.notices.setRecipient(tx, monitor.id, { email, status: 'pending', source: 'opt_in' })
    const id = newId(clock.now())
    const message: RecipientQuestion = { asks: true, monitor: monitor.name }
    const where = { monitorId: monitor.id, teamId: monitor.teamId, checkId: null, channel: 'email', address: email }
    await store.notices.add(tx, [{ id, ...where, state: 'pending', nextAt: clock.now(), message }])
    await queue.ring(tx, NOTICE_BELL, [id])
  }
}

export type RecipientWord = 'confirm' | 'unsubscribe'

const STATES: Readonly<Record<RecipientWord, RecipientStatus>> = { confirm: 'confirmed', unsubscribe: 'unsubscribed' }

/** Stores the answer that came with a token. */
export async function answered(parts: MonitorParts, said: RecipientWord, token: string) {
  const { store } = parts
  const found = await readRecipientToken(store, token)
  if (!found) throw new Problem('bad_request', { instead: 'invalid_token' })
  const { monitorId, recipient } = found
  const monitor = await store.monitors.get(monitorId)
  if (!monitor || monitor.status === 'deleted') throw new Problem('not_found', { instead: 'not_found' })
  const status = STATES[said]
  const result = recipient.status === status ? (`already_${status}` as const) : status
  await store.transaction((tx) => store.notices.setRecipient(tx, monitorId, { ...recipient, status }))
  return { result, email: recipient.email, monitorName: monitor.name }
}
