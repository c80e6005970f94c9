// Whether a page means an element not to be read, as far as its own attributes tell. Some things that look hidden are
// content all the same: what a script moves into place later, folded panels, and the plain page inside <noscript>.
import type { AnyNode, Element } from 'domhandler'
import { isTag, isText } from 'domhandler'

const HIDING = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i
/** React streams late parts of a page as `<div hidden id="S:3">`, and a script swaps them into place. */
const STREAMED = /^S:[0-9a-f]+$/i
/** Folded, not absent: panels of tabs and accordions, answers under their questions. */
const FOLDED = /accordion|tab-?pane|tab-?panel|collaps|faq|expand|toggle/i
const MAX_ATTRIBUTE = 2000

/** Hidden on the face of it: by its own attributes, or as a <noscript>. */
export function seemsHidden({ name, attribs }: Element): boolean {
  if (name === 'noscript') return true
  const { hidden, style } = attribs
  if (hidden !== undefined && hidden !== 'until-found') return true
  return style !== undefined && style.length < MAX_ATTRIBUTE && HIDING.test(style)
}

/** Hidden for good: not streamed in, not merely folded, and not the plain copy of a page that needs scripts. */
export function isHidden(element: Element): boolean {
  if (!seemsHidden(element)) return false
  const { name, attribs } = element
  if (name === 'noscript') return !speaks(element)
  const { id = '', role } = attribs
  if (attribs.hidden !== undefined && STREAMED.test(id)) return false
  if (role === 'tabpanel') return false
  // A folded panel is named after what unfolds it; so are dialogs and menus, which say what they are.
  if (attribs['aria-labelledby'] !== undefined && (role === 'region' || (role === undefined && name === 'div')))
    return false
  const names = `${attribs.class ?? ''} ${id}`
  return names.length >= MAX_ATTRIBUTE || !FOLDED.test(names)
}

/** Forums written for browsers keep a plain copy of the page in <noscript>; a counting pixel is no such copy. */
const SPEAKING_CHARS = 500
const MAX_LOOKED_AT = 3000

/** Whether a <noscript> holds a text worth reading. Looks at a bounded number of nodes. */
function speaks(noscript: Element): boolean {
  let chars = 0
  const open: AnyNode[] = [...noscript.children].slice(0, MAX_LOOKED_AT)
  let looked = 0
  for (let node = open.pop(); node && looked < MAX_LOOKED_AT; node = open.pop()) {
    looked++
    if (isText(node)) chars += node.data.trim().length
    else if (isTag(node) && node.name !== 'iframe' && node.name !== 'style' && node.name !== 'script')
      for (const child of node.children.slice(0, MAX_LOOKED_AT)) open.push(child)
    if (chars >= SPEAKING_CHARS) return true
  }
  return false
}
