// One check of a watched page, in a worker.
import parseDiff from 'parse-diff'
import type { TextVersion } from '../../understanding/changes/compare-texts.ts'
import {
  evaluateMonitorCheck,
  type MonitorCheckEvaluation,
} from '../../understanding/changes/evaluate-monitor-check.ts'
import type { NoiseMemory } from '../../understanding/changes/learnt-noise.ts'
import type { MonitorRules } from '../../understanding/changes/monitor-rules.ts'

export interface WatchCheckRequest {
  previous: Uint8Array
  current: Uint8Array
  confirm?: Uint8Array | undefined
  memory: NoiseMemory | undefined
  rules: MonitorRules
}

export interface WatchCheckReply extends Omit<MonitorCheckEvaluation, 'diff'> {
  diff: { text: string; json: { files: unknown } } | undefined
}

export function evaluateWatchedPage({ previous, current, confirm, memory, rules }: WatchCheckRequest): WatchCheckReply {
  const pageText = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)) as TextVersion
  const watched = evaluateMonitorCheck({
    previous: pageText(previous),
    current: pageText(current),
    confirm: confirm && pageText(confirm),
    memory,
    rules,
  })
  const { diff: text, ...rest } = watched
  return { ...rest, diff: text === '' ? undefined : { text, json: { files: parseDiff(text) } } }
}
