// The notification of a check: as plain text, as HTML with a coloured diff, and several as one digest.

import { escapeHtml } from '../../base/escape-html.ts'
import { makeLookupTable } from '../../base/lookup-table.ts'
import type { CheckSummary } from './store/check-pages-and-watched-pages.ts'

interface MessagePage {
  url: string
  status: string
  title: string | null
  reason: string | null
  diff: string | null
  error: string | null
}

export interface MonitorMessage {
  title: string
  monitor: string
  monitorId: string
  at: number
  summary: CheckSummary
  pages: MessagePage[]
  more: number
}

const MAX_DIFF_LINES = 60

export function messageToText(message: MonitorMessage, max = 100_000): string {
  const lines = [message.title, '']
  for (const page of message.pages) {
    lines.push(`${page.status.toUpperCase()}  ${page.title ? `${page.title} ` : ''}${page.url}`)
    if (page.reason) lines.push(`  ${page.reason}`)
    if (page.error) lines.push(`  ${page.error}`)
    if (page.diff) lines.push(...diffLines(page.diff).map((line) => `  ${line}`))
  }
  if (message.more > 0) lines.push(`and ${message.more} more`)
  const text = lines.join('\n').trimEnd()
  return text.length > max ? `${text.slice(0, max - 1)}…` : text
}

const diffLines = (diff: string): string[] => {
  const lines = diff.split('\n').filter((line) => line !== '' && !line.startsWith('---') && !line.startsWith('+++'))
  return lines.length > MAX_DIFF_LINES ? [...lines.slice(0, MAX_DIFF_LINES), '…'] : lines
}

const COLOURS = makeLookupTable<string>({ '+': '#e6ffec', '-': '#ffebe9', '@': '#f0f0f0' })

export function messageToHtml(message: MonitorMessage, foot: string): string {
  const pages = message.pages.map((page) => {
    const name = `<b>${escapeHtml(page.status)}</b> <a href="${escapeHtml(page.url)}">${escapeHtml(page.title ?? page.url)}</a>`
    const said = [page.reason, page.error]
      .filter((text) => text !== null)
      .map((text) => `<div>${escapeHtml(text)}</div>`)
    const diff = page.diff
      ? `<pre style="font:12px/1.5 monospace;white-space:pre-wrap">${diffLines(page.diff)
          .map(
            (line) =>
              `<span style="display:block;background:${COLOURS[line[0] ?? ''] ?? 'none'}">${escapeHtml(line)}</span>`,
          )
          .join('')}</pre>`
      : ''
    return `<li style="margin:0 0 1em">${name}${said.join('')}${diff}</li>`
  })
  const more = message.more > 0 ? `<p>and ${message.more} more</p>` : ''
  return `<!doctype html><html><body style="font-family:sans-serif"><h2>${escapeHtml(message.title)}</h2><ul style="padding-left:1em">${pages.join('')}</ul>${more}<hr>${foot}</body></html>`
}

export function mergeMessages(messages: readonly MonitorMessage[]): MonitorMessage {
  const [first] = messages
  if (!first || messages.length === 1) return first!
  const sum = (name: keyof CheckSummary) => messages.reduce((total, { summary }) => total + summary[name], 0)
  return {
    ...first,
    title: `${first.monitor}: ${messages.length} checks with news`,
    summary: {
      totalPages: sum('totalPages'),
      same: sum('same'),
      changed: sum('changed'),
      new: sum('new'),
      removed: sum('removed'),
      error: sum('error'),
    },
    pages: messages.flatMap(({ pages }) => pages).slice(0, 50),
    more:
      messages.reduce((total, { more }) => total + more, 0) +
      Math.max(0, messages.flatMap(({ pages }) => pages).length - 50),
  }
}
