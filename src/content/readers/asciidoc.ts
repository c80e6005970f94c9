// Reads AsciiDoc as a page. Included files are links: nothing is fetched.
import { escapeHtml } from '../../base/escape-html.ts'
import { makeHtmlPage } from '../escape-and-build-html.ts'
import { parseTree } from '../parse-tree.ts'
import { convertInline, type InlineContext, imageToHtml, resolveAttributes } from './asciidoc-inline.ts'
import { tableToHtml } from './asciidoc-tables.ts'
import type { FileReading, MediaTypeReader } from './reader.ts'

export const asciidocReader: MediaTypeReader = {
  name: 'asciidoc',
  reads: (type) => /^text\/(?:x-)?asciidoc$/.test(type),
  read: readAsciidoc,
}

const MAX_CHARS = 10_000_000
const MAX_ADDED_CHARS = 1_000_000
const MAX_CELLS = 200_000
const MAX_DEPTH = 20

function readAsciidoc(text: string): FileReading {
  const source = text.slice(0, MAX_CHARS)
  const warnings = source === text ? [] : [`The file is longer than ${MAX_CHARS} characters; the rest was left out.`]
  const document = new AsciidocDocument()
  // Separators that `.` does not match end a line as well: no pattern meets them.
  const body = document.read(source.split(/\r\n?|[\n\u2028\u2029]/))
  if (document.isCut) warnings.push(`The tables of the file have more than ${MAX_CELLS} cells; the rest was left out.`)
  const page = parseTree(makeHtmlPage(document.title, body))
  return { tree: page.tree, warnings: [...warnings, ...page.warnings] }
}

