// Compares two versions of a page's text, in a worker.
import parseDiff from 'parse-diff'
import { compareTextVersions, type TextVersion } from '../../understanding/changes/compare-texts.ts'

export interface CompareTextsRequest {
  previous: Uint8Array
  current: Uint8Array
  /** As text, or as text and parsed form. */
  diff: 'string' | 'object' | undefined
}

export interface CompareTextsReply {
  changed: boolean
  diff?: Uint8Array
}

export function compareTexts({ previous, current, diff }: CompareTextsRequest): CompareTextsReply {
  const pageText = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)) as TextVersion
  const result = compareTextVersions(pageText(previous), pageText(current))
  if (!result.changed || !diff) return { changed: result.changed }
  const shown = diff === 'string' ? result.diff : { text: result.diff, json: { files: parseDiff(result.diff) } }
  return { changed: true, diff: new TextEncoder().encode(JSON.stringify(shown)) }
}
