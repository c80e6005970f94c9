// What an output format is. A format declares what it needs, and the compiler holds `produce` to it; what it needs of
// the page's tree it reads in the worker, in a pure `read` half, because a tree cannot cross threads. What takes time of
// its own (a model, the store) it waits for in `produce`.
import { z } from 'zod'
import type { Look } from '../../base/computed-style.ts'
import type { JsonBytes } from '../../base/json.ts'
import type { Controls } from '../../content/controls.ts'
import type { Page } from '../../content/page.ts'
import type { Llm } from '../../llm/llm.ts'
import type { PageMedia } from '../media/taken.ts'
import type { History } from '../tracking.ts'
import type { FormatOutcome } from './outcome.ts'

/**
 * What can be made of a page; each is made at most once, and only when some chosen format needs it. They come from a
 * worker as JSON bytes: a format that only passes one on never touches it.
 */
export interface Materials {
  base64: JsonBytes<string>
  rawHtml: JsonBytes<string>
  html: JsonBytes<string>
  markdown: JsonBytes<string>
  links: JsonBytes<string[]>
  images: JsonBytes<string[]>
  controls: JsonBytes<Controls>
  /** The link of a picture that the browser took; nothing when none could be taken. */
  screenshot: string | null
  /** How the browser found the page to look; nothing when it could not tell. */
  look: Look | null
  /** Who answers questions about the page: a model, or what extraction found. */
  llm: Llm
  /** What the page looked like before. */
  history: History
  /** Who fetches the audio and video that the page names. */
  media: PageMedia
}

export type Need = keyof Materials

/** What is not made of the page: the worker passes over it. */
export const OUTSIDE = ['screenshot', 'look', 'llm', 'history', 'media'] as const satisfies readonly Need[]
export type Outside = (typeof OUTSIDE)[number]

/** The page as a format's `read` half sees it: every part is made when first looked at, once for all formats. */
export type PageView = Pick<
  Page,
  'kind' | 'url' | 'tree' | 'base' | 'content' | 'metadata' | 'rawHtml' | 'markdown' | 'links' | 'images'
> & {
  /** A text of the page without what the caller wants taken out; absent when nothing is. The markdown is so already. */
  readonly veil?: (text: string) => string
}

const MAX_HEAD_CHARS = 8000

/** What the head of a page says: title and metadata. */
export function headOf({ metadata, veil }: Pick<PageView, 'metadata' | 'veil'>): string {
  const head = Object.values(metadata).flat().join('\n').slice(0, MAX_HEAD_CHARS)
  return veil ? veil(head) : head
}

interface Definition<N extends Need, S extends z.ZodRawShape, R> {
  name: string
  /** The document's field; the name itself unless said otherwise. */
  field?: string
  help: string
  /** What its field holds. */
  reply: z.ZodType
  needs: readonly N[]
  options: S
  /** The format must be the only one asked for. */
  alone?: boolean
  /**
   * Pure; returns plain data, which is copied between threads. What it needs of content/ it imports when it runs, so
   * that only the worker holds it. A Problem thrown here ends the scrape; any other error loses the field.
   */
  read?(view: PageView, options: z.output<z.ZodObject<S>>): R | Promise<R>
  /** Set when it is kept for older callers only. */
  isDeprecated?: boolean
  /** True: keys that it does not know are passed over instead of refused. */
  isLoose?: boolean
  /**
   * The field's value, or an `outcome` that also warns, sets other fields or leaves the field out. A Problem ends the
   * scrape; any other error makes the field null, with a warning.
   */
  produce(
    have: Pick<Materials, N> & { read: R },
    options: z.output<z.ZodObject<S>>,
    signal: AbortSignal,
  ): Produced | Promise<Produced>
}

type Produced = FormatOutcome | unknown

/** A format as the rest of the house sees it: its own option types stay inside. */
export interface Format {
  readonly name: string
  readonly field: string
  readonly help: string
  readonly reply: z.ZodType
  readonly needs: readonly Need[]
  readonly alone: boolean
  readonly isDeprecated: boolean
  readonly schema: z.ZodObject
  readonly read: ((view: PageView, options: FormatRequest) => unknown) | undefined
  readonly produce: (have: Materials & { read: unknown }, options: FormatRequest, signal: AbortSignal) => unknown
}

/** One item of `formats` after validation. */
export interface FormatRequest {
  type: string
  [option: string]: unknown
}

export function defineFormat<const N extends Need, S extends z.ZodRawShape, R = undefined>(
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
    schema: (definition.isLoose ? z.object : z.strictObject)({ type: z.literal(name), ...options }).describe(help),
    // The schema has checked the options before either half sees them: this is the one place where the type is told so.
    read: read as Format['read'],
    produce: produce as unknown as Format['produce'],
  }
}
