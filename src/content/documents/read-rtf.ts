// Parses Rich Text Format in one pass with a stack of states and no recursion.

import { makeLookupTable } from '../../base/lookup-table.ts'
import { Problem } from '../../base/problem.ts'
import { altTextToHtml, linkOfWordField, makeHtmlPage } from '../escape-and-build-html.ts'
import type { PageMetadata } from '../metadata.ts'
import { titleOfMetadata } from './office-metadata.ts'
import { NoteList, type RunStyle } from './paragraphs-to-html.ts'
import { RTF_HEADER_TABLES, RtfHeaderTables } from './rtf-header-tables.ts'
import { RtfTextCollector } from './rtf-text-collector.ts'
import type { DocumentReading } from './sniff-document.ts'

/** Groups without document text. Groups with `\*` are skipped unless listed in STARRED. */
const GROUPS_WITHOUT_TEXT = new Set(
  'colortbl info pict object header headerl headerr headerf footer footerl footerr footerf listtext pntext pntxta pntxtb nonshppict nonesttables shprslt sp sn'.split(
    ' ',
  ),
)
const STARRED = new Set(['footnote', 'fldinst', 'shpinst', 'shppict', 'pn', ...RTF_HEADER_TABLES])
const FACTS = makeLookupTable<string>({
  title: 'title',
  author: 'author',
  subject: 'subject',
  keywords: 'keywords',
  doccomm: 'description',
})
const SPECIAL = makeLookupTable<string>({
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
})
const MAX_DEPTH = 1000
const MAX_COLLECTED = 4000
const TOKEN = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\/y

interface Collected {
  text: string
}
interface State {
  where: string
  style: RunStyle
  isHidden: boolean
  skip: number
  font: number
  flow: RtfTextCollector
  collected: Collected
  field: Collected
  link: string | undefined
}

export function readRtf(bytes: Uint8Array): DocumentReading {
  const reader = new Reader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'))
  const html = reader.read()
  const { metadata } = reader
  return { kind: 'rtf', html: makeHtmlPage(titleOfMetadata(metadata), html), metadata, warnings: [] }
}

class Reader {
  readonly metadata: PageMetadata = {}
  readonly #source: string
  readonly #tables = new RtfHeaderTables()
  readonly #notes = new NoteList()
  readonly #decoders = new Map<number, InstanceType<typeof TextDecoder>>()
  readonly #codePage: number
  readonly #stack: State[] = []
  #state: State
  #toSkip = 0
  #waiting: number[] = []
  #isStarred = false
  #leadingUnit: number | undefined
  /** Name of the drawing property whose value follows. */
  #property: Collected = { text: '' }

  constructor(source: string) {
    this.#source = source
    this.#codePage = Number(/\\ansicpg(\d{1,5})/.exec(source.slice(0, 2000))?.[1] ?? 1252)
    this.#state = {
      where: 'body',
      style: {},
      isHidden: false,
      skip: 1,
      font: -1,
      flow: new RtfTextCollector(this.#tables),
      collected: { text: '' },
      field: { text: '' },
      link: undefined,
    }
  }

  read(): string {
    const { flow } = this.#state
    const token = new RegExp(TOKEN)
    for (let match = token.exec(this.#source); match; match = token.exec(this.#source)) {
      const [, word, number, hex, symbol, brace, text] = match
      if (hex) {
        if (this.#toSkip > 0) this.#toSkip--
        else this.#waiting.push(Number.parseInt(hex, 16))
        continue
      }
      this.#flush()
      if (brace === '{') this.#open()
      else if (brace === '}') this.#close()
      else if (text !== undefined) this.#text(text)
      else if (symbol !== undefined) this.#symbol(symbol)
      else if (word === 'bin') token.lastIndex += Math.max(0, Number(number ?? 0))
      else if (word !== undefined) this.#word(word, number === undefined ? undefined : Number(number))
    }
    this.#flush()
    while (this.#stack.length > 0) this.#close()
    return flow.end().toHtml() + this.#notes.toHtml()
  }

  #open(): void {
    if (this.#stack.length >= MAX_DEPTH)
      throw new Problem('unreadable_file', { because: 'its groups are nested too deep' })
    this.#stack.push(this.#state)
    this.#state = { ...this.#state }
    this.#isStarred = false
  }

  #close(): void {
    const ended = this.#state
    this.#state = this.#stack.pop() ?? ended
    const { flow, where } = this.#state
    if (ended.flow !== flow && ended.where === 'footnote')
      flow.line.add(this.#notes.add(ended.flow.end().toInnerHtml()))
    else if (ended.flow !== flow) flow.box(ended.flow.end().toHtml())
    if (ended.where === where) return
    const text = ended.collected.text.replace(/\s+/g, ' ').trim()
    if (Object.hasOwn(FACTS, ended.where) && text) this.metadata[FACTS[ended.where]!] = text
    else if (ended.where === 'sv' && this.#property.text.trim() === 'wzDescription') flow.line.add(altTextToHtml(text))
  }

  #text(text: string): void {
    const rest = text.slice(this.#toSkip)
    this.#toSkip = Math.max(0, this.#toSkip - text.length)
    // Fast path: nearly all text is ASCII.
    this.#write(/^[\x20-\x7e]*$/.test(rest) ? rest : this.#decoder().decode(Buffer.from(rest, 'latin1')))
  }

  #symbol(symbol: string): void {
    if (symbol === '*') this.#isStarred = true
    else if (symbol === '~') this.#write('\u00a0')
    else if (symbol === '_') this.#write('-')
    else if (symbol === '\n' || symbol === '\r') this.#word('par', undefined)
    else if ('\\{}'.includes(symbol)) this.#write(symbol)
  }

  #flush(): void {
    if (this.#waiting.length > 0) this.#write(this.#decoder().decode(Uint8Array.from(this.#waiting)))
    this.#waiting = []
  }

  #write(text: string): void {
    const { where, flow, style, link, isHidden, collected } = this.#state
    if (where === 'silent' || text === '') return
    if (where === 'body' || where === 'footnote') {
      if (!isHidden) flow.line.write(text, style, link)
    } else if (RTF_HEADER_TABLES.has(where)) this.#tables.text(where, text)
    else if (collected.text.length < MAX_COLLECTED) collected.text += text
  }

  #word(word: string, number: number | undefined): void {
    const state = this.#state
    const isStarred = this.#isStarred
    this.#isStarred = false
    if (word === 'u') {
      this.#writeUnit(((number ?? 0) + 65_536) % 65_536)
      this.#toSkip = state.skip
    } else if (word === 'uc') state.skip = Math.min(8, Math.max(0, number ?? 1))
    else if (isStarred && !STARRED.has(word)) state.where = 'silent'
    else if (RTF_HEADER_TABLES.has(state.where)) this.#tables.word(state.where, word, number)
    else if (!this.#enter(word, state) && state.where !== 'silent') this.#apply(word, number, state)
  }

  /** A character beyond the first 65,536 comes as two words; half of one is no text. */
  #writeUnit(unit: number): void {
    const leading = this.#leadingUnit
    const isTrailing = unit >= 0xdc00 && unit < 0xe000
    this.#leadingUnit = unit >= 0xd800 && unit < 0xdc00 ? unit : undefined
    if (this.#leadingUnit !== undefined || (isTrailing && leading === undefined)) return
    this.#write(isTrailing ? String.fromCharCode(leading!, unit) : String.fromCharCode(unit))
  }

  #enter(word: string, state: State): boolean {
    const isText = state.where === 'body' || state.where === 'footnote'
    if (Object.hasOwn(FACTS, word) && state.where === 'silent') this.#collect(word, state)
    else if (word === 'sn' || word === 'sv') {
      this.#collect(word, state)
      if (word === 'sn') this.#property = state.collected
    } else if (GROUPS_WITHOUT_TEXT.has(word)) state.where = 'silent'
    else if (RTF_HEADER_TABLES.has(word)) state.where = word
    else if (!isText) return false
    else if (word === 'footnote' || word === 'shptxt') {
      // Notes inside notes are ignored; editors do not create them.
      if (state.where === 'footnote') state.where = 'silent'
      else
        Object.assign(state, {
          where: word === 'footnote' ? 'footnote' : 'body',
          flow: new RtfTextCollector(this.#tables),
          style: {},
        })
    } else if (word === 'field') state.field = { text: '' }
    else if (word === 'fldinst') {
      this.#collect(word, state)
      state.field.text = ''
      state.collected = state.field
    } else if (word === 'fldrslt') state.link = linkOfWordField(state.field.text) ?? state.link
    else return false
    return true
  }

  #collect(where: string, state: State): void {
    state.where = where
    state.collected = { text: '' }
  }

  /** Character formatting, valid until the group ends. */
  #apply(word: string, number: number | undefined, state: State): void {
    const isOn = number !== 0
    const { style } = state
    if (Object.hasOwn(SPECIAL, word)) this.#write(SPECIAL[word]!)
    else if (word === 'b') state.style = { ...style, bold: isOn }
    else if (word === 'i') state.style = { ...style, italic: isOn }
    else if (word === 'strike' || word === 'striked') state.style = { ...style, strike: isOn }
    else if (word === 'super') state.style = { ...style, raised: isOn ? 'sup' : undefined }
    else if (word === 'sub') state.style = { ...style, raised: isOn ? 'sub' : undefined }
    else if (word === 'nosupersub') state.style = { ...style, raised: undefined }
    else if (word === 'deleted' || word === 'v') state.isHidden = isOn
    else if (word === 'f') state.font = number ?? 0
    else if (word === 'plain') Object.assign(state, { style: {}, isHidden: false, font: -1 })
    else if (state.where === 'body' || state.where === 'footnote') state.flow.control(word, number)
  }

  #decoder(): InstanceType<typeof TextDecoder> {
    const page = this.#tables.codePage(this.#state.font) ?? this.#codePage
    const known = this.#decoders.get(page)
    if (known) return known
    const made = decoderOf(page)
    this.#decoders.set(page, made)
    return made
  }
}

const LABELS: Readonly<Record<number, string>> = {
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
}

function decoderOf(codePage: number): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(LABELS[codePage] ?? `windows-${codePage}`)
  } catch {
    return new TextDecoder('windows-1252')
  }
}
