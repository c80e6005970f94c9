// The shape of a line is its text with numbers replaced, so two prices or counters have equal shapes.

const NUMBER = /\p{N}+(?:[.,:’' \u00a0]\p{N}+)*/gu

export const lineShapeOf = (key: string): string => key.replace(NUMBER, '#')

export function parseNumbers(text: string): number[] {
  const found: number[] = []
  for (const [written] of text.slice(0, 2000).matchAll(/-?\d[\d.,' \u00a0]*\d|-?\d/g)) {
    const value = readNumber(written)
    if (value !== undefined) found.push(value)
    if (found.length >= 50) break
  }
  return found
}

function readNumber(written: string): number | undefined {
  const text = written.replace(/[' \u00a0]/g, '')
  const lastDot = text.lastIndexOf('.')
  const lastComma = text.lastIndexOf(',')
  const mark = Math.max(lastDot, lastComma)
  const decimals = mark === -1 ? 0 : text.length - mark - 1
  const isOnly = mark !== -1 && text.indexOf(text[mark]!) === mark && (lastDot === -1 || lastComma === -1)
  // "1,204" has a thousands separator; "1,5" and "12.99" are fractions; "1.204,50" is unambiguous.
  const isFraction = mark !== -1 && (isOnly ? decimals !== 3 : lastDot !== -1 && lastComma !== -1)
  const whole = isFraction
    ? `${text.slice(0, mark).replace(/[.,]/g, '')}.${text.slice(mark + 1)}`
    : text.replace(/[.,]/g, '')
  const value = Number(whole)
  return Number.isFinite(value) ? value : undefined
}

/** Markdown form of a line, which distinguishes list items from the paragraph above. */
export function markdownFormOf(text: string): string {
  if (/^#{1,6}\s/.test(text)) return 'heading'
  if (/^\s*(?:[-*+]|\d+[.)])\s/.test(text)) return /\]\(/.test(text) ? 'linked item' : 'item'
  if (text.startsWith('>')) return 'quote'
  if (text.startsWith('|')) return 'row'
  if (/^!?\[.*\]\([^)]*\)$/.test(text)) return 'link'
  return /^\*\*.*\*\*$/.test(text) ? 'bold' : 'text'
}
