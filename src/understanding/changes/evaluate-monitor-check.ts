// Evaluates a check of a watched page: compares it with the previous snapshot, a confirming fetch, learned noise and
// the monitor's rules.

import { countEach } from '../../base/values.ts'
import { classifyEdit, type EditKind, isPriceStockOrStatusEdit } from './classify-edit.ts'
import { type DiffEntry, listDiffEntries, type TextVersion, writeUnifiedDiff } from './compare-texts.ts'
import { findDifferences, type TextDifferences, type TextEdit } from './find-differences.ts'
import { emptyNoiseMemory, findNoiseReason, learnNoise, type NoiseMemory, type NoiseReason } from './learnt-noise.ts'
import { markdownFormOf } from './line-shape-and-numbers.ts'
import { type Citation, findConditionsMet, type MonitorRules, makeIgnoreCheck } from './monitor-rules.ts'

interface WatchRequest {
  previous: TextVersion
  current: TextVersion
  /** A second fetch a moment later: differences between the two are noise. */
  confirm?: TextVersion | undefined
  memory: NoiseMemory | undefined
  rules: MonitorRules
}

export interface ReportedChange extends Pick<TextEdit, 'type' | 'before' | 'after' | 'section'> {
  kind: EditKind
}

type Suppressed = { reason: string; before: string | null; after: string | null }

export interface MonitorCheckEvaluation {
  changed: boolean
  changes: ReportedChange[]
  /** Descriptions of alert conditions met now. */
  met: string[]
  /** Whether cited words are there, at the last reading. */
  citations: Citation[]
  suppressed: Suppressed[]
  diff: string
  memory: NoiseMemory
  /** Which snapshot the next check compares with. */
  keep: 'previous' | 'current' | 'confirm'
  /** Edits behind all changes, for user feedback. */
  edits: TextEdit[]
}

const MAX_CHANGES = 200
const MAX_SUPPRESSED = 100
const MAX_TEXT = 1000

const REASONS: Readonly<Record<NoiseReason, string>> = {
  taught: 'you said that changes here do not matter',
  flickers: 'this place differs from one visit to the next',
  restless: 'this place changed at most of the last looks',
  counter: 'a number that only ever rises, like a counter',
}

export function evaluateMonitorCheck({
  previous,
  current,
  confirm,
  memory = emptyNoiseMemory(),
  rules,
}: WatchRequest): MonitorCheckEvaluation {
  const found = findDifferences(previous, current)
  const again = confirm && findDifferences(previous, confirm)
  const { steady, flickering } = separateSteadyEdits(found.edits, again?.edits)
  const ignored = makeIgnoreCheck(rules)
  const suppressed: Suppressed[] = found.noiseOnlyChanges.map((line) => ({
    ...line,
    reason: 'only known noise differs: counters, dates of today, ages, ids',
  }))
  const hush = (edit: TextEdit, reason: string) => suppressed.push({ reason, before: edit.before, after: edit.after })
  const real: TextEdit[] = []
  for (const edit of found.edits) {
    const byRule = ignored(edit)
    const restless = rules.learn ? findNoiseReason(memory, edit) : undefined
    if (byRule) hush(edit, byRule)
    else if (!steady.has(edit)) hush(edit, 'it was not there any more when the page was looked at again')
    else if (restless) hush(edit, REASONS[restless])
    else real.push(edit)
  }
  const small = tooSmall(real, current.text, rules)
  if (small) for (const edit of real.splice(0)) hush(edit, small)
  const now = findConditionsMet(rules, previous.text, current.text)
  const later = confirm && findConditionsMet(rules, previous.text, confirm.text)
  const met = now.met.filter((one) => later?.met.includes(one) ?? true)
  if (rules.alertWhen.length > 0 && met.length === 0)
    for (const edit of real.splice(0)) hush(edit, 'none of the things you asked to be told of happened')
  const changed = real.length > 0 || met.length > 0
  return {
    changed,
    changes: real.slice(0, MAX_CHANGES).map(changeOf),
    met,
    citations: (later ?? now).citations,
    suppressed: suppressed.slice(0, MAX_SUPPRESSED).map(limitTexts),
    diff: real.length > 0 ? writeUnifiedDiff(entriesOf(found, new Set(real))) : '',
    memory: learnNoise(memory, found.edits, flickering),
    keep: keepOf(found, steady, again),
    edits: found.edits.slice(0, MAX_CHANGES),
  }
}

/** Separates edits found in both fetches from those in only one. */
function separateSteadyEdits(first: readonly TextEdit[], second: readonly TextEdit[] | undefined) {
  if (!second) return { steady: new Set(first), flickering: [] as TextEdit[] }
  const times = countEach(second.map(nameOf))
  const steady = new Set<TextEdit>()
  for (const edit of first) {
    const left = times.get(nameOf(edit)) ?? 0
    if (left === 0) continue
    times.set(nameOf(edit), left - 1)
    steady.add(edit)
  }
  // Extra added or removed lines at a flickering position are part of the noise.
  const both = new Set([...steady].map(nameOf))
  const restless = new Set(
    [...first.filter((edit) => !steady.has(edit)), ...second.filter((edit) => !both.has(nameOf(edit)))].map(spotOf),
  )
  for (const edit of [...steady])
    if (edit.type !== 'changed' && restless.has(spotOf(edit)) && !isPriceStockOrStatusEdit(edit)) {
      steady.delete(edit)
      both.delete(nameOf(edit))
    }
  const flickering = [...first.filter((edit) => !steady.has(edit)), ...second.filter((edit) => !both.has(nameOf(edit)))]
  return { steady, flickering }
}

const spotOf = ({ section, follows, before, after }: TextEdit): string =>
  `${section}\n${follows}\n${markdownFormOf(after ?? before ?? '')}`

const nameOf = ({ type, before, after }: TextEdit): string => `${type}\n${before}\n${after}`

/**
 * An unconfirmed edit may be a real change that only some servers have yet; keeping the previous snapshot lets the next
 * check find it again.
 */
function keepOf(found: TextDifferences, steady: ReadonlySet<TextEdit>, again: TextDifferences | undefined) {
  if (!again || steady.size === found.edits.length) return 'current'
  return steady.size === 0 ? 'previous' : 'confirm'
}

function tooSmall(edits: readonly TextEdit[], text: string, { minChars, minPercent }: MonitorRules) {
  const chars = edits.reduce((sum, { before, after }) => sum + Math.max(before?.length ?? 0, after?.length ?? 0), 0)
  if (chars < minChars) return `fewer than ${minChars} characters changed`
  const percent = (100 * chars) / Math.max(1, text.length)
  return percent < minPercent ? `less than ${minPercent} % of the text changed` : undefined
}

/** The current text with only the reported changes. */
function entriesOf({ before, after, matched }: TextDifferences, real: ReadonlySet<TextEdit>): DiffEntry[] {
  const [come, gone] = [new Set([...real].map(({ at }) => at.after)), new Set([...real].map(({ at }) => at.before))]
  const markOf = (at: number) => (come.has(at) ? '+' : ' ')
  return listDiffEntries(before, after, matched, { isGone: (at) => gone.has(at), markOf })
}

const changeOf = (edit: TextEdit): ReportedChange => ({
  type: edit.type,
  before: cut(edit.before),
  after: cut(edit.after),
  section: edit.section,
  kind: classifyEdit(edit),
})

const limitTexts = ({ reason, before, after }: Suppressed): Suppressed => ({
  reason,
  before: cut(before),
  after: cut(after),
})

const cut = (text: string | null): string | null =>
  text !== null && text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
