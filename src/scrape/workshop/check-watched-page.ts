// One check of a watched page, in a worker.
import parseDiff from 'parse-diff'
import type { ComparedText } from '../../understanding/changes/compare.ts'
import type { PageMemory } from '../../understanding/changes/learnt-noise.ts'
import type { WatchRules } from '../../understanding/changes/rules.ts'
import { type Watched, watch } from '../../understanding/changes/watch.ts'

export interface PackedWatchRequest {
  previous: Uint8Array
  current: Uint8Array
  confirm?: Uint8Array | undefined
  memory: PageMemory | undefined
  rules: WatchRules
}

export interface PackedWatchReply extends Omit<Watched, 'diff'> {
  diff: { text: string; json: { files: unknown } } | undefined
}

export function comparePages({ previous, current, confirm, memory, rules }: PackedWatchRequest): PackedWatchReply {
  const pageText = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)) as ComparedText
  const watched = watch({
    previous: pageText(previous),
    current: pageText(current),
    confirm: confirm && pageText(confirm),
    memory,
    rules,
  })
  const { diff: text, ...rest } = watched
  return { ...rest, diff: text === '' ? undefined : { text, json: { files: parseDiff(text) } } }
}
