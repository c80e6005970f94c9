// Rich Text Format: text, bold, italic, tables and headings of a control-word language. Pictures, objects and whatever
// else stands in a destination we do not know are passed over. One pass, a stack of states, no recursion.
import { Problem } from '../../base/problem.ts'
import type { DocumentReading } from './document.ts'
import { escaped, htmlPage, tableHtml } from './markup.ts'

/** Groups that hold no text of the document. */
const SILENT = new Set(
  'fonttbl colortbl stylesheet listtable listoverridetable info pict object header headerl headerr headerf footer footerl footerr footerf generator themedata colorschememapping datastore latentstyles xmlnstbl rsidtbl fldinst annotation atnid atnauthor atndate atnref atnicn revtbl filetbl pgptbl mmathPr pntext pntxta pntxtb nonshppict shpinst bkmkstart bkmkend'.split(
    ' ',
  ),
)
const SPECIAL: Readonly<Record<string, string>> = {
  tab: ' ',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  line: '\n',
}
const MAX_DEPTH = 1000
const TOKEN = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\/g

interface State {
  silent: boolean
  bold: boolean
  italic: boolean
  /** Characters that follow a \u for readers that do not know it. */
  skip: number
}

class Paragraphs {
  readonly parts: string[] = []
  #html = ''
  #cells: string[] = []
  #rows: string[][] = []
  heading = 0
  inTable = false
  isItem = false

  write(text: string, { bold, italic }: State): void {
    const html = escaped(text).replaceAll('\n', '<br>')
    const styled =
      text.trim() === ''
        ? html
        : `${bold ? '<strong>' : ''}${italic ? '<em>' : ''}${html}${italic ? '</em>' : ''}${bold ? '</strong>' : ''}`
    this.#html += styled
  }
  cell(): void {
    this.#cells.push(this.#take())
  }
  row(): void {
    if (this.#cells.length > 0) this.#rows.push(this.#cells)
    this.#cells = []
  }
  paragraph(): void {
    if (this.inTable) {
      if (this.#html) this.#html += '<br>'
      return
    }
    this.#endTable()
    const html = this.#take()
    if (!html) return
    const tag = this.heading > 0 ? `h${Math.min(6, this.heading)}` : 'p'
    this.parts.push(this.isItem ? `<ul><li>${html}</li></ul>` : `<${tag}>${html}</${tag}>`)
  }
  end(): string {
    this.inTable = false
    this.row()
    this.paragraph()
    this.#endTable()
    return this.parts.join('\n').replaceAll('</ul>\n<ul>', '\n')
  }
  #endTable(): void {
    if (this.#rows.length > 0) this.parts.push(tableHtml(this.#rows))
    this.#rows = []
  }
  #take(): string {
    const html = this.#html.replace(/<\/strong><strong>|<\/em><em>/g, '').replace(/^(?:<br>|\s)+|(?:<br>|\s)+$/g, '')
    this.#html = ''
    return html
  }
}

export function readRtf(bytes: Uint8Array): DocumentReading {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const decoder = decoderOf(Number(/\\ansicpg(\d+)/.exec(source.slice(0, 2000))?.[1] ?? 1252))
  const out = new Paragraphs()
  const stack: State[] = []
  let state: State = { silent: false, bold: false, italic: false, skip: 1 }
  let toSkip = 0
  let bytesWaiting: number[] = []
  const write = (text: string) => {
    if (!state.silent && text) out.write(text, state)
  }
  const flush = () => {
    if (bytesWaiting.length > 0) write(decoder.decode(Uint8Array.from(bytesWaiting)))
    bytesWaiting = []
  }
  for (const match of source.matchAll(TOKEN)) {
    const [, word, number, hex, symbol, brace, text] = match
    if (hex) {
      if (toSkip > 0) toSkip--
      else bytesWaiting.push(Number.parseInt(hex, 16))
      continue
    }
    flush()
    if (brace === '{') {
      if (stack.length >= MAX_DEPTH) throw new Problem('unreadable_file', { because: 'its groups are nested too deep' })
      stack.push(state)
      state = { ...state }
    } else if (brace === '}') state = stack.pop() ?? state
    else if (text !== undefined) {
      const rest = text.slice(toSkip)
      toSkip = Math.max(0, toSkip - text.length)
      write(decoder.decode(Buffer.from(rest, 'latin1')))
    } else if (symbol !== undefined) {
      if (symbol === '*') state.silent = true
      else if (symbol === '~') write('\u00a0')
      else if (symbol === '_') write('-')
      else if ('\\{}'.includes(symbol)) write(symbol)
    } else if (word !== undefined) {
      if (word === 'u') {
        const code = Number(number ?? 0)
        write(String.fromCharCode(code < 0 ? code + 65_536 : code))
        toSkip = state.skip
      } else control(word, number === undefined ? undefined : Number(number), state, out, write)
    }
  }
  flush()
  return { kind: 'rtf', html: htmlPage(undefined, out.end()), metadata: {}, warnings: [] }
}

function control(
  word: string,
  number: number | undefined,
  state: State,
  out: Paragraphs,
  write: (text: string) => void,
): void {
  if (SILENT.has(word)) state.silent = true
  else if (Object.hasOwn(SPECIAL, word)) write(SPECIAL[word]!)
  else if (state.silent) return
  else if (word === 'b') state.bold = number !== 0
  else if (word === 'i') state.italic = number !== 0
  else if (word === 'plain') Object.assign(state, { bold: false, italic: false })
  else if (word === 'uc') state.skip = Math.min(8, Math.max(0, number ?? 1))
  else if (word === 'pard') Object.assign(out, { heading: 0, inTable: false, isItem: false })
  else if (word === 'outlinelevel') out.heading = (number ?? 0) + 1
  else if (word === 'ls') out.isItem = true
  else if (word === 'intbl') out.inTable = true
  else if (word === 'cell') out.cell()
  else if (word === 'row') out.row()
  else if (word === 'par' || word === 'sect' || word === 'page') out.paragraph()
}

function decoderOf(codePage: number): InstanceType<typeof TextDecoder> {
  const label =
    codePage === 932
      ? 'shift_jis'
      : codePage === 936
        ? 'gbk'
        : codePage === 949
          ? 'euc-kr'
          : codePage === 950
            ? 'big5'
            : `windows-${codePage}`
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder('windows-1252')
  }
}
