// Writes markdown: blocks with line prefixes and the inline pieces of the current block.

import { escapeLineStart, escapeMarkdownText } from './escape-markdown.ts'
import { movePunctuationOutOfEmphasis } from './move-punctuation-out-of-emphasis.ts'

/** flow: block boundaries start blocks; line (headings): they become spaces; cell: they become `<br>`. */
type WritingMode = 'flow' | 'line' | 'cell'

interface Mark {
  readonly kind: string
  open: string
  close: string
  /** Text was written inside: a link that spans blocks is not reopened. */
  written: boolean
  /** Inside a mark of its kind. Ends with its block, since it may be a start tag meant to be an end tag. */
  readonly isNested: boolean
}

const TEXT = 0
const OPEN = 1
const CLOSE = 2
const ATOM = 3

type Container = { readonly prefix: string; readonly first: string | null; readonly blocks: number }

// Deeper nesting adds no prefix, because output would grow quadratically with depth.
const MAX_PREFIX_CHARS = 64
const MAX_EMPHASIS_DEPTH = 3

export class MarkdownWriter {
  readonly #out: string[] = []
  #blocks = 0
  #prefix = ''
  /** Prefix of the next line if different: holds pending list markers. */
  #first: string | null = null
  #gapPrefix = ''
  #gap: 1 | 2 = 2

  #pieces: string[] = []
  #kinds: number[] = []
  #space = false
  #breaks = 0
  #emphasis = false
  readonly #marks: Mark[] = []
  #opened = 0

  mode: WritingMode = 'flow'
  heading = 0

