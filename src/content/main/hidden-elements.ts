// Decides from attributes whether an element is hidden. Streamed parts, folded panels and a full-page <noscript> look
// hidden but are content.
import type { AnyNode, Element } from 'domhandler'
import { isTag, isText } from 'domhandler'

const HIDING = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i
/** React streams late parts as `<div hidden id="S:3">`, and a script moves them into place. */
const REACT_STREAMED_ID = /^S:[0-9a-f]+$/i
const FOLDED = /accordion|tab-?pane|tab-?panel|collaps|faq|expand|toggle/i
const MAX_ATTRIBUTE = 2000

export function hasHidingAttributes(element: Element): boolean {
  const { name, attribs } = element
  if (name === 'noscript' || isForOtherWidth(element)) return true
  const { hidden, style } = attribs
  if (hidden !== undefined && hidden !== 'until-found') return true
  return style !== undefined && style.length < MAX_ATTRIBUTE && HIDING.test(style)
}

/** Framer renders a part once per window width as siblings and shows one of them. */
const FRAMER_VARIANT_CLASS = /(?:^|\s)ssr-variant(?:\s|$)/

function isForOtherWidth({ attribs, prev }: Element): boolean {
  return isVariant(attribs.class) && prev !== null && isTag(prev) && isVariant(prev.attribs.class)
}

const isVariant = (names: string | undefined): boolean =>
  names !== undefined && names.length < MAX_ATTRIBUTE && FRAMER_VARIANT_CLASS.test(names)

export function isHidden(element: Element): boolean {
  if (!hasHidingAttributes(element)) return false
  const { name, attribs } = element
  if (isForOtherWidth(element)) return true
  if (name === 'noscript') return !speaks(element)
  const { id = '', role } = attribs
  if (attribs.hidden !== undefined && REACT_STREAMED_ID.test(id)) return false
  if (role === 'tabpanel') return false
  // Folded panels are labelled by their opener. Dialogs and menus are too, but have their own role.
  if (attribs['aria-labelledby'] !== undefined && (role === 'region' || (role === undefined && name === 'div')))
    return false
  const names = `${attribs.class ?? ''} ${id}`
  return names.length >= MAX_ATTRIBUTE || !FOLDED.test(names)
}

const OPENER_WORDS = 3
const CHROME = /^(?:nav|header|footer|aside|form)$/
const OPENER_CLIMB = 12

/** A button that opens a folded part and is labelled with its content, such as a question. */
export function opensHiddenContent({ name, attribs, parent, children }: Element): boolean {
  if (name !== 'button' || attribs.type === 'submit') return false
  const toggles =
    attribs['aria-controls'] !== undefined ||
    attribs['aria-expanded'] !== undefined ||
    /collapse/.test(attribs['data-toggle'] ?? attribs['data-bs-toggle'] ?? '') ||
    FOLDED.test((attribs.class ?? '').slice(0, MAX_ATTRIBUTE))
  if (!toggles || attribs['aria-haspopup'] !== undefined || attribs.role === 'tab') return false
  const text = shortText(children)
  if (text.split(' ').length < OPENER_WORDS && !/[?？؟]$/.test(text)) return false
  let up = parent
  for (let step = 0; up && isTag(up) && step < OPENER_CLIMB; step++, up = up.parent)
    if (CHROME.test(up.name) || up.attribs.role === 'navigation' || up.attribs.role === 'dialog') return false
  return true
}

const OPENER_NODES = 60
const OPENER_CHARS = 400

function shortText(nodes: readonly AnyNode[]): string {
  let text = ''
  const open: AnyNode[] = [...nodes].slice(0, OPENER_NODES).reverse()
  for (let looked = 0; open.length > 0 && looked < OPENER_NODES && text.length < OPENER_CHARS; looked++) {
    const node = open.pop()!
    if (isText(node)) text += ` ${node.data}`
    else if (isTag(node) && node.name !== 'svg' && node.name !== 'style')
      open.push(...node.children.slice(0, OPENER_NODES).reverse())
  }
  return text.replace(/\s+/g, ' ').trim()
}

/** Script-based forums put a plain copy of the page into <noscript>; tracking pixels are shorter. */
const MIN_NOSCRIPT_CONTENT_CHARS = 500
const MAX_LOOKED_AT = 3000

function speaks(noscript: Element): boolean {
  let chars = 0
  const open: AnyNode[] = [...noscript.children].slice(0, MAX_LOOKED_AT)
  let looked = 0
  for (let node = open.pop(); node && looked < MAX_LOOKED_AT; node = open.pop()) {
    looked++
    if (isText(node)) chars += node.data.trim().length
    else if (isTag(node) && node.name !== 'iframe' && node.name !== 'style' && node.name !== 'script')
      for (const child of node.children.slice(0, MAX_LOOKED_AT)) open.push(child)
    if (chars >= MIN_NOSCRIPT_CONTENT_CHARS) return true
  }
  return false
}
