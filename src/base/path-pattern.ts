// includePaths and excludePaths: callers' regular expressions, matched in linear time (RE2).
import { RE2JS } from 're2js'

/** Long lists of alternatives are real; beyond this it is data, not a pattern. */
const MAX_PATTERN_CHARS = 10_000
/** Each instruction costs about 30 ns, and each character may run them all. */
const MAX_PATTERN_INSTRUCTIONS = 2000
/** Instructions × characters for one address, over all patterns: at worst about 100 ms, usually 10 µs. */
const MAX_MATCH_STEPS = 3_000_000
const PLAIN = /^[\w\-/ ]*$/

export interface PathPattern {
  source: string
  matches(text: string): boolean
  weight: number
}

export function compilePathPattern(source: string): { pattern: PathPattern } | { wrong: string } {
  if (source.length > MAX_PATTERN_CHARS)
    return {
      wrong: `a pattern of ${source.length} characters is longer than the ${MAX_PATTERN_CHARS} that are allowed`,
    }
  // Most patterns are literals, which need no RE2.
  if (PLAIN.test(source)) return { pattern: { source, weight: 0, matches: (text) => text.includes(source) } }
  try {
    const machine = RE2JS.compile(source)
    const weight = machine.programSize()
    if (weight > MAX_PATTERN_INSTRUCTIONS)
      return { wrong: `"${shortenPattern(source)}" is too costly: its repetitions multiply too far` }
    return { pattern: { source, weight, matches: (text) => machine.test(text) } }
  } catch (error) {
    const because = (error as Error).message.replace(/^error parsing regexp: /, '')
    return {
      wrong: `"${shortenPattern(source)}" is not a pattern that can be matched in linear time (RE2 syntax): ${because.slice(0, 200)}`,
    }
  }
}

const shortenPattern = (source: string): string => (source.length > 100 ? `${source.slice(0, 100)}…` : source)

type PathChoice = 'yes' | 'excluded' | 'not included' | 'too costly'

/** Exclude wins; an empty include list allows everything. */
export function makePathFilter(
  include: readonly PathPattern[],
  exclude: readonly PathPattern[],
): (text: string) => PathChoice {
  const weight = [...include, ...exclude].reduce((sum, pattern) => sum + pattern.weight, 0)
  return (text) => {
    if (weight * text.length > MAX_MATCH_STEPS) return 'too costly'
    if (exclude.some((pattern) => hits(pattern, text))) return 'excluded'
    return include.length === 0 || include.some((pattern) => hits(pattern, text)) ? 'yes' : 'not included'
  }
}

/** A path begins with a slash, but people write `^blog/` as well as `^/blog/`. */
const hits = (pattern: PathPattern, text: string): boolean =>
  pattern.matches(text) || (text.startsWith('/') && /^\^[^/]/.test(pattern.source) && pattern.matches(text.slice(1)))
