// Sends mail through the operator's SMTP server.
import type { Transporter } from 'nodemailer'

export interface MailMessage {
  to: string
  /** Determines the Message-ID, which stays the same on retries. */
  id: string
  subject: string
  text: string
  html: string
  headers: Readonly<Record<string, string>>
}

interface Mailer {
  send(mail: MailMessage, signal: AbortSignal): Promise<void>
  close(): void
}

export function openMailer({ url, from }: { url: string; from: string }): Mailer {
  let transport: Promise<Transporter> | undefined
  // Loaded with the first mail: most installations send none.
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
    close: () =>
      void transport?.then(
        (opened) => opened.close(),
        () => undefined,
      ),
  }
}
