// Renders Office Math as one line of text, with ^, _ and / for superscripts, subscripts and fractions.
import type { Element } from 'domhandler'
import { childElementsOf, findFirstElement, xmlTextOf } from '../walk-xml.ts'

const MAX_DEPTH = 40

export const officeMathToText = (math: Element): string => inside(math, 0).replace(/\s+/g, ' ').trim()

const inside = (element: Element, depth: number): string =>
  childElementsOf(element)
    .map((child) => piece(child, depth + 1))
    .join('')

function piece(element: Element, depth: number): string {
  if (depth > MAX_DEPTH) return xmlTextOf(element)
  const part = (name: string): string => {
    const found = childElementsOf(element).find((child) => child.name === name)
    return found ? inside(found, depth) : ''
  }
  const sign = (name: string, otherwise: string): string =>
    findFirstElement(element, name)?.attribs['m:val'] ?? otherwise
  switch (element.name) {
    case 'm:t':
      return xmlTextOf(element)
    case 'm:f':
      return `${grouped(part('m:num'))}/${grouped(part('m:den'))}`
    case 'm:sSup':
      return `${part('m:e')}^${grouped(part('m:sup'))}`
    case 'm:sSub':
      return `${part('m:e')}_${grouped(part('m:sub'))}`
    case 'm:sSubSup':
      return `${part('m:e')}_${grouped(part('m:sub'))}^${grouped(part('m:sup'))}`
    case 'm:rad': {
      const degree = part('m:deg')
      return `${degree ? `${grouped(degree)}√` : '√'}${grouped(part('m:e'))}`
    }
    case 'm:nary': {
      const [from, to] = [part('m:sub'), part('m:sup')]
      return `${sign('m:chr', '∫')}${from && `_${grouped(from)}`}${to && `^${grouped(to)}`} ${part('m:e')}`
    }
    case 'm:d':
      return `${sign('m:begChr', '(')}${childElementsOf(element)
        .filter(({ name }) => name === 'm:e')
        .map((one) => inside(one, depth))
        .join(', ')}${sign('m:endChr', ')')}`
    default:
      return element.name.endsWith('Pr') ? '' : inside(element, depth)
  }
}

const grouped = (text: string): string => (/^(?:\p{L}|\p{N}+|\(.*\))?$/u.test(text) ? text : `(${text})`)
