// A page as flat arrays: every element with the range of its text, so that finding a value, the element around it and
// the elements of a class needs no further walk. One bounded walk.

import type { Document, Element } from 'domhandler'
import { countUntil } from '../../base/large-array-helpers.ts'
import { appendTo, once, setOfWords } from '../../base/values.ts'
import { collapseSpaces, isText } from '../../content/parse-tree.ts'
import { makeLinkResolver, type ResolveLink } from '../../content/resolve-links.ts'
import { readStructuredData, type StructuredData } from '../facts/read-structured-data.ts'
import { walkTree } from '../facts/walk-tree.ts'
import { squeezeText } from './squeeze-text.ts'

const MAX_ELEMENTS = 100_000
const MAX_CHARS = 3_000_000
const MAX_STRUCK = 500

const PASSED = setOfWords('script style noscript template svg iframe object canvas')
const INLINE = setOfWords(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark meter output q ruby rp rt s samp small span strike strong sub sup time tt u var wbr picture button input',
)

export interface TextRun {
  from: number
  to: number
  /** Index of the element that contains it. */
  owner: number
}

/** A part of a page: an element, or neighbouring elements with the text between them. */
export interface Scope {
  /** Range of elements. */
  first: number
  end: number
  /** Range of the text. */
  from: number
  to: number
  /** The element itself, or the parent of the neighbours. */
  owner: number
  /** Selector of the record. */
  css?: string
}

export interface SqueezedText {
  text: string
  /** Position in the page's text for each squeezed character. */
  at: Int32Array
  /** The squeezed position for a position in the page's text. */
  of(position: number): number
}

export class PageIndex {
  readonly tree: Document
  readonly base: string
  readonly language: string
  readonly elements: Element[] = []
  /** Ranges of `text`. */
  readonly from: number[] = []
  readonly to: number[] = []
  /** Index after the last descendant. */
  readonly end: number[] = []
  /** Index of the parent; -1 at the top. */
  readonly parent: number[] = []
  readonly runs: TextRun[] = []
  readonly text: string
  readonly indexOf = new Map<Element, number>()
  readonly #byKey = once(() => this.#indexByKey())
  readonly #squeezed = once(() => squeezeWithPositions(this.text))
  readonly #runsByLabel = once(() => this.#indexByLabel())
  readonly #resolve = once(() => makeLinkResolver(this.base))
  readonly #struck = once(() => this.#findStruck())
  readonly #columns = new Map<number, Map<number, IndexedCell>>()

  constructor({ tree, base, metadata }: { tree: Document; base: string; metadata?: { language?: unknown } }) {
    this.tree = tree
    this.base = base
    this.language = typeof metadata?.language === 'string' ? metadata.language : ''
    this.text = this.#walk()
  }

