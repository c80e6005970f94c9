// The objects of microdata (`itemscope`) and RDFa (`typeof`), in JSON-LD's shape.
import type { Document, Element } from 'domhandler'
import { makeLookupTable } from '../../base/lookup-table.ts'
import { collapseSpaces, isElement, textOfNode } from '../../content/parse-tree.ts'
import { toAbsoluteUrl } from '../../content/resolve-links.ts'
import { removeVocabularyPrefix, type SchemaOrgThing } from './read-json-ld.ts'
import { walkTree } from './walk-tree.ts'

const MAX_THINGS = 2000
const MAX_PROPERTIES = 5000
const MAX_VALUE = 5000

type Open = { element: Element; thing: Record<string, unknown> }

export function readMicrodataAndRdfa(tree: Document, base: string): SchemaOrgThing[] {
  return [...readMarks(tree, base, MICRODATA), ...readMarks(tree, base, RDFA)]
}

type Marks = { scope: string; type: string; name: string }
const MICRODATA: Marks = { scope: 'itemscope', type: 'itemtype', name: 'itemprop' }
const RDFA: Marks = { scope: 'typeof', type: 'typeof', name: 'property' }

function readMarks(tree: Document, base: string, marks: Marks): SchemaOrgThing[] {
  const found: SchemaOrgThing[] = []
  const open: Open[] = []
  let things = 0
  let properties = 0
  walkTree(tree, {
    enter(element) {
      const { attribs } = element
      const names = attribs[marks.name]
      const isScope = attribs[marks.scope] !== undefined && things < MAX_THINGS
      if (names === undefined && !isScope) return true
      const owner = open.at(-1)?.thing
      const thing = isScope ? newThing(attribs[marks.type]) : undefined
      if (names !== undefined && owner && properties < MAX_PROPERTIES) {
        properties += 1
        const items = thing ? [] : itemsIn(element)
        const value =
          thing ?? (items.length > 1 ? items : undefined) ?? namedLink(element, base, names) ?? saidBy(element, base)
        if (value !== '')
          for (const name of names.split(/\s+/, 5)) if (name) add(owner, removeVocabularyPrefix(name), value)
      } else if (thing) found.push(thing as SchemaOrgThing)
      if (thing) {
        things += 1
        open.push({ element, thing })
      }
      return true
    },
    leave(element) {
      if (open.at(-1)?.element === element) open.pop()
    },
  })
  return found
}

const newThing = (types = ''): Record<string, unknown> => ({
  '@type': types.split(/\s+/, 5).filter(Boolean).map(removeVocabularyPrefix),
})

function add(thing: Record<string, unknown>, name: string, value: unknown): void {
  if (name.startsWith('@') || name === '__proto__') return
  const before = thing[name]
  if (before === undefined) thing[name] = value
  else if (Array.isArray(before)) before.push(value)
  else thing[name] = [before, value]
}

const ADDRESSES = makeLookupTable<string>({
  a: 'href',
  area: 'href',
  link: 'href',
  img: 'src',
  audio: 'src',
  video: 'src',
  source: 'src',
  iframe: 'src',
  embed: 'src',
  object: 'data',
})

/** A link around a name yields both name and URL. */
function namedLink({ name, attribs, ...element }: Element, base: string, names: string): SchemaOrgThing | undefined {
  if (name !== 'a' || attribs.content !== undefined || /url|sameAs|image|logo|@id|item(?:\s|$)/i.test(names))
    return undefined
  const text = collapseSpaces(element.children.map((child) => textOfNode(child, MAX_VALUE)).join(' '))
  const url = attribs.href && toAbsoluteUrl(attribs.href, base)
  return text && url ? { '@type': [], name: text, url } : undefined
}

function saidBy(element: Element, base: string): string {
  const { name, attribs } = element
  if (attribs.content !== undefined) return collapseSpaces(attribs.content.slice(0, MAX_VALUE))
  const address = ADDRESSES[name]
  const given = address && (attribs[address] ?? (name === 'img' ? attribs['data-src'] : undefined))
  if (given) return toAbsoluteUrl(given.trim().slice(0, MAX_VALUE), base) ?? ''
  if (attribs.resource !== undefined) return toAbsoluteUrl(attribs.resource, base) ?? ''
  if ((name === 'data' || name === 'meter') && attribs.value !== undefined) return attribs.value.slice(0, MAX_VALUE)
  if (attribs.datetime !== undefined) return attribs.datetime.slice(0, MAX_VALUE)
  return collapseSpaces(spacedTextOf(element))
}

const itemsIn = (element: Element): string[] =>
  element.name === 'ol' || element.name === 'ul'
    ? element.children.flatMap((child) =>
        isElement(child) && child.name === 'li' ? collapseSpaces(textOfNode(child, MAX_VALUE)) || [] : [],
      )
    : []

/** Adjacent paragraphs are separate words. */
function spacedTextOf(element: Element): string {
  const blocks = element.children.filter(
    (child) => isElement(child) && /^(?:p|div|li|h[1-6]|ul|ol|section)$/.test(child.name),
  )
  return blocks.length > 1
    ? element.children
        .map((child) => textOfNode(child, MAX_VALUE))
        .join(' ')
        .slice(0, MAX_VALUE)
    : textOfNode(element, MAX_VALUE)
}
