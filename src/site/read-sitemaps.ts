// Reads all sitemaps of a site, through indexes, as a stream. Depth, files, bytes and addresses are bounded, and
// omissions are reported.

import { createGunzip } from 'node:zlib'
import { abortAfter } from '../base/abort-after.ts'
import { registrableDomainOf } from '../base/crawl-scope.ts'
import { asProblem } from '../base/problem.ts'
import { withoutWww } from '../base/url-key.ts'
import { makeLoopYielder } from '../base/yield-in-loops.ts'
import { openSitemapParser, type SitemapEntry } from '../content/parse-sitemap.ts'
import type { SiteFetch, SiteResponse } from './site-fetch-types.ts'

/** The sitemap protocol's limits for one file. */
const MAX_SITEMAP_BYTES = 50 * 1024 * 1024
const MAX_ENTRIES = 50_000
/** Indexes of indexes exist; more levels are a loop. */
const MAX_INDEX_DEPTH = 4
const MAX_FILES = 1000
const MAX_WAITING = 20_000
const TIMEOUT_MS = 30_000
const PIECE_BYTES = 65_536
/** Files prefetched: hides latency, and bounds memory. */
const MAX_PREFETCHED_FILES = 2
const MAX_REPORTED = 50
const USUAL_PLACES = [
  '/sitemap.xml',
  '/sitemap_index.xml',
  '/sitemap-index.xml',
  '/wp-sitemap.xml',
  '/sitemap.txt',
  '/llms.txt',
  '/feed',
]

export interface SitemapReport {
  files: { url: string; entries: number; keptSince?: string; because?: string }[]
  foreign: number
  notes: string[]
}

export const emptySitemapReport = (): SitemapReport => ({ files: [], foreign: 0, notes: [] })

interface SitemapQuestion {
  start: string
  /** From robots.txt; empty: the usual places are tried. */
  named: readonly string[]
  headers: Readonly<Record<string, string>>
}

interface Waiting {
  url: string
  depth: number
  answer?: Promise<SiteResponse | Error>
}

export async function* readSitemapPages(
  { start, named, headers }: SitemapQuestion,
  fetch: SiteFetch,
  report: SitemapReport,
  signal: AbortSignal,
): AsyncGenerator<SitemapEntry> {
  const home = siteOf(start)
  const queue: Waiting[] = []
  const seen = new Set<string>()
  const add = (url: string, depth: number) => {
    if (seen.has(url)) return
    if (seen.size >= MAX_WAITING)
      return note(report, `more than ${MAX_WAITING} sitemaps were named; the rest were left out`)
    seen.add(url)
    queue.push({ url, depth })
  }
  for (const url of named) if (isWeb(url)) add(url, 0)
  const guessing = queue.length === 0
  if (guessing) for (const url of usualPlaces(start)) add(url, 0)
  const ask = async ({ url }: Waiting): Promise<SiteResponse | Error> => {
    const within = AbortSignal.any([signal, abortAfter(TIMEOUT_MS)])
    return fetch({ url, headers, maxBytes: MAX_SITEMAP_BYTES }, within).catch((error: unknown) =>
      within.aborted && !signal.aborted ? new Error(`no response within ${TIMEOUT_MS / 1000} s`) : asProblem(error),
    )
  }
  for (let files = 0; queue.length > 0; files++) {
    signal.throwIfAborted()
    if (files >= MAX_FILES) return note(report, `only the first ${MAX_FILES} sitemaps were read`)
    for (const waiting of queue.slice(0, MAX_PREFETCHED_FILES)) waiting.answer ??= ask(waiting)
    const { url, depth, answer } = queue.shift()!
    const file = { url, entries: 0 } as SitemapReport['files'][number]
    for await (const listed of entriesOf((await answer)!, file, report, signal)) {
      const entry = withWholeUrl(listed, url)
      if (isForeign(entry, url, home)) report.foreign++
      else if (entry.kind === 'page') yield entry
      else if (depth < MAX_INDEX_DEPTH) add(entry.url, depth + 1)
      else note(report, `sitemaps nested more than ${MAX_INDEX_DEPTH} deep were left out`)
    }
    signal.throwIfAborted()
    if (report.files.length < MAX_REPORTED && (file.entries > 0 || !guessing)) report.files.push(file)
    // The first usual place with entries wins.
    if (guessing && depth === 0 && file.entries > 0) dropGuesses(queue)
  }
}

