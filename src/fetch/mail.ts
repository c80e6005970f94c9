// Mails out, over the one server that the operator names. It must not know what they say.
import { createTransport } from 'nodemailer'

export interface MailParts {
  to: string
  /** Makes the message id: the same however often it is sent. */
  id: string
  subject: string
  text: string
  html: string
  headers: Readonly<Record<string, string>>
}

export type SendMail = (mail: MailParts, signal: AbortSignal) => Promise<void>

export interface Mailer {
  send: SendMail
  close(): void
}

export function openMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport(url, {
    from,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  } as never)
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
  return {
    async send({ id, ...mail }, signal) {
      signal.throwIfAborted()
      await transport.sendMail({ from, ...mail, messageId: `<${id}@${domain}>` })
    },
    close: () => transport.close(),
  }
}
