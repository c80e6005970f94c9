// A snapshot as compact text with one line and ref per element. A page that exceeds the budget is shortened, and
// omissions are counted.
import { type DomSnapshot, isShown, type SnapshotElement } from './dom-snapshot.ts'

interface SnapshotText {
  text: string
  refs: string[]
}

const BUDGET = { interactive: 3900, all: 16_000 }
const CHOICES_SHOWN = 8

export function writeSnapshotText(snapshot: DomSnapshot, interactive: boolean): SnapshotText {
  const budget = interactive ? BUDGET.interactive : BUDGET.all
  const lines = interactive ? controlLines(snapshot) : treeLines(snapshot)
  for (const max of [100, 60, 36, 20]) {
    const texts = lines.map((line) => report(line, max))
    if (sizeOf(texts) <= budget)
      return { text: texts.join('\n'), refs: lines.flatMap(({ element }) => element?.ref ?? []) }
  }
  const merged = mergedLines(lines)
  const kept = takeWhatFits(merged, budget)
  return { text: kept.map(({ text }) => text).join('\n'), refs: kept.flatMap(({ refs }) => refs) }
}

interface Line {
  depth: number
  element?: SnapshotElement
  words: string
}

/** An upper estimate for the usual vocabularies: a word, three digits or a sign each make a token. */
export function estimateSnapshotTokens(text: string): number {
  let tokens = 0
  for (const [part] of text.matchAll(/\p{L}+|\d{1,3}|[^\s\p{L}\d]|\n/gu))
    tokens += part.length > 6 ? Math.ceil(part.length / 5) : 1
  return tokens
}

const sizeOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + estimateSnapshotTokens(line) + 1, 0)

/** What a person can act on: controls, and what reacts to the pointer and says something. */
const isControl = (element: SnapshotElement): boolean =>
  isShown(element) && (element.does === 1 || (element.does !== undefined && !!(element.name || element.text)))

function controlLines({ elements }: DomSnapshot): Line[] {
  const lines: Line[] = []
  let frame = 0
  for (const element of elements) {
    if (element.frame !== frame) {
      frame = element.frame
      if (frame > 0) lines.push({ depth: 0, words: 'iframe:' })
    }
    if (isControl(element)) lines.push({ depth: element.frame > 0 ? 1 : 0, element, words: '' })
  }
  return lines
}

const STRUCTURE =
  /^(heading|list|listitem|table|row|navigation|main|form|article|dialog|alertdialog|alert|status|group|region|tablist|tabpanel|menu|menubar|tree|grid|radiogroup|toolbar|search|img|iframe|columnheader|rowheader|cell|gridcell|progressbar|banner|contentinfo|complementary|canvas)$/

function treeLines({ elements }: DomSnapshot): Line[] {
  const depths: number[] = []
  const lines: Line[] = []
  for (const element of elements) {
    const depth = element.up < 0 ? 0 : depths[element.up]!
    depths.push(depth)
    if (!isShown(element) && element.tag !== 'body') continue
    const texts =
      isControl(element) || (STRUCTURE.test(element.role ?? '') && !(element.role === 'img' && !element.name))
    if (texts) {
      lines.push({ depth, element, words: '' })
      depths[element.at] = depth + 1
    } else if (element.text && /[\p{L}\p{N}]/u.test(element.text)) lines.push({ depth, words: `text: ${element.text}` })
  }
  return lines
}

function report({ depth, element, words }: Line, max: number): string {
  const indent = '  '.repeat(Math.min(depth, 12))
  if (!element) return indent + shortenText(words, max * 2)
  return `${indent}@${element.ref} ${describeElement(element, max)}`
}

/** `textbox "E-mail" = "a@b.c" required` */
function describeElement(element: SnapshotElement, max = 100): string {
  const name = element.name || (element.does ? element.beside : undefined) || element.text
  const parts = [element.role ?? 'clickable']
  if (name) parts.push(`"${shortenText(name, max)}"`)
  if (element.level) parts.push(`level ${element.level}`)
  if (element.value !== undefined && element.value !== '')
    parts.push(`= "${shortenText(element.type === 'password' ? '•••' : element.value, max)}"`)
  if (element.options?.length) parts.push(`(${choices(element, max)})`)
  parts.push(...statesOf(element))
  if (element.sort && element.sort !== 'none') parts.push(`sorted ${element.sort}`)
  for (const key of ['disabled', 'readonly', 'required', 'draggable'] as const) if (element[key]) parts.push(key)
  return parts.join(' ')
}

function* statesOf(element: SnapshotElement): Generator<string> {
  for (const key of ['checked', 'selected', 'pressed', 'expanded', 'invalid', 'current'] as const) {
    const state = element[key]
    if (state === true) yield key
    else if (key === 'expanded' && state === false) yield 'collapsed'
    else if (typeof state === 'string' && state !== 'none') yield `${key} ${state}`
  }
}

function choices({ options = [] }: SnapshotElement, max: number): string {
  const shown = options.slice(0, max > 50 ? CHOICES_SHOWN : 3).map(([text]) => shortenText(text, 24))
  return shown.join(' | ') + (options.length > shown.length ? ` | ${options.length - shown.length} more` : '')
}

/** Several elements in one line; the role is said where it changes. */
function mergedLines(lines: readonly Line[]): { text: string; refs: string[] }[] {
  const rows: { text: string; refs: string[] }[] = []
  let role = ''
  for (const { element, words, depth } of lines) {
    const row = rows.at(-1)
    const own = element?.role ?? ''
    if (element === undefined || row === undefined || row.text.length > 400) {
      rows.push({
        text: report({ depth: Math.min(depth, 3), words, ...(element && { element }) }, 20),
        refs: element ? [element.ref] : [],
      })
      role = own
      continue
    }
    const states = describeElement({ ...element, role: '', options: [] } as SnapshotElement, 20).trim()
    row.text += ` @${element.ref} ${own === role ? '' : `${own} `}${states.replace(/^"([^"]*)"/, '$1')}`
    role = own
    row.refs.push(element.ref)
  }
  return rows
}

/** The first and the last rows that fit; the middle of an overlong page is counted. */
function takeWhatFits<R extends { text: string; refs: string[] }>(
  rows: readonly R[],
  budget: number,
): { text: string; refs: string[] }[] {
  const head: R[] = []
  const tail: R[] = []
  let size = 80
  let [from, to] = [0, rows.length - 1]
  while (from <= to) {
    const fromHead = head.length <= 3 * tail.length
    const row = fromHead ? rows[from]! : rows[to]!
    size += estimateSnapshotTokens(row.text) + 1
    if (size > budget) break
    if (fromHead) head.push(rows[from++]!)
    else tail.unshift(rows[to--]!)
  }
  const left = rows.slice(from, to + 1).flatMap(({ refs }) => refs)
  if (left.length === 0) return [...head, ...tail]
  const note = `… ${left.length} more, @${left[0]} to @${left.at(-1)}`
  return [...head, { text: note, refs: [] }, ...tail]
}

const shortenText = (text: string, max: number): string => {
  const one = text.replace(/\s+/g, ' ')
  return one.length > max ? `${one.slice(0, max - 1)}…` : one
}
