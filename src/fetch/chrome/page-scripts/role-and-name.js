// Role, accessible name, and the words beside an unnamed field.

/** Elements that react to the pointer. */
export const pointed = new Set()

const ROLES = {
  a: 'link',
  button: 'button',
  textarea: 'textbox',
  summary: 'summary',
  option: 'option',
  table: 'table',
  tr: 'row',
  td: 'cell',
  th: 'columnheader',
  ul: 'list',
  ol: 'list',
  li: 'listitem',
  nav: 'navigation',
  main: 'main',
  header: 'banner',
  footer: 'contentinfo',
  form: 'form',
  article: 'article',
  img: 'img',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  dialog: 'dialog',
  fieldset: 'group',
  progress: 'progressbar',
  meter: 'meter',
  output: 'status',
  aside: 'complementary',
  section: 'region',
  details: 'details',
  p: 'paragraph',
  label: 'label',
  legend: 'legend',
  iframe: 'iframe',
  canvas: 'canvas',
  caption: 'caption',
}
const INPUTS = {
  checkbox: 'checkbox',
  radio: 'radio',
  range: 'slider',
  number: 'spinbutton',
  button: 'button',
  submit: 'button',
  reset: 'button',
  image: 'button',
  search: 'searchbox',
  file: 'file',
  color: 'color',
}
export const roleOf = (el, tag) => {
  const given = (el.getAttribute('role') || '').trim().split(/\s+/)[0]
  if (given && given !== 'presentation' && given !== 'none') return given.toLowerCase()
  if (tag === 'input') return INPUTS[el.type] || (el.type === 'hidden' ? '' : 'textbox')
  if (tag === 'select') return el.multiple || el.size > 1 ? 'listbox' : 'combobox'
  if (tag === 'a') return el.hasAttribute('href') ? 'link' : ''
  if (el.isContentEditable && !el.parentElement?.isContentEditable) return 'textbox'
  return ROLES[tag] || ''
}
export const tidy = (text, max) => {
  const t = (text || '').replace(/[\s\u200b\ufeff]+/g, ' ').trim()
  return t.length > max ? `${t.slice(0, max)}…` : t
}
export const SKIP =
  /^(script|style|template|noscript|head|meta|link|title|base|br|wbr|source|track|param|col|colgroup)$/
