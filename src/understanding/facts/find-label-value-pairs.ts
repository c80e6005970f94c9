// Label and value pairs: definition lists, rows of two cells, "Label: value", a bold word and the rest, two adjacent
// boxes, a heading and what follows.
import type { Element } from 'domhandler'
import { collapseSpaces, elementChildren, isElement, textOfNode } from '../../content/parse-tree.ts'
import type { LineRun, TextLine } from './read-visible-lines.ts'

export interface LabelValuePair {
  label: string
  value: string
  /** The value's element, for its links, images and times. */
  element: Element | undefined
  isMain: boolean
  at: number
  /** Confidence that the two belong together, up to 1. */
  trust: number
}

const MAX_LABEL = 60
const MAX_VALUE = 1000
const LABEL_CLASS =
  /(?:^|[-_\s])(?:label|key|term|name|title|caption|heading|header|head|property|prop|attr|attribute|field|dt|th)(?:$|[-_\s\d])/i
const LABEL_TAGS = new Set(['b', 'strong', 'label', 'dt', 'th', 'small', 'em', 'h3', 'h4', 'h5', 'h6'])
const COLON = /^([^:：]{2,60})[:：]\s*(\S.*)$/su
const SEPARATORS = /\s+[|·•]\s+/u

/** "Art.-Nr.", "Item no.": a full stop that ends no sentence. */
const ABBREVIATION_END = /(?<=\b(?:nr|no|num|ref|réf|art|tel|approx|max|min))\.$/iu

/** A few words that name something: no sentence, no URL, not only digits. */
export function looksLikeLabel(text: string): boolean {
  const bare = text.replace(/[:：*]\s*$/u, '').trim()
  return (
    bare.length > 1 &&
    bare.length <= MAX_LABEL &&
    /\p{L}{2}/u.test(bare) &&
    !/[.!?]$|https?$|[<>{}@]/.test(bare.replace(ABBREVIATION_END, '')) &&
    bare.split(/\s+/).length <= 6
  )
}

export function findLabelValuePairs(lines: readonly TextLine[]): LabelValuePair[] {
  const pairs: LabelValuePair[] = []
  for (let n = 0; n < lines.length; n++) {
    const line = lines[n]!
    if (line.block?.name === 'dt') pairs.push(...ofDefinition(lines, n))
    else if (!pushAll(pairs, inLine(line))) {
      const next = lines[n + 1]
      if (next) pushAll(pairs, ofNeighbours(line, next))
    }
  }
  return pairs
}

const pushAll = (pairs: LabelValuePair[], more: readonly LabelValuePair[]): boolean => {
  pairs.push(...more)
  return more.length > 0
}

function ofDefinition(lines: readonly TextLine[], from: number): LabelValuePair[] {
  const { text, isMain, at, block } = lines[from]!
  const values: TextLine[] = []
  for (let n = from + 1; n < lines.length && values.length < 20; n++) {
    const line = lines[n]!
    if (line.block === block) continue
    if (line.block?.name === 'dt' || !isInside(line.block, 'dd')) break
    values.push(line)
  }
  if (values.length === 0 || !looksLikeLabel(text)) return []
  const value = values.map((line) => line.text).join(', ')
  return [makePair(text, value, findClosest(values[0]!.block, 'dd'), isMain, at, 1)]
}

function inLine(line: TextLine): LabelValuePair[] {
  if (isHeading(line.block)) return []
  const marked = inRuns(line)
  if (marked.length > 0) return marked
  const { text, block, isMain, at } = line
  const found: LabelValuePair[] = []
  if (text.length <= 400)
    for (const segment of text.split(SEPARATORS, 10)) {
      const match = COLON.exec(segment)
      if (match && looksLikeLabel(match[1]!) && !/\d$/.test(match[1]!))
        found.push(makePair(match[1]!, match[2]!, block, isMain, at, 0.9))
    }
  return found
}

/** "Brand: Acme" and <b>Brand</b> Acme, or the value before its label. */
function inRuns({ runs, block, isMain, at }: TextLine): LabelValuePair[] {
  const [first, second] = runs
  if (!first || !second) return []
  const isTwo = runs.length === 2
  const isBackwards = isTwo && looksLikeLabel(second.text) && isLabelElement(second.element)
  const pairBackwards = () => [makePair(second.text, first.text, first.element, isMain, at, 0.8)]
  if (!looksLikeLabel(first.text)) return isBackwards ? pairBackwards() : []
  const saysSo = /[:：]\s*$/u.test(first.text)
  const looksSo = first.element !== block && isLabelElement(first.element) && !/[:：]\s*\S/u.test(first.text)
  const rest = runs.slice(1)
  if (rest.some((run, n) => n > 0 && /[:：]\s*$/u.test(run.text) && looksLikeLabel(run.text)))
    return severalIn(runs, isMain, at)
  if (saysSo || looksSo)
    return [makePair(first.text, valueOfRuns(rest), elementOf(rest), isMain, at, saysSo ? 0.95 : 0.85)]
  if (isBackwards) return pairBackwards()
  const isRow = isTwo && first.element !== second.element && isOneOfMany(block)
  return isRow ? [makePair(first.text, second.text, second.element, isMain, at, 0.75)] : []
}

/** <b>Size:</b> 4 <b>Colour:</b> red. */
function severalIn(runs: readonly LineRun[], isMain: boolean, at: number): LabelValuePair[] {
  const found: LabelValuePair[] = []
  let label: LineRun | undefined
  let rest: LineRun[] = []
  const close = () => {
    if (label && rest.length > 0) found.push(makePair(label.text, valueOfRuns(rest), elementOf(rest), isMain, at, 0.9))
  }
  for (const run of runs.slice(0, 60)) {
    if (/[:：]\s*$/u.test(run.text) && looksLikeLabel(run.text)) {
      close()
      label = run
      rest = []
    } else rest.push(run)
  }
  close()
  return found
}

