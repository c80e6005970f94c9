// What a person can press on a page: the distinct names of its buttons, a search box, and its links as they are seen
// (text and place).
import type { AnyNode, Document, Element } from 'domhandler'
import type { ButtonPress } from '../base/page-state.ts'
import { isElement, nextNode, textOfNode } from './parse-tree.ts'
import { isHttpUrl, type ResolveLink } from './resolve-links.ts'

export interface ButtonsAndLinks {
  buttons: string[]
  /** Buttons that only lead to another state of the page, as tabs and menus do. */
  states: ButtonPress[]
  search: boolean
  links: SeenLink[]
}

type LinkRegion = 'menu' | 'footer' | 'aside'

interface SeenLink {
  url: string
  text: string
  region?: LinkRegion
  /** Leads to the next page of the same list or text. */
  isNext?: true
}

const MAX_LINKS = 400
const MAX_LINK_TEXT = 200
const MAX_BUTTONS = 60
const MAX_NAME = 60
const MAX_STATES = 20
const SEARCH_NAMES = /^(?:q|s|query|search|keywords?|term|suche|recherche|buscar)$/i
const SEARCH_WORDS = /\b(?:search|suche|rechercher?|buscar|cerca|find)\b/i

export function listButtonsAndLinks(tree: Document, resolve: ResolveLink): ButtonsAndLinks {
  const buttons = new Set<string>()
  const states = new Map<string, ButtonPress>()
  const links = new Map<string, SeenLink>()
  let search = false
  for (let node: AnyNode | null = tree; node; node = nextNode(node, tree)) {
    if (!isElement(node)) continue
    if (node.name === 'a' && links.size < MAX_LINKS) addLink(links, node, resolve)
    if (!search && isSearchBox(node)) search = true
    if (states.size < MAX_STATES) addState(states, node)
    if (buttons.size >= MAX_BUTTONS || !isButton(node)) continue
    const name = nameOf(node)
    if (name !== '' && name.length <= MAX_NAME) buttons.add(name)
  }
  return { buttons: [...buttons], states: [...states.values()], search, links: [...links.values()] }
}

/** Only navigation: outside forms, and a plain button only in a menu or with a part of the page that it controls. */
function addState(states: Map<string, ButtonPress>, element: Element): void {
  const { name: tag, attribs } = element
  const own = tag === 'button' && attribs.type !== 'submit' && attribs.type !== 'reset' ? 'button' : undefined
  const role = (attribs.role ?? own) as ButtonPress['role'] | undefined
  if (role !== 'button' && role !== 'tab' && role !== 'menuitem') return
  if (isDisabled(element) || (tag === 'a' && /^[^#]/.test(attribs.href ?? ''))) return
  const isMenu = role !== 'button' || attribs['aria-controls'] !== undefined
  if (!isMenu && regionOf(element) !== 'menu') return
  for (let node: Element['parent'] = element; isElement(node); node = node.parent) if (node.name === 'form') return
  const name = nameOf(element)
  if (/[\p{L}\p{N}]/u.test(name) && name.length <= MAX_NAME) states.set(`${role} ${name}`, { role, name })
}

/** Several links to one address count as one: the first place, all texts. */
function addLink(links: Map<string, SeenLink>, element: Element, resolve: ResolveLink): void {
  const href = element.attribs.href?.trim()
  const url = href && !href.startsWith('#') ? resolve(href) : undefined
  if (url === undefined || !isHttpUrl(url)) return
  const isNext = /\bnext\b/i.test(element.attribs.rel ?? '')
  const text = linkText(element, isNext)
  const known = links.get(url)
  if (!known) {
    const region = regionOf(element)
    links.set(url, { url, text, ...(region ? { region } : {}), ...(isNext ? { isNext } : {}) })
    return
  }
  if (text !== '' && !known.text.includes(text)) known.text = `${known.text} ${text}`.trim().slice(0, MAX_LINK_TEXT)
  if (isNext) known.isNext = true
}

/** The accessible name; a pager's arrow is spelled out. */
function linkText(element: Element, isNext: boolean): string {
  const { 'aria-label': label, title } = element.attribs
  const text = plain(label ?? textOfNode(element, MAX_LINK_TEXT)) || plain(altIn(element)) || plain(title ?? '')
  if (isNext && !/[\p{L}\p{N}]/u.test(text)) return 'next page'
  return text.slice(0, MAX_LINK_TEXT)
}

function altIn(element: Element): string {
  for (let node: AnyNode | null = element; node; node = nextNode(node, element))
    if (isElement(node) && node.name === 'img' && node.attribs.alt) return node.attribs.alt
  return ''
}

const REGIONS: Readonly<Record<string, LinkRegion>> = {
  nav: 'menu',
  header: 'menu',
  navigation: 'menu',
  banner: 'menu',
  footer: 'footer',
  contentinfo: 'footer',
  aside: 'aside',
  complementary: 'aside',
}

function regionOf(element: Element): LinkRegion | undefined {
  for (let node: Element['parent'] = element.parent; isElement(node); node = node.parent) {
    if (node.name === 'main' || node.name === 'article') return undefined
    const region = REGIONS[node.attribs.role ?? ''] ?? REGIONS[node.name]
    if (region) return region
  }
  return undefined
}

const isDisabled = ({ attribs }: Element): boolean =>
  attribs.disabled !== undefined || attribs['aria-disabled'] === 'true' || attribs.hidden !== undefined

function isButton(element: Element): boolean {
  const { name, attribs } = element
  if (isDisabled(element)) return false
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

function nameOf(element: Element): string {
  const { 'aria-label': label, value } = element.attribs
  if (label) return plain(label)
  if (element.name === 'input') return plain(value ?? '')
  return plain(textOfNode(element, 200))
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()
