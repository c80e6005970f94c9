// Cuts markdown into chunks for a retrieval index: at headings, never inside a table row, a list item, a code block or
// a sentence.

export type ChunkLimits = { maxTokens: number; overlap: number; by: 'heading' | 'page' | 'size' }

export interface TextChunk {
  /** What is indexed: the span, after the header rows when it continues a table. */
  text: string
  headings: string[]
  span: [number, number]
  tokens: number
}

/** A stretch that is not cut. All pieces together are the whole text, in order. */
interface Piece {
  from: number
  to: number
  heading?: { level: number; title: string }
  /** Header rows of the table that this row continues. */
  tableHeader?: string
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/
const ITEM = /^( *)(?:[-*+]|\d{1,9}[.)])[ \t]/
const DELIMITER_ROW = /^ *\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/

export function cutIntoChunks(
  markdown: string,
  limits: ChunkLimits,
  count: (text: string) => number,
  pageAt: (offset: number) => number | undefined = () => undefined,
): TextChunk[] {
  const fits = (from: number, to: number) =>
    to - from <= limits.maxTokens || count(markdown.slice(from, to)) <= limits.maxTokens
  const pieces = [...piecesOf(markdown, fits)]
  const sizes = pieces.map(({ from, to }) => count(markdown.slice(from, to)))
  const chunks: TextChunk[] = []
  const path: string[] = []
  let first = 0
  let hasBody = false
  let tokens = 0
  let headings: string[] = []
  const flush = (end: number, at: number) => {
    chunks.push(chunkFrom({ markdown, pieces, sizes, first, end, headings, overlap: limits.overlap, count }))
    first = end
    hasBody = false
    tokens = sizes.slice(end, at).reduce((total, size) => total + size, 0)
  }
  for (const [at, piece] of pieces.entries()) {
    const isNewPage = limits.by === 'page' && at > 0 && pageAt(piece.from) !== pageAt(pieces[at - 1]!.from)
    const isNewSection = limits.by === 'heading' && piece.heading !== undefined
    if (hasBody && (isNewSection || isNewPage)) flush(at, at)
    else if (hasBody && tokens + sizes[at]! > limits.maxTokens) flush(endBeforeHeadings(pieces, first, at), at)
    if (piece.heading) {
      const { level, title } = piece.heading
      path.length = Math.min(path.length, level - 1)
      path[level - 1] = title
    }
    if (!hasBody) headings = path.filter(Boolean)
    hasBody ||= !piece.heading
    tokens += sizes[at]!
  }
  if (first < pieces.length) flush(pieces.length, pieces.length)
  return chunks
}

function endBeforeHeadings(pieces: readonly Piece[], first: number, end: number): number {
  let at = end
  while (at > first && pieces[at - 1]!.heading) at--
  return at > first ? at : end
}

interface Range {
  markdown: string
  pieces: readonly Piece[]
  sizes: readonly number[]
  first: number
  end: number
  headings: string[]
  overlap: number
  count: (text: string) => number
}

function chunkFrom({ markdown, pieces, sizes, first, end, headings, overlap, count }: Range): TextChunk {
  let start = first
  for (let left = overlap; start > 0 && left > 0; ) {
    left -= sizes[start - 1]!
    if (left >= 0) start--
  }
  const span: [number, number] = [pieces[start]!.from, pieces[end - 1]!.to]
  const text = (pieces[start]!.tableHeader ?? '') + markdown.slice(...span)
  return { text, headings, span, tokens: count(text) }
}

function* linesOf(markdown: string): Generator<{ line: string; from: number; to: number }> {
  for (let from = 0; from < markdown.length; ) {
    const end = markdown.indexOf('\n', from)
    const to = end === -1 ? markdown.length : end + 1
    yield { line: markdown.slice(from, end === -1 ? to : end), from, to }
    from = to
  }
}

const isRow = (line: string) => line.includes('|')
const isBlank = (line: string) => line.trim() === ''

