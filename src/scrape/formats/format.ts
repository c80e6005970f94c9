// Defines output formats. A format declares its needs, which type its `produce`; the pure `read` half runs in the
// worker, because a tree cannot cross threads.
import { z } from 'zod'
import type { ComputedStyle } from '../../base/computed-style.ts'
import type { JsonBytes } from '../../base/json-bytes.ts'
import type { ButtonsAndLinks } from '../../content/list-buttons-and-links.ts'
import type { AlternatePage } from '../../content/list-links.ts'
import type { ParsedPage } from '../../content/parsed-page.ts'
import type { PdfPageBlocks } from '../../content/pdf/assemble-pages.ts'
import type { NetworkResponse } from '../../content/read-network-responses.ts'
import type { Llm } from '../../llm/llm.ts'
import type { PageFingerprints } from '../../understanding/changes/page-fingerprints.ts'
import type { ChangeTracker } from '../change-tracking-types.ts'
import type { PageMediaFetcher } from '../media/media-types.ts'
import type { FormatOutcome } from './format-outcome.ts'

/**
 * Everything that formats are made of, computed once and on demand. Workers return JSON bytes that a format passes on
 * unparsed.
 */
export interface Materials {
  base64: JsonBytes<string>
  rawHtml: JsonBytes<string>
  html: JsonBytes<string>
  markdown: JsonBytes<string>
  mainText: JsonBytes<string>
  links: JsonBytes<string[]>
  alternates: JsonBytes<AlternatePage[]>
  images: JsonBytes<string[]>
  controls: JsonBytes<ButtonsAndLinks>
  prints: JsonBytes<PageFingerprints>
  network: JsonBytes<NetworkResponse[]>
  screenshot: string | null
  computedStyle: ComputedStyle | null
  llm: Llm
  history: ChangeTracker
  media: PageMediaFetcher
}

export type MaterialName = keyof Materials

export const MATERIALS_OUTSIDE_WORKER = [
  'screenshot',
  'computedStyle',
  'llm',
  'history',
  'media',
] as const satisfies readonly MaterialName[]
export type MaterialOutsideWorker = (typeof MATERIALS_OUTSIDE_WORKER)[number]

/** The page in a format's `read` half; every part is computed lazily, once for all formats. */
export type FormatInputPage = Pick<
  ParsedPage,
  'kind' | 'url' | 'tree' | 'base' | 'content' | 'metadata' | 'rawHtml' | 'markdown' | 'links' | 'images'
> & {
  /** Redacts a text; absent when redaction is off. The markdown is already redacted. */
  readonly veil?: (text: string) => string
}

const MAX_HEAD_CHARS = 8000

export function joinMetadataText({ metadata, veil }: Pick<FormatInputPage, 'metadata' | 'veil'>): string {
  const head = Object.values(metadata).flat().join('\n').slice(0, MAX_HEAD_CHARS)
  return veil ? veil(head) : head
}

interface Definition<N extends MaterialName, S extends z.ZodRawShape, R> {
  name: string
  field?: string
  help: string
  reply: z.ZodType
  needs: readonly N[]
  options: S
  alone?: boolean
  /** Pure, in the worker; imports content/ lazily. A Problem ends the scrape; any other error loses the field. */
  read?(view: FormatInputPage, options: z.output<z.ZodObject<S>>, blocks?: readonly PdfPageBlocks[]): R | Promise<R>
  readsBlocks?: boolean
  isDeprecated?: boolean
  /** With a model, its value comes from it: refused when the caller may use no more of it. */
  isOfModel?: boolean
  /** True: unknown option keys are ignored instead of refused. */
  isLoose?: boolean
  /**
   * The field's value, or an `outcome` with warnings or other fields. A Problem ends the scrape; any other error makes
   * the field null, with a warning.
   */
  produce(
    have: Pick<Materials, N> & { read: R },
    options: z.output<z.ZodObject<S>>,
    signal: AbortSignal,
  ): Produced | Promise<Produced>
}

type Produced = FormatOutcome | unknown

export interface Format {
  readonly name: string
  readonly field: string
  readonly help: string
  readonly reply: z.ZodType
  readonly needs: readonly MaterialName[]
  readonly alone: boolean
  readonly isDeprecated: boolean
  readonly isOfModel: boolean
  readonly schema: z.ZodObject
  readonly read:
    | ((view: FormatInputPage, options: FormatRequest, blocks?: readonly PdfPageBlocks[]) => unknown)
    | undefined
  readonly readsBlocks: boolean
  readonly produce: (have: Materials & { read: unknown }, options: FormatRequest, signal: AbortSignal) => unknown
}

export interface FormatRequest {
  type: string
  [option: string]: unknown
}

export function defineFormat<const N extends MaterialName, S extends z.ZodRawShape, R = undefined>(
  definition: Definition<N, S, R>,
): Format {
  const { name, field = name, help, reply, needs, options, alone = false, read, produce } = definition
  return {
    name,
    field,
    help,
    reply,
    needs,
    alone,
    isDeprecated: definition.isDeprecated ?? false,
    isOfModel: definition.isOfModel ?? false,
    schema: (definition.isLoose ? z.object : z.strictObject)({ type: z.literal(name), ...options }).describe(help),
    // The schema has validated the options, so these casts are safe.
    read: read as Format['read'],
    readsBlocks: definition.readsBlocks ?? false,
    produce: produce as unknown as Format['produce'],
  }
}
