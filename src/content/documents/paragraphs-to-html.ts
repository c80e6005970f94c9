// Builds HTML from paragraphs of any word-processor format: joins equally formatted runs, nests list items, groups code
// lines and collects notes.
import { escapeHtml } from '../../base/escape-html.ts'
import { type TableCell, tableToHtml } from '../escape-and-build-html.ts'

export interface RunStyle {
  bold?: boolean
  italic?: boolean
  strike?: boolean
  code?: boolean
  raised?: 'sup' | 'sub' | undefined
}

export class ParagraphText {
  readonly #parts: { html: string; tags: string[]; isSpace: boolean }[] = []

  write(text: string, style: RunStyle = {}, link?: string): void {
    if (text === '') return
    const tags: string[] = []
    if (link) tags.push(`a href="${escapeHtml(link)}"`)
    if (style.bold) tags.push('strong')
    if (style.italic) tags.push('em')
    if (style.strike) tags.push('s')
    if (style.code) tags.push('code')
    if (style.raised) tags.push(style.raised)
    this.#parts.push({ html: escapeHtml(text).replaceAll('\n', '<br>'), tags, isSpace: text.trim() === '' })
  }

  add(html: string): void {
    if (html) this.#parts.push({ html, tags: [], isSpace: false })
  }

  get isEmpty(): boolean {
    return this.#parts.every(({ isSpace }) => isSpace)
  }

  toCode(): string {
    return this.#parts.map(({ html }) => html.replaceAll('<br>', '\n').replace(/<[^>]*>/g, '')).join('')
  }

  /** `plain` omits bold and italic, as in headings. */
  toHtml({ plain = false } = {}): string {
    let html = ''
    let open: string[] = []
    const goTo = (tags: readonly string[]) => {
      let same = 0
      while (same < open.length && open[same] === tags[same]) same++
      for (const tag of open.slice(same).reverse()) html += `</${tag.split(' ', 1)[0]}>`
      for (const tag of tags.slice(same)) html += `<${tag}>`
      open = [...tags]
    }
    for (const { html: part, tags, isSpace } of this.#parts) {
      const wanted = plain ? tags.filter((tag) => tag !== 'strong' && tag !== 'em') : tags
      // A space does not end formatting, but is not part of a link that starts or ends there.
      goTo(isSpace ? open.filter((tag) => !tag.startsWith('a ') || wanted.includes(tag)) : wanted)
      html += part
    }
    goTo([])
    return trimHtml(html)
  }
}

const BREAK = '<br>'
const isSpaceAt = (html: string, at: number): boolean => /\s/.test(html.charAt(at))

/** Trims breaks and spaces by index; a regular expression for the end would be quadratic. */
function trimHtml(html: string): string {
  let from = 0
  let to = html.length
  for (;;) {
    if (html.startsWith(BREAK, from)) from += BREAK.length
    else if (isSpaceAt(html, from)) from++
    else break
  }
  for (;;) {
    if (to > from && isSpaceAt(html, to - 1)) to--
    else if (to - from >= BREAK.length && html.startsWith(BREAK, to - BREAK.length)) to -= BREAK.length
    else break
  }
  return html.slice(from, to)
}

export type ParagraphKind = 'text' | 'quote' | 'code' | 1 | 2 | 3 | 4 | 5 | 6

export const headingKindOfLevel = (level: number): ParagraphKind => Math.min(6, Math.max(1, level)) as ParagraphKind

export interface ListPosition {
  level: number
  ordered: boolean
  /** The displayed number, since a list may continue after a paragraph. */
  number?: number
  continues?: boolean
  /** The number as displayed, which headings show: `2.1`, `Part B`. */
  label?: string
}

/** More than any document lists. */
const MAX_LIST_NUMBER = 1_000_000

/** The number or level that a file states for a list: files may state `1e999` and `1.5`, too. */
export function readListNumber(text: string | undefined): number | undefined {
  const number = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isInteger(number) && number >= 0 && number <= MAX_LIST_NUMBER ? number : undefined
}

