// The main worker call: parses the bytes once and makes only the materials that the formats need. Independent of
// threads (see worker.ts).
import { JsonBytes } from '../../base/json.ts'
import { Problem, type SerialisedProblem } from '../../base/problem.ts'
import type { DocumentReading } from '../../content/documents/document.ts'
import type { DocumentOptions } from '../../content/documents/read-document.ts'
import { type Choices, openPage, type Page } from '../../content/page.ts'
import type { PdfPageBlocks } from '../../content/pdf/assemble.ts'
import { type FormatRequest, type Need, OUTSIDE, type Outside } from '../formats/format.ts'
import { formatNamed } from '../formats/index.ts'
import { namesIn, type Treatment, treated } from './treatment.ts'

export interface DigestRequest {
  bytes: Uint8Array
  contentType: string | undefined
  url: string
  choices: Choices
  needs: readonly Need[]
  reads: readonly FormatRequest[]
  treatment?: Treatment
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
export type DigestedMaterials = Partial<Record<Exclude<Need, Outside>, Uint8Array>>

const isOutside = (need: Need): need is Outside => (OUTSIDE as readonly Need[]).includes(need)

export interface Digest {
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
  document?: DocumentParts
}

export interface PictureRequest {
  bytes: Uint8Array
  page: number
  dpi: number
}

export interface PagePicture {
  png: Uint8Array
  totalPages: number
}

export type DigestReply = { digest: Digest } | { problem: SerialisedProblem }

export async function digest(request: DigestRequest): Promise<DigestReply> {
  try {
    return { digest: await makeDigest(request) }
  } catch (error) {
    if (error instanceof Problem) return { problem: error.toJSON() }
    throw error
  }
}

async function makeDigest(request: DigestRequest): Promise<Digest> {
  const started = performance.now()
  const { bytes, contentType, url, choices } = request
  const page = await treated(openPage({ bytes, contentType, url }, choices), request.treatment)
  return digestPage(page, request, started)
}

export async function digestPage(
  page: Page,
  { bytes, needs, reads }: Pick<DigestRequest, 'bytes' | 'needs' | 'reads'>,
  started: number,
  blocks?: readonly PdfPageBlocks[],
): Promise<Digest> {
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
    const made = await attempt(need, async () => JsonBytes.of(await materialOf(need, page, bytes)))
    if (made) materials[need] = made.bytes
  }
  const readings: Record<string, unknown> = {}
  for (const options of reads)
    readings[options.type] = await attempt(options.type, () => formatNamed(options.type)?.read?.(page, options, blocks))
  return {
    kind: kindOf(page, reads.length === 0 && needs.every((need) => need === 'base64')),
    charset: page.charset,
    metadata: (await attempt('metadata', () => page.metadata)) ?? {},
    materials,
    reads: readings,
    failures,
    // Reading the cuts would compute the content.
    cuts: needs.includes('markdown') || needs.includes('html') ? JSON.stringify(page.cuts) : '[]',
    warnings: page.warnings,
    names: namesIn(page),
    ms: Math.round((performance.now() - started) * 100) / 100,
  }
}

async function materialOf(need: Exclude<Need, Outside>, page: Page, bytes: Uint8Array): Promise<unknown> {
  if (need === 'base64') return base64(bytes)
  if (need === 'prints') return (await import('../../understanding/changes/fingerprints.ts')).pagePrints(page)
  return page[need]
}

/** With only bytes requested, an unsupported file is not an error. */
function kindOf(page: Page, onlyBytes: boolean): string {
  try {
    return page.kind
  } catch (error) {
    if (onlyBytes && error instanceof Problem && error.kind === 'unsupported_file') return 'file'
    throw error
  }
}

const base64 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')
