// Paragraphs of a word processor, one after another, as html: runs of the same look joined, flat list items nested, lines
// of code gathered, notes numbered and put at the end. Knows no file format; every reader of flowing text writes here.
import { escaped, type TableCell, tableHtml } from '../markup.ts'

export interface TextLook {
  bold?: boolean
  italic?: boolean
  strike?: boolean
  code?: boolean
  raised?: 'sup' | 'sub' | undefined
}

/** What stands in one paragraph. */
export class ParagraphText {
  readonly #parts: { html: string; tags: string[]; isSpace: boolean }[] = []

  write(text: string, look: TextLook = {}, link?: string): void {
    if (text === '') return
    const tags: string[] = []
    if (link) tags.push(`a href="${escaped(link)}"`)
    if (look.bold) tags.push('strong')
    if (look.italic) tags.push('em')
    if (look.strike) tags.push('s')
    if (look.code) tags.push('code')
    if (look.raised) tags.push(look.raised)
    this.#parts.push({ html: escaped(text).replaceAll('\n', '<br>'), tags, isSpace: text.trim() === '' })
  }

  /** Ready html: a picture's text, the sign of a note. */
  add(html: string): void {
    if (html) this.#parts.push({ html, tags: [], isSpace: false })
  }

  get isEmpty(): boolean {
    return this.#parts.every(({ isSpace }) => isSpace)
  }

  /** Without any look, and with its spaces. */
  toCode(): string {
    return this.#parts.map(({ html }) => html.replaceAll('<br>', '\n').replace(/<[^>]*>/g, '')).join('')
  }

  /** A heading is bold by nature and needs no marks for it. */
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
      // A space belongs to either side: it ends no bold, but it is not part of a link that begins or ends there.
      goTo(isSpace ? open.filter((tag) => !tag.startsWith('a ') || wanted.includes(tag)) : wanted)
      html += part
    }
    goTo([])
    return trimmed(html)
  }
}

const BREAK = '<br>'
const isSpaceAt = (html: string, at: number): boolean => /\s/.test(html.charAt(at))

/** Without breaks and spaces at its ends. From either end inwards: a search for those at the end would try every run of them. */
function trimmed(html: string): string {
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

export const headingKind = (level: number): ParagraphKind => Math.min(6, Math.max(1, level)) as ParagraphKind

export interface ListPlace {
  level: number
  ordered: boolean
  /** The number that is shown; a list that goes on after a paragraph goes on counting. */
  number?: number
  /** Another paragraph of the item before. */
  continues?: boolean
}

/** Notes of a whole document, wherever in it they are referred to. */
export class Notes {
  readonly #notes: string[] = []

  /** Html of the sign that refers to it. */
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

/** What is said beside a slide. */
export const spokenHtml = (lines: readonly string[]): string =>
  lines.length > 0 ? `<blockquote><p>Notes: ${lines.map(escaped).join('</p><p>')}</p></blockquote>` : ''

export class Prose {
  readonly #parts: string[] = []
  #lists: { tag: 'ul' | 'ol'; level: number }[] = []
  #code: string[] = []
  #quote: string[] = []

  paragraph(line: ParagraphText, kind: ParagraphKind = 'text', list?: ListPlace): void {
    if (kind === 'code') this.#codeLine(line)
    else if (line.isEmpty) return
    else if (list && typeof kind !== 'number') this.#item(line.toHtml(), list)
    else if (kind === 'quote') {
      this.#end('quote')
      this.#quote.push(`<p>${line.toHtml()}</p>`)
    } else {
      this.#end()
      const tag = typeof kind === 'number' ? `h${kind}` : 'p'
      this.#parts.push(`<${tag}>${line.toHtml({ plain: typeof kind === 'number' })}</${tag}>`)
    }
  }

  table(rows: readonly (readonly TableCell[])[]): void {
    this.add(tableHtml(rows))
  }

  /** Ready html of a block. */
  add(html: string): void {
    if (!html) return
    this.#end()
    this.#parts.push(html)
  }

  toHtml(): string {
    this.#end()
    return this.#parts.join('\n')
  }

  /** As it stands in a cell, an item or a note: a single paragraph needs no element of its own. */
  toInnerHtml(): string {
    this.#end()
    return this.#parts.every((part) => part.startsWith('<p>'))
      ? this.#parts.map((part) => part.slice(3, -4)).join('<br>')
      : this.#parts.join('\n')
  }

  #codeLine(line: ParagraphText): void {
    this.#end('code')
    // A blank line is code only between other lines of it.
    if (this.#code.length > 0 || !line.isEmpty) this.#code.push(line.toCode())
  }

  #item(html: string, { level, ordered, number = 1, continues }: ListPlace): void {
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
