// Applies a monitor's rules: lines to ignore, minimum size and alert conditions. Patterns use RE2, so they run in
// linear time.
import { RE2JS } from 're2js'
import { makeWordFinder } from '../../llm/find-quotes.ts'
import type { TextEdit } from './find-differences.ts'
import { parseNumbers } from './line-shape-and-numbers.ts'

type ChangeCondition =
  | { type: 'appears'; text: string }
  | { type: 'vanishes'; text: string }
  /** Words cited from the page are gone, or there again. */
  | { type: 'cites'; text: string }
  | { type: 'below'; value: number; near?: string | undefined }
  | { type: 'above'; value: number; near?: string | undefined }

export interface MonitorRules {
  ignoreText: readonly string[]
  /** RE2 syntax. */
  ignorePatterns: readonly string[]
  /** Counted over changed lines. */
  minChars: number
  /** Percent of the text's characters. */
  minPercent: number
  /** If set, only these conditions count as changes. */
  alertWhen: readonly ChangeCondition[]
  /** False: only known noise patterns are ignored. */
  learn: boolean
}

export const NO_MONITOR_RULES: MonitorRules = {
  ignoreText: [],
  ignorePatterns: [],
  minChars: 0,
  minPercent: 0,
  alertWhen: [],
  learn: true,
}

/** Throws an error with a message for the caller. */
export function assertRe2Pattern(pattern: string): void {
  try {
    RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
  } catch (error) {
    throw new Error(`is not a pattern that can be used: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export function makeIgnoreCheck(rules: MonitorRules): (edit: TextEdit) => string | undefined {
  const texts = rules.ignoreText.map((text) => ({ text, folded: foldText(text) }))
  const compile = (pattern: string) => RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
  const patterns = rules.ignorePatterns.map((pattern) => ({ pattern, compiled: compile(pattern) }))
  const hit = (line: string | null): string | undefined => {
    if (line === null) return undefined
    const plain = foldText(line)
    const byText = texts.find(({ folded: wanted }) => plain.includes(wanted))
    if (byText) return `the line holds "${byText.text}", which is ignored`
    const byPattern = patterns.find(({ compiled }) => compiled.matcher(line).find())
    return byPattern && `the line matches ${byPattern.pattern}, which is ignored`
  }
  return (edit) => {
    // A changed line is ignored only if both versions match.
    const [before, after] = [hit(edit.before), hit(edit.after)]
    return edit.type === 'changed' ? (before && after ? after : undefined) : (before ?? after)
  }
}

export type Citation = { quote: string; found: boolean }

/** Which alert conditions are met now and were not before, and which of the cited words are there now. */
export function findConditionsMet(
  rules: MonitorRules,
  before: string,
  after: string,
): { met: string[]; citations: Citation[] } {
  const cites = rules.alertWhen.some(({ type }) => type === 'cites')
  const [foundBefore, foundAfter] = [before, after].map((text) => (cites ? makeWordFinder(text) : () => undefined))
  const citations: Citation[] = []
  const met = rules.alertWhen.flatMap((condition) => {
    if (condition.type === 'cites') {
      const [was, is] = [foundBefore!, foundAfter!].map((find) => find(condition.text) !== undefined)
      citations.push({ quote: condition.text, found: is! })
      if (was === is) return []
      return [`"${condition.text}" is ${is ? 'on the page again' : 'no longer on the page'}`]
    }
    const [was, is] = [meets(condition, before), meets(condition, after)]
    return is && !was ? [describeCondition(condition)] : []
  })
  return { met, citations }
}

function meets(condition: Exclude<ChangeCondition, { type: 'cites' }>, text: string): boolean {
  if (condition.type === 'appears') return foldText(text).includes(foldText(condition.text))
  if (condition.type === 'vanishes') return !foldText(text).includes(foldText(condition.text))
  const value = numberNear(text, condition.near)
  if (value === undefined) return false
  return condition.type === 'below' ? value < condition.value : value > condition.value
}

/**
 * The first number after the words, on their line or the next; without words the first price, else the first number.
 */
function numberNear(text: string, near: string | undefined): number | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (near === undefined) {
    const priced = lines.find((line) => /[$€£¥₹]\s?\d|\d\s?(?:[$€£¥₹]|EUR|USD)/.test(line))
    return parseNumbers(priced ?? text)[0]
  }
  const wanted = foldText(near)
  const at = lines.findIndex((line) => foldText(line).includes(wanted))
  if (at === -1) return undefined
  const line = lines[at]!
  const rest = line.slice(foldText(line).indexOf(wanted) + wanted.length)
  return parseNumbers(rest)[0] ?? parseNumbers(line)[0] ?? parseNumbers(lines[at + 1] ?? '')[0]
}

function describeCondition(condition: Exclude<ChangeCondition, { type: 'cites' }>): string {
  if (condition.type === 'appears') return `"${condition.text}" appeared`
  if (condition.type === 'vanishes') return `"${condition.text}" vanished`
  const what = condition.near === undefined ? 'the number' : `the number at "${condition.near}"`
  return `${what} ${condition.type === 'below' ? 'fell below' : 'rose above'} ${condition.value}`
}

const foldText = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
