// All text of a page that a model may read, as sentences: visible and hidden text, alt texts and descriptions, code and
// data by line, JSON and JSON-LD strings, comments.

import type { AnyNode, Document, Element } from 'domhandler'
import { valueOr } from '../../base/attempt.ts'
import { setOfWords } from '../../base/values.ts'
import { isElement, isText, textOfNode } from '../../content/parse-tree.ts'
import { normaliseText } from './normalise-text.ts'

export type TextPlace = 'text' | 'hidden text' | 'description' | 'comment' | 'data'

export interface PlacedSentence {
  text: string
  place: TextPlace
  /** Running text: no heading, link, button or label. */
  isProse: boolean
  /** The only content of its line or block. */
  isAlone: boolean
  /** Shown as an example: quoted within a sentence, or in code. */
  isExample: boolean
}

export type InjectionScanInput = { tree: Document; rawHtml?: string }

const MAX_CHARS = 2_000_000
const MAX_BLOCK = 20_000
const MAX_SENTENCES = 20_000
const MAX_COMMENTS = 200
const MIN_CHARS = 8
const UNREAD = new Set(['script', 'style', 'noscript', 'template', 'svg'])
const CODE = new Set(['pre', 'code', 'textarea', 'samp'])
const SHOWN = new Set(['pre', 'code', 'samp', 'blockquote', 'q', 'kbd'])
const INLINE = setOfWords(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var wbr label',
)
/** Elements without running text. */
const TAGS_WITHOUT_PROSE = setOfWords(
  'a button label option select summary legend th h1 h2 h3 h4 h5 h6 dt nav header footer form figcaption title',
)

type Block = { text: string; place: TextPlace; isProse: boolean; isExample: boolean }

export function listSentences({ tree, rawHtml }: InjectionScanInput): PlacedSentence[] {
  const found: PlacedSentence[] = []
  for (const block of [...blocksOf(tree), ...commentsIn(rawHtml ?? '')]) {
    if (found.length > MAX_SENTENCES) break
    for (const line of block.text.split(/\n+/)) {
      const parts = sentencesIn(line)
      for (const [at, text] of parts.entries()) {
        const before = at > 0 ? (parts[at - 1] as string) : ''
        const isExample = block.isExample || isQuoted(text) || isAnnounced(before, text)
        found.push({ text, place: block.place, isProse: block.isProse, isAlone: parts.length === 1, isExample })
      }
    }
  }
  return found
}

