// Sends a notification together with all due ones of the same monitor and address, with retries after 1, 5 and 15
// minutes.
import { abortAfter } from '../../base/abort-after.ts'
import { problemOfAbort } from '../../base/deadline.ts'
import { escapeHtml } from '../../base/escape-html.ts'
import { asProblem, type Problem } from '../../base/problem.ts'
import type { MailMessage } from '../../fetch/smtp-mail.ts'
import type { WorkMessageHandler } from '../../jobs/work-queue.ts'
import { channelFor } from './channels/index.ts'
import { fingerprintMailAddress, makeRecipientToken } from './mail-and-feed-tokens.ts'
import { type MonitorMessage, mergeMessages, messageToHtml, messageToText } from './notification-message.ts'
import { type HandlerServices, NOTICE_QUEUE_NAME } from './own-services.ts'
import type { ConsentRequestMessage } from './recipient-consent.ts'
import { monitorStore } from './store/index.ts'
import type { Notice } from './store/recipients-and-notices.ts'

const RETRIES_MS = [60_000, 300_000, 900_000]
const LIMIT_MS = 20_000

export function makeNoticeHandler(parts: HandlerServices): WorkMessageHandler {
  const { store, queue, clock, log } = parts
  return async (id, stopping) => {
    const notice = await monitorStore(store).notices.get(id)
    if (notice?.state !== 'pending' || notice.nextAt > clock.now()) return
    const others = await monitorStore(store).notices.together(notice.monitorId, notice.address)
    const asks = isQuestion(notice)
    const batch = asks ? [notice] : others.filter((one) => one.channel === notice.channel && !isQuestion(one))
    const ids = batch.map((one) => one.id)
    if (notice.channel === 'email' && !parts.monitoring.mail) {
      log.info(
        {
          to: notice.address,
          text: asks ? 'a question whether mails are wanted' : messageToText(mergeMessages(batch.map(messageIn)), 2000),
        },
        'mail that would be sent',
      )
      await store.transaction((tx) =>
        monitorStore(store).notices.end(tx, ids, 'logged', 'No mail server is set up (ORB_SMTP_URL)'),
      )
      return
    }
    if (asks && !(await mayAsk(parts, notice))) return
    try {
      const limit = AbortSignal.any([stopping, sendLimit()])
      if (asks) await ask(parts, notice, limit)
      else await sendMessage(parts, notice, mergeMessages(batch.map(messageIn)), limit)
      await store.transaction((tx) => monitorStore(store).notices.end(tx, ids, 'sent', null))
    } catch (error) {
      if (stopping.aborted) throw problemOfAbort(stopping)
      const { problem, text } = describeSendFailure(error)
      const wait = RETRIES_MS[notice.attempts]
      const isFinal = wait === undefined || problem.kind === 'refused_address'
      log.info({ notice: id, channel: notice.channel, error: text, isFinal }, 'a message was not taken')
      await store.transaction(async (tx) => {
        if (isFinal) return monitorStore(store).notices.end(tx, ids, 'dead', text)
        await monitorStore(store).notices.retry(tx, id, clock.now() + wait, text)
        await queue.enqueue(tx, NOTICE_QUEUE_NAME, [id], { runAt: clock.now() + wait })
      })
    }
  }
}

const isQuestion = ({ message }: Notice): boolean => (message as Partial<ConsentRequestMessage>).asks === true

async function ask(parts: HandlerServices, { monitorId, address }: Notice, signal: AbortSignal): Promise<void> {
  await parts.monitoring.mail!(await writeConfirmationMail(parts, monitorId, address), signal)
}

/** Otherwise the notice is ended, or waits until the address may be asked again. */
async function mayAsk(parts: HandlerServices, { id, monitorId, address }: Notice): Promise<boolean> {
  const { store, queue } = parts
  const print = await fingerprintMailAddress(store, address)
  return store.transaction(async (tx) => {
    const recipient = (await monitorStore(store).notices.recipients(monitorId, tx)).find(
      ({ email }) => email === address,
    )
    if (recipient?.status !== 'pending') {
      await monitorStore(store).notices.end(tx, [id], 'dead', 'The recipient has already responded.')
      return false
    }
    const claim = await monitorStore(store).notices.claimAsk(tx, print, id)
    if (claim === 'claimed') return true
    if (claim === 'declined') {
      await monitorStore(store).notices.setRecipient(tx, monitorId, { ...recipient, status: 'unsubscribed' })
      await monitorStore(store).notices.end(tx, [id], 'dead', 'The recipient refused all further requests.')
      return false
    }
    const when = new Date(claim.freeAt).toISOString()
    await monitorStore(store).notices.postpone(
      tx,
      id,
      claim.freeAt,
      `The recipient was contacted today and has not responded; next request: ${when}`,
    )
    await queue.enqueue(tx, NOTICE_QUEUE_NAME, [id], { runAt: claim.freeAt })
    return false
  })
}

