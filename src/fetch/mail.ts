// Mails out, over the one server that the operator names. It must not know what they say.
import type { Transporter } from 'nodemailer'

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
  let transport: Promise<Transporter> | undefined
  // Loaded with the first mail: most services send none.
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer')
    const waits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
    return createTransport(url, { from, ...waits } as never)
  }
  const domain = /@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'
  return {
    async send({ id, ...mail }, signal) {
      signal.throwIfAborted()
      transport ??= open()
      await (await transport).sendMail({ from, ...mail, messageId: `<${id}@${domain}>` })
    },
    // One that could not be opened has said so to who sent.
    close: () =>
      void transport?.then(
        (opened) => opened.close(),
        () => undefined,
      ),
  }
}
