// The main worker call: parses the bytes once and makes only the materials that the formats need. Independent of
// threads (see content-worker.ts).
import { JsonBytes } from '../../base/json-bytes.ts'
import type { NetworkRecord } from '../../base/network-responses.ts'
import { Problem, type SerialisedProblem } from '../../base/problem.ts'
import { detectPageKind } from '../../content/detect-page-kind.ts'
import type { DocumentOptions } from '../../content/documents/read-document.ts'
import type { DocumentReading } from '../../content/documents/sniff-document.ts'
import { type ContentOptions, type ParsedPage, parsePage } from '../../content/parsed-page.ts'
import type { PdfPageBlocks } from '../../content/pdf/assemble-pages.ts'
import { type NetworkResponse, readNetworkResponses, writeAsDataScripts } from '../../content/read-network-responses.ts'
import type { KnownFingerprints } from '../../understanding/changes/page-fingerprints.ts'
import {
  type FormatRequest,
  MATERIALS_OUTSIDE_WORKER,
  type MaterialName,
  type MaterialOutsideWorker,
} from '../formats/format.ts'
import { findFormat } from '../formats/index.ts'
import { type CheckAndRedactOptions, checkAndRedactPage, listFoundFamilyNames } from './check-and-redact-page.ts'

export interface DigestRequest {
  bytes: Uint8Array
  contentType: string | undefined
  url: string
  choices: ContentOptions
  needs: readonly MaterialName[]
  reads: readonly FormatRequest[]
  treatment?: CheckAndRedactOptions
  /** Makes nothing but fingerprints and links when the page is as it was known before. */
  known?: KnownFingerprints | undefined
  network?: NetworkRecord | undefined
}

export interface DocumentRequest extends DigestRequest {
  name: string | undefined
  options: DocumentOptions
}

interface DocumentParts {
  numPages?: number | undefined
  totalPages?: number | undefined
  pages?: DocumentReading['pages']
  blocks?: DocumentReading['blocks']
}

/** JSON bytes, because class instances cannot cross threads. */
export type DigestedMaterials = Partial<Record<Exclude<MaterialName, MaterialOutsideWorker>, Uint8Array>>

const isOutside = (need: MaterialName): need is MaterialOutsideWorker =>
  (MATERIALS_OUTSIDE_WORKER as readonly MaterialName[]).includes(need)

export interface PageDigest {
  kind: string
  charset: string
  metadata: Record<string, string | string[]>
  materials: DigestedMaterials
  reads: Record<string, unknown>
  failures: Record<string, string>
  /** JSON text: it is stored and never read here. */
  cuts: string
  warnings: readonly string[]
  names?: readonly string[]
  ms: number
  /** The page is as it was known before. */
  isSame?: true
  document?: DocumentParts
}

export interface RenderPdfPageRequest {
  bytes: Uint8Array
  page: number
  dpi: number
  /** Shares of the page: left, top, right and bottom. */
  area: readonly number[]
}

export interface RenderedPdfPage {
  png: Uint8Array
  totalPages: number
}

export type DigestReply = { digest: PageDigest } | { problem: SerialisedProblem }

export async function digestBytes(request: DigestRequest): Promise<DigestReply> {
  try {
    return { digest: await makeDigest(request) }
  } catch (error) {
    if (error instanceof Problem) return { problem: error.toJSON() }
    throw error
  }
}

async function makeDigest(request: DigestRequest): Promise<PageDigest> {
  const started = performance.now()
  const { bytes, contentType, url, choices } = request
  const network = request.network && readNetworkResponses(request.network)
  const input = { bytes, contentType, url, ...(network ? { appended: writeAsDataScripts(network) } : {}) }
  const page = await checkAndRedactPage(parsePage(input, choices), request.treatment)
  return digestPage(page, request, started, undefined, network)
}

async function digestKnown(
  page: ParsedPage,
  { needs, known }: Pick<DigestRequest, 'needs' | 'known'>,
  started: number,
) {
  if (!known || kindOf(page, true) !== 'html') return undefined
  const { fingerprintPage, isUnchangedExceptNoise } = await import('../../understanding/changes/page-fingerprints.ts')
  const prints = fingerprintPage(page)
  if (!isUnchangedExceptNoise(prints, known)) return undefined
  return {
    kind: page.kind,
    charset: page.charset,
    metadata: page.declaredMetadata,
    materials: {
      prints: JsonBytes.of(prints).bytes,
      ...(needs.includes('links') ? { links: JsonBytes.of(page.links).bytes } : {}),
    },
    ...{ reads: {}, failures: {}, cuts: '[]', warnings: [] },
    ms: Math.round((performance.now() - started) * 100) / 100,
    isSame: true,
  } satisfies PageDigest
}

export async function digestPage(
  page: ParsedPage,
  { bytes, needs, reads, known }: Pick<DigestRequest, 'bytes' | 'needs' | 'reads' | 'known'>,
  started: number,
  blocks?: readonly PdfPageBlocks[],
  network?: readonly NetworkResponse[],
): Promise<PageDigest> {
  const same = await digestKnown(page, { needs, known }, started)
  if (same) return same
  const failures: Record<string, string> = {}
  const attempt = async <T>(what: string, make: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await make()
    } catch (error) {
      // A Problem concerns the whole request or file; any other error loses only this material.
      if (error instanceof Problem) throw error
      failures[what] = error instanceof Error ? error.message : String(error)
      return undefined
    }
  }
  const materials: DigestedMaterials = {}
  for (const need of needs) {
    if (isOutside(need)) continue
    const made = await attempt(need, async () => JsonBytes.of(await materialOf(need, page, bytes, network)))
    if (made) materials[need] = made.bytes
  }
  const readings: Record<string, unknown> = {}
  for (const options of reads)
    readings[options.type] = await attempt(options.type, () => findFormat(options.type)?.read?.(page, options, blocks))
  return {
    kind: kindOf(page, reads.length === 0 && needs.every((need) => need === 'base64')),
    charset: page.charset,
    metadata: {
      ...(await attempt('metadata', () => page.metadata)),
      ...(await attempt('kind', () => pageKindOf(page))),
    },
    materials,
    reads: readings,
    failures,
    // Reading the cuts would compute the content.
    cuts: needs.includes('markdown') || needs.includes('html') ? JSON.stringify(page.cuts) : '[]',
    warnings: page.warnings,
    names: listFoundFamilyNames(page),
    ms: Math.round((performance.now() - started) * 100) / 100,
  }
}

const pageKindOf = (page: ParsedPage) =>
  page.kind === 'html' ? detectPageKind(page.tree, page.url, page.content.cuts) : undefined

async function materialOf(
  need: Exclude<MaterialName, MaterialOutsideWorker>,
  page: ParsedPage,
  bytes: Uint8Array,
  network: readonly NetworkResponse[] | undefined,
): Promise<unknown> {
  if (need === 'network') {
    if (!network) throw new Error('the page was not rendered in a browser')
    return network
  }
  if (need === 'base64') return base64(bytes)
  if (need === 'prints') return (await import('../../understanding/changes/page-fingerprints.ts')).fingerprintPage(page)
  return page[need]
}

/** With only bytes requested, an unsupported file is not an error. */
function kindOf(page: ParsedPage, onlyBytes: boolean): string {
  try {
    return page.kind
  } catch (error) {
    if (onlyBytes && error instanceof Problem && error.kind === 'unsupported_file') return 'file'
    throw error
  }
}

const base64 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')
