// The monitors' mails: what changed, and the confirmation request to a new recipient.
import { escaped, html, type MonitorMessage, plainText } from './message.ts'
import type { MonitorParts } from './needs.ts'
import type { Mail } from './parts.ts'
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

export async function confirmationMail(
  parts: MonitorParts,
  monitor: { id: string; name: string },
  to: string,
): Promise<Mail> {
  const token = await recipientToken(parts.store, monitor.id, to)
  const [yes, no] = [link(parts, 'confirm', token), link(parts, 'unsubscribe', token)]
  const said = `Somebody wants to send you what changes on the pages that “${monitor.name}” watches.`
  return {
    to,
    id: `confirm-${monitor.id}-${token.slice(22, 32)}`,
    subject: `Do you want to hear of changes from “${monitor.name}”?`,
    text: `${said}\n\nYes: ${yes}\n\nWithout your answer nothing more is sent. Never ask again: ${no}\n`,
    html: `<!doctype html><html><body style="font-family:sans-serif"><p>${escaped(said)}</p><p><a href="${yes}">Yes, send them</a></p><p style="color:#666">Without your answer nothing more is sent. <a href="${no}">Never ask again</a></p></body></html>`,
    headers: { 'List-Unsubscribe': `<${no}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}
