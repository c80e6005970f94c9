// Looks up styles and list numbering of Word files.
import type { Element } from 'domhandler'
import { childElementsOf, findAllElements, findFirstElement, parseXml } from '../walk-xml.ts'
import { headingKindOfLevel, type ParagraphKind, readListNumber } from './paragraphs-to-html.ts'

export const readWordProperty = (parent: Element | undefined, name: string): string | undefined => {
  const found = parent && childElementsOf(parent).find((child) => child.name === name)
  return found && (found.attribs['w:val'] ?? '')
}

export const readWordBooleanProperty = (properties: Element | undefined, name: string): boolean | undefined => {
  const value = readWordProperty(properties, name)
  return value === undefined ? undefined : !/^(?:0|false|off|none)$/.test(value)
}

interface WordStyle {
  kind: ParagraphKind
  isCode: boolean
  numId: string | undefined
  level: number | undefined
  bold: boolean | undefined
  italic: boolean | undefined
}

const PLAIN: WordStyle = {
  kind: 'text',
  isCode: false,
  numId: undefined,
  level: undefined,
  bold: undefined,
  italic: undefined,
}
const MAX_PARENTS = 20
const BODY_LEVEL = 9

export function readWordStyles(text: string | undefined): (id: string | undefined) => WordStyle {
  const elements = new Map<string, Element>()
  if (text)
    for (const style of findAllElements(parseXml(text), 'w:style'))
      elements.set(style.attribs['w:styleId'] ?? '', style)
  const known = new Map<string, WordStyle>()
  return (id) => {
    if (id === undefined) return PLAIN
    let style = known.get(id)
    if (!style) {
      style = styleOf(id, elements)
      known.set(id, style)
    }
    return style
  }
}

/** A style's own properties override those of its base styles. */
function styleOf(id: string, elements: ReadonlyMap<string, Element>): WordStyle {
  const style = { ...PLAIN }
  let isKnown = false
  let at = elements.get(id)
  for (let count = 0; at && count < MAX_PARENTS; count++) {
    const paragraph = findFirstElement(at, 'w:pPr')
    const run = childElementsOf(at).find(({ name }) => name === 'w:rPr')
    const name = readWordProperty(at, 'w:name') ?? ''
    if (!isKnown) {
      const kind =
        paragraphKindOfStyleName(name) ?? paragraphKindOfOutlineLevel(readWordProperty(paragraph, 'w:outlineLvl'))
      if (kind !== undefined) {
        style.kind = kind
        isKnown = true
      }
    }
    style.isCode ||= /^(?:source text|html code|verbatim char|code char|inline code)$/i.test(name)
    const list = paragraph && findFirstElement(paragraph, 'w:numPr')
    style.numId ??= readWordProperty(list, 'w:numId')
    const level = readWordProperty(list, 'w:ilvl')
    if (level !== undefined) style.level ??= readListNumber(level) ?? 0
    style.bold ??= readWordBooleanProperty(run, 'w:b')
    style.italic ??= readWordBooleanProperty(run, 'w:i')
    at = elements.get(readWordProperty(at, 'w:basedOn') ?? '')
  }
  return style
}

/** Word stores built-in style names in English in all languages; other programs use the words of their language. */
export const HEADING_STYLE =
  /^(?:heading|überschrift|titre|título|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|címsor|başlık|заголовок|标题|見出し|제목) ?([1-9])/i

export function paragraphKindOfStyleName(name: string): ParagraphKind | undefined {
  const heading = HEADING_STYLE.exec(name)?.[1]
  if (heading) return headingKindOfLevel(Number(heading))
  if (/^title$/i.test(name)) return 1
  if (/^(?:(?:intense )?quote|quotations|block text)$/i.test(name)) return 'quote'
  if (/^(?:html preformatted|preformatted text|source code|code|code block|macro text)$/i.test(name)) return 'code'
  return undefined
}

export function paragraphKindOfOutlineLevel(level: string | undefined): ParagraphKind | undefined {
  const number = readListNumber(level) ?? BODY_LEVEL
  return number < BODY_LEVEL ? headingKindOfLevel(number + 1) : undefined
}

interface ListLevel {
  /** Lists with the same id share a counter. */
  id: string
  mark: 'bullet' | 'number' | undefined
  start: number
  /** `%1.%2` for two levels of numbers. */
  label: string
  format: string
}

const FORMATS: Record<string, string> = { lowerLetter: 'a', upperLetter: 'A', lowerRoman: 'i', upperRoman: 'I' }

export function readWordNumbering(text: string | undefined): (numId: string, level: number) => ListLevel | undefined {
  if (!text) return () => undefined
  const root = parseXml(text)
  const abstracts = new Map(
    findAllElements(root, 'w:abstractNum').map((one) => [one.attribs['w:abstractNumId'] ?? '', one]),
  )
  const byStyle = new Map([...abstracts.values()].map((one) => [readWordProperty(one, 'w:styleLink'), one]))
  const lists = new Map(findAllElements(root, 'w:num').map((one) => [one.attribs['w:numId'] ?? '', one]))
  const levelOf = (numId: string, level: number): ListLevel | undefined => {
    const list = lists.get(numId)
    const id = readWordProperty(list, 'w:abstractNumId') ?? ''
    const direct = abstracts.get(id)
    if (!list || !direct) return undefined
    const linked = readWordProperty(direct, 'w:numStyleLink')
    const abstract = (linked !== undefined && byStyle.get(linked)) || direct
    const at = (parent: Element, name: string) =>
      findAllElements(parent, name).find((one) => Number(one.attribs['w:ilvl'] ?? 0) === level)
    const override = at(list, 'w:lvlOverride')
    const place = (override && findFirstElement(override, 'w:lvl')) ?? at(abstract, 'w:lvl')
    const format = readWordProperty(place, 'w:numFmt') ?? 'decimal'
    const start = readWordProperty(override, 'w:startOverride') ?? readWordProperty(place, 'w:start')
    return {
      // A list with a start override has its own counter.
      id: override && readWordProperty(override, 'w:startOverride') !== undefined ? `num ${numId}` : id,
      mark: format === 'none' ? undefined : format === 'bullet' ? 'bullet' : 'number',
      start: readListNumber(start) ?? 1,
      label: readWordProperty(place, 'w:lvlText') ?? '',
      format: FORMATS[format] ?? '1',
    }
  }
  const known = new Map<string, ListLevel | undefined>()
  return (numId, level) => {
    const key = `${numId} ${level}`
    if (!known.has(key)) known.set(key, levelOf(numId, level))
    return known.get(key)
  }
}
