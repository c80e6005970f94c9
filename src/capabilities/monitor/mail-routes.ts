// Answers to confirmation mails: JSON with a token, and a page for links. A GET changes nothing, because mail readers
// prefetch links; one-click unsubscribe (RFC 8058) is the POST.
import { z } from 'zod'
import { ReadyReply } from '../route.ts'
import { escaped } from './message.ts'
import { route } from './needs.ts'
import { answered, type RecipientWord, recipientOf } from './recipients.ts'
import { tokenBody } from './schema.ts'

const PATH = '/v2/monitor/email'
const TAG = 'Monitor'

const byToken = (said: RecipientWord) =>
  route({
    method: 'POST',
    path: `${PATH}/${said}`,
    right: 'none',
    summary: said === 'confirm' ? 'Say yes to mails of a monitor' : 'Say no to mails of a monitor',
    tag: TAG,
    command: null,
    body: tokenBody,
    reply: z.object({
      success: z.literal(true),
      result: z.enum(['confirmed', 'already_confirmed', 'unsubscribed', 'already_unsubscribed']),
      email: z.string(),
      monitorName: z.string(),
    }),
    handle: async (given, { body }) => ({ success: true, ...(await answered(given, said, body.token)) }),
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

const QUESTIONS: Readonly<Record<RecipientWord, string>> = {
  confirm: 'Send me what changes',
  unsubscribe: 'Send me no more of these',
}

const ask = (said: RecipientWord) =>
  route({
    method: 'GET',
    path: `${PATH}/${said}/:token`,
    right: 'none',
    serves: ['text/html'],
    summary: 'The page that a link in a mail leads to',
    tag: TAG,
    command: null,
    async handle(given, { params }) {
      const { monitor, purpose } = await recipientOf(given, said, params.token ?? '')
      const question = purpose === 'decline' ? 'Never ask me again' : QUESTIONS[said]
      return page(
        question,
        `<p>Monitor: “${escaped(monitor.name)}”</p><form method="post"><button style="font-size:1.2em;padding:.6em 1.2em">${question}</button></form>`,
      )
    },
  })

const click = (said: RecipientWord) =>
  route({
    method: 'POST',
    path: `${PATH}/${said}/:token`,
    right: 'none',
    serves: ['text/html'],
    summary: 'The button on that page, and one-click unsubscribe',
    tag: TAG,
    command: null,
    takes: 'raw',
    maxFileBytes: 4096,
    async handle(given, { params, raw }) {
      raw?.resume()
      const { result, email, monitorName } = await answered(given, said, params.token ?? '')
      const words = /unsubscribed$/.test(result) ? 'gets no more mail of' : 'gets mail of'
      return page('Done', `<p>${escaped(email)} ${words} “${escaped(monitorName)}”.</p>`)
    },
  })

export const mailRoutes = [
  byToken('confirm'),
  byToken('unsubscribe'),
  ask('confirm'),
  ask('unsubscribe'),
  click('confirm'),
  click('unsubscribe'),
]
