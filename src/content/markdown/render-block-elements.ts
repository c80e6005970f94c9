// Renders block elements: paragraphs, headings, quotes, lists, code, tables, definition lists.
import type { ChildNode, Element } from 'domhandler'
import { elementChildren, findElement, isElement, isText, textOfNode } from '../parse-tree.ts'
import { writeCodeSpan } from './escape-markdown.ts'
import { codeLanguageOf, extractCodeText, fenceCode, isCodeDecoration } from './extract-code.ts'
import { cellAttributesOf, tableToMarkdown } from './tables.ts'
import {
  type LeaveElement,
  type ListState,
  type MarkdownRenderState,
  SKIP_ELEMENT,
  type TagHandler,
} from './tag-handler.ts'

const renderPlainBlock: TagHandler = (_, { writer }) => {
  writer.boundary()
  return () => writer.boundary()
}

const heading: TagHandler = (element, rendering) => {
  const { writer } = rendering
  if (writer.mode !== 'flow') return renderPlainBlock(element, rendering)
  const isClose = closeUp(element, rendering)
  writer.flush()
  writer.heading = Number(element.name[1])
  writer.mode = 'line'
  return () => {
    endHeading(writer)
    if (isClose) writer.tight()
  }
}

/** In an item of a tight list no blank line comes before a heading, a quotation or code, or after a heading or code. */
function closeUp({ parent }: Element, { writer, lists }: MarkdownRenderState): boolean {
  const isClose = isElement(parent) && parent.name === 'li' && lists.at(-1)?.tight === true
  if (isClose && !writer.isFresh) writer.tight()
  return isClose
}

export function endHeading(writer: MarkdownRenderState['writer']): void {
  if (writer.heading === 0) return
  writer.flush()
  writer.heading = 0
  writer.mode = 'flow'
}

/** A list or table inside a heading means an unclosed heading, so the heading ends here. */
function ensureFlow({ writer }: MarkdownRenderState): boolean {
  if (writer.heading > 0) endHeading(writer)
  return writer.mode === 'flow'
}

const quote: TagHandler = (element, rendering) => {
  if (!ensureFlow(rendering)) return renderPlainBlock(element, rendering)
  const { writer } = rendering
  writer.flush()
  closeUp(element, rendering)
  const outside = writer.enter('> ', '> ')
  return () => writer.leave(outside)
}

const rule: TagHandler = (element, { writer }) => {
  writer.boundary()
  // `- ---` would be a rule of its own.
  if (writer.mode === 'flow') writer.block(isElement(element.parent) && element.parent.name === 'li' ? '***' : '---')
  return SKIP_ELEMENT
}

const code: TagHandler = (element, rendering) => {
  const { writer, cuts } = rendering
  const text = extractCodeText(element, cuts)
  if (text === '' && !isBareListing(element)) return SKIP_ELEMENT
  if (ensureFlow(rendering)) {
    writer.flush()
    const isClose = closeUp(element, rendering)
    writer.block(fenceCode(text, codeLanguageOf(element)))
    if (isClose) writer.tight()
    return SKIP_ELEMENT
  }
  writer.boundary()
  for (const line of text.split('\n')) {
    if (line.trim() !== '') writer.atom(writeCodeSpan(line.trim()))
    writer.boundary()
  }
  return SKIP_ELEMENT
}

/** A listing that is empty in the source; one with attributes is filled by a script. */
const isBareListing = ({ attribs, children: [only, more] }: Element): boolean =>
  Object.keys(attribs).length === 0 && isElement(only) && only.name === 'code' && !more && only.children.length === 0

