// Converts Office Math to MathML, of which Markdown takes the TeX.
import type { Element } from 'domhandler'
import { escapeHtml } from '../../base/escape-html.ts'
import { childElementsOf, findFirstElement, xmlTextOf } from '../walk-xml.ts'

const MAX_DEPTH = 40

export const officeMathToHtml = (math: Element, isDisplay: boolean): string =>
  `<math${isDisplay ? ' display="block"' : ''}>${inside(math, 0)}</math>`

const inside = (element: Element, depth: number): string =>
  childElementsOf(element)
    .map((child) => piece(child, depth + 1))
    .join('')

/** What has a counterpart of the same parts in the same order. */
const COUNTERPARTS: Record<string, readonly [string, ...string[]]> = {
  'm:f': ['mfrac', 'm:num', 'm:den'],
  'm:sSup': ['msup', 'm:e', 'm:sup'],
  'm:sSub': ['msub', 'm:e', 'm:sub'],
  'm:sSubSup': ['msubsup', 'm:e', 'm:sub', 'm:sup'],
  'm:limLow': ['munder', 'm:e', 'm:lim'],
  'm:limUpp': ['mover', 'm:e', 'm:lim'],
}

/** Combining accents as the signs that MathML places above. */
const ACCENTS: Record<string, string> = {
  '\u0302': '^',
  '\u0303': '~',
  '\u0304': '¯',
  '\u0305': '‾',
  '\u0307': '˙',
  '\u20d7': '→',
}

function piece(element: Element, depth: number): string {
  const { name } = element
  if (depth > MAX_DEPTH) return escapeHtml(xmlTextOf(element))
  if (name === 'm:t') return tokens(xmlTextOf(element))
  if (name.endsWith('Pr')) return ''
  const part = (wanted: string): string => {
    const found = childElementsOf(element).find((child) => child.name === wanted)
    return `<mrow>${found ? inside(found, depth) : ''}</mrow>`
  }
  // Its own: a formula within it has signs, too.
  const properties = childElementsOf(element).find((child) => child.name === `${name}Pr`)
  const sign = (wanted: string, otherwise: string): string =>
    (properties && findFirstElement(properties, wanted))?.attribs['m:val'] ?? otherwise
  const counterpart = Object.hasOwn(COUNTERPARTS, name) ? COUNTERPARTS[name] : undefined
  if (counterpart) return tag(counterpart[0], counterpart.slice(1).map(part).join(''))
  const parts = (wanted: string): Element[] => childElementsOf(element).filter((child) => child.name === wanted)
  const cells = (row: readonly Element[]): string =>
    tag('mtr', row.map((one) => tag('mtd', inside(one, depth))).join(''))
  switch (name) {
    case 'm:r': {
      const write = writerOfRun(properties)
      return childElementsOf(element)
        .map((child) => (child.name === 'm:t' ? write(xmlTextOf(child)) : piece(child, depth + 1)))
        .join('')
    }
    case 'm:rad': {
      const degree = part('m:deg')
      return degree === EMPTY ? tag('msqrt', part('m:e')) : tag('mroot', part('m:e') + degree)
    }
    case 'm:nary': {
      const [from, to] = [part('m:sub'), part('m:sup')]
      return withLimits(tag('mo', escapeHtml(sign('m:chr', '∫'))), from, to) + part('m:e')
    }
    case 'm:acc':
    case 'm:bar': {
      const over = sign('m:chr', name === 'm:acc' ? '^' : '‾')
      return tag('mover', part('m:e') + tag('mo', escapeHtml(ACCENTS[over] ?? over)))
    }
    case 'm:d':
      return `<mfenced open="${escapeHtml(sign('m:begChr', '('))}" close="${escapeHtml(sign('m:endChr', ')'))}">${parts(
        'm:e',
      )
        .map((one) => tag('mrow', inside(one, depth)))
        .join('')}</mfenced>`
    case 'm:m':
      return tag(
        'mtable',
        parts('m:mr')
          .map((row) => cells(childElementsOf(row)))
          .join(''),
      )
    case 'm:eqArr':
      return tag(
        'mtable',
        parts('m:e')
          .map((one) => cells([one]))
          .join(''),
      )
    default:
      return inside(element, depth)
  }
}

const EMPTY = '<mrow></mrow>'

function withLimits(operator: string, from: string, to: string): string {
  if (from === EMPTY && to === EMPTY) return operator
  if (to === EMPTY) return tag('munder', operator + from)
  return from === EMPTY ? tag('mover', operator + to) : tag('munderover', operator + from + to)
}

const tag = (name: string, html: string): string => `<${name}>${html}</${name}>`

const WORDS = /\s?\p{L}{2,}(?:\s+\p{L}{2,})*\s?/gu
const IN_PHRASE = /[\p{L}\p{N}]\s+[\p{L}\p{N}]/u

/** Letters side by side are a product, but in upright type or beside other words: `if x is even`. */
function writerOfRun(properties: Element | undefined): (text: string) => string {
  const property = (name: string): string | undefined => {
    const found = properties && findFirstElement(properties, name)
    return found && (found.attribs['m:val'] ?? '')
  }
  const style = property('m:sty')
  if (!/^(?:0|false|off)$/.test(property('m:nor') ?? '0')) return words
  if (style === 'i' || style === 'bi') return tokens
  return (text) => {
    let html = ''
    let from = 0
    for (const { 0: found, index } of text.matchAll(WORDS)) {
      const end = index + found.length
      if (!style && !IN_PHRASE.test(text.slice(Math.max(0, index - 1), end + 1))) continue
      html += tokens(text.slice(from, index)) + words(found)
      from = end
    }
    return html + tokens(text.slice(from))
  }
}

/** Plain blanks at the ends of a text are not part of it in MathML. */
const words = (text: string): string => tag('mtext', escapeHtml(text.replace(/\s/g, '\u00a0')))

const tokens = (text: string): string =>
  Array.from(text.matchAll(/\p{N}+(?:[.,]\p{N}+)*|\S/gu), ([token]) =>
    tag(/^\p{N}/u.test(token) ? 'mn' : /^\p{L}/u.test(token) ? 'mi' : 'mo', escapeHtml(token)),
  ).join('')