const END = /(?<=[.!?…]["'”’)\]]?)\s+(?=["'“‘([]?[\p{Lu}\p{N}<[])|(?<=[。！？])/u

/** A line with a colon stays whole: the request follows it. */
const sentencesIn = (text: string): string[] =>
  text
    .split(END)
    .map((part) => normaliseText(part))
    .filter((part) => part.length >= MIN_CHARS)

const QUOTED = /["“«„「『]([^"”»“」』]{10,})["”»“」』]/u

/** Mostly in quotation marks, within a sentence of more than a few words. */
function isQuoted(text: string): boolean {
  const inside = QUOTED.exec(text)
  if (!inside) return false
  const around = text.slice(0, inside.index).match(/\p{L}+/gu)?.length ?? 0
  return around >= 3 && !/[:：]\s*$/u.test(text.slice(0, inside.index))
}

const ANNOUNCED =
  /(?:such as|like|for example|for instance|e\.g\.|reads|says|wrote|example|attack|injection)\b[^.!?]{0,40}:\s*$/iu

const isAnnounced = (before: string, text: string): boolean =>
  /^["“«„「『]/u.test(text) && ANNOUNCED.test(before.slice(-120))

function blocksOf(tree: Document): Block[] {
  const blocks: Block[] = []
  let chars = 0
  let text = ''
  let linked = 0
  let open: Walk | undefined
  const add = (block: Block) => {
    if (block.text.trim().length >= MIN_CHARS) blocks.push(block)
    chars += block.text.length
  }
  const flush = () => {
    if (open) {
      const { isHidden, isLabel, isShown } = open
      const isProse = !isLabel && linked * 2 < text.length
      add({
        // Line breaks in the source are not line breaks in the text.
        text: text.slice(0, MAX_BLOCK).replace(/\s+/g, ' '),
        place: isHidden ? 'hidden text' : 'text',
        isProse,
        isExample: isShown,
      })
    }
    text = ''
    linked = 0
    open = undefined
  }
  const walk = (node: AnyNode, state: Walk): void => {
    if (chars > MAX_CHARS) return
    if (isText(node)) {
      open ??= state
      text += node.data
      if (state.isLink) linked += node.data.length
      return
    }
    if (!isElement(node)) {
      if ('children' in node) for (const child of node.children) walk(child, state)
      return
    }
    if (isData(node)) for (const value of stringsIn(scriptOf(node))) add({ ...DATA, text: value })
    if (UNREAD.has(node.name)) return
    for (const value of descriptionsOf(node))
      add({ text: value, place: 'description', isProse: false, isExample: false })
    const isInline = INLINE.has(node.name)
    if (!isInline) flush()
    if (CODE.has(node.name) && !isInline) {
      for (const line of linesOf(textOfNode(node, MAX_CHARS)))
        add({
          text: line,
          place: state.isHidden || isUnseen(node) ? 'hidden text' : 'data',
          isProse: true,
          isExample: state.isShown,
        })
      return
    }
    const inner = {
      isHidden: state.isHidden || isUnseen(node),
      isLabel: state.isLabel || (TAGS_WITHOUT_PROSE.has(node.name) && !isInline),
      isLink: state.isLink || node.name === 'a' || node.name === 'button',
      isShown: state.isShown || SHOWN.has(node.name),
    }
    for (const child of node.children) walk(child, inner)
    if (!isInline) flush()
  }
  walk(tree as AnyNode, { isHidden: false, isLabel: false, isLink: false, isShown: false })
  flush()
  return blocks
}

type Walk = { isHidden: boolean; isLabel: boolean; isLink: boolean; isShown: boolean }

const DATA = { place: 'data' as const, isProse: true, isExample: false }

const isData = ({ name, attribs }: Element): boolean => name === 'script' && /json/.test(attribs.type ?? '')

const scriptOf = ({ children }: Element): string => children.map((child) => (isText(child) ? child.data : '')).join('')

/** Lines of code, data or plain text, without comment marks, keys, quotes and tags. */
function linesOf(text: string): string[] {
  const body = text.trim()
  if (/^[[{]/.test(body)) {
    const strings = stringsIn(body)
    if (strings.length > 0) return strings
  }
  return body.split('\n', MAX_SENTENCES).map(removeCode)
}

const BEFORE = /^[\s>*#/\-+;]+(?=\S)|^\s*["']?[\w.@$-]{1,40}["']?\s*[:=]\s*["'`](?=\S)|^\s*[\w.]+\(["'`](?=\S)/
const AFTER = /["'`]\)?[,;]*\s*(?:-->|\*\/)?\s*$|\s*(?:-->|\*\/)\s*$/
const removeCode = (line: string): string =>
  line
    .slice(0, MAX_BLOCK)
    .replace(/<!\[CDATA\[|\]\]>|<!--|<\/?[a-z][^<>]{0,200}>/gi, '\n')
    .replace(BEFORE, '')
    .replace(AFTER, '')

/** All strings of a JSON value; empty for invalid JSON, and none of those that lie deeper than the stack. */
function stringsIn(json: string): string[] {
  const found: string[] = []
  const collect = (value: unknown): void => {
    if (found.length > MAX_SENTENCES) return
    if (typeof value === 'string') found.push(value.slice(0, MAX_BLOCK))
    else if (value && typeof value === 'object') for (const one of Object.values(value)) collect(one)
  }
  valueOr(undefined, () => collect(JSON.parse(json)))
  return found
}

/** Alt texts, titles, labels, descriptions. */
const DESCRIBING = ['alt', 'title', 'aria-label', 'aria-description']

const descriptionsOf = ({ name, attribs }: Element): string[] =>
  [...DESCRIBING.map((attribute) => attribs[attribute]), name === 'meta' ? attribs.content : '']
    .filter((value): value is string => value !== undefined && value.length > 15)
    .map((value) => value.slice(0, 5000))

const UNSEEN = [
  /display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0\d*)?\s*(?:;|$)/i,
  /(?:font-size|height)\s*:\s*[01](?:px|pt|em)?\s*(?:;|$)/i,
  /(?:left|top|text-indent)\s*:\s*-\d{3,}|color\s*:\s*(?:transparent|#fff(?:fff)?\b|white)/i,
]

const isUnseen = ({ attribs }: Element): boolean =>
  attribs.hidden !== undefined ||
  attribs['aria-hidden'] === 'true' ||
  UNSEEN.some((pattern) => pattern.test(attribs.style ?? ''))

function commentsIn(html: string): Block[] {
  const found: Block[] = []
  let [at, chars] = [0, 0]
  while (found.length < MAX_COMMENTS && chars < MAX_CHARS) {
    const start = html.indexOf('<!--', at)
    if (start < 0) break
    const end = html.indexOf('-->', start + 4)
    const stop = end < 0 ? html.length : end
    const text = html.slice(start + 4, Math.min(stop, start + 4 + MAX_BLOCK))
    chars += text.length
    if (text.length > 15 && !/^\[if|^\s*</i.test(text))
      found.push({ text, place: 'comment', isProse: false, isExample: false })
    at = stop + 3
  }
  return found
}