/** Links of llms.txt may be paths. */
const withWholeUrl = (entry: SitemapEntry, file: string): SitemapEntry =>
  entry.url.startsWith('/') && URL.canParse(entry.url, file) ? { ...entry, url: new URL(entry.url, file).href } : entry

/** An index may be on a host of its own; the sitemaps it lists there belong to it. */
function isForeign({ url, kind }: SitemapEntry, file: string, home: string | undefined): boolean {
  const site = siteOf(url)
  if (site === undefined) return true
  return site !== home && !(kind === 'sitemap' && site === siteOf(file))
}

function dropGuesses(queue: Waiting[]): void {
  for (let at = queue.length - 1; at >= 0; at--) if (queue[at]!.depth === 0) queue.splice(at, 1)
}

async function* entriesOf(
  answer: SiteResponse | Error,
  file: SitemapReport['files'][number],
  report: SitemapReport,
  signal: AbortSignal,
): AsyncGenerator<SitemapEntry> {
  if (answer instanceof Error) {
    file.because = answer.message
    return
  }
  if (answer.status < 200 || answer.status > 299) {
    file.because = `it returned ${answer.status}`
    return
  }
  if (answer.fetchedAt !== undefined) file.keptSince = new Date(answer.fetchedAt).toISOString()
  if (answer.truncated) note(report, `a sitemap is larger than ${MAX_SITEMAP_BYTES / 1024 / 1024} MB and was cut there`)
  const reader = openSitemapParser()
  try {
    for await (const text of textOf(answer.body, report)) {
      signal.throwIfAborted()
      for (const entry of reader.push(text)) {
        if (file.entries >= MAX_ENTRIES)
          return note(report, `a sitemap has more than ${MAX_ENTRIES} URLs and was cut there`)
        file.entries++
        yield entry
      }
    }
    for (const entry of reader.end()) {
      file.entries++
      yield entry
    }
  } catch (error) {
    signal.throwIfAborted()
    file.because = `it could not be unpacked: ${(error as Error).message}`
  }
  if (reader.refused !== undefined) file.because = reader.refused
}

/** In pieces, yielding to other work in between. */
async function* textOf(body: Uint8Array, report: SitemapReport): AsyncGenerator<string> {
  const turn = makeLoopYielder()
  const decoder = new TextDecoder(encodingOf(body))
  let left = MAX_SITEMAP_BYTES
  for await (const piece of isGzip(body) ? unpackGzip(body) : pieces(body)) {
    await turn()
    yield decoder.decode(piece.length > left ? piece.subarray(0, left) : piece, { stream: true })
    left -= piece.length
    if (left <= 0)
      return note(report, `a sitemap is larger than ${MAX_SITEMAP_BYTES / 1024 / 1024} MB and was cut there`)
  }
  yield decoder.decode()
}

function* pieces(body: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES)
}

async function* unpackGzip(body: Uint8Array): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES })
  try {
    gunzip.end(body)
    yield* gunzip
  } finally {
    gunzip.destroy()
  }
}

const isGzip = (body: Uint8Array): boolean => body[0] === 0x1f && body[1] === 0x8b

const encodingOf = ([first, second]: Uint8Array): string =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'

/** At the root first, then beside the start address. */
function usualPlaces(start: string): string[] {
  const { origin, pathname } = new URL(start)
  const folder = pathname.slice(0, pathname.lastIndexOf('/') + 1)
  const near = folder === '/' ? [] : [`${origin}${folder}sitemap.xml`]
  return [...USUAL_PLACES.map((place) => origin + place), ...near]
}

const isWeb = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url)

function siteOf(url: string): string | undefined {
  if (!isWeb(url)) return undefined
  const { hostname, port, username } = new URL(url)
  if (username !== '') return undefined
  return registrableDomainOf(hostname) ?? `${withoutWww(hostname)}:${port}`
}

function note(report: SitemapReport, sentence: string): void {
  if (report.notes.length < 20 && !report.notes.includes(sentence)) report.notes.push(sentence)
}
