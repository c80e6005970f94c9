// Renders e-mail messages: headers, text and attachment names. A library parses the message.

import PostalMime, { decodeWords, type Email } from 'postal-mime'
import { escapeHtml } from '../../base/escape-html.ts'
import { Problem } from '../../base/problem.ts'
import { makeHtmlPage } from '../escape-and-build-html.ts'
import type { PageMetadata } from '../metadata.ts'
import type { DocumentReading } from './sniff-document.ts'

const MAX_DEPTH = 8
const MAX_FORWARDED = 3
const MAX_ATTACHED = 200
const SHOWN = ['from', 'to', 'cc', 'date']

const parse = (bytes: Uint8Array): Promise<Email> =>
  PostalMime.parse(bytes, { forceRfc822Attachments: true, maxNestingDepth: MAX_DEPTH })

export async function readEmail(bytes: Uint8Array): Promise<DocumentReading> {
  const message = await parse(bytes).catch((cause: unknown) => {
    throw new Problem('unreadable_file', {
      because: 'the message is nested too deeply, or its headers are too long',
      cause,
    })
  })
  const from = headerOf(message, 'from')
  const sent = Date.parse(headerOf(message, 'date'))
  const metadata: PageMetadata = {
    ...(message.subject ? { title: message.subject } : {}),
    ...(from ? { author: from } : {}),
    ...(Number.isNaN(sent) ? {} : { publishedTime: new Date(sent).toISOString() }),
  }
  const html = await messageHtml(message, 1)
  return { kind: 'email', html: makeHtmlPage(message.subject || undefined, html), metadata, warnings: [] }
}

const headerOf = ({ headers }: Email, name: string): string =>
  decodeWords(headers.find(({ key }) => key === name)?.value ?? '').slice(0, 10_000)

/** Forwarded messages are nested one heading level lower. */
async function messageHtml(message: Email, level: number): Promise<string> {
  const { subject, html, text, attachments } = message
  const lines = SHOWN.flatMap((name) => {
    const value = headerOf(message, name)
    return value ? [`<strong>${name[0]!.toUpperCase()}${name.slice(1)}:</strong> ${escapeHtml(value)}`] : []
  })
  const isMessage = ({ mimeType }: { mimeType: string }) => level <= MAX_FORWARDED && mimeType === 'message/rfc822'
  const names = attachments
    .filter((one) => !isMessage(one) && one.filename)
    .slice(0, MAX_ATTACHED)
    .map(({ filename }) => `<li>${escapeHtml(filename!)}</li>`)
  const forwarded: string[] = []
  for (const { content } of attachments.filter(isMessage).slice(0, MAX_ATTACHED)) {
    const inner = await parse(new Uint8Array(content as ArrayBuffer)).catch(() => undefined)
    if (inner) forwarded.push(await messageHtml(inner, level + 1))
  }
  return [
    subject && `<h${level}>${escapeHtml(subject)}</h${level}>`,
    `<p>${lines.join('<br>')}</p>`,
    html ? bodyOf(html) : plainHtml((text ?? '').replaceAll('\r\n', '\n')),
    names.length > 0 ? `<h${level + 1}>Attachments</h${level + 1}><ul>${names.join('')}</ul>` : '',
    ...forwarded,
  ].join('\n')
}

function plainHtml(text: string): string {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => {
      const lines = paragraph.trim().split('\n')
      const isQuote = lines.every((line) => line.startsWith('>'))
      const html = lines.map((line) => escapeHtml(isQuote ? line.replace(/^(?:> ?)+/, '') : line)).join('<br>')
      return isQuote ? `<blockquote><p>${html}</p></blockquote>` : `<p>${html}</p>`
    })
    .join('\n')
}

function bodyOf(html: string): string {
  const start = html.search(/<body[\s>]/i)
  return start === -1 ? html : html.slice(html.indexOf('>', start) + 1).replace(/<\/body[\s\S]*$/i, '')
}
