// Finds running heads, feet and page numbers: repeated text in the margin zones or, on a single page, text apart from
// the rest.
import { boundingBoxOf, CAPTION, type PdfRow, type PdfSheet } from './page-layout-types.ts'

export type HeaderOrFooterKind = 'page_header' | 'page_footer' | 'page_number'

const ZONE = 0.13
/** A single page has no repetition as evidence, so the zone is smaller. */
const SINGLE_PAGE_MARGIN_SHARE = 0.085
/** A line this much smaller than the text may be further from the edge; at the foot it may be a note. */
const SMALL_SHARE = 0.92
const MAX_ROWS = 4
const NUMBER =
  /^(?:[-–—|·•\s]*(?:page|seite|p\.?|pag\.?|página)?\s*(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:of|von|de|\/)\s*\d{1,4})?[-–—|·•\s]*|[A-Z]-\d{1,3})$/i

interface PageRows {
  sheet: PdfSheet
  rows: PdfRow[]
}

interface Candidate extends PageRows {
  row: PdfRow
  zone: 'page_header' | 'page_footer'
  key: string
  text: string
}

export function findHeadersAndFooters(pages: readonly PageRows[], bodySize: number): Map<PdfRow, HeaderOrFooterKind> {
  const candidates = pages.flatMap(candidatesOf)
  const repeats = new Map<string, Set<number>>()
  for (const { key, sheet } of candidates) {
    const on = repeats.get(key)
    if (on) on.add(sheet.number)
    else repeats.set(key, new Set([sheet.number]))
  }
  const found = new Map<PdfRow, HeaderOrFooterKind>()
  const enough = Math.max(2, Math.min(3, Math.floor(pages.length / 3)))
  for (const candidate of candidates) {
    const { key, row, zone, text } = candidate
    if (NUMBER.test(text)) found.set(row, 'page_number')
    else if ((repeats.get(key)?.size ?? 0) >= enough && pages.length > 1) found.set(row, zone)
    else if (standsApart(candidate, bodySize)) found.set(row, zone)
  }
  keepOnlyLines(pages, found)
  return found
}

/** A line is a running head only beside other text: what would empty a page is its text, or a head of another page. */
function keepOnlyLines(pages: readonly PageRows[], found: Map<PdfRow, HeaderOrFooterKind>): void {
  const isBare = ({ rows }: PageRows) => rows.every((row) => found.has(row))
  const [bare, others] = [pages.filter(isBare), pages.filter((page) => !isBare(page))]
  const heads = new Set(others.flatMap(({ rows }) => rows.filter((row) => found.has(row)).map(textOf)))
  const onlyNumbers = others.length === 0 && [...found.values()].every((kind) => kind === 'page_number')
  for (const row of bare.flatMap(({ rows }) => rows))
    if (onlyNumbers || (found.get(row) !== 'page_number' && !heads.has(textOf(row)))) found.delete(row)
}

const textOf = (row: PdfRow): string =>
  row
    .map((segment) => segment.text)
    .join(' ')
    .trim()

function candidatesOf({ sheet, rows }: PageRows): Candidate[] {
  const { height } = sheet
  const found: Candidate[] = []
  const consider = (row: PdfRow, zone: Candidate['zone']) => {
    const at = rows.indexOf(row)
    if (isTableRow(row, rows[zone === 'page_header' ? at + 1 : at - 1])) return
    const text = textOf(row)
    if (CAPTION.test(text)) return
    // The key ignores numbers, which differ between pages.
    const place = Math.round(row[0]!.base / 6)
    found.push({
      sheet,
      rows,
      row,
      zone,
      text,
      key: `${zone}:${place}:${text.replace(/\d+|\b[ivxlc]+\b/gi, '#').slice(0, 120)}`,
    })
  }
  for (const row of rows.slice(0, MAX_ROWS)) if (row[0]!.base < height * ZONE) consider(row, 'page_header')
  for (const row of rows.slice(-MAX_ROWS)) if (row[0]!.base > height * (1 - ZONE)) consider(row, 'page_footer')
  return found
}

/** Rows of multi-page tables also repeat, but a row with the same columns is next to them, further from the edge. */
function isTableRow(row: PdfRow, inner: PdfRow | undefined): boolean {
  if (!inner) return false
  // Currency signs of a first row are pieces of their own.
  const [fewer, more] = row.length < inner.length ? [row, inner] : [inner, row]
  if (fewer.length < 3) return false
  const [a, b] = [boundingBoxOf(row), boundingBoxOf(inner)]
  const isNear = Math.max(a.y0, b.y0) - Math.min(a.y1, b.y1) < 1.5 * row[0]!.size
  return isNear && fewer.every(({ x0, x1 }) => more.some((piece) => x0 < piece.x1 && x1 > piece.x0))
}

/**
 * In the outer margin, not larger than body text, and further from it than its line distance. At the top of a slide
 * such text is the title.
 */
function standsApart({ row, rows, zone, sheet }: Candidate, bodySize: number): boolean {
  if (zone === 'page_header' && sheet.width > sheet.height) return false
  const box = boundingBoxOf(row)
  const size = row[0]!.size
  const isSmallHead = zone === 'page_header' && size < bodySize * SMALL_SHARE
  const zoneShare = isSpread(row) || isSmallHead ? ZONE : SINGLE_PAGE_MARGIN_SHARE
  if (size > bodySize * 1.25 || rows.length < 6 || saysMore(row, sheet)) return false
  const at = rows.indexOf(row)
  if (zone === 'page_header') {
    if (box.y0 > sheet.height * zoneShare) return false
    // A wide gap below this row, or below another row of the zone, separates the head from the text.
    for (let next = at; next < Math.min(at + MAX_ROWS, rows.length - 1); next++) {
      const gap = boundingBoxOf(rows[next + 1]!).y0 - boundingBoxOf(rows[next]!).y1
      if (gap > 0.9 * size) return true
      if (boundingBoxOf(rows[next + 1]!).y0 > sheet.height * zoneShare) return false
    }
    return false
  }
  if (box.y0 < sheet.height * (1 - zoneShare)) return false
  for (let next = at; next > Math.max(at - MAX_ROWS, 0); next--) {
    const gap = boundingBoxOf(rows[next]!).y0 - boundingBoxOf(rows[next - 1]!).y1
    if (gap > 0.9 * size) return true
    if (boundingBoxOf(rows[next - 1]!).y0 < sheet.height * (1 - zoneShare)) return false
  }
  return false
}

/** A line as wide as the text, or one that ends a sentence, is body text. */
function saysMore(row: PdfRow, { width }: PdfSheet): boolean {
  if (isSpread(row)) return false
  const { x0, x1 } = boundingBoxOf(row)
  return x1 - x0 > width * 0.6 || /\p{Ll}[.!?]$/u.test(row.at(-1)!.text)
}

/** Left, middle and right parts on one line are typical of heads and feet. */
function isSpread(row: PdfRow): boolean {
  let widest = 0
  for (let at = 1; at < row.length; at++) widest = Math.max(widest, row[at]!.x0 - row[at - 1]!.x1)
  return widest > 2.5 * row[0]!.size && row.every(({ text }) => text.length < 70)
}
