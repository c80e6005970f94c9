// Converts the items of a PDF page to a sheet: text runs with links, images and drawn rules.
import { isMathFont } from './math-glyphs.ts'
import type { Box, PdfRun, PdfSheet, RuledLine } from './page-layout-types.ts'

/** Text, link area or image; in points from the left and bottom of the page. */
export interface PdfPageItem {
  text: string
  x: number
  /** Baseline of text; bottom of anything else. */
  y: number
  width: number
  height: number
  font: string
  fontSize: number
  isBold: boolean
  isItalic: boolean
  /** Degrees, clockwise. */
  rotation: number
  page: number
  itemType: string
  linkUrl?: string | undefined
  ink?: Box
  /** Where each letter begins, on pages with formulas. */
  xs?: number[]
}

export interface PdfPageFrame {
  width: number
  height: number
  rules: RuledLine[]
  bars: RuledLine[]
  /** Number of drawings and images, a sign of content on pages without text. */
  drawn: number
}

/** Limit of links × runs per page, since each run is tested against every link. */
const MAX_LINK_TESTS = 20_000_000

const SIGN_FONT = /wingdings|webdings/i
const MONO_FONT = /Mono|Courier|Consol|Menlo|Typewriter|CMTT|Inconsolata|LetterGothic/i

export function itemsToSheet(number: number, items: readonly PdfPageItem[], frame: PdfPageFrame): PdfSheet {
  let { width, height } = frame
  const reach = items.reduce(
    (most, { x, width: own, itemType }) => Math.max(most, itemType === 'Text' ? x + own * 0.5 : 0),
    0,
  )
  // Text of a sideways page arrives upright, so its sheet is rotated to match.
  const isTurned = reach > width * 1.02 && reach <= height * 1.02
  if (isTurned) [width, height] = [height, width]
  const sheet: PdfSheet = {
    number,
    width,
    height,
    runs: [],
    turned: [],
    images: [],
    rules: isTurned ? [] : frame.rules,
    bars: isTurned ? [] : frame.bars,
    source: 'native_text',
  }
  const links: (Box & { url: string })[] = []
  for (const item of items) {
    const box = { x0: item.x, y0: height - item.y - item.height, x1: item.x + item.width, y1: height - item.y }
    if (item.itemType === 'Link') {
      if (item.linkUrl && /^(?:https?|mailto):/i.test(item.linkUrl)) links.push({ ...box, url: item.linkUrl })
    } else if (item.itemType === 'Image') sheet.images.push(box)
    else if (item.text.trim()) {
      const isUpright = item.rotation < 10 || item.rotation > 350
      ;(isUpright ? sheet.runs : sheet.turned).push(runOf(item, height))
    }
  }
  const few = links.slice(0, Math.floor(MAX_LINK_TESTS / Math.max(1, sheet.runs.length)))
  if (few.length > 0) sheet.runs = sheet.runs.flatMap((run) => addLink(run, few))
  return sheet
}

/** Symbol fonts use letter codes: maps checkboxes, and everything else to a bullet. */
function signOf(letter: string): string {
  if ('oqr¨'.includes(letter)) return '☐'
  if ('þýxüRS'.includes(letter)) return '☑'
  return '•'
}

/** Some authors type two single quotation marks for a double one. */
const DOUBLED_SINGLE_QUOTES = /‘‘|’’|``/
const pairQuotes = (text: string): string => text.replace(/‘‘|``/g, '“').replace(/’’/g, '”')

function runOf(item: PdfPageItem, height: number): PdfRun {
  const size = item.fontSize > 0 ? item.fontSize : item.height || 10
  const base = height - item.y
  const text = item.text.replace(/[\u0000-\u0008\u000b-\u001f]/g, '')
  return {
    text: SIGN_FONT.test(item.font)
      ? text.replace(/[^\s\p{So}]/gu, signOf)
      : DOUBLED_SINGLE_QUOTES.test(text)
        ? pairQuotes(text)
        : text,
    font: item.font,
    x0: item.x,
    x1: item.x + item.width,
    y0: base - Math.max(size, item.height) * 0.8,
    y1: base + size * 0.2,
    base,
    size,
    bold: item.isBold,
    italic: item.isItalic,
    mono: MONO_FONT.test(item.font),
    math: isMathFont(item.font),
    ...(item.xs?.length === text.length ? { xs: item.xs } : {}),
    ...(item.ink ? { ink: { ...item.ink, y0: height - item.ink.y1, y1: height - item.ink.y0 } } : {}),
  }
}

/** Splits off the part of a run inside a link area, assuming equal letter widths. */
function addLink(run: PdfRun, links: readonly (Box & { url: string })[]): PdfRun[] {
  const middle = (run.y0 + run.y1) / 2
  const link = links.find(
    ({ x0, x1, y0, y1 }) => middle > y0 - 1 && middle < y1 + 1 && Math.min(x1, run.x1) - Math.max(x0, run.x0) > 2,
  )
  if (!link) return [run]
  const width = run.x1 - run.x0
  const perChar = width / Math.max(1, run.text.length)
  const place = (x: number) => Math.round((x - run.x0) / perChar)
  const from = wordEdge(run.text, Math.max(0, place(link.x0)))
  const to = wordEdge(run.text, Math.min(run.text.length, place(link.x1)))
  if (to <= from) return [run]
  const piece = (start: number, end: number): PdfRun[] => {
    const text = run.text.slice(start, end)
    const { xs, ...plain } = run
    return text ? [{ ...plain, text, x0: run.x0 + start * perChar, x1: run.x0 + end * perChar }] : []
  }
  const rest = links.filter((other) => other !== link)
  return [
    ...piece(0, from).flatMap((one) => addLink(one, rest)),
    ...piece(from, to).map((one) => ({ ...one, link: link.url })),
    ...piece(to, run.text.length).flatMap((one) => addLink(one, rest)),
  ]
}

function wordEdge(text: string, at: number): number {
  for (let off = 0; off <= 4; off++)
    for (const edge of [at - off, at + off]) {
      if (edge <= 0) return 0
      if (edge >= text.length) return text.length
      if (text[edge] === ' ' || text[edge - 1] === ' ') return edge
    }
  return Math.min(text.length, Math.max(0, at))
}