/** Blank lines belong to the piece before them, those at the beginning to the first. */
function* piecesOf(markdown: string, fits: (from: number, to: number) => boolean): Generator<Piece> {
  const lines = [...linesOf(markdown)]
  const lineAt = (at: number) => lines[at]?.line ?? ''
  const skipBlank = (at: number) => {
    let next = at
    while (next < lines.length && isBlank(lineAt(next))) next++
    return next
  }
  const startOf = (first: number): number => (first === 0 ? 0 : lines[first]!.from)
  const piece = (first: number, end: number): Piece => ({ from: startOf(first), to: lines[end - 1]!.to })
  let at = 0
  while (at < lines.length) {
    const begins = at
    at = begins === 0 ? skipBlank(0) : at
    if (at >= lines.length) {
      yield piece(begins, lines.length)
      return
    }
    const heading = HEADING.exec(lineAt(at))
    const fence = FENCE.exec(lineAt(at))
    if (heading) {
      at = skipBlank(at + 1)
      yield { ...piece(begins, at), heading: { level: heading[1]!.length, title: titleOf(heading[2]!) } }
    } else if (fence) {
      at = skipBlank(afterFence(lineAt, lines.length, at, fence[1]!))
      yield piece(begins, at)
    } else if (isRow(lineAt(at)) && DELIMITER_ROW.test(lineAt(at + 1))) {
      const tableHeader = markdown.slice(lines[at]!.from, lines[at + 1]!.to)
      // The header stays with the first row.
      let end = at + (isRow(lineAt(at + 2)) ? 3 : 2)
      for (at = skipBlank(end), yield piece(begins, at); at === end && isRow(lineAt(at)); ) {
        end = at + 1
        const next = skipBlank(end)
        yield { ...piece(at, next), tableHeader }
        at = next
      }
    } else if (ITEM.test(lineAt(at))) {
      const end = skipBlank(afterItem(lineAt, lines.length, at))
      yield* itemPieces(piece(begins, end), at, end)
      at = end
    } else {
      const end = skipBlank(afterParagraph(lineAt, lines.length, at))
      yield* sentencesIn(piece(begins, end))
      at = end
    }
  }

  /** A list item with all that is nested in it, or, when that is too long, cut at its own items. */
  function* itemPieces(whole: Piece, first: number, end: number): Generator<Piece> {
    if (fits(whole.from, whole.to)) {
      yield whole
      return
    }
    let begin = first
    for (let next = first + 1; next <= end; next++) {
      if (next < end && !ITEM.test(lineAt(next))) continue
      yield { from: begin === first ? whole.from : lines[begin]!.from, to: next === end ? whole.to : lines[next]!.from }
      begin = next
    }
  }

  function* sentencesIn(whole: Piece): Generator<Piece> {
    if (fits(whole.from, whole.to)) {
      yield whole
      return
    }
    const text = markdown.slice(whole.from, whole.to)
    let from = 0
    for (const { segment, index } of sentences.segment(text)) {
      const to = index + segment.length
      if (to < text.length && isInsideLink(text.slice(from, to))) continue
      yield { from: whole.from + from, to: whole.from + to }
      from = to
    }
    if (from < text.length) yield { from: whole.from + from, to: whole.to }
  }
}

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })

function isInsideLink(text: string): boolean {
  if ((text.match(/`/g)?.length ?? 0) % 2 === 1) return true
  const opened = text.lastIndexOf('[')
  if (opened === -1) return false
  const rest = text.slice(opened)
  return !rest.includes(']') || (rest.includes('](') && !rest.includes(')'))
}

const titleOf = (heading: string): string =>
  heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`]|(?:^|\s)#+\s*$/g, '')
    .trim()

type LineAt = (at: number) => string

function afterFence(lineAt: LineAt, count: number, at: number, mark: string): number {
  for (let next = at + 1; next < count; next++) {
    const line = lineAt(next).trim()
    if (line.startsWith(mark) && line.replaceAll(mark[0]!, '') === '') return next + 1
  }
  return count
}

/** A list item ends at the next item of its level or above, or at an unindented line after a blank one. */
function afterItem(lineAt: LineAt, count: number, at: number): number {
  const indent = ITEM.exec(lineAt(at))![1]!.length
  for (let next = at + 1; next < count; next++) {
    const line = lineAt(next)
    if (isBlank(line)) continue
    const item = ITEM.exec(line)
    const isIndented = line.search(/\S/) > indent
    if (item && item[1]!.length <= indent) return next
    if (!isIndented && (isBlank(lineAt(next - 1)) || HEADING.test(line) || FENCE.test(line))) return next
  }
  return count
}

function afterParagraph(lineAt: LineAt, count: number, at: number): number {
  for (let next = at + 1; next < count; next++) {
    const line = lineAt(next)
    const isTable = isRow(line) && DELIMITER_ROW.test(lineAt(next + 1))
    if (isBlank(line) || HEADING.test(line) || FENCE.test(line) || isTable) return next
  }
  return count
}
