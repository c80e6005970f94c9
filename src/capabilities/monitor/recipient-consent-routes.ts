// Answers to confirmation mails: JSON with a token, and a page for links. A GET changes nothing, because mail readers
// prefetch links.

import { z } from 'zod'
import { escapeHtml } from '../../base/escape-html.ts'
import { ReadyReply } from '../route.ts'
import { successReply } from '../schema-parts.ts'
import { defineRoute } from './own-services.ts'
import { applyRecipientAnswer, findRecipientByToken, type RecipientAnswer } from './recipient-consent.ts'
import { recipientTokenBody } from './schema.ts'

const PATH = '/v2/monitor/email'
const byToken = (said: RecipientAnswer) =>
  defineRoute({
    method: 'POST',
    path: `${PATH}/${said}`,
    right: 'none',
    summary: said === 'confirm' ? 'Confirm e-mails of a monitor' : 'Refuse e-mails of a monitor',
    command: null,
    body: recipientTokenBody,
    reply: successReply({
      result: z.enum(['confirmed', 'already_confirmed', 'unsubscribed', 'already_unsubscribed']),
      email: z.string(),
      monitorName: z.string(),
    }),
    handle: async (given, { body }) => ({ success: true, ...(await applyRecipientAnswer(given, said, body.token)) }),
  })

const page = (title: string, body: string): ReadyReply =>
  new ReadyReply(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head><body style="font-family:sans-serif;max-width:32em;margin:4em auto;padding:0 1em">${body}</body></html>`,
    'text/html; charset=utf-8',
    {
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    },
  )

const QUESTIONS: Readonly<Record<RecipientAnswer, string>> = {
  confirm: 'Send me what changes',
  unsubscribe: 'Unsubscribe',
}

const ask = (said: RecipientAnswer) =>
  defineRoute({
    method: 'GET',
    path: `${PATH}/${said}/:token`,
    right: 'none',
    serves: ['text/html'],
    summary: 'The page behind a link in an e-mail',
    command: null,
    async handle(given, { params }) {
      const { monitor, purpose } = await findRecipientByToken(given, said, params.token ?? '')
      const question = purpose === 'decline' ? 'Never ask me again' : QUESTIONS[said]
      return page(
        question,
        `<p>Monitor: “${escapeHtml(monitor.name)}”</p><form method="post"><button style="font-size:1.2em;padding:.6em 1.2em">${question}</button></form>`,
      )
    },
  })

const click = (said: RecipientAnswer) =>
  defineRoute({
    method: 'POST',
    path: `${PATH}/${said}/:token`,
    right: 'none',
    serves: ['text/html'],
    summary: 'Confirm or unsubscribe, from that page or by one click in a mail program',
    command: null,
    takes: 'raw',
    maxFileBytes: 4096,
    async handle(given, { params, raw }) {
      raw?.resume()
      const { result, email, monitorName } = await applyRecipientAnswer(given, said, params.token ?? '')
      const words = /unsubscribed$/.test(result) ? 'gets no more mail of' : 'gets mail of'
      return page('Done', `<p>${escapeHtml(email)} ${words} “${escapeHtml(monitorName)}”.</p>`)
    },
  })

export const recipientConsentRoutes = [
  byToken('confirm'),
  byToken('unsubscribe'),
  ask('confirm'),
  ask('unsubscribe'),
  click('confirm'),
  click('unsubscribe'),
]
