// Work of the building thread: builds rows and segments from documents, and merges segments.

import { createHash } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { isDocumentJson } from '../base/document-json.ts'
import { registrableDomainOrHost } from '../base/registrable-domain.ts'
import { AnchorTextsOfBatch } from './engine/anchor-texts.ts'
import { hashLinkTarget, linkBucketOf, linkSlotOf } from './engine/extract-links.ts'
import { mergeSegments } from './engine/merge-segments.ts'
import { addPage } from './engine/page-terms.ts'
import { normaliseForPhrases } from './engine/parse-query.ts'
import { type PageContent, readPageContent } from './engine/read-page-content.ts'
import { SegmentBuilder } from './engine/segment-build.ts'
import { Segment } from './engine/segment-read.ts'
import type { StoredDocument } from './engine/stored-fields.ts'
import type { IncomingLink, LinkRow } from './store/incoming-links.ts'
import type { EarlierPageVersion } from './store/page-versions.ts'
import type { IndexedPageRow } from './store/search-segments-and-outbox.ts'

export interface BuildSegmentsRequest {
  now: number
  documents: readonly {
    teamId: string
    number: number
    version: number
    url: string
    urlKey: string
    seenAt: number
    body: Uint8Array
    linked: readonly IncomingLink[]
  }[]
  earlier: readonly { teamId: string; urlKey: string; url: string; seenAt: number; body: Uint8Array }[]
}

export interface BuildSegmentsReply {
  rows: IndexedPageRow[]
  segments: { teamId: string; pages: number; bytes: Uint8Array }[]
  versions: EarlierPageVersion[]
  /** JSON: a string crosses threads much faster than thousands of objects. */
  links: string
}

/** Text beyond this is searchable but not stored for display. */
export const MAX_KEPT_TEXT = 100_000

export function buildSegments({ documents, earlier, now }: BuildSegmentsRequest): BuildSegmentsReply {
  const texts = new EarlierTexts(earlier.filter(isReadable), now)
  const rows: IndexedPageRow[] = []
  const byTeam = new Map<string, SegmentBuilder>()
  const links = new Map<string, LinkRow>()
  const indexedLinks = new AnchorTextsOfBatch()
  // In version order: a page's links apply to the pages after it, independent of the batch.
  const inOrder = documents.filter(isReadable).toSorted((a, b) => a.version - b.version)
  for (const { teamId, number, version, url, urlKey, seenAt, body, linked } of inOrder) {
    const document = parseDocument(body)
    const content = readPageContent(document, url, now)
    const names = indexedLinks.of(teamId, hashLinkTarget(urlKey), linked)
    indexedLinks.add(teamId, content.links, { source: number, from: urlKey, seenAt })
    for (const { target, text } of content.links) {
      const row: LinkRow = [teamId, linkBucketOf(target), linkSlotOf(number), target, number, clean(text)]
      links.set(`${teamId} ${row[1]} ${row[2]}`, row)
    }
    const row = rowOf(content, { number, version, seenAt, ...linksRow(names) }, document.metadata.canonical)
    rows.push({ ...row, since: texts.since(teamId, urlKey, row.text!) ?? seenAt })
    let builder = byTeam.get(teamId)
    if (!builder) {
      builder = new SegmentBuilder()
      byTeam.set(teamId, builder)
    }
    const linkTexts = names.map(({ text }) => text)
    addPage(builder, content, { number, version, seenAt }, linkTexts)
  }
  return {
    rows,
    versions: texts.versions,
    links: JSON.stringify([...links.values()]),
    segments: [...byTeam].map(([teamId, builder]) => ({ teamId, pages: builder.pages, bytes: builder.finish() })),
  }
}

const parseDocument = (body: Uint8Array): StoredDocument => JSON.parse(Buffer.from(body).toString()) as StoredDocument

/** A damaged document is left out: it would stop the index for every page behind it. */
const isReadable = ({ body }: { body: Uint8Array }): boolean => isDocumentJson(body)

