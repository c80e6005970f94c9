// Compares two texts of a page. Lines are matched by key at any position, so moved blocks are not changes.

import { formatPatch, type StructuredPatch, type StructuredPatchHunk } from 'diff'
import { appendTo, countEach } from '../../base/values.ts'
import { comparisonKeyOf } from './comparison-key.ts'
import { ignoreRelatedLinkSections } from './ignore-related-links.ts'

interface TextComparison {
  changed: boolean
  /** Unified diff; empty if unchanged. */
  diff: string
}

const CONTEXT = 3
/** Longer diffs are cut, to limit the response. */
const MAX_DIFF_CHARS = 400_000

export interface DiffEntry {
  mark: ' ' | '-' | '+'
  text: string
}

/** Text, and fingerprints of all lines of the full page (empty if unknown). */
export interface TextVersion {
  text: string
  lines: readonly number[]
}

/** Ignores white space, order and noise. */
export function compareTextVersions(previous: TextVersion, current: TextVersion): TextComparison {
  const before = splitIntoKeyedLines(previous.text)
  const after = splitIntoKeyedLines(current.text)
  const taken = matchLines(before, after)
  const gone = before.filter((_, at) => !taken.before.has(at))
  const come = after.filter((_, at) => !taken.after.has(at))
  ignoreMovedLines([...gone, ...come], previous.lines, current.lines)
  // Rewrapped paragraphs are not changes.
  if (joinComparisonKeys(gone) === joinComparisonKeys(come)) return { changed: false, diff: '' }
  const entries = listDiffEntries(before, after, taken, {
    isGone: (at) => before[at]!.key !== '',
    markOf: (at) => (taken.after.has(at) ? ' ' : after[at]!.key === '' ? undefined : '+'),
  })
  return { changed: true, diff: writeUnifiedDiff(entries) }
}

/**
 * Ignores lines that the full page contains equally often in both versions: they only moved in or out of the detected
 * main content.
 */
export function ignoreMovedLines(
  lines: readonly KeyedLine[],
  before: readonly number[],
  after: readonly number[],
): void {
  if (before.length === 0 || after.length === 0) return
  const [then, now] = [countEach(before), countEach(after)]
  for (const line of lines) {
    const print = fingerprint(line.key)
    if (then.has(print) && then.get(print) === now.get(print)) line.key = ''
    // An item from a section that links to other pages (see ignore-related-links.ts).
    else if (ITEM.test(line.text) && !then.has(print) && !now.has(print)) line.key = ''
  }
}

const ITEM = /^\s*(?:[-*+]\s|\[[^\]]*\]\([^)]*\)\s*$)/

/** `keys` remembers the keys of lines: the main content of a page is part of the whole. */
export const fingerprintLines = (text: string, keys?: Map<string, string>): number[] =>
  splitIntoKeyedLines(text, keys)
    .filter(({ key }) => key !== '')
    .map(({ key }) => fingerprint(key))

/** FNV-1a; 32 bits suffice for thousands of lines. */
export function fingerprint(key: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

export interface KeyedLine {
  text: string
  key: string
}

export const splitIntoKeyedLines = (text: string, keys?: Map<string, string>): KeyedLine[] => {
  const lines: KeyedLine[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const key = keys?.get(line) ?? comparisonKeyOf(line)
    keys?.set(line, key)
    lines.push({ text: line.trimEnd(), key })
  }
  ignoreRelatedLinkSections(lines)
  return lines
}

export const joinComparisonKeys = (lines: readonly KeyedLine[]): string =>
  lines
    .map(({ key }) => key)
    .filter(Boolean)
    .join(' ')

export interface MatchedLines {
  before: ReadonlyMap<number, number>
  after: ReadonlyMap<number, number>
}

/** Pairs equal lines once, in order. */
export function matchLines(before: readonly KeyedLine[], after: readonly KeyedLine[]): MatchedLines {
  const waiting = new Map<string, number[]>()
  before.forEach(({ key }, at) => {
    appendTo(waiting, key, at)
  })
  for (const places of waiting.values()) places.reverse()
  const pairs: MatchedLines = { before: new Map(), after: new Map() }
  after.forEach(({ key }, at) => {
    const place = waiting.get(key)?.pop()
    if (place === undefined) return
    ;(pairs.before as Map<number, number>).set(place, at)
    ;(pairs.after as Map<number, number>).set(at, place)
  })
  return pairs
}

interface MarkedLines {
  isGone(at: number): boolean
  /** Undefined: the line is left out. */
  markOf(at: number): ' ' | '+' | undefined
}

/** The current text, with removed lines after the line they followed. */
export function listDiffEntries(
  before: readonly KeyedLine[],
  after: readonly KeyedLine[],
  matched: MatchedLines,
  { isGone, markOf }: MarkedLines,
): DiffEntry[] {
  const goneAfter = new Map<number, string[]>()
  let anchor = -1
  before.forEach(({ text }, at) => {
    const now = matched.before.get(at)
    if (now !== undefined) anchor = now
    else if (isGone(at)) appendTo(goneAfter, anchor, text)
  })
  const goneAt = (at: number): DiffEntry[] => (goneAfter.get(at) ?? []).map((text) => ({ mark: '-', text }))
  const entriesAt = ({ text }: KeyedLine, at: number): DiffEntry[] => {
    const mark = markOf(at)
    return [...(mark ? [{ mark, text }] : []), ...goneAt(at)]
  }
  return [...goneAt(-1), ...after.flatMap(entriesAt)]
}

export function writeUnifiedDiff(entries: readonly DiffEntry[]): string {
  const hunks: StructuredPatchHunk[] = []
  let oldLine = 1
  let newLine = 1
  let size = 0
  let open: StructuredPatchHunk | undefined
  let quiet = 0
  entries.forEach(({ mark, text }, at) => {
    if (mark !== ' ' && !open && size < MAX_DIFF_CHARS) {
      const context = entries.slice(Math.max(0, at - CONTEXT), at).filter((entry) => entry.mark === ' ')
      open = {
        oldStart: oldLine - context.length,
        newStart: newLine - context.length,
        oldLines: 0,
        newLines: 0,
        lines: [],
      }
      for (const entry of context) addLine(open, entry)
      hunks.push(open)
    }
    if (open) {
      addLine(open, { mark, text })
      size += text.length
      quiet = mark === ' ' ? quiet + 1 : 0
      if (quiet >= CONTEXT || size >= MAX_DIFF_CHARS) {
        open = undefined
        quiet = 0
      }
    }
    if (mark !== '+') oldLine++
    if (mark !== '-') newLine++
  })
  const patch: StructuredPatch = {
    oldFileName: 'previous',
    newFileName: 'current',
    oldHeader: undefined,
    newHeader: undefined,
    hunks,
  }
  return formatPatch(patch)
    .replace(/^=+\n/, '')
    .replace(/^(Index: .*\n)?/, '')
}

function addLine(hunk: StructuredPatchHunk, { mark, text }: DiffEntry): void {
  hunk.lines.push(mark + text)
  if (mark !== '+') hunk.oldLines++
  if (mark !== '-') hunk.newLines++
}