  #walk(): string {
    const pieces: string[] = []
    const open: number[] = []
    let length = 0
    let last = '\n'
    let isAfterElement = false
    const put = (piece: string) => {
      pieces.push(piece)
      length += piece.length
      last = piece[piece.length - 1]!
    }
    const breakLine = () => {
      if (last !== '\n') put('\n')
    }
    walkTree(this.tree, {
      enter: (element) => {
        const { name } = element
        if (this.elements.length >= MAX_ELEMENTS) return false
        const isPassed = PASSED.has(name)
        if (name === 'br' || !INLINE.has(name)) breakLine()
        // Adjacent elements without white space between them are separate words, as their styles separate them.
        else if (isAfterElement && /[\p{L}\p{N}]/u.test(last)) put(' ')
        isAfterElement = false
        const index = this.elements.length
        this.elements.push(element)
        this.indexOf.set(element, index)
        this.from.push(length)
        this.to.push(length)
        this.end.push(index + 1)
        this.parent.push(open.at(-1) ?? -1)
        if (isPassed) return false
        open.push(index)
        return true
      },
      leave: (element) => {
        const index = open.pop()
        if (index === undefined) return
        this.to[index] = length
        this.end[index] = this.elements.length
        if (INLINE.has(element.name)) isAfterElement = true
        else breakLine()
      },
      other: (node) => {
        const owner = open.at(-1)
        if (!isText(node) || owner === undefined || length > MAX_CHARS) return
        const piece = node.data.replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
        if (piece === '') return
        isAfterElement = false
        const from = length
        put(piece)
        if (/\S/.test(piece)) this.runs.push({ from, to: length, owner })
      },
    })
    return pieces.join('')
  }

  get data(): StructuredData {
    return readStructuredData(this)
  }

  get resolve(): ResolveLink {
    return this.#resolve()
  }

  /** Ranges of text that is struck out: a price before a sale. */
  #findStruck(): readonly { from: number; to: number }[] {
    return ['del', 's', 'strike']
      .flatMap((name) => this.elementsBy(name).map((index) => ({ from: this.from[index]!, to: this.to[index]! })))
      .sort((a, b) => a.from - b.from)
      .slice(0, MAX_STRUCK)
  }

  isStruck(position: number): boolean {
    return this.#struck().some(({ from, to }) => position >= from && position < to)
  }

  /** A range of the text without what is struck out in it. */
  unstruck(from: number, to: number): string {
    let text = ''
    let at = from
    for (const range of this.#struck()) {
      if (range.from < from || range.to > to || range.to - range.from >= (to - from) * 0.9 || range.from < at) continue
      text += `${this.text.slice(at, range.from)} `
      at = range.to
    }
    return text + this.text.slice(at, to)
  }

  textOf(index: number): string {
    return collapseSpaces(this.text.slice(this.from[index], this.to[index]))
  }

  /** Elements by tag (`h1`), class (`.name`), id (`#name`) and attribute (`[itemprop]`), in document order. */
  elementsBy(key: string): readonly number[] {
    return this.#byKey().get(key) ?? []
  }

  #indexByKey(): ReadonlyMap<string, number[]> {
    const byKey = new Map<string, number[]>()
    for (const [index, { name, attribs }] of this.elements.entries()) {
      appendTo(byKey, name, index)
      for (const attribute in attribs) {
        const value = attribs[attribute]!
        if (attribute === 'class') for (const one of new Set(classesOf(value))) appendTo(byKey, `.${one}`, index)
        else appendTo(byKey, attribute === 'id' ? `#${value}` : `[${attribute}]`, index)
      }
    }
    return byKey
  }

  get squeezed(): SqueezedText {
    return this.#squeezed()
  }

  /** Text runs by their squeezed text; long runs label nothing. */
  runsBy(label: string): readonly number[] {
    return this.#runsByLabel().get(label) ?? []
  }

  #indexByLabel(): ReadonlyMap<string, number[]> {
    const byLabel = new Map<string, number[]>()
    for (const [n, { from, to }] of this.runs.entries()) {
      const key = to - from > 120 ? '' : squeezeText(this.text.slice(from, to))
      if (key !== '') appendTo(byLabel, key, n)
    }
    return byLabel
  }

  /** Index of the smallest element that contains a range of the text. */
  elementAround(from: number, to: number): number {
    const run = Math.max(0, countUntil(this.runs, (one) => one.from <= from) - 1)
    let index = this.runs[run]?.owner ?? -1
    while (index >= 0 && (this.from[index]! > from || this.to[index]! < to)) index = this.parent[index]!
    return index
  }

  /** The run that contains a range of the text. */
  runAround(from: number, to: number): (TextRun & { run: number }) | undefined {
    let run = this.runAfter(from)
    if (this.runs[run]?.from !== from) run -= 1
    const found = this.runs[run]
    return found && found.from <= from && found.to >= to ? { ...found, run } : undefined
  }

  /** Index of the first run that begins at or after a position. */
  runAfter(position: number): number {
    return countUntil(this.runs, (run) => run.from < position)
  }

  isWithin(index: number, ancestor: number): boolean {
    return index >= ancestor && index < this.end[ancestor]!
  }

  scopeOf(index: number, css?: string): Scope {
    const range = { first: index, end: this.end[index]!, from: this.from[index]!, to: this.to[index]!, owner: index }
    return css === undefined ? range : { ...range, css }
  }

  /** Row and column of the cell around an element, with cells that span several counted in each. */
  cellAround(index: number): IndexedCell | undefined {
    let cell = index
    while (cell >= 0 && !isCell(this.elements[cell]!.name)) cell = this.parent[cell]!
    let table = cell
    while (table >= 0 && this.elements[table]!.name !== 'table') table = this.parent[table]!
    return table < 0 ? undefined : this.cellsOf(table).get(cell)
  }

  cellsOf(table: number): ReadonlyMap<number, IndexedCell> {
    const known = this.#columns.get(table)
    if (known) return known
    const made = readCells(this, table)
    this.#columns.set(table, made)
    return made
  }
}

export type IndexedCell = { index: number; table: number; row: number; column: number }

const isCell = (name: string): boolean => name === 'td' || name === 'th'
const MAX_COLUMNS = 200

function readCells({ elements, end }: PageIndex, table: number): Map<number, IndexedCell> {
  const cells = new Map<number, IndexedCell>()
  /** For each column, the rows that a cell above still covers. */
  const covered: number[] = []
  let [row, column] = [-1, 0]
  for (let index = table + 1; index < end[table]!; index++) {
    const { name, attribs } = elements[index]!
    if (name === 'table') index = end[index]! - 1
    else if (name === 'tr') {
      row += 1
      column = 0
    } else if (isCell(name)) {
      while (column < MAX_COLUMNS && (covered[column] ?? 0) > row) column += 1
      cells.set(index, { index, table, row, column })
      const wide = Math.min(MAX_COLUMNS, Math.max(1, Number.parseInt(attribs.colspan ?? '1', 10) || 1))
      const high = Math.max(1, Number.parseInt(attribs.rowspan ?? '1', 10) || 1)
      for (let one = 0; one < wide && column < MAX_COLUMNS; one++, column++) covered[column] = row + high
    }
  }
  return cells
}

const pages = new WeakMap<Document, PageIndex>()

/** Cached per tree. */
export function indexPage(page: { tree: Document; base: string; metadata?: { language?: unknown } }): PageIndex {
  const index = pages.get(page.tree) ?? new PageIndex(page)
  pages.set(page.tree, index)
  return index
}

export const wholePage = (page: PageIndex): Scope => ({
  first: 0,
  end: page.elements.length,
  from: 0,
  to: page.text.length,
  owner: 0,
})

export const classesOf = (given: string | undefined): string[] =>
  given ? given.slice(0, 1000).split(/\s+/, 40).filter(Boolean) : []

function squeezeWithPositions(text: string): SqueezedText {
  const pieces: string[] = []
  const at: number[] = []
  const starts = new Int32Array(text.length + 1)
  let length = 0
  let n = 0
  for (const sign of text) {
    starts[n] = length
    if (sign.length === 2) starts[n + 1] = length
    const kept = squeezeText(sign)
    for (let part = 0; part < kept.length; part++) at.push(n)
    pieces.push(kept)
    length += kept.length
    n += sign.length
  }
  starts[text.length] = length
  return { text: pieces.join(''), at: Int32Array.from(at), of: (position) => starts[position]! }
}
