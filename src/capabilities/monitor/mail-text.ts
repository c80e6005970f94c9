// The monitors' mails: what changed, and the confirmation request to a new recipient.

import { escapeHtml } from '../../base/escape-html.ts'
import type { MailMessage } from '../../fetch/smtp-mail.ts'
import { makeRecipientToken } from './mail-and-feed-tokens.ts'
import { type MonitorMessage, messageToHtml, messageToText } from './notification-message.ts'
import type { HandlerServices } from './own-services.ts'

const link = (parts: HandlerServices, what: 'confirm' | 'unsubscribe', token: string): string =>
  `${parts.linkBase}/v2/monitor/email/${what}/${token}`

export async function writeChangeMail(
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
export async function writeConfirmationMail(
  parts: HandlerServices,
  monitorId: string,
  to: string,
): Promise<MailMessage> {
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
