// Collects the header tables of an RTF file: fonts with their character sets, styles and lists.

import { paragraphKindOfStyleName } from './docx-styles.ts'
import type { ParagraphKind } from './paragraphs-to-html.ts'
import { headingKindOfLevel } from './paragraphs-to-html.ts'

const MAX_ROWS = 10_000
const BULLET = 23
const NO_NUMBER = 255

/** Windows code pages by font charset; 0 and 1 mean the document's. */
const CODE_PAGE_OF_CHARSET: Readonly<Record<number, number>> = {
  77: 10_000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
}

/** Character, section and table styles are not paragraph styles. */
const OTHER_STYLES = new Set(['cs', 'ds', 'ts'])

export const RTF_HEADER_TABLES = new Set(['fonttbl', 'stylesheet', 'listtable', 'listoverridetable'])

export class RtfHeaderTables {
  readonly #codePages = new Map<number, number>()
  readonly #styles = new Map<number, ParagraphKind>()
  readonly #levels = new Map<number, number[]>()
  readonly #listOf = new Map<number, number>()
  #font = 0
  #style = 0
  #name = ''
  #outline: number | undefined
  #numbers: number[] = []
  #listId = 0

  word(table: string, word: string, value = 0): void {
    if (table === 'fonttbl') {
      if (word === 'f') this.#font = value
      const page = word === 'fcharset' ? CODE_PAGE_OF_CHARSET[value] : undefined
      if (page && this.#codePages.size < MAX_ROWS) this.#codePages.set(this.#font, page)
    } else if (table === 'stylesheet') {
      if (word === 's') [this.#style, this.#name, this.#outline] = [value, '', undefined]
      else if (OTHER_STYLES.has(word)) this.#style = -1
      else if (word === 'outlinelevel') this.#outline = value
    } else if (table === 'listtable') {
      if (word === 'list') this.#numbers = []
      else if (word === 'levelnfc' && this.#numbers.length < 9) this.#numbers.push(value)
      else if (word === 'listid' && this.#levels.size < MAX_ROWS) this.#levels.set(value, this.#numbers)
    } else if (word === 'listid') this.#listId = value
    else if (word === 'ls' && this.#listOf.size < MAX_ROWS) this.#listOf.set(value, this.#listId)
  }

  text(table: string, text: string): void {
    if (table !== 'stylesheet' || this.#name.length > 200) return
    this.#name += text
    if (!this.#name.includes(';')) return
    const kind =
      paragraphKindOfStyleName(this.#name.split(';', 1)[0]!.trim()) ??
      (this.#outline === undefined || this.#outline > 8 ? undefined : headingKindOfLevel(this.#outline + 1))
    if (kind && this.#style >= 0 && this.#styles.size < MAX_ROWS) this.#styles.set(this.#style, kind)
    this.#name = ''
  }

  codePage(font: number): number | undefined {
    return this.#codePages.get(font)
  }
  kind(style: number): ParagraphKind {
    return this.#styles.get(style) ?? 'text'
  }
  mark(list: number, level: number): 'bullet' | 'number' | undefined {
    const number = this.#levels.get(this.#listOf.get(list) ?? 0)?.[level] ?? BULLET
    return number === NO_NUMBER ? undefined : number === BULLET ? 'bullet' : 'number'
  }
}