/** Earlier texts of pages; fetches with equal text are one version. */
class EarlierTexts {
  readonly #last = new Map<string, EarlierPageVersion>()
  readonly #all = new Set<EarlierPageVersion>()

  constructor(earlier: BuildSegmentsRequest['earlier'], now: number) {
    for (const { body, ...page } of earlier) {
      const name = `${page.teamId} ${page.urlKey}`
      const { title, text: whole } = readPageContent(parseDocument(body), page.url, now)
      const text = deflateText(whole.slice(0, MAX_KEPT_TEXT))
      const before = this.#last.get(name)
      if (before && isEqual(before.text, text)) before.seenAt = page.seenAt
      else {
        const version = { ...page, title: clean(title), text, since: page.seenAt }
        this.#last.set(name, version)
        this.#all.add(version)
      }
    }
  }

  since(teamId: string, urlKey: string, text: Uint8Array): number | undefined {
    const last = this.#last.get(`${teamId} ${urlKey}`)
    if (!last || !isEqual(last.text, text)) return undefined
    this.#all.delete(last)
    return last.since
  }

  get versions(): EarlierPageVersion[] {
    return [...this.#all]
  }
}

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

const linksRow = (names: readonly IncomingLink[]): Pick<IndexedPageRow, 'links' | 'linksSince'> =>
  names.length === 0
    ? { links: null, linksSince: null }
    : {
        links: JSON.stringify(names.map(({ text, from }) => [clean(text), clean(from)])),
        linksSince: Math.min(...names.map(({ seenAt }) => seenAt)),
      }

/** The page's canonical URL. One on another site is ignored: it would displace that site's page in the hits. */
const ownCanonicalUrl = (stated: unknown, url: string): string | null => {
  if (typeof stated !== 'string' || !URL.canParse(stated) || !URL.canParse(url)) return null
  return registrableDomainOrHost(new URL(stated).hostname) === registrableDomainOrHost(new URL(url).hostname)
    ? clean(stated)
    : null
}

function rowOf(
  content: PageContent,
  row: Pick<IndexedPageRow, 'number' | 'version' | 'seenAt' | 'links' | 'linksSince'>,
  stated: unknown,
): IndexedPageRow {
  const { url, title, description, language, type, date, image, pictures, text } = content
  const shown = text.slice(0, MAX_KEPT_TEXT)
  return {
    ...row,
    url: clean(url),
    canonical: ownCanonicalUrl(stated, url),
    title: clean(title),
    description: clean(description),
    language,
    type,
    dated: date ?? null,
    image: image === undefined ? null : clean(image),
    pictures: clean(JSON.stringify(pictures)),
    // Pages with hardly any text are not duplicates.
    print: shown.length < 50 ? '' : printOf(title, shown),
    text: deflateText(shown),
  }
}

/** The chunk size avoids concatenating several chunks. */
const deflateText = (text: string): Uint8Array => {
  const bytes = Buffer.from(text)
  return deflateRawSync(bytes, { level: 1, chunkSize: Math.max(1024, bytes.length >> 1) })
}

/** Equal for pages with the same words, whatever their markup. */
const printOf = (title: string, text: string): string =>
  createHash('md5')
    .update(normaliseForPhrases(`${title} ${text.slice(0, 5000)}`))
    .digest('base64url')
    .slice(0, 16)

const clean = (text: string): string => text.replaceAll('\0', '')

export interface MergeSegmentsRequest {
  segments: readonly Uint8Array[]
  numbers: Float64Array
  versions: Float64Array
  linked: Float64Array
}

export function mergeSegmentBytes({ segments, numbers, versions, linked }: MergeSegmentsRequest): {
  pages: number
  bytes: Uint8Array
} {
  const known = new Map<number, number>()
  for (let at = 0; at < numbers.length; at++) known.set(numbers[at]!, versions[at]!)
  const isLinked = new Set(linked)
  const bytes = mergeSegments(
    segments.map((segment) => new Segment(segment)),
    (number, version) => known.get(number) === version,
    (number) => isLinked.has(number),
  )
  return { pages: new Segment(bytes).pages, bytes }
}
