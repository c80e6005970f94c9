// Compares two texts of a page. Lines are matched by key at any position, so moved blocks are not changes.
import { formatPatch, type StructuredPatch, type StructuredPatchHunk } from 'diff'
import { appendTo, countEach } from '../../base/values.ts'
import { comparisonKeyOf, isCountLabelPair } from './comparison-key.ts'

interface TextComparison {
  changed: boolean
  /** Unified diff; empty if unchanged. */
  diff: string
}

const CONTEXT = 3
/** Longer diffs are cut, to limit the response. */
const MAX_DIFF_CHARS = 400_000

export type DiffEntry = { mark: ' ' | '-' | '+'; text: string }

/** Text, and fingerprints of all lines of the full page (empty if unknown). */
export type TextVersion = { text: string; lines: readonly number[] }

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
    // An item from a section that links to other pages.
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

export type KeyedLine = { text: string; key: string }

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

export type MatchedLines = { before: ReadonlyMap<number, number>; after: ReadonlyMap<number, number> }

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

const NAMES = [
  'you (?:may|might|could|will)(?: also)? (?:like|love|enjoy|need|be interested).{0,20}|(?:customers|people|others|readers|shoppers|visitors)\\b.{0,30}\\balso\\b.{0,30}',
  'recently viewed.{0,20}|frequently bought together|who to follow|up next|watch next|read (?:also|next|more)|(?:recommended|suggested|suggestions)(?: for you| reading| posts| articles| videos| products)?',
  '(?:most|mostly) (?:read|popular|viewed|shared|discussed|commented|watched)(?: .{0,20})?|popular (?:now|posts|stories|articles|today|this week)|trending(?: .{0,20})?|hot (?:.{0,12} )?(?:questions|topics|posts)',
  'related(?: (?:articles?|stories|posts|products?|items|questions|content|videos?|topics|links|news|reading|jobs))?|similar (?:jobs|products?|items|listings|homes|properties|posts|articles|events|places)',
  'more (?:on this (?:story|topic)|from\\b.{0,40}|stories|news|articles|videos|products|like this|for you|to explore)|other (?:news|stories|articles|products|events)|from around the web|sponsored(?: .{0,20})?',
  'das könnte (?:sie|dich|ihnen|dir) auch .{0,20}|(?:weitere|andere|ähnliche|mehr) (?:meldungen|artikel|nachrichten|beiträge|themen|produkte|angebote|stellen|jobs|veranstaltungen|zum thema|von\\b.{0,30}|aus\\b.{0,30})|meistgelesen.{0,20}|(?:andere )?kunden (?:kauften|haben) .{0,30}|zuletzt angesehen|empfehlungen|empfohlen.{0,20}|passend dazu|lesen sie auch',
  'à lire aussi|lire aussi|à découvrir(?: aussi)?|les plus (?:lus|vus|partagés)|vous aimerez(?: aussi)?.{0,20}|sur le même (?:sujet|thème)|(?:articles?|produits?|contenus?|offres?) (?:similaires?|liés?|associés?|recommandés?)|vus récemment',
  '(?:también )?te puede interesar|lo más (?:leído|visto)|(?:artículos|productos|noticias) (?:relacionad[oa]s|similares)|más noticias|leia também|veja também|mais lid[ao]s|(?:artigos|produtos|notícias) (?:relacionad[oa]s|semelhantes)',
  'leggi anche|(?:ti )?potrebbe(?:ro)? (?:anche )?(?:interessarti|piacerti)|i più letti|(?:articoli|prodotti) (?:correlati|simili)|lees ook|meest gelezen|gerelateerd.{0,20}|aanbevolen.{0,20}|anderen bekeken ook',
  'читайте также|популярное|похожие .{0,20}|関連(?:記事|商品)?|おすすめ.{0,10}|人気記事|相关(?:文章|阅读|推荐)|猜你喜欢|관련 ?(?:기사|상품)|많이 본 뉴스',
].join('|')
const ELSEWHERE = new RegExp(`^(?:${NAMES})$`, 'iu')
const MAX_HEADING = 60
/** A paragraph of this length is the page's own text. */
const MIN_PROSE_CHARS = 110

type Quietable = { text: string; key: string }

/** Clears the keys of lines in such sections, and of counters below their label. */
function ignoreRelatedLinkSections(lines: readonly Quietable[]): void {
  let level = 0
  lines.forEach((line, at) => {
    const above = lines[at - 1]
    if (above && line.key !== '' && isCountLabelPair(above.text, line.text)) line.key = ''
    const marks = /^\s*(#{1,6})\s/.exec(line.text)?.[1]?.length ?? 0
    const name = line.text.replace(/^[\s#*_>]+|[\s*_:]+$/g, '')
    const isHead = marks > 0 || /^\s*\*\*[^*]+\*\*:?\s*$/.test(line.text)
    if (isHead && name.length <= MAX_HEADING && ELSEWHERE.test(name)) {
      level = marks || 7
      return
    }
    if (level === 0) return
    if ((marks > 0 && marks <= level) || isProse(line.text)) level = 0
    else line.key = ''
  })
}

const isProse = (text: string): boolean =>
  text.length >= MIN_PROSE_CHARS &&
  !/^\s*(?:[-*+|]|\d+[.)])\s?/.test(text) &&
  !text.includes('](') &&
  /[.!?…]["”»)]*$/.test(text)
