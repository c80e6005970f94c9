// The monitors' mails: what changed, and the confirmation request to a new recipient.
import { escaped, html, type MonitorMessage, plainText } from './message.ts'
import type { Mail } from './monitor-services.ts'
import type { MonitorParts } from './needs.ts'
import { recipientToken } from './tokens.ts'

const link = (parts: MonitorParts, what: 'confirm' | 'unsubscribe', token: string): string =>
  `${parts.linkBase}/v2/monitor/email/${what}/${token}`

export async function mailOf(
  parts: MonitorParts,
  monitorId: string,
  to: string,
  message: MonitorMessage,
  id: string,
): Promise<Mail> {
  const stop = link(parts, 'unsubscribe', await recipientToken(parts.store, monitorId, to))
  const foot = `<p style="color:#666">You get this because you watch “${escaped(message.monitor)}”. <a href="${stop}">No more of these</a></p>`
  return {
    to,
    id,
    subject: message.title,
    text: `${plainText(message)}\n\n--\nNo more of these: ${stop}\n`,
    html: html(message, foot),
    headers: { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}

/** Contains no text of the caller: it goes to people who have not agreed to hear from the caller. */
export async function confirmationMail(parts: MonitorParts, monitorId: string, to: string): Promise<Mail> {
  const token = await recipientToken(parts.store, monitorId, to)
  const yes = link(parts, 'confirm', token)
  const no = link(parts, 'unsubscribe', await recipientToken(parts.store, monitorId, to, 'decline'))
  const said = 'Somebody wants to send you mail when web pages change, and entered this address.'
  const rest = 'Without your answer you get none of it.'
  return {
    to,
    id: `confirm-${monitorId}-${token.slice(22, 32)}`,
    subject: 'Confirm that you want mail about changed web pages',
    text: `${said}\n\nSee who, and confirm: ${yes}\n\n${rest} Never ask again: ${no}\n`,
    html: `<!doctype html><html><body style="font-family:sans-serif"><p>${said}</p><p><a href="${yes}">See who, and confirm</a></p><p style="color:#666">${rest} <a href="${no}">Never ask again</a></p></body></html>`,
    headers: { 'List-Unsubscribe': `<${no}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}
