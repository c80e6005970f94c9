// Two texts of a page compared, as a worker does it: bytes in, a verdict and the diff out.
import parseDiff from 'parse-diff'
import { compare, type PageLook } from '../../understanding/changes/compare.ts'

export interface CompareRequest {
  /** The page before and now, each the JSON bytes of a `PageLook`. */
  previous: Uint8Array
  current: Uint8Array
  /** How the diff is wanted, if at all: as its text, or as text and parsed form. */
  diff: 'string' | 'object' | undefined
}

export interface CompareReply {
  changed: boolean
  /** JSON bytes of the diff. */
  diff?: Uint8Array
}

export function compareTexts({ previous, current, diff }: CompareRequest): CompareReply {
  const look = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)) as PageLook
  const result = compare(look(previous), look(current))
  if (!result.changed || !diff) return { changed: result.changed }
  const shown = diff === 'string' ? result.diff : { text: result.diff, json: { files: parseDiff(result.diff) } }
  return { changed: true, diff: new TextEncoder().encode(JSON.stringify(shown)) }
}