const messageIn = ({ message }: Notice): MonitorMessage => message as MonitorMessage

export const sendLimit = (): AbortSignal => abortAfter(LIMIT_MS)

/** Errors of the mail library and of channels are for the owner of the monitor, not faults of this service. */
export function describeSendFailure(error: unknown): { problem: Problem; text: string } {
  const problem = asProblem(error)
  if ((error as { name?: unknown } | undefined)?.name === 'TimeoutError')
    return { problem, text: `The receiver did not respond within ${LIMIT_MS / 1000} s` }
  return { problem, text: problem.kind === 'internal' && error instanceof Error ? error.message : problem.message }
}

export async function sendMessage(
  parts: HandlerServices,
  notice: Pick<Notice, 'id' | 'monitorId' | 'channel' | 'address'>,
  message: MonitorMessage,
  signal: AbortSignal,
): Promise<void> {
  if (notice.channel === 'email') {
    const mail = await writeChangeMail(parts, notice.monitorId, notice.address, message, notice.id)
    await parts.monitoring.mail!(mail, signal)
    return
  }
  const channel = channelFor(notice.address)
  if (!channel) throw new Error('No channel supports this URL')
  const { url, headers, body } = channel.request(notice.address, message)
  const { keyId = null, teamId } = (await monitorStore(parts.store).monitors.get(notice.monitorId)) ?? {}
  const post = () => parts.monitoring.post({ url, headers, body: Buffer.from(body) }, signal)
  const { status } = await parts.reach.as(keyId, () =>
    teamId === undefined ? post() : parts.threats.under(teamId, { keeps: true }, post),
  )
  if (status < 200 || status >= 300) throw new Error(`The receiver returned ${status}`)
}

const link = (parts: HandlerServices, what: 'confirm' | 'unsubscribe', token: string): string =>
  `${parts.linkBase}/v2/monitor/email/${what}/${token}`

async function writeChangeMail(
  parts: HandlerServices,
  monitorId: string,
  to: string,
  message: MonitorMessage,
  id: string,
): Promise<MailMessage> {
  const stop = link(parts, 'unsubscribe', await makeRecipientToken(parts.store, monitorId, to))
  const foot = `<p style="color:#666">You get this because you watch “${escapeHtml(message.monitor)}”. <a href="${stop}">No more of these</a></p>`
  return {
    to,
    id,
    subject: message.title,
    text: `${messageToText(message)}\n\n--\nNo more of these: ${stop}\n`,
    html: messageToHtml(message, foot),
    headers: { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}

/** Contains no text of the caller: it goes to people who have not agreed to hear from the caller. */
async function writeConfirmationMail(parts: HandlerServices, monitorId: string, to: string): Promise<MailMessage> {
  const token = await makeRecipientToken(parts.store, monitorId, to)
  const yes = link(parts, 'confirm', token)
  const no = link(parts, 'unsubscribe', await makeRecipientToken(parts.store, monitorId, to, 'decline'))
  const said = 'Someone entered this address to send you e-mail when web pages change.'
  const rest = 'You get none unless you confirm.'
  return {
    to,
    id: `confirm-${monitorId}-${token.slice(22, 32)}`,
    subject: 'Confirm e-mail about changed web pages',
    text: `${said}\n\nSee who, and confirm: ${yes}\n\n${rest} Never ask again: ${no}\n`,
    html: `<!doctype html><html><body style="font-family:sans-serif"><p>${said}</p><p><a href="${yes}">See who, and confirm</a></p><p style="color:#666">${rest} <a href="${no}">Never ask again</a></p></body></html>`,
    headers: { 'List-Unsubscribe': `<${no}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}
