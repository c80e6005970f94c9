// Lists the elements of a document with role, name, state, place and colour, through open shadow roots. The reader is
// opened once and kept as a handle.
import { besideOf, nameOf, pointed, roleOf, SKIP, tidy } from './role-and-name.js'

const MAX_NODES = 9000
const MAX_HIDDEN = 2500
const MAX_OPTIONS = 400

const flag = (el, name) => {
  const v = el.getAttribute(name)
  return v === null || v === '' ? undefined : v
}
const hex = (css) => {
  const m = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(css || '')
  return !m || m[4] === '0' || Number(m[4]) < 0.1
    ? undefined
    : `#${[m[1], m[2], m[3]].map((n) => Number(n).toString(16).padStart(2, '0')).join('')}`
}
const stateOf = (el, tag, role, out) => {
  if (tag === 'input' || tag === 'textarea') {
    if (role === 'checkbox' || role === 'radio' || el.type === 'checkbox' || el.type === 'radio') {
      out.checked = el.checked
      if (el.name) out.group = el.name
    } else if (role !== 'button') out.value = String(el.value).slice(0, 2000)
    if (tag === 'input') out.type = el.type
    if (el.readOnly) out.readonly = true
    if (el.required) out.required = true
    if (el.min) out.min = el.min
    if (el.max) out.max = el.max
    if (el.step) out.step = el.step
    if (el.maxLength > 0) out.max_length = el.maxLength
    if (el.placeholder) out.placeholder = tidy(el.placeholder, 120)
    if (el.pattern) out.pattern = el.pattern.slice(0, 100)
    if (el.list)
      out.options = [...el.list.options].slice(0, MAX_OPTIONS).map((o) => [tidy(o.value || o.label, 100), false])
  } else if (tag === 'select') {
    out.options = [...el.options].slice(0, MAX_OPTIONS).map((o) => [tidy(o.label || o.text, 100), o.selected])
    out.value = tidy([...el.selectedOptions].map((o) => o.label || o.text).join(', '), 200)
    out.type = 'select'
    if (el.multiple) out.multiple = true
  } else if (el.isContentEditable) {
    out.value = String(el.innerText || '').slice(0, 2000)
    out.type = 'editable'
  } else if (tag === 'progress' || tag === 'meter') out.value = String(el.value)
  if (tag === 'a' && el.href) out.href = String(el.href).slice(0, 400)
  if (tag === 'a' && el.hasAttribute('download')) out.download = true
  if (el.type === 'submit' && el.form) out.submits = true
  if (tag === 'details') out.expanded = el.open
  if (tag === 'summary') out.expanded = !!el.parentElement?.open
  if (/^h[1-6]$/.test(tag)) out.level = Number(tag[1])
  if (el.disabled || flag(el, 'aria-disabled') === 'true') out.disabled = true
  for (const key of ['checked', 'selected', 'pressed', 'expanded', 'invalid', 'current', 'modal']) {
    const v = flag(el, `aria-${key}`)
    if (v !== undefined && (out[key] === undefined || v === 'mixed'))
      out[key] = v === 'true' ? true : v === 'false' ? false : v
  }
  for (const [key, name] of [
    ['value', 'aria-valuetext'],
    ['value', 'aria-valuenow'],
    ['min', 'aria-valuemin'],
    ['max', 'aria-valuemax'],
    ['sort', 'aria-sort'],
    ['popup', 'aria-haspopup'],
    ['controls', 'aria-controls'],
    ['live', 'aria-live'],
    ['auto', 'aria-autocomplete'],
    ['described', 'aria-description'],
  ]) {
    const v = flag(el, name)
    if (v !== undefined && out[key] === undefined) out[key] = v.slice(0, 200)
  }
  if (el.getAttribute('aria-valuenow')) out.now = el.getAttribute('aria-valuenow')
  if (el.draggable && tag !== 'a' && tag !== 'img') out.draggable = true
  const hint = el.getAttribute('title')
  if (hint && out.described === undefined) out.described = tidy(hint, 120)
  if (tag === 'img') out.src = String(el.currentSrc || el.src).slice(-80)
  const id = el.id
  if (id && typeof id === 'string') out.dom = id.slice(0, 80)
  const cls = typeof el.className === 'string' ? el.className : el.className?.baseVal
  if (cls) out.cls = cls.slice(0, 120)
  const says = el.getAttribute('name')
  if (says) out.field = says.slice(0, 60)
}
export function openDomReader() {
  const ids = new WeakMap(),
    byId = new Map()
  let next = 1
  const idOf = (el) => {
    let id = ids.get(el)
    if (!id) {
      id = next++
      ids.set(el, id)
      byId.set(id, new WeakRef(el))
    }
    return id
  }
  const SVG = /^(circle|rect|ellipse|polygon|polyline|path|line|text|image|use|g|svg|tspan)$/
  const ACTIVE =
    /^(button|link|textbox|searchbox|combobox|listbox|checkbox|radio|switch|slider|spinbutton|tab|menuitem|menuitemradio|menuitemcheckbox|option|treeitem|summary|file|color|gridcell)$/
  const isOption = (el) => el.localName === 'option' || el.localName === 'optgroup'
  const look = () => {
    pointed.clear()
    const nodes = []
    let hidden = 0,
      over = false
    const seen = (el, parent, parentHidden, pointer, inActive) => {
      if (over) return
      const tag = el.localName
      if (SKIP.test(tag) || isOption(el) || tag === 'datalist') return
      if (nodes.length >= MAX_NODES) {
        over = true
        return
      }
      const style = getComputedStyle(el)
      const gone =
        parentHidden === 2 ||
        style.display === 'none' ||
        (el.checkVisibility && style.display !== 'contents' && !el.checkVisibility())
      const unseen = gone || style.visibility !== 'visible'
      const rect = gone ? null : el.getBoundingClientRect()
      if (gone) {
        if (++hidden > MAX_HIDDEN) return
      }
      let ownPointer = style.cursor
      if (typeof el.onclick === 'function' || el.hasAttribute('onclick')) ownPointer = 'pointer!'
      const isPointed =
        !inActive && (ownPointer === 'pointer!' || (style.cursor === 'pointer' && pointer !== 'pointer'))
      if (isPointed) pointed.add(el)
      const role = roleOf(el, tag)
      if (tag === 'input' && el.type === 'hidden') return
      const out = { id: idOf(el), up: parent, tag }
      if (role) out.role = role
      const name = nameOf(el, tag, role)
      if (name) out.name = name
      let own = ''
      for (const child of el.childNodes) if (child.nodeType === 3) own += `${child.data} `
      own = tidy(own, 600)
      if (own && tag !== 'textarea') out.text = own
      stateOf(el, tag, role, out)
      if (ACTIVE.test(role) || role === 'columnheader') {
        if (/^(textbox|searchbox|combobox|listbox|spinbutton|slider|file|color|checkbox|radio|switch)$/.test(role)) {
          const b = besideOf(el)
          if (b && b !== name) out.beside = b
        }
      }
      if (unseen) out.hidden = gone ? 2 : 1
      else {
        out.box = [
          Math.round(rect.left + scrollX),
          Math.round(rect.top + scrollY),
          Math.round(rect.width),
          Math.round(rect.height),
        ]
        if (rect.width < 1 || rect.height < 1) out.flat = true
        if (Number(style.opacity) < 0.05) out.clear = true
        if (style.position === 'fixed') out.fixed = true
        if (tag !== 'body' && el.scrollHeight > el.clientHeight + 4 && /auto|scroll/.test(style.overflowY))
          out.scrolls = [Math.round(el.scrollTop), el.scrollHeight, el.clientHeight]
        const svg = SVG.test(tag) && el.namespaceURI !== 'http://www.w3.org/1999/xhtml'
        const fill = svg ? hex(style.fill) || hex(style.stroke) : hex(style.backgroundColor)
        if (fill) out.fill = fill
        if (svg || own) {
          const fg = svg && tag !== 'text' ? undefined : hex(svg ? style.fill : style.color)
          if (fg) out.ink = fg
        }
        if (svg && tag === 'polygon') out.points = (el.getAttribute('points') || '').trim().split(/[\s,]+/).length >> 1
        if (svg && (tag === 'circle' || tag === 'ellipse'))
          out.r = Number(el.getAttribute('r') || el.getAttribute('rx')) || 0
        if (own) {
          const w = Number(style.fontWeight)
          if (w >= 600) out.bold = true
          const size = parseFloat(style.fontSize)
          if (size) out.size = Math.round(size)
        }
        if (!svg && /50%|999/.test(style.borderTopLeftRadius) && rect.width > 0) out.round = true
      }
      const focusable = el.hasAttribute('tabindex') && el.tabIndex >= -1 && el.getAttribute('tabindex') !== ''
      const does =
        ACTIVE.test(role) && !(role === 'gridcell' && !isPointed && !focusable && pointer !== 'pointer')
          ? 1
          : isPointed || (el.draggable === true && tag !== 'a' && tag !== 'img')
            ? 2
            : focusable && tag !== 'body'
              ? 3
              : 0
      if (does) out.does = does
      const at = nodes.length
      nodes.push(out)
      if (tag === 'iframe' || tag === 'frame') return
      const children = el.shadowRoot
        ? el.shadowRoot.children
        : tag === 'slot' && el.assignedElements().length
          ? el.assignedElements({ flatten: true })
          : el.children
      const active = inActive || (does === 1 && /^(button|link|summary|tab|checkbox|radio|switch)$/.test(role))
      if (el.shadowRoot && !watched.has(el.shadowRoot)) {
        watched.add(el.shadowRoot)
        watch.observe(el.shadowRoot, WATCHED)
      }
      // Folded to nothing: what is inside cannot be seen or pressed.
      const folded =
        rect && (rect.height < 1 || rect.width < 1) && /hidden|clip/.test(style.overflowY + style.overflowX)
      for (const child of children)
        if (!child.assignedSlot || tag === 'slot' || el.shadowRoot)
          seen(child, at, gone || folded ? 2 : 0, style.cursor, active)
    }
    if (document.body) seen(document.body, -1, 0, 'auto', false)
    const focus = deepFocus()
    return JSON.stringify({
      nodes,
      over,
      title: document.title,
      focus: focus ? idOf(focus) : 0,
      view: [
        Math.round(scrollX),
        Math.round(scrollY),
        innerWidth,
        innerHeight,
        document.documentElement.scrollHeight,
        document.documentElement.scrollWidth,
      ],
    })
  }
  const deepFocus = () => {
    let at = document.activeElement
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
    return at === document.body ? null : at
  }
  let changes = 0,
    last = performance.now()
  const WATCHED = { subtree: true, childList: true, attributes: true, characterData: true }
  const watched = new WeakSet()
  const watch = new MutationObserver((list) => {
    changes += list.length
    last = performance.now()
  })
  watch.observe(document, WATCHED)
  return {
    look,
    idOf,
    // null: not a selector.
    match: (selector) => {
      try {
        return Array.from(document.querySelectorAll(selector)).slice(0, 100).map(idOf)
      } catch {
        return null
      }
    },
    find: (id) => {
      const ref = byId.get(id)
      const el = ref?.deref()
      return el?.isConnected ? el : null
    },
    changes: () => changes,
    // Resolves when the page has not changed for a while, or when its time is up.
    quiet: (still, most) =>
      new Promise((done) => {
        const begun = performance.now()
        const look = () => {
          const now = performance.now()
          if (now - begun >= most || now - Math.max(last, begun) >= still) done(changes)
          else setTimeout(look, 15)
        }
        look()
      }),
  }
}
