// Lists edits between two snapshots: changed, added or removed lines with their position. Moved lines are not edits.
import { appendTo } from '../../base/values.ts'
import {
  ignoreMovedLines,
  joinComparisonKeys,
  type KeyedLine,
  type MatchedLines,
  matchLines,
  splitIntoKeyedLines,
  type TextVersion,
} from './compare-texts.ts'
import { lineShapeOf, markdownFormOf } from './line-shape-and-numbers.ts'

export interface TextEdit {
  type: 'changed' | 'added' | 'removed'
  before: string | null
  after: string | null
  /** The heading above; empty before the first. */
  section: string
  /** The unchanged line before; empty at the top. */
  follows: string
  /** The line without numbers, if only numbers changed. */
  shape: string | null
  at: { before: number | null; after: number | null }
}

/** A line that differs only in known noise. */
type NoiseOnlyChange = { before: string; after: string }

export interface TextDifferences {
  before: readonly KeyedLine[]
  after: readonly KeyedLine[]
  matched: MatchedLines
  edits: TextEdit[]
  noiseOnlyChanges: NoiseOnlyChange[]
}

/** Longer runs are paired by shape only, not by comparing all pairs. */
const MAX_COMPARED_RUN_LINES = 60
const MAX_STIRRED = 50
const ALIKE = 0.34

export function findDifferences(previous: TextVersion, current: TextVersion): TextDifferences {
  const before = splitIntoKeyedLines(previous.text)
  const after = splitIntoKeyedLines(current.text)
  const matched = matchLines(before, after)
  const goneAt = before.flatMap((_, at) => (matched.before.has(at) ? [] : [at]))
  const comeAt = after.flatMap((_, at) => (matched.after.has(at) ? [] : [at]))
  const gone = goneAt.map((at) => before[at]!)
  const come = comeAt.map((at) => after[at]!)
  ignoreMovedLines([...gone, ...come], previous.lines, current.lines)
  const same = joinComparisonKeys(gone) === joinComparisonKeys(come)
  const noiseOnlyChanges = findNoiseOnlyChanges(before, after, matched)
  if (same) return { before, after, matched, edits: [], noiseOnlyChanges }
  return { before, after, matched, edits: editsOf({ before, after, matched, goneAt, comeAt }), noiseOnlyChanges }
}

function findNoiseOnlyChanges(before: readonly KeyedLine[], after: readonly KeyedLine[], matched: MatchedLines) {
  const found: NoiseOnlyChange[] = []
  for (const [at, place] of matched.after) {
    const [was, is] = [before[place]!.text.trim(), after[at]!.text.trim()]
    if (was !== is && found.length < MAX_STIRRED) found.push({ before: was, after: is })
  }
  return found
}

interface Found {
  before: readonly KeyedLine[]
  after: readonly KeyedLine[]
  matched: MatchedLines
  goneAt: readonly number[]
  comeAt: readonly number[]
}

function editsOf({ before, after, matched, goneAt, comeAt }: Found): TextEdit[] {
  const sections = sectionsOf(after)
  const runs = new Map<number, { gone: number[]; come: number[] }>()
  const runAt = (anchor: number) => {
    const known = runs.get(anchor)
    if (known) return known
    const fresh = { gone: [], come: [] }
    runs.set(anchor, fresh)
    return fresh
  }
  const anchorOfAfter = anchors(after.length, (at) => matched.after.has(at))
  const anchorOfBefore = anchors(before.length, (at) => matched.before.has(at)).map((at) =>
    at === -1 ? -1 : matched.before.get(at)!,
  )
  for (const at of comeAt) if (after[at]!.key !== '') runAt(anchorOfAfter[at]!).come.push(at)
  for (const at of goneAt) if (before[at]!.key !== '') runAt(anchorOfBefore[at]!).gone.push(at)
  const edits: TextEdit[] = []
  for (const [anchor, { gone, come }] of [...runs].sort(([a], [b]) => a - b)) {
    const section = anchor === -1 ? '' : sections[anchor]!
    const follows = anchor === -1 ? '' : after[anchor]!.key
    const [old, fresh] = [gone.map((at) => before[at]!), come.map((at) => after[at]!)]
    const pairs = pairLines(old, fresh)
    const left = new Set(gone)
    come.forEach((at, index) => {
      const partner = pairs.get(index)
      const was = partner === undefined ? undefined : gone[partner]!
      if (was !== undefined) left.delete(was)
      const place = { section: section || sections[at]!, follows }
      edits.push(edit(was === undefined ? null : { at: was, line: before[was]! }, { at, line: after[at]! }, place))
    })
    for (const at of left) edits.push(edit({ at, line: before[at]! }, null, { section, follows }))
  }
  return edits
}

