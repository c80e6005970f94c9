// Renders inline elements: emphasis, links, code spans, quotes, notes. See render-media.ts for pictures.
import type { Element } from 'domhandler'
import { collapseSpaces, isElement, isText, textOfNode } from '../parse-tree.ts'
import { escapeMarkdownUrl, writeCodeSpan, writeLinkTitle } from './escape-markdown.ts'
import { codeLanguageOf, extractCodeText, fenceCode } from './extract-code.ts'
import { renderEmbed, renderImage, renderMedia, writeFormula } from './render-media.ts'
import { type MarkdownRenderState, SKIP_ELEMENT, type TagHandler } from './tag-handler.ts'
import { texOfMathElement } from './tex-formulas.ts'

const renderMarked =
  (kind: string, open: string, close = open): TagHandler =>
  (_, { writer }) => {
    const mark = writer.open(kind, open, close)
    return mark && (() => writer.close(mark))
  }

/** Emphasis that begins with the emphasis around it has the other sign; <b> and <i> in their like are one mark. */
const renderEmphasis =
  (kind: string, sign: string): TagHandler =>
  (element, { writer }) => {
    const last = writer.lastCharacter
    const isDouble = element.name === kind && isFirstIn(element, kind) && !/[\p{L}\p{N}]/u.test(last)
    // Between two signs of punctuation, a parser takes the same sign for the end of the emphasis around it.
    const isAmbiguous = writer.hasMark(kind === 'em' ? 'strong' : 'em') && /[^\s*_\p{L}\p{N}]/u.test(last)
    const own = isAmbiguous && !isBeforeWord(element) ? sign.replaceAll('*', '_') : sign
    const mark = writer.open(kind, own, own, isDouble)
    return mark && (() => writer.close(mark))
  }

/** Where a word follows directly, a parser would not read two signs in a row as ends. */
function isFirstIn(element: Element, name: string): boolean {
  let top = element
  for (let steps = 0; steps < 3 && isElement(top.parent) && top.parent.name === name; steps++) {
    if (top.parent.children[0] !== top) return false
    top = top.parent
  }
  return top !== element && !(isText(top.next) && /^\S/.test(top.next.data))
}

const isBeforeWord = ({ next }: Element): boolean => next !== null && /^[\p{L}\p{N}]/u.test(textOfNode(next, 10))

const strongMark = renderEmphasis('strong', '**')

/** Google Docs wraps whole documents in <b style="font-weight:normal">. */
const strong: TagHandler = (element, rendering) =>
  /font-weight\s*:\s*(?:normal|400)/i.test(element.attribs.style ?? '') ? undefined : strongMark(element, rendering)

const link: TagHandler = (element, rendering) => {
  const { writer, resolve } = rendering
  const href = element.attribs.href?.trim()
  if (href === undefined || href === '') return undefined
  // Adjacent links may be separated by CSS only.
  if (isElement(element.prev) && element.prev.name === 'a') writer.space()
  if (href === '#' || rendering.inTitle) return undefined
  const note = noteLabel(element, href)
  if (note !== undefined) {
    rendering.notes.set(href.slice(1), note)
    writer.atom(`[^${note}]`)
    return SKIP_ELEMENT
  }
  if (isBackLink(element, href)) return SKIP_ELEMENT
  if (href.startsWith('#') && writer.heading > 0) return undefined
  const url = SCHEMELESS.test(href) ? resolve(href) : mailAddress(href)
  if (url === undefined) return undefined
  // An unclosed link ends where the next one begins.
  writer.endMark('link')
  let address = escapeMarkdownUrl(url)
  if (writer.mode === 'cell' && address.includes('|')) address = address.replaceAll('|', '%7C')
  const mark = writer.open('link', '[', `](${address}${linkTitle(element, writer.mode === 'cell')})`)
  return mark && (() => writer.close(mark))
}

/** Not one that repeats the link's text or address. */
function linkTitle({ attribs, children }: Element, inCell: boolean): string {
  const title = collapseSpaces((attribs.title ?? '').slice(0, MAX_TITLE))
  const text = children.length > 0 ? collapseSpaces(children.map((child) => textOfNode(child, MAX_TITLE)).join('')) : ''
  if (title === '' || text.toLowerCase().includes(title.toLowerCase()) || title === attribs.href) return ''
  const quoted = writeLinkTitle(title)
  return inCell ? quoted.replaceAll('|', '\\|') : quoted
}

const MAX_TITLE = 500

const SCHEMELESS = /^(?:https?:|ftp:|(?![a-z][a-z\d+.-]*:))/i

function mailAddress(href: string): string | undefined {
  return /^(?:mailto|tel|sms|geo|magnet|xmpp|irc):/i.test(href) ? href.replace(/\s/g, '%20') : undefined
}

const NOTE_CLASS = /(?:^|\s)(?:footnote-?ref|fn-?ref|noteref|footnote-reference|sdfootnoteanc|sdendnoteanc)(?:\s|$)/i
const NOTE_TARGET = /^#(?:fn|foot|end|_?ftn|_?edn|cite[_-]?note|note|sdfootnote|sdendnote|user-content-fn)[\w:.-]*\d/i