const ATTRIBUTE = /^:(!?)([\w-]{1,100})(!?):(?:\s+(.*))?$/
const LINE_COMMENT = /^\/\/(?!\/)/
const FENCE = /^(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|\/{4,}|--|```[\w+-]*|[|,]={3,})$/
const BLOCK_ATTRIBUTES = /^\[(?!\().*\]$/
const ITEM =
  /^\s*(?:(?<bullet>\*{1,5}|-)|(?<number>\.{1,5}|\d{1,4}\.|[a-zA-Z]\.)|(?<callout><(?:\d{1,3}|\.)>))\s+(?<text>\S.*)$/
const TERM = /^(?<term>\S.{0,500}?)(?<marker>:{2,4}|;;)(?:\s+(?<text>.*))?$/
const ADMONITION = /^(NOTE|TIP|IMPORTANT|WARNING|CAUTION):\s+/
const MACRO = /^(image|video|audio|include|toc)::([^\s[]*)\[(.*)\]$/
const UNDERLINES = '=-~^+'

interface BlockAttributes {
  style: string
  language: string
  all: string
}
const NONE: BlockAttributes = { style: '', language: '', all: '' }

class AsciidocDocument {
  title: string | undefined
  readonly #attributes = new Map<string, string>()
  readonly #context: InlineContext = {
    attributes: this.#attributes,
    footnotes: [],
    left: MAX_ADDED_CHARS,
    cells: MAX_CELLS,
  }

  get isCut(): boolean {
    return this.#context.cells <= 0
  }

  read(lines: readonly string[]): string {
    const rest = this.#resolveConditions(lines).reverse()
    const body = this.#header(rest) + this.#blocks(rest, 0)
    const notes = this.#context.footnotes.map((note, at) => `<li id="footnote-${at + 1}"><p>${note}</p></li>`)
    return notes.length > 0 ? `${body}<ol>${notes.join('')}</ol>` : body
  }

  /** Lines of `ifdef` and `ifndef` whose condition is not met are dropped. */
  #resolveConditions(lines: readonly string[]): string[] {
    const known = new Map<string, boolean>()
    const open: boolean[] = []
    return lines.flatMap((line) => {
      const [, kind = '', names = '', inner = ''] = /^(ifn?def|ifeval|endif)::([^\s[]*)\[(.*)\]$/.exec(line) ?? []
      const isShown = open.at(-1) ?? true
      if (kind === 'endif') open.pop()
      else if (kind) {
        const isMet = kind === 'ifeval' || names.split(/[,+]/).some((name) => known.get(name)) === (kind === 'ifdef')
        if (inner && kind !== 'ifeval') return isMet && isShown ? [inner] : []
        open.push(isShown && isMet)
      }
      const [, before, name, after] = ATTRIBUTE.exec(line) ?? []
      if (name && isShown) known.set(name, !before && !after)
      return kind || !isShown ? [] : [line]
    })
  }

  /** The title, and the lines below it: author, revision and attributes. */
  #header(rest: string[]): string {
    while (this.#skipSilent(rest)) {}
    const isUnderlined = underlineLevel(rest.at(-1), rest.at(-2)) === 1
    const title = isUnderlined ? rest.at(-1) : /^[=#]\s+(.*)$/.exec(rest.at(-1) ?? '')?.[1]
    if (title === undefined) return ''
    rest.length -= isUnderlined ? 2 : 1
    const about: string[] = []
    while (/^[:/\p{L}\d](?!\w*::)/u.test(rest.at(-1) ?? '')) if (!this.#skipSilent(rest)) about.push(rest.pop()!)
    this.title = resolveAttributes(title, this.#context)
    return `<h1>${this.#inline(title)}</h1>${about.map((line) => `<p>${this.#inline(line)}</p>`).join('')}`
  }

  #define(line: string): boolean {
    const [, before, name = '', after, value = ''] = ATTRIBUTE.exec(line) ?? []
    if (!name) return false
    if (before || after) this.#attributes.delete(name.toLowerCase())
    else this.#attributes.set(name.toLowerCase(), resolveAttributes(value, this.#context).slice(0, 2000))
    return true
  }

  #skipSilent(rest: string[]): boolean {
    const line = rest.at(-1)?.trimEnd()
    if (line === undefined) return false
    if (/^\/{4,}$/.test(line)) takeFenced(rest)
    else if (line === '' || LINE_COMMENT.test(line) || this.#define(line)) rest.pop()
    else return false
    return true
  }

  #inline(text: string): string {
    return convertInline(text, this.#context)
  }

  /** `rest`: the lines in reverse, since the end of an array is taken in constant time. */
  #blocks(rest: string[], depth: number): string {
    let html = ''
    let attributes = NONE
    while (rest.length > 0) {
      if (this.#skipSilent(rest)) continue
      const line = rest.at(-1)!.trimEnd()
      if (BLOCK_ATTRIBUTES.test(line)) {
        attributes = mergeAttributes(attributes, line)
        rest.pop()
      } else if (/^\.[^\s.]/.test(line)) {
        html += `<p><strong>${this.#inline(line.slice(1))}</strong></p>`
        rest.pop()
      } else {
        html += this.#block(rest, attributes, depth)
        attributes = NONE
      }
    }
    return html
  }

  #block(rest: string[], attributes: BlockAttributes, depth: number): string {
    const line = rest.at(-1)!.trimEnd()
    if (FENCE.test(line)) return this.#fenced(rest, attributes, depth)
    const [, kind, target = '', inner = ''] = MACRO.exec(line) ?? []
    const [, signs, heading] = /^(={1,6}|#{1,6})\s+(\S.*)$/.exec(line) ?? []
    const level = signs?.length ?? underlineLevel(line, rest.at(-2))
    if (kind || level > 0 || /^(?:'{3,}|<<<|\*\*\*|---)$/.test(line)) {
      rest.pop()
      const address = resolveAttributes(target, this.#context)
      if (kind === 'image') return `<p>${imageToHtml(address, inner, this.#context)}</p>`
      if (address.includes('{')) return `<p>${escapeHtml(address)}</p>`
      if (kind) return address ? `<p><a href="${escapeHtml(address)}">${escapeHtml(address)}</a></p>` : ''
      if (level === 0) return line === '<<<' ? '' : '<hr>'
      if (!signs) rest.pop()
      return `<h${level}>${this.#inline(heading ?? line)}</h${level}>`
    }
    if (depth < MAX_DEPTH && markerOf(line)) return this.#list(rest, [], depth)
    return this.#paragraph(takeParagraph(rest), attributes)
  }

  #paragraph(lines: readonly string[], { style, language, all }: BlockAttributes): string {
    const isIndented = !style && lines.every((line) => /^\s/.test(line))
    if (/^(?:source|listing|literal|stem|latexmath|asciimath|pass)$/.test(style) || isIndented)
      return verbatim(style, language, withoutIndent(lines))
    const text = lines
      .map((line) => line.trimStart())
      .filter((line) => !LINE_COMMENT.test(line))
      .join('\n')
    const label = ADMONITION.exec(text)?.[1]
    const html = this.#inline(label ? text.slice(label.length + 1).trimStart() : text)
    if (style === 'verse') return `<blockquote><p>${html.replaceAll('\n', '<br>')}</p>${this.#source(all)}</blockquote>`
    if (style === 'quote') return `<blockquote><p>${html}</p>${this.#source(all)}</blockquote>`
    return this.#admonition(label ?? style, `<p>${html}</p>`)
  }

  /** The author and the work of a quotation. */
  #source(all: string): string {
    const names = all
      .split(',')
      .slice(1)
      .map((name) => name.trim())
      .filter((name) => name && !name.includes('='))
    return names.length > 0 ? `<p>— ${this.#inline(names.join(', '))}</p>` : ''
  }

  #admonition(style: string, html: string): string {
    if (!ADMONITION.test(`${style}: `)) return html
    return `<blockquote><p><strong>${style[0]}${style.slice(1).toLowerCase()}</strong></p>${html}</blockquote>`
  }

  #fenced(rest: string[], attributes: BlockAttributes, depth: number): string {
    const { fence, inner } = takeFenced(rest)
    const { style, language, all } = attributes
    const sign = fence[0]!
    if (sign === '/') return ''
    if (/^[|,]=/.test(fence)) {
      const more = sign === ',' ? `${all},format=csv` : all
      const cell = (text: string, isBlocks: boolean) =>
        isBlocks && depth < MAX_DEPTH ? this.#blocks(text.split('\n').reverse(), depth + 1) : this.#inline(text)
      return tableToHtml(inner, more, this.#context, cell)
    }
    if (style === 'verse') return this.#paragraph(inner, attributes)
    if (sign === '`') return verbatim('source', fence.slice(3), inner)
    if (sign === '+') return verbatim(style || 'pass', '', inner)
    const isVerbatim = /^(?:-{4}|\.)/.test(fence) || /^(?:source|listing|literal|stem|latexmath)$/.test(style)
    if (isVerbatim || depth >= MAX_DEPTH) return verbatim(style || 'listing', language, inner)
    const html = this.#blocks(inner.reverse(), depth + 1)
    if (sign === '_' || style === 'quote') return `<blockquote>${html}${this.#source(all)}</blockquote>`
    return this.#admonition(style, html)
  }

  /** `outer`: markers of the lists around, innermost last. */
  #list(rest: string[], outer: readonly string[], depth: number): string {
    const first = markerOf(rest.at(-1)!)
    let html = ''
    while (rest.length > 0 && markerOf(rest.at(-1)!) === first) {
      const line = rest.pop()!
      const { bullet, number, callout, text = '' } = ITEM.exec(line)?.groups ?? {}
      const { term, text: definition = '' } = bullet || number || callout ? {} : (TERM.exec(line)?.groups ?? {})
      const lines = [term === undefined ? text : definition, ...takeItemLines(rest)]
      const own = this.#inline(
        lines
          .map((one) => one.trim())
          .join('\n')
          .trim()
          .replace(/^\[(?:x|\*| )\] /, ''),
      )
      html += term === undefined ? `<li>${own}` : `<dt>${this.#inline(term)}</dt><dd>${own}`
      html += this.#afterItem(rest, [...outer, first], depth)
      html += term === undefined ? '</li>' : '</dd>'
      skipBlank(rest)
    }
    const tag = /^[*-]/.test(first) ? 'ul' : /^[:;]/.test(first) ? 'dl' : 'ol'
    return `<${tag}>${html}</${tag}>`
  }

  /** Blocks behind a `+`, and lists with a marker that is not open yet. */
  #afterItem(rest: string[], markers: readonly string[], depth: number): string {
    let html = ''
    for (;;) {
      if (rest.at(-1)?.trim() === '+') {
        rest.pop()
        let attributes = NONE
        while (BLOCK_ATTRIBUTES.test(rest.at(-1) ?? '')) attributes = mergeAttributes(attributes, rest.pop()!)
        if (rest.length > 0) html += this.#block(rest, attributes, depth + 1)
        continue
      }
      const blank = skipBlank(rest)
      const marker = markerOf(rest.at(-1) ?? '')
      if (!marker || markers.includes(marker)) {
        // An empty line ends the paragraph of an outer item.
        if (blank) rest.push('')
        return html
      }
      html += this.#list(rest, markers, depth)
    }
  }
}