  text(data: string): void {
    let text = data
    if (AWKWARD.test(text)) {
      if (INVISIBLE_CHARACTER.test(text)) text = text.replace(INVISIBLE_ALL, '')
      text = text.replace(BLANKS, ' ')
    }
    if (text === '') return
    const start = text.charCodeAt(0) === 0x20 ? 1 : 0
    if (start) this.#space = true
    if (text.length === start) return
    const trailing = text.charCodeAt(text.length - 1) === 0x20
    this.#content()
    // Escaped before trimming, since `2 * 3` depends on its spaces.
    const escaped = escapeMarkdownText(text, this.#inLink())
    this.#push(start || trailing ? escaped.slice(start, trailing ? -1 : undefined) : escaped, TEXT)
    for (const mark of this.#marks) mark.written = true
    if (trailing) this.#space = true
  }

  atom(markdown: string, isText = true): void {
    this.#content()
    this.#push(markdown, ATOM)
    if (isText) for (const mark of this.#marks) mark.written = true
  }

  /** Written only between two pieces of content. */
  space(): void {
    this.#space = true
  }

  break(): void {
    this.#breaks++
  }

  open(kind: string, open: string, close: string, isDouble = false): Mark | undefined {
    const outer = this.#marks.filter((mark) => mark.kind === kind)
    if (isDouble && outer.length > 0 && outer.length < MAX_EMPHASIS_DEPTH && this.mode !== 'line') {
      const sign = outer.length % 2 === 1 ? open.replaceAll('*', '_') : open
      const mark = { kind, open: sign, close: sign, written: false, isNested: true }
      this.#marks.push(mark)
      return mark
    }
    // Emphasis inside text that is emphasised; `<b><b>` is one mark.
    const isNested =
      outer.length === 1 && outer[0]!.written && isEmphasis(outer[0]!) && /[\s(]/.test(this.lastCharacter)
    if (outer.length > 0 && !isNested) return undefined
    const mark = { kind, open, close, written: false, isNested }
    this.#marks.push(mark)
    return mark
  }

  close(mark: Mark): void {
    const at = this.#marks.lastIndexOf(mark)
    if (at < 0) return
    this.#closeDownTo(at)
    this.#marks.splice(at, 1)
  }

  /** Ends a mark before its element does, for example a link inside a link. */
  endMark(kind: string): void {
    const mark = this.#marks.find((one) => one.kind === kind)
    if (mark) this.close(mark)
  }

  hasMark(kind: string): boolean {
    return this.#marks.some((mark) => mark.kind === kind)
  }

  get isRunEmpty(): boolean {
    return this.#pieces.length === 0
  }

  get lastCharacter(): string {
    if (this.#space || this.#breaks) return ' '
    return this.#pieces[this.#pieces.length - 1]?.at(-1) ?? ''
  }

  #inLink(opened = this.#marks.length): boolean {
    for (let at = 0; at < opened; at++) {
      const mark = this.#marks[at]!
      if (mark.kind === 'link' && mark.open) return true
    }
    return false
  }

  #push(piece: string, kind: number): void {
    this.#pieces.push(piece)
    this.#kinds.push(kind)
  }

  #content(): void {
    if (this.#breaks > 0 && this.#pieces.length > 0) {
      if (this.mode === 'cell') this.#push('<br>', ATOM)
      else if (this.mode === 'line' || this.#inLink(this.#opened)) this.#push(' ', TEXT)
      else if (this.#breaks === 1) this.#push('  \n', ATOM)
      else this.flush()
    } else if (this.#space && this.#pieces.length > 0) this.#push(' ', TEXT)
    this.#space = false
    this.#breaks = 0
    while (this.#opened < this.#marks.length) this.#openMark(this.#marks[this.#opened++]!)
  }

  #openMark(mark: Mark): void {
    if (mark.open === '') return
    const last = this.#pieces.length - 1
    if (mark.kind === 'link') {
      // `!` before a link would make it an image, and two adjacent links would run together.
      const before = this.#pieces[last]
      if (before?.endsWith('!') && this.#kinds[last] === TEXT) this.#pieces[last] = `${before.slice(0, -1)}\\!`
      if (before?.endsWith(')') && this.#kinds[last] === ATOM) this.#push(' ', TEXT)
      this.#push(mark.open, ATOM)
      return
    }
    if (isEmphasis(mark)) {
      this.#emphasis = true
      // Joins <b>a</b><b>b</b> into one bold word.
      if (this.#kinds[last] === CLOSE && this.#pieces[last] === mark.open) {
        this.#pieces.pop()
        this.#kinds.pop()
      } else this.#push(mark.open, OPEN)
      return
    }
    this.#push(mark.open, ATOM)
  }

  #closeDownTo(at: number): void {
    while (this.#opened > at) {
      const mark = this.#marks[--this.#opened]!
      if (mark.close !== '') this.#push(mark.close, isEmphasis(mark) ? CLOSE : ATOM)
    }
  }

  boundary(): void {
    if (this.mode === 'flow') this.flush()
    else if (this.mode === 'line') this.#space = true
    else this.#breaks = 1
  }

  flush(): void {
    this.#space = false
    this.#breaks = 0
    const text = this.#takeRun()
    if (text === '') return
    if (this.heading > 0) this.block(`${'#'.repeat(this.heading)} ${text.replace(/(^|\s)(#+)$/, '$1\\$2')}`)
    else if (text.includes('\n')) this.block(text.split('\n').map(escapeLineStart).join('\n'))
    else this.block(escapeLineStart(text))
  }

  #takeRun(): string {
    if (this.#pieces.length === 0) return ''
    this.#closeDownTo(0)
    for (const mark of this.#marks) {
      if (mark.isNested || (mark.kind === 'link' && mark.written)) mark.open = mark.close = ''
    }
    if (this.#emphasis) movePunctuationOutOfEmphasis(this.#pieces, this.#kinds, this.heading > 0)
    const text = this.#pieces.join('')
    this.#pieces = []
    this.#kinds = []
    this.#emphasis = false
    return text
  }

  startCapture(mode: WritingMode): void {
    this.flush()
    this.mode = mode
  }

  endCapture(): string {
    this.#space = false
    this.#breaks = 0
    this.mode = 'flow'
    return this.#takeRun()
  }

  block(text: string): void {
    if (this.#blocks > 0) {
      this.#out.push(this.#gap === 1 ? '\n' : `\n${this.#gapPrefix.trimEnd()}\n`)
    }
    const before = this.#first ?? this.#prefix
    this.#out.push(text === '' ? before.trimEnd() : before)
    if (this.#prefix === '' || !text.includes('\n')) this.#out.push(text)
    else {
      const lines = text.split('\n')
      const blank = this.#prefix.trimEnd()
      for (let at = 0; at < lines.length; at++) {
        const line = lines[at]!
        if (at > 0) this.#out.push('\n', line === '' ? blank : this.#prefix)
        this.#out.push(line)
      }
    }
    this.#blocks++
    this.#first = null
    this.#gap = 2
    this.#gapPrefix = this.#prefix
  }

  enter(first: string, rest: string): Container {
    this.flush()
    const outside = { prefix: this.#prefix, first: this.#first, blocks: this.#blocks }
    if (this.#prefix.length < MAX_PREFIX_CHARS) {
      this.#first = (this.#first ?? this.#prefix) + first
      this.#prefix += rest
    }
    return outside
  }

  leave(outside: Container): void {
    this.flush()
    this.#prefix = outside.prefix
    // If nothing was written inside, drops the marker; the outer one is still pending.
    this.#first = outside.blocks === this.#blocks ? outside.first : null
    if (this.#gapPrefix.length > this.#prefix.length) this.#gapPrefix = this.#prefix
    this.#gap = 2
  }

  /** No blank line before the next block (tight lists), unless a marker is pending. */
  tight(): void {
    this.flush()
    this.#gap = 1
  }

  get blocks(): number {
    return this.#blocks
  }

  get isFresh(): boolean {
    return this.#first !== null
  }

  toString(): string {
    this.flush()
    return this.#out.join('')
  }
}

const isEmphasis = (mark: Mark): boolean => mark.kind === 'strong' || mark.kind === 'em' || mark.kind === 'strike'

const AWKWARD = /[\t\n\f\r\u00a0\u00ad\u200b\ufeff\u2028\u2029]| {2}/
const BLANKS = /[ \t\n\f\r\u00a0\u2028\u2029]+/g
// Soft hyphens, zero-width spaces and stray BOMs split words.
const INVISIBLE_CHARACTER = /[\u00ad\u200b\ufeff]/
const INVISIBLE_ALL = /[\u00ad\u200b\ufeff]+/g