function noteLabel(element: Element, href: string): string | undefined {
  if (!href.startsWith('#') || href.length < 2) return undefined
  const { attribs, parent } = element
  const isNote =
    attribs.role === 'doc-noteref' ||
    attribs['epub:type'] === 'noteref' ||
    NOTE_CLASS.test(attribs.class ?? '') ||
    (NOTE_TARGET.test(href) && isElement(parent) && parent.name === 'sup') ||
    (NOTE_TARGET.test(href) && isElement(element.children[0]) && element.children[0].name === 'sup')
  if (!isNote || isBackLink(element, href)) return undefined
  const label = collapseSpaces(textOfNode(element, 40)).replace(/^[[(]|[\])]$/g, '')
  return /^[\w*†‡§-]{1,20}$/.test(label) ? label.replace(/[*†‡§]/g, 'n') : undefined
}

const BACK_CLASS =
  /(?:^|\s)(?:footnote-?back(?:ref|link)?|reversefootnote|fn-?back(?:ref|link)?|data-footnote-backref)(?:\s|$)/i

function isBackLink(element: Element, href: string): boolean {
  const { attribs } = element
  if (attribs.role === 'doc-backlink' || BACK_CLASS.test(attribs.class ?? '')) return true
  return href.startsWith('#') && /^(?:[\s↩↑^⏎←]|\ufe0e)+$/u.test(textOfNode(element, 20) || '-')
}

const inlineCode: TagHandler = (element, rendering) => {
  const { writer, cuts } = rendering
  const text = extractCodeText(element, cuts)
  if (text.includes('\n') && writer.mode === 'flow' && hasBreaks(element)) {
    writer.flush()
    writer.block(fenceCode(text, codeLanguageOf(element)))
    return SKIP_ELEMENT
  }
  // Line breaks at its ends are the source's layout; blanks belong to the code.
  const line = text.replace(/^\s*\n\s*|\s*\n\s*$/g, '').replace(/\s+/g, ' ')
  if (line.trim() === '') return SKIP_ELEMENT
  const url = linkAround(element, rendering)
  writer.atom(url ? `[${writeCodeSpan(line)}](${escapeMarkdownUrl(url)})` : writeCodeSpan(line))
  return SKIP_ELEMENT
}

const hasBreaks = (element: Element): boolean =>
  element.children.some((child) => isElement(child) && (child.name === 'br' || child.name === 'div'))

/** API pages use <code><a href>name</a></code>; the link is written around the code. */
function linkAround(element: Element, { resolve, writer }: MarkdownRenderState): string | undefined {
  const only = element.children.length === 1 ? element.children[0] : undefined
  if (!isElement(only) || only.name !== 'a' || writer.hasMark('link')) return undefined
  const href = only.attribs.href?.trim()
  return href && SCHEMELESS.test(href) ? resolve(href) : undefined
}

const renderQuote: TagHandler = (_, { writer }) => {
  const mark = writer.open('q', '"', '"')
  return mark && (() => writer.close(mark))
}

/** <sup> with only a link is a note reference and needs no tags. */
const renderRaised =
  (name: string): TagHandler =>
  (element, { writer }) => {
    const holdsLink = element.children.some((child) => isElement(child) && child.name === 'a')
    if (holdsLink || element.children.every((child) => isText(child) && child.data.trim() === '')) return undefined
    const mark = writer.open(name, `<${name}>`, `</${name}>`)
    return mark && (() => writer.close(mark))
  }

const lineBreak: TagHandler = (_, { writer }) => {
  writer.break()
  return SKIP_ELEMENT
}

const math: TagHandler = (element, rendering) => {
  const formula = texOfMathElement(element)
  if (formula) writeFormula(formula, rendering)
  return SKIP_ELEMENT
}

/** Ruby text in brackets, with or without <rp>. */
const reading: TagHandler = (element, { writer }) => {
  const text = collapseSpaces(textOfNode(element, 200))
  if (text) writer.atom(`(${text})`)
  return SKIP_ELEMENT
}

const renderNothing: TagHandler = () => SKIP_ELEMENT

export const inlineTagHandlers: readonly (readonly [string, TagHandler])[] = [
  ['b', strong],
  ['strong', strong],
  ['em', renderEmphasis('em', '*')],
  ['i', renderEmphasis('em', '*')],
  ['del', renderMarked('strike', '~~')],
  ['s', renderMarked('strike', '~~')],
  ['strike', renderMarked('strike', '~~')],
  ['mark', renderMarked('mark', '==')],
  ['q', renderQuote],
  ['sub', renderRaised('sub')],
  ['sup', renderRaised('sup')],
  ['a', link],
  ['code', inlineCode],
  ['kbd', inlineCode],
  ['samp', inlineCode],
  ['tt', inlineCode],
  ['br', lineBreak],
  ['math', math],
  ['rt', reading],
  ['rp', renderNothing],
  ['rtc', renderNothing],
  ['img', renderImage],
  ['video', renderMedia],
  ['audio', renderMedia],
  ['iframe', renderEmbed],
  ['source', renderNothing],
  ['track', renderNothing],
  ['area', renderNothing],
  ['svg', renderNothing],
  ['canvas', renderNothing],
  ['wbr', renderNothing],
]