function skipBlank(rest: string[]): boolean {
  const before = rest.length
  while (rest.length > 0 && (rest.at(-1)!.trim() === '' || LINE_COMMENT.test(rest.at(-1)!))) rest.pop()
  return rest.length < before
}

/** The marker of a list item: numbers and letters are one. */
function markerOf(line: string): string {
  const { bullet, number, callout } = ITEM.exec(line)?.groups ?? {}
  if (bullet || callout) return bullet ?? '<'
  if (number) return number.startsWith('.') ? number : '1.'
  return TERM.exec(line)?.groups?.marker ?? ''
}

const opensBlock = (line: string): boolean =>
  FENCE.test(line.trimEnd()) || BLOCK_ATTRIBUTES.test(line.trimEnd()) || line.startsWith('include::')

function takeFenced(rest: string[]): { fence: string; inner: string[] } {
  const fence = rest.pop()!.trimEnd()
  const end = fence.startsWith('```') ? '```' : fence
  const inner: string[] = []
  while (rest.length > 0) {
    const line = rest.pop()!
    if (line.trimEnd() === end) break
    inner.push(line)
  }
  return { fence, inner }
}

function takeParagraph(rest: string[]): string[] {
  const lines = [rest.pop()!]
  while (rest.length > 0 && rest.at(-1)!.trim() !== '' && rest.at(-1)!.trim() !== '+' && !opensBlock(rest.at(-1)!))
    lines.push(rest.pop()!)
  return lines
}

