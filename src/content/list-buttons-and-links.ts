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
  const states: SeenStates = { allowed: new Map(), refused: new Set() }
  const links = new Map<string, SeenLink>()
  let search = false
  for (let node: AnyNode | null = tree; node; node = nextNode(node, tree)) {
    if (!isElement(node)) continue
    if (node.name === 'a' && links.size < MAX_LINKS) addLink(links, node, resolve)
    if (!search && isSearchBox(node)) search = true
    addState(states, node)
    if (buttons.size >= MAX_BUTTONS || !isButton(node)) continue
    const name = nameOf(node)
    if (name !== '' && name.length <= MAX_NAME) buttons.add(name)
  }
  return { buttons: [...buttons], states: listPressable(states), search, links: [...links.values()] }
}

/** Presses by role and name. */
type SeenStates = { allowed: Map<string, ButtonPress>; refused: Set<string> }

/** A press finds its button by role and name alone, so every button of that role and name has to be allowed. */
const listPressable = ({ allowed, refused }: SeenStates): ButtonPress[] =>
  [...allowed].flatMap(([key, press]) => (refused.has(key) ? [] : [press])).slice(0, MAX_STATES)

function addState({ allowed, refused }: SeenStates, element: Element): void {
  const role = (element.attribs.role ?? (isNativeButton(element) ? 'button' : undefined)) as ButtonPress['role']
  if (role !== 'button' && role !== 'tab' && role !== 'menuitem') return
  const name = nameOf(element)
  if (!/[\p{L}\p{N}]/u.test(name) || name.length > MAX_NAME) return
  const key = `${role} ${name}`
  if (!isNavigation(element, role)) refused.add(key)
  else if (!isDisabled(element)) allowed.set(key, { role, name })
}

/** Outside forms, and a plain button only in a menu or with a part of the page that it controls. */
function isNavigation(element: Element, role: ButtonPress['role']): boolean {
  const { name: tag, attribs } = element
  if (attribs.role === undefined && (tag !== 'button' || /^(?:submit|reset)$/i.test(attribs.type ?? ''))) return false
  if (attribs.form !== undefined || (tag === 'a' && /^[^#]/.test(attribs.href ?? ''))) return false
  for (let node: Element['parent'] = element; isElement(node); node = node.parent)
    if (node.name === 'form') return false
  return role !== 'button' || attribs['aria-controls'] !== undefined || regionOf(element) === 'menu'
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
  const text =
    collapseWhitespace(label ?? textOfNode(element, MAX_LINK_TEXT)) ||
    collapseWhitespace(altIn(element)) ||
    collapseWhitespace(title ?? '')
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

const isButton = (element: Element): boolean =>
  !isDisabled(element) && (isNativeButton(element) || element.attribs.role === 'button')

const isNativeButton = ({ name, attribs }: Element): boolean =>
  name === 'button' ||
  name === 'summary' ||
  (name === 'input' && /^(?:button|submit|reset|image)$/i.test(attribs.type ?? ''))

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
  const { 'aria-label': label, value, alt, title } = element.attribs
  if (label) return collapseWhitespace(label)
  const text = element.name === 'input' ? (value ?? alt ?? '') : textOfNode(element, 200)
  return collapseWhitespace(text) || collapseWhitespace(altIn(element)) || collapseWhitespace(title ?? '')
}

const collapseWhitespace = (text: string): string => text.replace(/\s+/g, ' ').trim()