// Text of an element as one reads it, with the names of pictures, and what is not shown left out.
const textOf = (el, max) => {
  let out = ''
  const walk = (node) => {
    if (out.length > max) return
    if (node.nodeType === 3) {
      out += node.data
      return
    }
    if (node.nodeType !== 1 && node.nodeType !== 11) return
    if (node.nodeType === 1) {
      const tag = node.localName
      if (
        SKIP.test(tag) ||
        tag === 'select' ||
        tag === 'textarea' ||
        node.hidden ||
        node.getAttribute('aria-hidden') === 'true'
      )
        return
      if (tag === 'img') {
        out += ` ${node.alt || ''} `
        return
      }
      if (node !== el && node.getAttribute('aria-label')) {
        out += ` ${node.getAttribute('aria-label')} `
        return
      }
    }
    const block =
      node.nodeType === 1 &&
      !/^(a|b|i|em|strong|span|kbd|code|small|sub|sup|u|mark|abbr|label|text|tspan)$/.test(node.localName)
    if (block) out += ' '
    for (const child of node.shadowRoot ? node.shadowRoot.childNodes : node.childNodes) walk(child)
    if (block) out += ' '
  }
  walk(el)
  return tidy(out, max)
}
const byIds = (el, attribute) => {
  const ids = el.getAttribute(attribute)
  if (!ids) return ''
  const root = el.getRootNode()
  return tidy(
    ids
      .split(/\s+/)
      .map((id) => {
        const at = root.getElementById ? root.getElementById(id) : null
        return at ? textOf(at, 160) : ''
      })
      .join(' '),
    160,
  )
}
const FIELD = /^(input|select|textarea)$/
const labelText = (label, el) => {
  let out = ''
  for (const child of label.childNodes)
    if (child !== el)
      out +=
        child.nodeType === 3
          ? child.data
          : child.contains?.(el)
            ? labelText(child, el)
            : ` ${child.nodeType === 1 ? textOf(child, 160) : ''}`
  return out
}
export const nameOf = (el, tag, role) => {
  const named = byIds(el, 'aria-labelledby') || tidy(el.getAttribute('aria-label'), 160)
  if (named) return named
  if (FIELD.test(tag)) {
    if (tag === 'input' && /^(submit|button|reset|image)$/.test(el.type))
      return tidy(
        el.value || el.alt || el.title || (el.type === 'submit' ? 'Submit' : el.type === 'reset' ? 'Reset' : ''),
        160,
      )
    const labels = el.labels?.length ? tidy([...el.labels].map((l) => labelText(l, el)).join(' '), 160) : ''
    return labels || tidy(el.getAttribute('title'), 160) || tidy(el.getAttribute('placeholder'), 160)
  }
  if (tag === 'img' || tag === 'area') return tidy(el.alt || el.title, 160)
  if (tag === 'svg') {
    const t = el.querySelector('title')
    return t ? tidy(t.textContent, 160) : ''
  }
  if (
    /^(button|link|tab|menuitem|menuitemradio|menuitemcheckbox|option|checkbox|radio|switch|treeitem|summary|gridcell|cell|columnheader|rowheader|heading|label|legend|caption)$/.test(
      role,
    ) ||
    pointed.has(el)
  ) {
    const text =
      role === 'treeitem' || role === 'menuitem' ? tidy(ownLine(el), 160) || textOf(el, 160) : textOf(el, 160)
    const title = tidy(el.getAttribute('title'), 160)
    if (title && !/[\p{L}\p{N}]/u.test(text)) return title
    return text || title || tidy(el.getAttribute('placeholder'), 160) || tidy(pictureName(el), 160)
  }
  return tidy(el.getAttribute('title'), 160) || tidy(el.getAttribute('placeholder'), 160)
}
// A button that is only a picture is known by the picture's name, or by the words in its classes.
const pictureName = (el) => {
  const inner = el.querySelector('img[alt], svg title, [title], [aria-label]')
  if (inner)
    return (
      inner.getAttribute('aria-label') || inner.getAttribute('alt') || inner.getAttribute('title') || inner.textContent
    )
  return ''
}
// Items of menus and trees hold the items below them: their own line ends there.
const ownLine = (el) => {
  let out = ''
  for (const child of el.childNodes) {
    if (child.nodeType === 3) out += child.data
    else if (
      child.nodeType === 1 &&
      !/^(ul|ol|menu)$/.test(child.localName) &&
      !/^(menu|group|tree)$/.test(child.getAttribute('role') || '')
    )
      out += ` ${textOf(child, 160)}`
  }
  return out
}
const CONTROL = 'input:not([type=hidden]),select,textarea,button'
// The words right before a field, as a person reads them: in its row, or in the line above.
export const besideOf = (el) => {
  let at = el
  for (let up = 0; up < 4 && at && at.parentNode; up++) {
    for (let before = at.previousSibling, seen = 0; before && seen < 6; before = before.previousSibling, seen++) {
      if (before.nodeType === 3) {
        const t = tidy(before.data, 120)
        if (/[\p{L}\p{N}]/u.test(t)) return t
        continue
      }
      if (before.nodeType !== 1) continue
      if (before.matches(CONTROL) || before.querySelector(CONTROL)) {
        if (/^(checkbox|radio|button)$/.test(before.type || '')) continue
        return ''
      }
      const t = textOf(before, 120)
      if (/[\p{L}\p{N}]/u.test(t)) return t
    }
    at = at.parentNode
    if (at?.nodeType !== 1 || at.localName === 'form' || at.localName === 'body') break
  }
  return ''
}
