// Resolves OpenDocument style names to text formatting, paragraph kind and list numbering.
import type { Element } from 'domhandler'
import { childElementsOf, findAllElements, findFirstElement, parseXml } from '../walk-xml.ts'
import { HEADING_STYLE } from './docx-styles.ts'
import { headingKindOfLevel, numeral, type ParagraphKind, type RunStyle } from './paragraphs-to-html.ts'
import type { Archive } from './zip-archive.ts'

export interface OdfStyles {
  style(name: string | undefined): RunStyle
  kind(name: string | undefined): ParagraphKind
  isOrdered(list: string | undefined, level: number): boolean | undefined
  /**
   * The number of a heading as displayed, of the counts of all levels; undefined where headings have none. `list`: the
   * style of the list that it stands in.
   */
  headingLabel(counts: readonly number[], list?: string): string | undefined
}

const MAX_PARENTS = 20

export function readOdfStyles(archive: Archive, content: Element | undefined): OdfStyles {
  const styles = new Map<string, Element>()
  const lists = new Map<string, Element>()
  const outline = new Map<number, Record<string, string>>()
  const text = archive.text('styles.xml')
  const roots = [text === undefined ? undefined : findFirstElement(parseXml(text), 'office:document-styles'), content]
  for (const root of roots) {
    if (!root) continue
    for (const group of childElementsOf(root)) {
      if (group.name !== 'office:styles' && group.name !== 'office:automatic-styles') continue
      // Content styles are added last, so they override styles.xml.
      for (const style of findAllElements(group, 'style:style')) styles.set(style.attribs['style:name'] ?? '', style)
      for (const { attribs } of findAllElements(group, 'text:outline-level-style'))
        outline.set(Number(attribs['text:level']), attribs)
      for (const list of findAllElements(group, 'text:list-style')) lists.set(list.attribs['style:name'] ?? '', list)
    }
  }
  return {
    style: memoizeByName((name) => styleOf(name, styles)),
    kind: memoizeByName((name) => kindOf(name, styles)),
    isOrdered: (list, level) => {
      const style = lists.get(list ?? '')
      const found = style && childElementsOf(style).find(({ attribs }) => Number(attribs['text:level']) === level)
      return found && found.name === 'text:list-level-style-number' && (found.attribs['style:num-format'] ?? '') !== ''
    },
    headingLabel: (counts, list) => {
      const levels = list === undefined ? outline : levelsOf(lists.get(list))
      const own = levels.get(counts.length)
      if (!own?.['style:num-format']) return undefined
      const from = Math.max(0, counts.length - (Number(own['text:display-levels']) || 1))
      const numbers = counts.slice(from).flatMap((count, at) => {
        const format = levels.get(from + at + 1)?.['style:num-format']
        return format ? numeral(count, format) : []
      })
      return `${own['style:num-prefix'] ?? ''}${numbers.join('.')}${own['style:num-suffix'] ?? ''}`.trim()
    },
  }
}

const levelsOf = (list: Element | undefined): Map<number, Record<string, string>> =>
  new Map((list ? childElementsOf(list) : []).map(({ attribs }) => [Number(attribs['text:level']), attribs]))

function memoizeByName<T>(find: (name: string) => T): (name: string | undefined) => T {
  const known = new Map<string, T>()
  return (name = '') => {
    if (!known.has(name)) known.set(name, find(name))
    return known.get(name) as T
  }
}

function* ancestry(name: string, styles: ReadonlyMap<string, Element>): Generator<Element> {
  let at = styles.get(name)
  for (let count = 0; at && count < MAX_PARENTS; count++) {
    yield at
    at = styles.get(at.attribs['style:parent-style-name'] ?? '')
  }
}

function styleOf(name: string, styles: ReadonlyMap<string, Element>): RunStyle {
  const computedStyle: RunStyle = {}
  for (const style of ancestry(name, styles)) {
    // Ignores formatting of named paragraph styles, since headings are bold by definition.
    if (style.attribs['style:family'] === 'paragraph' && style.attribs['style:display-name'] !== undefined) break
    if (/^(?:Source_20_Text|Source Text|Teletype)$/.test(style.attribs['style:name'] ?? '')) computedStyle.code = true
    const { attribs } = findFirstElement(style, 'style:text-properties') ?? { attribs: {} as Record<string, string> }
    const weight = attribs['fo:font-weight']
    if (weight) computedStyle.bold ??= weight === 'bold' || Number(weight) >= 600
    if (attribs['fo:font-style']) computedStyle.italic ??= /italic|oblique/.test(attribs['fo:font-style'])
    const through = attribs['style:text-line-through-style'] ?? attribs['style:text-line-through-type']
    if (through) computedStyle.strike ??= through !== 'none'
    const position = attribs['style:text-position']
    if (position) computedStyle.raised ??= raisedBy(position)
  }
  return computedStyle
}

const raisedBy = (position: string): RunStyle['raised'] =>
  /^(?:super|[1-9])/.test(position) ? 'sup' : /^(?:sub|-)/.test(position) ? 'sub' : undefined

function kindOf(name: string, styles: ReadonlyMap<string, Element>): ParagraphKind {
  for (const style of ancestry(name, styles)) {
    const known = (style.attribs['style:name'] ?? '').replaceAll('_20_', ' ')
    if (known === 'Title') return 1
    const level = HEADING_STYLE.exec(known)?.[1] ?? style.attribs['style:default-outline-level']
    if (level) return headingKindOfLevel(Number(level) || 1)
    if (known === 'Quotations' || known === 'Quote') return 'quote'
    if (known === 'Preformatted Text') return 'code'
  }
  return 'text'
}
