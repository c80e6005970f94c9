// Earlier versions of a page from this service's index: `/r/<url>@2026-05-01`, the changes between two
// (`@2026-05-01..2026-06-01`), or the list of versions (`@`).

import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { DAY_MS } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import { pageKeyOf } from '../../base/url-key.ts'
import { searchStore } from '../../search/store/index.ts'
import { compareTextVersions } from '../../understanding/changes/compare-texts.ts'
import type { RouteCall, Services, ServicesWith } from '../route.ts'

const inflate = promisify(inflateRaw)
const MAX_LISTED = 200
const DATE = '\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,3})?)?Z?)?|now'
const AT = new RegExp(`^(.+?)@(?:(${DATE})(?:\\.\\.(${DATE}))?)?$`)

export type TextWithHeaders = { text: string; headers: Record<string, string> }

type VersionRange = { url: string; from: string | undefined; to: string | undefined }

/** Undefined for a URL without a time. User info before the host is not a time. */
export function parseVersionSuffix(rest: string): VersionRange | undefined {
  const [, url = '', from, to] = AT.exec(rest) ?? []
  return url === '' || /^https?:\/*$/i.test(url) ? undefined : { url, from, to }
}

export async function readPageVersions(
  services: ServicesWith<'catchUpIndex'>,
  url: string,
  { from, to }: VersionRange,
  call: RouteCall,
): Promise<TextWithHeaders> {
  if (!URL.canParse(url)) throw new Problem('bad_request', { because: `${url} is not a URL` })
  call.note({ target: url })
  // Versions are created when pages are indexed.
  await services.catchUpIndex(call.caller.teamId, call.signal)
  if (from === undefined) return listOf(services, url, call)
  const before = await textAt(services, url, from, call)
  if (to === undefined) return before
  const after = await textAt(services, url, to, call)
  const { diff } = compareTextVersions(pageText(before.text), pageText(after.text))
  return {
    text: diff === '' ? `Nothing changed on ${url} between these versions.\n` : diff,
    headers: { 'x-seen-from': before.headers['x-seen-from'] ?? '', 'x-seen-to': after.headers['x-seen-to'] ?? '' },
  }
}

export const pageText = (text: string) => ({ text, lines: [] })

async function textAt(services: Services, url: string, when: string, call: RouteCall) {
  const found = await readVersion(services, url, timeOf(when, services.clock.now()), call)
  if (!found)
    throw new Problem('not_found', {
      because: `no version of ${url} was seen before ${when}; \`/r/${url}@\` lists those that were`,
    })
  return {
    text: found.text,
    headers: {
      'x-seen-from': new Date(found.since).toISOString(),
      'x-seen-to': new Date(found.seenAt).toISOString(),
    } as Record<string, string>,
  }
}

export interface VersionText {
  /** As `/r/` returns it. */
  text: string
  since: number
  seenAt: number
}

/** Undefined: the page was first seen later, or never. */
export async function readVersion(
  { store }: Pick<Services, 'store'>,
  url: string,
  time: number,
  { caller }: RouteCall,
): Promise<VersionText | undefined> {
  const found = await searchStore(store).versions.at(caller.teamId, pageKeyOf(url), time)
  if (!found) return undefined
  const text = (await inflate(found.text)).toString()
  const titled = found.title && !text.startsWith(found.title) ? `# ${found.title}\n\n${text}` : text
  return { text: `${titled}\n`, since: found.since, seenAt: found.seenAt }
}

/** A date means the end of that day. */
export function timeOf(when: string, now: number): number {
  if (when === 'now') return now
  const time = Date.parse(when.length === 10 ? when : when.endsWith('Z') ? when : `${when}Z`)
  if (Number.isNaN(time))
    throw new Problem('bad_request', { because: `${when} is not a date such as 2026-05-01 or 2026-05-01T12:00Z` })
  return when.length === 10 ? time + DAY_MS - 1 : time
}

async function listOf({ store }: Services, url: string, { caller }: RouteCall): Promise<TextWithHeaders> {
  const versions = await searchStore(store).versions.list(caller.teamId, pageKeyOf(url), MAX_LISTED)
  if (versions.length === 0)
    throw new Problem('not_found', { because: `${url} was never scraped by this service, or was deleted` })
  const lines = versions.map(({ since, seenAt, title }) => {
    const from = new Date(since).toISOString()
    return `- [${from}](/r/${url}@${from}), last seen ${new Date(seenAt).toISOString()}${title ? `: ${title}` : ''}`
  })
  return { text: `# Versions of ${url}\n\n${lines.join('\n')}\n`, headers: {} }
}
