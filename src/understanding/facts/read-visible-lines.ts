// A part of a page as visible lines, each with its runs and position. One bounded walk; hidden parts are skipped.

import type { AnyNode, Element } from 'domhandler'
import { setOfWords } from '../../base/values.ts'
import { isHidden } from '../../content/main/hidden-elements.ts'
import { collapseSpaces, isElement, isText } from '../../content/parse-tree.ts'
import { walkTree } from './walk-tree.ts'

/** Text of one inline element within a line. */
export type LineRun = { text: string; element: Element | undefined }

export interface TextLine {
  text: string
  runs: LineRun[]
  block: Element | undefined
  isMain: boolean
  /** Its position among all walked nodes. */
  at: number
}

interface LineReading {
  lines: TextLine[]
  /** Every visible element in document order. */
  elements: { element: Element; at: number; isMain: boolean }[]
}

const MAX_LINES = 20_000
const MAX_ELEMENTS = 60_000
const MAX_LINE_CHARS = 4000

const PASSED = setOfWords('script style noscript template svg head iframe object canvas audio video')
const INLINE = setOfWords(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark meter output q ruby rp rt s samp small span strike strong sub sup time tt u var wbr picture button input select',
)

/** Text without word-break marks. */
const removeInvisible = (text: string): string =>
  collapseSpaces(INVISIBLE_CHARACTER.test(text) ? text.replace(UNSEEN_ALL, '') : text)
/** Word-break marks and icon font characters. */
const INVISIBLE_CHARACTER = /[\u00ad\u200b\u2060\ufeff\ue000-\uf8ff]/
const UNSEEN_ALL = new RegExp(INVISIBLE_CHARACTER, 'g')

/**
 * Adjacent runs are separate words, except for signs and digits in their own element: `$<b>5</b>,000`,
 * `1<sup>st</sup>`.
 */
function joinRuns(runs: readonly LineRun[]): string {
  let text = ''
  for (const run of runs) {
    // Only the last characters: an end-anchored regex would scan from the start, for each of thousands of runs.
    const end = text.slice(-2)
    const isOne =
      /^[.,:;!?)%’\]]/u.test(run.text) ||
      /[$€£¥(]$/u.test(end) ||
      (/\d[.,]$/.test(end) && /^\d/.test(run.text)) ||
      (/\d$/.test(end) && /^(?:st|nd|rd|th)\b/.test(run.text))
    text += text === '' || isOne ? run.text : ` ${run.text}`
  }
  return text
}

/** `isCut`: boilerplate around the content. */
export function readVisibleLines(root: AnyNode, isCut: (element: Element) => boolean): LineReading {
  const reading: LineReading = { lines: [], elements: [] }
  const blocks: Element[] = []
  let cutBelow: Element | undefined
  let runs: LineRun[] = []
  let chars = 0
  let at = 0

  const flush = (): void => {
    const kept = runs.map((run) => ({ ...run, text: removeInvisible(run.text) })).filter(({ text }) => text !== '')
    runs = []
    chars = 0
    if (kept.length === 0 || reading.lines.length >= MAX_LINES) return
    const text = joinRuns(kept)
    reading.lines.push({ text, runs: kept, block: blocks.at(-1), isMain: cutBelow === undefined, at })
  }

  walkTree(root, {
    enter(element) {
      at += 1
      if (PASSED.has(element.name) && (element.name !== 'noscript' || isHidden(element))) return false
      if (element !== root && isHidden(element)) return false
      if (cutBelow === undefined && element !== root && isCut(element)) cutBelow = element
      if (reading.elements.length < MAX_ELEMENTS) reading.elements.push({ element, at, isMain: cutBelow === undefined })
      if (element.name === 'br') flush()
      if (!INLINE.has(element.name) && element.name !== 'br') {
        flush()
        blocks.push(element)
      }
      return true
    },
    leave(element) {
      if (blocks.at(-1) === element) {
        flush()
        blocks.pop()
      }
      if (cutBelow === element) {
        flush()
        cutBelow = undefined
      }
    },
    other(node) {
      at += 1
      if (!isText(node) || chars > MAX_LINE_CHARS) return
      const parent = isElement(node.parent) ? node.parent : undefined
      const last = runs.at(-1)
      const data = node.data.length > MAX_LINE_CHARS ? node.data.slice(0, MAX_LINE_CHARS) : node.data
      chars += data.length
      if (last && last.element === parent) last.text += data
      else runs.push({ text: data, element: parent })
    },
  })
  flush()
  return reading
}