const LOOSE = new Set(['table', 'figure', 'dl'])
const WRAPPERS = new Set(['div', 'section', 'article'])
/** What needs no blank line before or after it. */
const CLOSED = new Set(['ul', 'ol', 'pre', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/** As Markdown's own renderers write lists: with blank lines between items that hold paragraphs or several texts. */
function isTight(list: Element): boolean {
  for (const item of list.children) {
    if (!isElement(item) || item.name !== 'li') continue
    if (item.children.some((child) => isElement(child) && child.name === 'p') || textsIn(item, true) > 1) return false
  }
  return true
}

function textsIn(parent: Element, nested: boolean): number {
  let texts = 0
  let inLine = false
  for (const child of parent.children) {
    const name = isElement(child) ? child.name : ''
    if (LOOSE.has(name)) return 2
    if (isElement(child) && (name === 'p' || WRAPPERS.has(name))) {
      texts += nested && name !== 'p' ? textsIn(child, false) : 1
      inLine = false
    } else if (CLOSED.has(name)) inLine = false
    else if (name === 'blockquote') {
      // A text directly after it would continue it.
      texts ||= 1
      inLine = false
    } else if (!inLine && isVisible(child)) {
      texts++
      inLine = true
    }
    if (texts > 1) return texts
  }
  return texts
}

const isVisible = (node: ChildNode): boolean =>
  isElement(node) ? node.children.length > 0 : isText(node) && node.data.trim() !== ''

const sign = ({ ordered, twin }: ListState): string => (ordered ? (twin ? ')' : '.') : twin ? '*' : '-')

const list: TagHandler = (element, rendering) => {
  const { writer, lists } = rendering
  const isFlow = ensureFlow(rendering)
  writer.boundary()
  const ordered = element.name === 'ol'
  const around = lists[lists.length - 1]
  const reversed = ordered && element.attribs.reversed !== undefined
  const start = Number.parseInt(element.attribs.start ?? '', 10)
  const state: ListState = {
    ordered,
    number: Number.isNaN(start) ? (reversed ? elementChildren(element).length : 1) : start,
    step: reversed ? -1 : 1,
    tight: isTight(element),
    fresh: true,
    // A number other than 1 does not interrupt a paragraph.
    inItem: around?.tight === true && !around.fresh && !(ordered && start > 1),
    twin: false,
  }
  lists.push(state)
  if (!isFlow)
    return () => {
      writer.boundary()
      lists.pop()
    }
  state.twin =
    rendering.listEnd !== undefined && rendering.listEnd.at === writer.blocks && rendering.listEnd.sign === sign(state)
  // <ul> directly inside <ul>: one level deeper without an item.
  const parent = element.parent
  const orphan = isElement(parent) && (parent.name === 'ul' || parent.name === 'ol') && around && !around.fresh
  if (orphan && around.tight) writer.tight()
  const outside = orphan ? writer.enter('  ', '  ') : undefined
  return () => {
    writer.flush()
    lists.pop()
    rendering.listEnd = { at: writer.blocks, sign: sign(state) }
    if (outside) writer.leave(outside)
  }
}

const item: TagHandler = (element, rendering) => {
  const { writer, lists, notes } = rendering
  const isFlow = ensureFlow(rendering)
  writer.boundary()
  const state = lists[lists.length - 1]
  if (!isFlow)
    return state && writer.mode === 'cell' ? cellItem(element, state, rendering) : renderPlainBlock(element, rendering)
  const note = element.attribs.id === undefined ? undefined : notes.get(element.attribs.id)
  if (note !== undefined) {
    const outside = writer.enter(`[^${note}]: `, '    ')
    return () => writer.leave(outside)
  }
  let marker = '- '
  if (state) {
    if (!writer.isFresh && (state.fresh ? state.inItem : state.tight)) writer.tight()
    state.fresh = false
    marker = state.ordered ? `${nextNumber(state, element)}${sign(state)} ` : `${sign(state)} `
  }
  const outside = writer.enter(marker + taskBox(element), ' '.repeat(marker.length))
  if (isEmptyAmongOthers(element)) writer.block('')
  return () => writer.leave(outside)
}

/** Empty in the source, and not styled as a separator: a place of its own in a list that has other items. */
const isEmptyAmongOthers = ({ attribs, children, parent }: Element): boolean =>
  Object.keys(attribs).length === 0 &&
  children.every((child) => isText(child) && child.data.trim() === '') &&
  isElement(parent) &&
  parent.children.some((item) => isElement(item) && item.children.some(isVisible))

/** On the one line of a cell, an item is its marker after a break. */
function cellItem(element: Element, state: ListState, { writer, lists }: MarkdownRenderState): LeaveElement {
  const marker = state.ordered ? `${nextNumber(state, element)}. ` : '- '
  const mark = writer.open(`item ${lists.length}`, marker, '')
  return () => {
    if (mark) writer.close(mark)
    writer.boundary()
  }
}

function nextNumber(state: ListState, element: Element): number {
  const value = Number.parseInt(element.attribs.value ?? '', 10)
  if (!Number.isNaN(value)) state.number = value
  const number = Math.min(Math.max(state.number, 0), 999_999_999)
  state.number += state.step
  return number
}

/** A checkbox at the start of an item makes it a task. */
function taskBox(element: Element): string {
  let at = element.children[0]
  for (let steps = 0; at && steps < 6; steps++) {
    if (isElement(at)) {
      if (at.name === 'input') {
        if (at.attribs.type?.toLowerCase() !== 'checkbox' || isToggle(at)) return ''
        return at.attribs.checked === undefined ? '[ ] ' : '[x] '
      }
      if (at.name !== 'p' && at.name !== 'label' && at.name !== 'span') return ''
      at = at.children[0]
    } else if ('data' in at && at.data.trim() === '') at = at.next ?? undefined
    else return ''
  }
  return ''
}

/** Menus toggle with a checkbox whose label is elsewhere. */
const isToggle = ({ attribs, parent }: Element): boolean =>
  attribs.id !== undefined && attribs.disabled === undefined && !(isElement(parent) && parent.name === 'label')

const term: TagHandler = (_, { writer }) => {
  writer.boundary()
  const mark = writer.open('strong', '**', '**')
  return () => {
    if (mark) writer.close(mark)
    writer.boundary()
  }
}

const definition: TagHandler = (element, rendering) => {
  if (!ensureFlow(rendering)) return renderPlainBlock(element, rendering)
  const { writer } = rendering
  const outside = writer.enter(': ', '  ')
  return () => writer.leave(outside)
}

const table: TagHandler = (element, rendering) => {
  const { writer } = rendering
  if (!ensureFlow(rendering) || rendering.table) return renderPlainBlock(element, rendering)
  const kind = rendering.kindOfTable(element)
  if (kind === 'code') return code(element, rendering)
  writer.flush()
  if (kind === 'layout') return renderPlainBlock(element, rendering)
  const state = { rows: [], caption: '' }
  rendering.table = state
  return () => {
    writer.flush()
    rendering.table = undefined
    if (state.caption) writer.block(state.caption)
    const text = tableToMarkdown(state.rows)
    if (text) writer.block(text)
  }
}

const row: TagHandler = (element, rendering) => {
  const { writer, table: state } = rendering
  if (state && writer.mode === 'flow') {
    state.rows.push([])
    return undefined
  }
  return renderPlainBlock(element, rendering)
}

const cell: TagHandler = (element, rendering) => {
  const { writer, table: state } = rendering
  if (writer.mode !== 'flow') {
    writer.space()
    return () => writer.space()
  }
  if (!state) return isLineNumbers(element) ? SKIP_ELEMENT : renderPlainBlock(element, rendering)
  const cells = state.rows[state.rows.length - 1] ?? state.rows[state.rows.push([]) - 1]!
  writer.startCapture('cell')
  return () => {
    const text = writer.endCapture()
    cells.push({ text: text.includes('|') ? text.replaceAll('|', '\\|') : text, ...cellAttributesOf(element) })
  }
}

const isLineNumbers = (element: Element): boolean =>
  isCodeDecoration(element) && /^[\d\s]*$/.test(textOfNode(element, 2000))

const caption: TagHandler = (element, rendering) => {
  const { writer, table: state } = rendering
  if (!state || writer.mode !== 'flow') return renderPlainBlock(element, rendering)
  writer.startCapture('line')
  return () => {
    state.caption = writer.endCapture()
  }
}

const summary: TagHandler = (element, rendering) => {
  if (findElement(element, ({ name }) => /^h[1-6]$/.test(name), 50)) return renderPlainBlock(element, rendering)
  return term(element, rendering)
}

/** Opener of a folded part; inside a heading it is plain text. */
const opener: TagHandler = (element, rendering) =>
  rendering.writer.mode === 'flow' && !rendering.writer.hasMark('strong') ? summary(element, rendering) : undefined

const CAPTION_CHARS = 600
const CAPTION_CLASS = /(?:^|\s)wp-caption-text(?:\s|$)/
const CAPTION_BLOCKS = new Set(['table', 'pre', 'ul', 'ol', 'dl', 'blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

const pictureCaption: TagHandler = (element, rendering) => {
  const { writer } = rendering
  const isLong = textOfNode(element, CAPTION_CHARS).length >= CAPTION_CHARS
  if (isLong || writer.mode !== 'flow' || findElement(element, ({ name }) => CAPTION_BLOCKS.has(name), 100))
    return renderPlainBlock(element, rendering)
  writer.boundary()
  const mark = writer.open('em', '*', '*')
  return () => {
    if (mark) writer.close(mark)
    writer.boundary()
  }
}

/** A paragraph targeted by a note reference is the note. */
const paragraph: TagHandler = (element, rendering) => {
  const { writer, notes } = rendering
  const { id, class: names } = element.attribs
  if (names !== undefined && CAPTION_CLASS.test(names)) return pictureCaption(element, rendering)
  const note = id === undefined ? undefined : notes.get(id)
  if (note === undefined || writer.mode !== 'flow') return renderPlainBlock(element, rendering)
  const outside = writer.enter(`[^${note}]: `, '    ')
  const leave: LeaveElement = () => writer.leave(outside)
  return leave
}

const PLAIN =
  'address article aside body center dialog dir div dl fieldset figure footer form header hgroup html legend main menu nav noframes optgroup search section details tbody thead tfoot'.split(
    ' ',
  )

export const blockTagHandlers: readonly (readonly [string, TagHandler])[] = [
  ...PLAIN.map((name) => [name, renderPlainBlock] as const),
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, heading] as const),
  ...['pre', 'listing', 'xmp', 'plaintext'].map((name) => [name, code] as const),
  ...['ul', 'ol', 'menu', 'dir'].map((name) => [name, list] as const),
  ...['td', 'th'].map((name) => [name, cell] as const),
  ['p', paragraph],
  ['blockquote', quote],
  ['hr', rule],
  ['li', item],
  ['dt', term],
  ['dd', definition],
  ['table', table],
  ['tr', row],
  ['caption', caption],
  ['summary', summary],
  ['button', opener],
  ['figcaption', pictureCaption],
]
