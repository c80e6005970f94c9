// Consecutive headings that each precede one short line: a column of facts whose labels are marked up as headings.
import type { Element } from 'domhandler'
import type { Line } from './lines.ts'
import { isLabel, type Pair, pair } from './pairs.ts'

/** Fewer in a row may be ordinary headings. */
const LEAST = 3
const MAX_VALUE = 80
const TRUST = 0.85

export function headedPairs(lines: readonly Line[]): Pair[] {
  const found: Pair[] = []
  let row: Pair[] = []
  let level = ''
  const close = () => {
    if (row.length >= LEAST) found.push(...row)
    row = []
  }
  for (let n = 0; n < lines.length; n++) {
    const [head, value] = [lines[n]!, lines[n + 1]]
    const own = levelOf(head.block)
    if (own === '') continue
    if (own !== level) close()
    level = own
    const isAlone = value !== undefined && levelOf(value.block) === '' && isOver(lines[n + 2])
    if (isAlone && value.isMain === head.isMain && isLabel(head.text) && isFact(value.text))
      row.push(pair(head.text, value.text, value.block, value.isMain, head.at, TRUST))
    else close()
  }
  close()
  return found
}

const levelOf = (block: Element | undefined): string => (block && /^h[2-6]$/.test(block.name) ? block.name : '')
/** After the value comes the next heading, or nothing. */
const isOver = (line: Line | undefined): boolean => line === undefined || /^h[1-6]$/.test(line.block?.name ?? '')
const isFact = (text: string): boolean => text.length <= MAX_VALUE && !/[.!?…]$/u.test(text)