function takeItemLines(rest: string[]): string[] {
  const lines: string[] = []
  for (;;) {
    const line = rest.at(-1)
    if (line === undefined || line.trim() === '' || line.trim() === '+' || opensBlock(line) || markerOf(line))
      return lines
    lines.push(rest.pop()!)
  }
}

const withoutIndent = (lines: readonly string[]): string[] => {
  const least = Math.min(...lines.slice(0, 1000).map((line) => line.search(/\S/)))
  return lines.map((line) => line.slice(Math.max(0, least)))
}

function verbatim(style: string, language: string, lines: readonly string[]): string {
  const text = lines.join('\n')
  if (style === 'pass') return text
  if (/^(?:stem|latexmath)$/.test(style))
    return `<p><script type="math/tex; mode=display">${text.replaceAll('</', '<\\/')}</script></p>`
  const named = /^[\w+#.-]{1,40}$/.test(language) ? ` class="language-${language}"` : ''
  return `<pre><code${named}>${escapeHtml(text)}</code></pre>`
}

/** The level of a title whose next line underlines it. */
function underlineLevel(title: string | undefined, line: string | undefined): number {
  if (!title || !line || !/^([=~^+-])\1{2,}$/.test(line) || !/^[\p{L}\p{N}]/u.test(title)) return 0
  return Math.abs(title.trimEnd().length - line.length) <= 1 ? UNDERLINES.indexOf(line[0]!) + 1 : 0
}

/** Lines of attributes above a block add to each other; an anchor says nothing. */
function mergeAttributes(known: BlockAttributes, line: string): BlockAttributes {
  if (line.startsWith('[[')) return known
  const all = line.trimEnd().slice(1, -1)
  const [first = '', second = ''] = all.split(',')
  const style = /^[\w-]*/.exec(first.trim())![0]
  return {
    style: first.includes('=') || !style ? known.style : style,
    language: second.includes('=') ? known.language : second.trim() || known.language,
    all: known.all ? `${known.all},${all}` : all,
  }
}
