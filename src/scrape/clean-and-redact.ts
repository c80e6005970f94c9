// Document steps outside the worker: a model's cleaning pass, and finally redaction of all remaining fields. If
// redaction fails, no text is returned.

import { problemOfAbort } from '../base/deadline.ts'
import { JsonBytes } from '../base/json-bytes.ts'
import type { Document } from '../base/visit-and-capture-types.ts'
import { NO_MODEL_WARNING } from '../llm/extractive-llm.ts'
import type { Llm, ModelAnswer } from '../llm/llm.ts'
import type { RedactOptions } from '../understanding/privacy/redact-options.ts'
import { keepCleanedLines } from './keep-cleaned-lines.ts'
import type { ContentWorkerPool } from './workshop/content-worker-pool.ts'

interface Cleaned {
  markdown: JsonBytes<string>
  warnings: readonly string[]
  answer?: ModelAnswer<string>
}

/** A model cleans the main content further; without one it stays. */
export async function cleanMarkdownWithModel(
  markdown: JsonBytes<string>,
  llm: Llm,
  signal: AbortSignal,
): Promise<Cleaned> {
  if (llm.by === 'extractive') return { markdown, warnings: [NO_MODEL_WARNING] }
  const text = markdown.value()
  const answer = await llm.clean({ text: () => text, found: text }, signal)
  const { warnings } = answer
  if (answer.value === text) return { markdown, warnings, answer }
  const kept = keepCleanedLines(text, answer.value)
  if ('text' in kept) return { markdown: JsonBytes.of(kept.text), warnings, answer }
  const refused = `The model's cleaning was not used: ${kept.because}. The markdown is the original.`
  return { markdown, warnings: [...warnings, refused], answer }
}

const DONE = new Set(['markdown', 'warning'])
const PLAIN_FACTS = ['url', 'statusCode', 'contentType', 'numPages', 'totalPages', 'proxyUsed', 'error']

const PICTURES_STAY = 'Screenshots and PDFs of the page are not redacted: they show it as it is.'

export async function redactDocument(
  document: Document,
  options: RedactOptions,
  names: readonly string[],
  workshop: Pick<ContentWorkerPool, 'redact'>,
  signal: AbortSignal,
): Promise<Document> {
  const open = Object.entries(document).filter(([field, value]) => !DONE.has(field) && value !== undefined)
  const fields = Object.fromEntries(
    open.map(([field, value]) => [field, (value instanceof JsonBytes ? value : JsonBytes.of(value)).bytes]),
  )
  try {
    const done = await workshop.redact({ fields, options, names }, signal)
    const { metadata, ...rest } = done
    return {
      ...document,
      ...Object.fromEntries(Object.entries(rest).map(([field, bytes]) => [field, new JsonBytes(bytes)])),
      metadata: new JsonBytes<Document['metadata']>(metadata!).value(),
      ...(hasPictures(document) ? appendWarning(document, PICTURES_STAY) : {}),
    }
  } catch (error) {
    if (signal.aborted) throw problemOfAbort(signal)
    const empty = Object.fromEntries(open.map(([field]) => [field, null]))
    return {
      ...document,
      ...empty,
      markdown: document.markdown === undefined ? undefined : null,
      metadata: Object.fromEntries(Object.entries(document.metadata).filter(([name]) => PLAIN_FACTS.includes(name))),
      ...appendWarning(
        document,
        `Personal data could not be removed (${(error as Error).message}), so no text is returned.`,
      ),
    }
  }
}

function hasPictures({ screenshot, actions }: Document): boolean {
  const { screenshots = [], pdfs = [] } = (actions ?? {}) as { screenshots?: unknown[]; pdfs?: unknown[] }
  return Boolean(screenshot) || screenshots.length + pdfs.length > 0
}

const appendWarning = ({ warning }: Document, more: string): { warning: string } => ({
  warning: warning ? `${warning} ${more}` : more,
})
