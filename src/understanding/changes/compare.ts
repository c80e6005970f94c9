// Compares two texts of a page. Lines are matched by key at any position, so moved blocks are not changes; linear,
// without edit distance.
import { formatPatch, type StructuredPatch, type StructuredPatchHunk } from 'diff'
import { hushElsewhere } from './links-elsewhere.ts'
import { keyOf } from './noise.ts'

interface Comparison {
  changed: boolean
  /** Unified diff; empty if unchanged. */
  diff: string
}

const CONTEXT = 3
/** Limits the response size in characters. */
const MAX_DIFF = 400_000

export interface Entry {
  mark: ' ' | '-' | '+'
  text: string
}

/** Text, and fingerprints of all lines of the full page (empty if unknown). */
export interface ComparedText {
  text: string
  lines: readonly number[]
}

/** Ignores white space, order and noise. */
export function compare(previous: ComparedText, current: ComparedText): Comparison {
  const before = linesOf(previous.text)
  const after = linesOf(current.text)
  const taken = matchLines(before, after)
  const gone = before.filter((_, at) => !taken.before.has(at))
  const come = after.filter((_, at) => !taken.after.has(at))
  forgive([...gone, ...come], previous.lines, current.lines)
  // Rewrapped paragraphs are not changes.
  if (said(gone) === said(come)) return { changed: false, diff: '' }
  return { changed: true, diff: unified(entriesOf(before, after, taken)) }
}

/**
 * Ignores lines that the full page contains equally often in both versions: they only moved in or out of the detected
 * main content.
 */
export function forgive(lines: readonly Keyed[], before: readonly number[], after: readonly number[]): void {
  if (before.length === 0 || after.length === 0) return
  const [then, now] = [timesOf(before), timesOf(after)]
  for (const line of lines) {
    const print = fingerprint(line.key)
    if (then.has(print) && then.get(print) === now.get(print)) line.key = ''
    // An item from a section that links to other pages (see links-elsewhere.ts).
    else if (ITEM.test(line.text) && !then.has(print) && !now.has(print)) line.key = ''
  }
}

const ITEM = /^\s*(?:[-*+]\s|\[[^\]]*\]\([^)]*\)\s*$)/

function timesOf(prints: readonly number[]): Map<number, number> {
  const times = new Map<number, number>()
  for (const print of prints) times.set(print, (times.get(print) ?? 0) + 1)
  return times
}

/** `keys` remembers the keys of lines: the main content of a page is part of the whole. */
export const fingerprints = (text: string, keys?: Map<string, string>): number[] =>
  linesOf(text, keys)
    .filter(({ key }) => key !== '')
    .map(({ key }) => fingerprint(key))

/** FNV-1a; 32 bits suffice for thousands of lines. */
function fingerprint(key: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

export interface Keyed {
  text: string
  key: string
}

export const linesOf = (text: string, keys?: Map<string, string>): Keyed[] => {
  const lines: Keyed[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const key = keys?.get(line) ?? keyOf(line)
    keys?.set(line, key)
    lines.push({ text: line.trimEnd(), key })
  }
  hushElsewhere(lines)
  return lines
}

export const said = (lines: readonly Keyed[]): string =>
  lines
    .map(({ key }) => key)
    .filter(Boolean)
    .join(' ')

export interface Matched {
  before: ReadonlyMap<number, number>
  after: ReadonlyMap<number, number>
}

/** Pairs equal lines once, in order. */
export function matchLines(before: readonly Keyed[], after: readonly Keyed[]): Matched {
  const waiting = new Map<string, number[]>()
  before.forEach(({ key }, at) => {
    const places = waiting.get(key)
    if (places) places.push(at)
    else waiting.set(key, [at])
  })
  for (const places of waiting.values()) places.reverse()
  const pairs: Matched = { before: new Map(), after: new Map() }
  after.forEach(({ key }, at) => {
    const place = waiting.get(key)?.pop()
    if (place === undefined) return
    ;(pairs.before as Map<number, number>).set(place, at)
    ;(pairs.after as Map<number, number>).set(at, place)
  })
  return pairs
}

/** The current text, with removed lines after the line they followed. */
function entriesOf(before: readonly Keyed[], after: readonly Keyed[], taken: Matched): Entry[] {
  const goneAfter = new Map<number, string[]>()
  let anchor = -1
  before.forEach(({ text, key }, at) => {
    const now = taken.before.get(at)
    if (now !== undefined) anchor = now
    else if (key !== '') {
      const there = goneAfter.get(anchor)
      if (there) there.push(text)
      else goneAfter.set(anchor, [text])
    }
  })
  const entries: Entry[] = []
  const gone = (at: number) => {
    for (const text of goneAfter.get(at) ?? []) entries.push({ mark: '-', text })
  }
  gone(-1)
  after.forEach(({ text, key }, at) => {
    if (taken.after.has(at)) entries.push({ mark: ' ', text })
    else if (key !== '') entries.push({ mark: '+', text })
    gone(at)
  })
  return entries
}

export function unified(entries: readonly Entry[]): string {
  const hunks: StructuredPatchHunk[] = []
  let oldLine = 1
  let newLine = 1
  let size = 0
  let open: StructuredPatchHunk | undefined
  let quiet = 0
  entries.forEach(({ mark, text }, at) => {
    if (mark !== ' ' && !open && size < MAX_DIFF) {
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
      if (quiet >= CONTEXT || size >= MAX_DIFF) {
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

function addLine(hunk: StructuredPatchHunk, { mark, text }: Entry): void {
  hunk.lines.push(mark + text)
  if (mark !== '+') hunk.oldLines++
  if (mark !== '-') hunk.newLines++
}