/** Two boxes in one: the label above, beside or below its value. */
function ofNeighbours(one: TextLine, other: TextLine): LabelValuePair[] {
  const [a, b] = [one.block, other.block]
  if (!a || !b || a === b || isHeading(a) || isHeading(b)) return []
  const [boxA, boxB] = boxes(a, b)
  if (!boxA || !boxB) return []
  const isMarked = isLabelElement(boxA) || isLabelElement(a)
  if (looksLikeLabel(one.text) && (isMarked || /[:：]\s*$/u.test(one.text)))
    return [makePair(one.text, other.text, b, other.isMain, one.at, 0.9)]
  if (looksLikeLabel(other.text) && (isLabelElement(boxB) || isLabelElement(b)) && !isLabelElement(boxA))
    return [makePair(other.text, one.text, a, one.isMain, one.at, 0.8)]
  return isRow(boxA) ? ofRow(one, other) : []
}

/** A row may have one more wrapper: `<li><div><b>Label</b><i>Value</i></div></li>`. */
function isRow({ parent }: Element): boolean {
  const row = isElement(parent) ? parent : undefined
  const wrapper = row && isElement(row.parent) && isOnlyChild(row) ? row.parent : undefined
  return isOneOfMany(row) || isOneOfMany(wrapper)
}

function ofRow(one: TextLine, other: TextLine): LabelValuePair[] {
  // A figure over what it counts.
  if (looksLikeLabel(other.text) && FIGURE.test(one.text))
    return [makePair(other.text, one.text, one.block, one.isMain, one.at, 0.8)]
  return looksLikeLabel(one.text) ? [makePair(one.text, other.text, other.block, other.isMain, one.at, 0.75)] : []
}

const FIGURE = /^[$€£~>]?\s?\d[\d.,\s]{0,12}\s?(?:[kKmMbB%]|million|billion|mio)?\s?\+?$/u
/** The two boxes that are their parent's only children, each with only one line. */
function boxes(a: Element, b: Element): [Element | undefined, Element | undefined] {
  let [up, beside]: [Element, Element] = [a, b]
  for (let steps = 0; steps < 3; steps++) {
    for (let other = beside, more = 0; more < 3; more++) {
      if (up.parent === other.parent && up !== other) {
        const parent = up.parent
        // The last column header of a table does not label the first cell below.
        const isTable = isElement(parent) && parent.name !== 'tr' && (isCell(a) || isCell(b))
        return isElement(parent) && !isTable && parent.children.length < 10 && elementChildren(parent).length === 2
          ? [up, other]
          : [undefined, undefined]
      }
      if (!isElement(other.parent)) break
      other = other.parent
    }
    if (!isElement(up.parent)) break
    up = up.parent
    beside = b
  }
  return [undefined, undefined]
}

const isCell = ({ name }: Element): boolean => name === 'td' || name === 'th'

/** A box whose sibling has the same structure: a row of facts rather than a sentence. */
function isOneOfMany(box: Element | undefined): boolean {
  if (!box) return false
  const shape = shapeOf(box)
  const isAlike = (other: Element | undefined) =>
    other !== undefined && other.name === box.name && shapeOf(other) === shape
  return isAlike(beside(box, 'prev')) || isAlike(beside(box, 'next'))
}

/** Looks at neighbours alone: a table has as many rows as its author likes. */
const isOnlyChild = (element: Element): boolean => !beside(element, 'prev') && !beside(element, 'next')

function beside(element: Element, way: 'prev' | 'next'): Element | undefined {
  let node = element[way]
  for (let steps = 0; node && steps < 4; steps++) {
    if (isElement(node)) return node
    node = node[way]
  }
  return undefined
}

const shapeOf = (element: Element): string =>
  elementChildren(element)
    .slice(0, 4)
    .map(({ name }) => name)
    .join(' ')

const isLabelElement = (element: Element | undefined): boolean =>
  element !== undefined &&
  (LABEL_TAGS.has(element.name) || LABEL_CLASS.test((element.attribs.class ?? '').slice(0, 300)))

const isHeading = (element: Element | undefined): boolean => element !== undefined && /^h[1-6]$/.test(element.name)

const valueOfRuns = (runs: readonly LineRun[]): string => runs.map((run) => run.text).join(' ')

const elementOf = (runs: readonly LineRun[]): Element | undefined =>
  runs.length === 1 ? runs[0]!.element : runs[0]?.element

const isInside = (element: Element | undefined, name: string): boolean => findClosest(element, name) !== undefined

function findClosest(element: Element | undefined, name: string): Element | undefined {
  let at: Element | undefined = element
  for (let steps = 0; at && steps < 10; steps++) {
    if (at.name === name) return at
    at = isElement(at.parent) ? at.parent : undefined
  }
  return undefined
}

export const makePair = (
  label: string,
  value: string,
  element: Element | undefined,
  isMain: boolean,
  at: number,
  trust: number,
): LabelValuePair => ({
  label: collapseSpaces(label).replace(/\s*[:：*]+$/u, ''),
  value: collapseSpaces(value)
    .replace(/^[:：]\s*/u, '')
    .slice(0, MAX_VALUE),
  element,
  isMain,
  at,
  trust,
})

export const cellTextOf = (cell: Element): string => collapseSpaces(textOfNode(cell, MAX_VALUE))
