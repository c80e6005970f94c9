// Joins the blocks of all pages into markdown with block offsets, and rejoins paragraphs split by column or page
// breaks.
import type { LayoutBlock } from './layout-block-types.ts'
import type { PdfSheet } from './page-layout-types.ts'
import { OCR_DPI, renderedSizeOf } from './rendered-size.ts'
import { type DocumentWords, joinHyphenated } from './runs-to-markdown.ts'

interface PdfBlock {
  id: string
  type: string
  label: string | null
  bbox: [number, number, number, number] | null
  content: string
  markdownSpan: [number, number] | null
  readingOrder: number
  source: string | null
  confidence: { layout: number | null; ocr: number | null }
}

export interface PdfPageBlocks {
  pageNumber: number
  /** Of the rendered page, in pixels. */
  width: number | null
  height: number | null
  status: 'ok' | 'partial' | 'failed'
  items: PdfBlock[]
}

export interface AssembledPdf {
  markdown: string
  pages: { pageNumber: number; markdown: string }[]
  blocks: PdfPageBlocks[]
}

interface PageOfBlocks {
  sheet: PdfSheet
  status: PdfPageBlocks['status']
  blocks: LayoutBlock[]
}

/** A figure, its caption and notes may separate the two halves of a paragraph. */
const MAX_BLOCKS_BETWEEN_HALVES = 6
const UNFINISHED = /[\p{L}\p{N},\-–—\u00ad‐]$/u
const GOES_ON = /^[\p{Ll}(]/u

export function assemblePages(
  pages: readonly PageOfBlocks[],
  words: DocumentWords,
  pageMarkers: boolean,
): AssembledPdf {
  // Per-page markdown first, because joining across pages changes block contents.
  const alone = pages.map(pageMarkdown)
  const flow = pages.flatMap(({ blocks }) => blocks.filter(({ inMarkdown, content }) => inMarkdown && content))
  const continued = joinBroken(flow, words)
  const spans = new Map<LayoutBlock, [number, number]>()
  let markdown = ''
  let page = flow[0]?.page ?? 1
  let last: LayoutBlock | undefined
  for (const { block, glue } of continued) {
    if (last) {
      if (glue !== undefined) markdown += glue
      else if (pageMarkers && block.page > page) {
        markdown += `\n\n---\n\n<!-- page ${block.page} -->\n\n`
        page = block.page
      } else markdown += separator(last, block)
    }
    spans.set(block, [markdown.length, markdown.length + block.content.length])
    markdown += block.content
    last = block
  }
  return { markdown, pages: alone, blocks: pages.map((one) => pageBlocks(one, spans)) }
}

const isItem = ({ label }: LayoutBlock): boolean => label === 'list_item'
/** Adjacent bullet and numbered items are two lists. */
const isOneList = (before: LayoutBlock, after: LayoutBlock): boolean =>
  isItem(before) && isItem(after) && !(/^-/.test(before.content) && /^\d/.test(after.content))
const separator = (before: LayoutBlock, after: LayoutBlock): string => (isOneList(before, after) ? '\n' : '\n\n')

interface Step {
  block: LayoutBlock
  /** Set when this block continues the sentence of the previous one. */
  glue: string | undefined
}

function joinBroken(flow: LayoutBlock[], words: DocumentWords): Step[] {
  const steps: Step[] = []
  const used = new Set<LayoutBlock>()
  for (const [index, block] of flow.entries()) {
    if (used.has(block)) continue
    used.add(block)
    steps.push({ block, glue: undefined })
    let open = block
    let from = index
    for (let at = index + 1; block.type === 'table'; at++) {
      const again = repeatsHead(block, flow, at)
      if (!again && !goesOnBare(block, flow, at)) break
      const rest = flow[at]!
      const [head, , ...rows] = rest.content.split('\n')
      rest.content = (again ? rows : [head, ...rows]).join('\n')
      used.add(rest)
      steps.push({ block: rest, glue: '\n' })
    }
    for (;;) {
      const found = restOf(flow, from, open, used)
      if (found === undefined) break
      const rest = flow[found]!
      const { text, keepSpace } = joinHyphenated(open.content, rest.content, words)
      open.content = text
      used.add(rest)
      steps.push({ block: rest, glue: keepSpace ? ' ' : '' })
      open = rest
      from = found
    }
  }
  return steps
}

/** A table at the top of a page with the same head as the table that ended the previous page. */
function repeatsHead(first: LayoutBlock, flow: readonly LayoutBlock[], at: number): boolean {
  const before = flow[at - 1]
  const next = flow[at]
  if (before?.type !== 'table' || next?.type !== 'table' || next.page !== before.page + 1) return false
  const head = next.content.split('\n', 2)
  return head.length === 2 && first.content.startsWith(head.join('\n')) && next.content.split('\n').length > 2
}

const EDGE = 3

/**
 * A table at the top of a page with the position and numeric columns of the table that ended the previous page, without
 * a repeated head.
 */
function goesOnBare(first: LayoutBlock, flow: readonly LayoutBlock[], at: number): boolean {
  const before = flow[at - 1]
  const next = flow[at]
  if (before?.type !== 'table' || next?.type !== 'table' || next.page !== before.page + 1) return false
  if (Math.abs(before.box.x0 - next.box.x0) > EDGE || Math.abs(before.box.x1 - next.box.x1) > EDGE) return false
  const [head = [], , ...rows] = first.content.split('\n').map(cellsOf)
  const [row = []] = next.content.split('\n', 1).map(cellsOf)
  if (row.length !== head.length) return false
  const counted = head.flatMap((name, column) =>
    (!isNumber(name) || isYear(name)) && rows.every((one) => isNumber(one[column] ?? '')) ? [column] : [],
  )
  const numbers = counted.map((column) => row[column] ?? '')
  // A row of years is the head of another table.
  return numbers.length > 0 && numbers.every(isNumber) && !numbers.every(isYear)
}

const cellsOf = (line: string): string[] => line.slice(2, -2).split(' | ')
const isYear = (text: string): boolean => /^(?:19|20)\d\d$/.test(text)
const isNumber = (text: string): boolean => /\d/.test(text) && /^[\s\p{Sc}\d.,%()+−–-]*$/u.test(text)

function restOf(
  flow: readonly LayoutBlock[],
  from: number,
  open: LayoutBlock,
  used: ReadonlySet<LayoutBlock>,
): number | undefined {
  if (open.type !== 'text' || !UNFINISHED.test(open.content)) return undefined
  for (let at = from + 1; at < Math.min(flow.length, from + 1 + MAX_BLOCKS_BETWEEN_HALVES); at++) {
    const next = flow[at]!
    if (used.has(next) || next.type === 'caption' || next.type === 'table' || next.type === 'footnote') continue
    // Within one column, line grouping has already decided where paragraphs end.
    const isBreak = next.page > open.page ? next.page === open.page + 1 : next.box.y0 < open.box.y1 - 1
    const fits = next.type === 'text' && !isItem(next) && isBreak && GOES_ON.test(next.content)
    return fits ? at : undefined
  }
  return undefined
}

function pageMarkdown({ sheet, blocks }: PageOfBlocks): { pageNumber: number; markdown: string } {
  let markdown = ''
  let last: LayoutBlock | undefined
  for (const block of blocks) {
    if (!block.inMarkdown || !block.content) continue
    markdown += (last ? separator(last, block) : '') + block.content
    last = block
  }
  return { pageNumber: sheet.number, markdown }
}

/** The API names ten types; what else a block is goes into its label. */
const namedAs = ({ type, label }: LayoutBlock): Pick<LayoutBlock, 'type' | 'label'> =>
  type === 'footnote' || type === 'code' ? { type: 'text', label: type } : { type, label }

function pageBlocks(
  { sheet, blocks, status }: PageOfBlocks,
  spans: ReadonlyMap<LayoutBlock, [number, number]>,
): PdfPageBlocks {
  const { number, width, height } = sheet
  const known = width > 0 && height > 0
  const rendered = known ? renderedSizeOf({ width, height }, OCR_DPI) : { width: null, height: null }
  return {
    pageNumber: number,
    ...rendered,
    status,
    items: blocks.map((block, index) => ({
      id: `p${number}.b${index}`,
      ...namedAs(block),
      bbox: known ? normaliseBox(block.box, width, height) : null,
      content: block.content,
      markdownSpan: spans.get(block) ?? null,
      readingOrder: index,
      source: block.source,
      confidence: { layout: block.layout, ocr: block.ocr },
    })),
  }
}

function normaliseBox(
  { x0, y0, x1, y1 }: LayoutBlock['box'],
  width: number,
  height: number,
): [number, number, number, number] {
  const share = (value: number, of: number) => round(Math.min(1, Math.max(0, value / of)), 4)
  return [share(x0, width), share(y0, height), share(x1, width), share(y1, height)]
}

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits
