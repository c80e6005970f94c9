// Reads binary .ppt files: by conversion with LibreOffice if installed, else titles, points and notes from the records.
import { escapeHtml } from '../../base/escape-html.ts'
import { appendAll } from '../../base/large-array-helpers.ts'
import { Problem } from '../../base/problem.ts'
import { makeHtmlPage } from '../escape-and-build-html.ts'
import type { OldOfficeConverter } from './old-office-converter-type.ts'
import { HtmlBuilder, ParagraphText, speakerNotesToHtml } from './paragraphs-to-html.ts'
import { readPptx } from './read-pptx.ts'
import { type DocumentReading, encryptedDocumentProblem } from './sniff-document.ts'
import { openArchive } from './zip-archive.ts'

const PLAIN =
  'This old PowerPoint file (.ppt) is read as text; levels of lists, tables, links and pictures are known only where LibreOffice'

export async function readPpt(bytes: Uint8Array, convert: OldOfficeConverter | undefined): Promise<DocumentReading> {
  if (!convert) return plainPpt(bytes, `${PLAIN} is installed.`)
  try {
    return { ...readPptx(openArchive(await convert(bytes, 'ppt', 'pptx'))), kind: 'ppt' }
  } catch {
    return plainPpt(bytes, `${PLAIN} can read the file, and it failed.`)
  }
}

async function plainPpt(bytes: Uint8Array, warning: string): Promise<DocumentReading> {
  const { CFB } = await import('@e965/xlsx')
  let html: string
  try {
    const file = CFB.read(bytes, { type: 'array' })
    const stream = (name: string) => Uint8Array.from((CFB.find(file, name)?.content ?? []) as ArrayLike<number>)
    // `Current User` contains a different token when the file is encrypted.
    if (Buffer.from(stream('Current User')).includes(LOCKED)) throw encryptedDocumentProblem()
    html = slidesHtml(new Records(stream('PowerPoint Document')), new Records(stream('Current User')))
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    throw new Problem('unreadable_file', { because: 'the PowerPoint file is damaged', cause })
  }
  return { kind: 'ppt', html: makeHtmlPage(undefined, html), metadata: {}, warnings: [warning] }
}

const TYPE = {
  userEdit: 4085,
  slideList: 4080,
  slidePersist: 1011,
  notesAtom: 1009,
  textHeader: 3999,
  chars: 4000,
  bytes: 4008,
  outlineRef: 3998,
} as const
const LOCKED = Buffer.from([0xdf, 0xc4, 0xd1, 0xf3])
const NOTES_LIST = 2
const MAX_RECORDS = 500_000
const MAX_EDITS = 1000
const MAX_SLIDES = 2000

interface RecordPlace {
  type: number
  instance: number
  isContainer: boolean
  at: number
  end: number
}

class Records {
  readonly view: DataView
  #left = MAX_RECORDS

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  record(start: number): RecordPlace {
    if (this.#left-- === 0) throw new Error('more records than a presentation has')
    const head = this.view.getUint16(start, true)
    const end = start + 8 + this.view.getUint32(start + 4, true)
    if (end > this.view.byteLength) throw new Error('a record reaches beyond the file')
    const type = this.view.getUint16(start + 2, true)
    return { type, instance: head >> 4, isContainer: (head & 15) === 15, at: start + 8, end }
  }

  children({ at, end }: RecordPlace): RecordPlace[] {
    const found: RecordPlace[] = []
    for (let start = at; start + 8 <= end; start = found.at(-1)!.end) found.push(this.record(start))
    return found
  }

  leaves(root: RecordPlace): RecordPlace[] {
    const found: RecordPlace[] = []
    const open = this.children(root).reverse()
    while (open.length > 0) {
      const record = open.pop()!
      if (record.isContainer) appendAll(open, this.children(record).reverse())
      else found.push(record)
    }
    return found
  }

  number({ at }: RecordPlace, offset = 0): number {
    return this.view.getUint32(at + offset, true)
  }

  text({ type, at, end }: RecordPlace): string {
    const bytes = Buffer.from(this.view.buffer, this.view.byteOffset + at, end - at)
    return bytes.toString(type === TYPE.chars ? 'utf16le' : 'latin1')
  }
}

interface Text {
  kind: number
  text: string
}

function slidesHtml(file: Records, user: Records): string {
  const { places, document } = partsOf(file, user.view.getUint32(16, true))
  const lists = file.children(document).filter(({ type }) => type === TYPE.slideList)
  const notes = new Map<number, string[]>()
  for (const { place } of entries(file, lists, NOTES_LIST, places)) {
    const leaves = file.leaves(place)
    const of = leaves.find(({ type }) => type === TYPE.notesAtom)
    const said = textsOf(file, leaves, []).filter(({ kind }) => kind === 2)
    if (of)
      notes.set(
        file.number(of),
        said.flatMap(({ text }) => lines(text)),
      )
  }
  return entries(file, lists, 0, places)
    .map(({ id, place, outline }, at) =>
      slideHtml(textsOf(file, file.leaves(place), outline), notes.get(id) ?? [], at + 1),
    )
    .join('\n')
}

/** Every save appends a table of part offsets; the newest entry of a part is valid. */
function partsOf(file: Records, lastEdit: number): { places: Map<number, number>; document: RecordPlace } {
  const places = new Map<number, number>()
  let document: number | undefined
  for (let edit = lastEdit, count = 0; edit !== 0 && count < MAX_EDITS; count++) {
    const record = file.record(edit)
    if (record.type !== TYPE.userEdit) throw new Error('no edit where one should be')
    document ??= file.number(record, 16)
    const table = file.record(file.number(record, 12))
    for (let at = table.at; at + 4 <= table.end; ) {
      const head = file.view.getUint32(at, true)
      at += 4
      for (let index = 0; index < head >>> 20 && at + 4 <= table.end; index++, at += 4) {
        const id = (head & 0xfffff) + index
        if (!places.has(id)) places.set(id, file.view.getUint32(at, true))
      }
    }
    edit = file.number(record, 8)
  }
  return { places, document: file.record(places.get(document ?? 0) ?? Number.NaN) }
}

function entries(
  file: Records,
  lists: readonly RecordPlace[],
  instance: number,
  places: ReadonlyMap<number, number>,
): { id: number; place: RecordPlace; outline: Text[] }[] {
  const found: { id: number; place: RecordPlace; own: RecordPlace[] }[] = []
  for (const list of lists.filter((one) => one.instance === instance))
    for (const record of file.children(list)) {
      if (record.type !== TYPE.slidePersist) found.at(-1)?.own.push(record)
      else {
        const place = places.get(file.number(record))
        if (place === undefined || found.length >= MAX_SLIDES) break
        found.push({ id: file.number(record, 12), place: file.record(place), own: [] })
      }
    }
  return found.map(({ id, place, own }) => ({ id, place, outline: textsOf(file, own, []) }))
}

/** Text kinds: 0 and 6 titles; 1, 5, 7 and 8 points; 2 notes. A slide may reference a text in the outline. */
function textsOf(file: Records, records: readonly RecordPlace[], outline: readonly Text[]): Text[] {
  const texts: Text[] = []
  let kind = 4
  for (const record of records) {
    if (record.type === TYPE.textHeader) kind = file.number(record)
    else if (record.type === TYPE.chars || record.type === TYPE.bytes) texts.push({ kind, text: file.text(record) })
    else if (record.type === TYPE.outlineRef) {
      const text = outline[file.number(record)]
      if (text) texts.push(text)
    }
  }
  return texts
}

const lines = (text: string): string[] =>
  text
    .split('\r')
    .map((line) => line.replace(/[\v\f]/g, ' ').trim())
    .filter(Boolean)

function slideHtml(texts: readonly Text[], notes: readonly string[], number: number): string {
  const title = texts.find(({ kind, text }) => (kind === 0 || kind === 6) && text.trim() !== '')
  const prose = new HtmlBuilder()
  for (const one of texts) {
    if (one === title) continue
    for (const text of lines(one.text)) {
      const line = new ParagraphText()
      line.write(text)
      prose.paragraph(line, 'text', [1, 7, 8].includes(one.kind) ? { level: 0, ordered: false } : undefined)
    }
  }
  const heading = title ? lines(title.text).join(' ') : `Slide ${number}`
  return `<h2>${escapeHtml(heading)}</h2>\n${prose.toHtml()}\n${speakerNotesToHtml(notes)}`
}