type Standing = { at: number; line: KeyedLine }

function edit(was: Standing | null, is: Standing | null, place: { section: string; follows: string }): TextEdit {
  const shape = was && is ? lineShapeOf(was.line.key) : null
  return {
    type: was && is ? 'changed' : is ? 'added' : 'removed',
    before: was?.line.text.trim() ?? null,
    after: is?.line.text.trim() ?? null,
    ...place,
    shape: shape !== null && is && lineShapeOf(is.line.key) === shape ? shape : null,
    at: { before: was?.at ?? null, after: is?.at ?? null },
  }
}

function anchors(length: number, isAnchor: (at: number) => boolean): number[] {
  let last = -1
  return Array.from({ length }, (_, at) => {
    const found = last
    if (isAnchor(at)) last = at
    return found
  })
}

function sectionsOf(lines: readonly KeyedLine[]): string[] {
  let section = ''
  return lines.map(({ text, key }) => {
    if (/^#{1,6}\s/.test(text)) section = key
    return section
  })
}

/** Pairs removed and added lines by shape, then common words, then position. */
function pairLines(gone: readonly KeyedLine[], come: readonly KeyedLine[]): Map<number, number> {
  const pairs = new Map<number, number>()
  const free = new Set(gone.keys())
  const byShape = new Map<string, number[]>()
  for (const [at, { key }] of [...gone.entries()].reverse()) {
    const shape = lineShapeOf(key)
    byShape.set(shape, [...(byShape.get(shape) ?? []), at].slice(-200))
  }
  come.forEach(({ key }, index) => {
    const at = byShape.get(lineShapeOf(key))?.pop()
    if (at === undefined || !free.delete(at)) return
    pairs.set(index, at)
  })
  const isShort = free.size * come.length <= MAX_COMPARED_RUN_LINES * MAX_COMPARED_RUN_LINES
  const bags = isShort ? [...free].map((at) => ({ at, words: wordsIn(gone[at]!.key) })) : []
  come.forEach(({ key }, index) => {
    if (pairs.has(index)) return
    const words = wordsIn(key)
    let best: { at: number; share: number } | undefined
    for (const bag of bags) {
      if (!free.has(bag.at)) continue
      const share = shareInCommon(words, bag.words)
      if (share >= ALIKE && share > (best?.share ?? 0)) best = { at: bag.at, share }
    }
    if (!best) return
    free.delete(best.at)
    pairs.set(index, best.at)
  })
  // Pairs the remaining lines of the same markdown form in order.
  const rest = new Map<string, number[]>()
  for (const at of [...free].reverse()) appendTo(rest, markdownFormOf(gone[at]!.text.trim()), at)
  for (const [index, { text }] of come.entries()) {
    if (pairs.has(index)) continue
    const at = rest.get(markdownFormOf(text.trim()))?.pop()
    if (at !== undefined) pairs.set(index, at)
  }
  return pairs
}

const wordsIn = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
      .slice(0, 200),
  )

function shareInCommon(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0
  let both = 0
  for (const word of a) if (b.has(word)) both++
  return both / (a.size + b.size - both)
}
