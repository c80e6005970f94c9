// Compares two versions of a page's text, in a worker.
import parseDiff from 'parse-diff'
import { type ComparedText, compare } from '../../understanding/changes/compare.ts'

export interface CompareRequest {
  previous: Uint8Array
  current: Uint8Array
  /** As text, or as text and parsed form. */
  diff: 'string' | 'object' | undefined
}

export interface CompareReply {
  changed: boolean
  diff?: Uint8Array
}

export function compareTexts({ previous, current, diff }: CompareRequest): CompareReply {
  const pageText = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)) as ComparedText
  const result = compare(pageText(previous), pageText(current))
  if (!result.changed || !diff) return { changed: result.changed }
  const shown = diff === 'string' ? result.diff : { text: result.diff, json: { files: parseDiff(result.diff) } }
  return { changed: true, diff: new TextEncoder().encode(JSON.stringify(shown)) }
}