/** In the counting of a numbered level: `1`, `a`, `A`, `i` or `I`. */
export function numeral(number: number, format: string): string {
  let text = ''
  if (/^a$/i.test(format))
    for (let left = number; left > 0; left = Math.floor((left - 1) / 26)) text = LETTERS[(left - 1) % 26] + text
  else if (/^i$/i.test(format) && number < 4000) {
    let left = number
    for (const [sign, value] of ROMAN) for (; left >= value; left -= value) text += sign
  }
  return (format === format.toLowerCase() ? text : text.toUpperCase()) || String(number)
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const ROMAN = Object.entries({
  m: 1000,
  cm: 900,
  d: 500,
  cd: 400,
  c: 100,
  xc: 90,
  l: 50,
  xl: 40,
  x: 10,
  ix: 9,
  v: 5,
  iv: 4,
  i: 1,
})

export class NoteList {
  readonly #notes: string[] = []

  add(html: string): string {
    const number = this.#notes.push(html)
    return `<sup><a href="#footnote-${number}" id="footnote-ref-${number}">[${number}]</a></sup>`
  }

  toHtml(): string {
    if (this.#notes.length === 0) return ''
    const items = this.#notes.map(
      (note, at) => `<li id="footnote-${at + 1}"><p>${note} <a href="#footnote-ref-${at + 1}">↑</a></p></li>`,
    )
    return `\n<ol>${items.join('\n')}</ol>`
  }
}

export const speakerNotesToHtml = (lines: readonly string[]): string =>
  lines.length > 0 ? `<blockquote><p>Notes: ${lines.map(escapeHtml).join('</p><p>')}</p></blockquote>` : ''

export class HtmlBuilder {
  readonly #parts: string[] = []
  #lists: { tag: 'ul' | 'ol'; level: number }[] = []
  #code: string[] = []
  #quote: string[] = []

  paragraph(line: ParagraphText, kind: ParagraphKind = 'text', list?: ListPosition): void {
    if (kind === 'code') this.#codeLine(line)
    else if (line.isEmpty) return
    else if (list && typeof kind !== 'number') this.#item(line.toHtml(), list)
    else if (kind === 'quote') {
      this.#end('quote')
      this.#quote.push(`<p>${line.toHtml()}</p>`)
    } else {
      this.#end()
      const tag = typeof kind === 'number' ? `h${kind}` : 'p'
      const label = typeof kind === 'number' && list?.label ? `${escapeHtml(list.label)} ` : ''
      this.#parts.push(`<${tag}>${label}${line.toHtml({ plain: typeof kind === 'number' })}</${tag}>`)
    }
  }

  table(rows: readonly (readonly TableCell[])[]): void {
    this.add(tableToHtml(rows))
  }

  add(html: string): void {
    if (!html) return
    this.#end()
    this.#parts.push(html)
  }

  toHtml(): string {
    this.#end()
    return this.#parts.join('\n')
  }

  /** For cells, items and notes: plain paragraphs become lines without <p>. */
  toInnerHtml(): string {
    this.#end()
    return this.#parts.every((part) => part.startsWith('<p>'))
      ? this.#parts.map((part) => part.slice(3, -4)).join('<br>')
      : this.#parts.join('\n')
  }

  #codeLine(line: ParagraphText): void {
    this.#end('code')
    if (this.#code.length > 0 || !line.isEmpty) this.#code.push(line.toCode())
  }

  #item(html: string, { level, ordered, number = 1, continues }: ListPosition): void {
    this.#end('list')
    if (continues && this.#lists.length > 0) {
      this.#parts.push(`<br>${html}`)
      return
    }
    const tag = ordered ? 'ol' : 'ul'
    while (this.#lists.length > 0 && this.#lists.at(-1)!.level > level) this.#closeList()
    if (this.#lists.at(-1)?.level === level && this.#lists.at(-1)?.tag !== tag) this.#closeList()
    if (this.#lists.at(-1)?.level === level) this.#parts.push('</li>')
    else {
      this.#lists.push({ tag, level })
      this.#parts.push(ordered && number !== 1 ? `<ol start="${number}">` : `<${tag}>`)
    }
    this.#parts.push(`<li>${html}`)
  }

  #closeList(): void {
    this.#parts.push(`</li></${this.#lists.pop()!.tag}>`)
  }

  #end(but?: 'list' | 'code' | 'quote'): void {
    if (but !== 'list') while (this.#lists.length > 0) this.#closeList()
    if (but !== 'code' && this.#code.length > 0) {
      while (this.#code.at(-1)?.trim() === '') this.#code.pop()
      this.#parts.push(`<pre><code>${this.#code.join('\n')}</code></pre>`)
      this.#code = []
    }
    if (but !== 'quote' && this.#quote.length > 0) {
      this.#parts.push(`<blockquote>${this.#quote.join('')}</blockquote>`)
      this.#quote = []
    }
  }
}
