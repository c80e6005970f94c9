// Lists the distinct button names of a page in document order and detects a search box, to decide whether a click could
// reveal more.
import type { AnyNode, Document, Element } from 'domhandler'
import { isElement, nextNode, textOf } from './tree.ts'

export interface Controls {
  buttons: string[]
  search: boolean
}

const MAX_BUTTONS = 60
const MAX_NAME = 60
const SEARCH_NAMES = /^(?:q|s|query|search|keywords?|term|suche|recherche|buscar)$/i
const SEARCH_WORDS = /\b(?:search|suche|rechercher?|buscar|cerca|find)\b/i

export function controlsOf(tree: Document): Controls {
  const buttons = new Set<string>()
  let search = false
  for (let node: AnyNode | null = tree; node; node = nextNode(node, tree)) {
    if (!isElement(node)) continue
    if (!search && isSearchBox(node)) search = true
    if (buttons.size >= MAX_BUTTONS || !isButton(node)) continue
    const name = nameOf(node)
    if (name !== '' && name.length <= MAX_NAME) buttons.add(name)
  }
  return { buttons: [...buttons], search }
}

function isButton({ name, attribs }: Element): boolean {
  if (attribs.disabled !== undefined || attribs['aria-disabled'] === 'true' || attribs.hidden !== undefined)
    return false
  if (name === 'button' || name === 'summary' || attribs.role === 'button') return true
  return name === 'input' && /^(?:button|submit)$/i.test(attribs.type ?? '')
}

function isSearchBox({ name, attribs }: Element): boolean {
  if (attribs.role === 'searchbox') return true
  if (name !== 'input' || !/^(?:text|search)?$/i.test(attribs.type ?? '')) return false
  return (
    /^search$/i.test(attribs.type ?? '') ||
    SEARCH_NAMES.test(attribs.name ?? '') ||
    SEARCH_WORDS.test(`${attribs.placeholder ?? ''} ${attribs['aria-label'] ?? ''}`)
  )
}

/** The accessible name. */
function nameOf(element: Element): string {
  const { 'aria-label': label, value } = element.attribs
  if (label) return plain(label)
  if (element.name === 'input') return plain(value ?? '')
  return plain(textOf(element, 200))
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()
