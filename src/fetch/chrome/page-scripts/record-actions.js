// Reports what is done in a document. Runs in an isolated world; values of secret fields never leave the page.
import { openDomReader } from './open-dom-reader.js'

export function recordActions({ binding, point, read }) {
  const send = globalThis[binding]
  if (typeof send !== 'function') return
  const doc = Math.random().toString(36).slice(2)
  const secrets = new WeakSet()
  let reader, typing
  const pathOf = (event) => event.composedPath().filter((one) => one instanceof Element)
  const frameName = () => {
    if (window === top) return undefined
    try {
      const el = /** @type {any} */ (window.frameElement)
      return el ? el.title || el.name || el.id || location.pathname : location.pathname
    } catch {
      return location.pathname
    }
  }
  const open = () => {
    reader = reader || openDomReader()
  }
  const describe = (kind, path, more, light) => {
    open()
    const ids = path.slice(0, 15).map((el) => reader.idOf(el))
    return JSON.stringify({
      kind,
      doc,
      ids,
      url: location.href,
      frame: frameName(),
      ...(light ? {} : { seen: reader.look() }),
      ...more,
    })
  }
  const tell = (kind, path, more, light) => {
    if (!document.body) return
    send(describe(kind, path, more, light))
    if (kind !== 'type') typing = undefined
  }
  const TEXT = /^(text|search|email|url|tel|password|number|date|time|month|week|datetime-local|color|range)$/
  const SET = /^(number|date|time|month|week|datetime-local|color|range)$/
  const isText = (el) =>
    el.localName === 'textarea' || (el.localName === 'input' && TEXT.test(el.type)) || el.isContentEditable
  const isShown = (el) => !el.checkVisibility || el.checkVisibility()
  const on = (name, listener) =>
    addEventListener(
      name,
      (event) => {
        try {
          listener(event, pathOf(event))
        } catch {}
      },
      true,
    )
  on('focusin', (_event, [el]) => {
    if (el && el.type === 'password') secrets.add(el)
  })
  // Lists that choose on the press are gone before the click, which then falls on something else.
  let chosen
  const tellChosen = () => {
    if (chosen && !(chosen.option.isConnected && isShown(chosen.option))) send(chosen.message)
    chosen = undefined
  }
  on('mousedown', (event, path) => {
    const at = path.findIndex((one) =>
      /^(option|menuitem|menuitemradio|treeitem)$/.test(one.getAttribute('role') || ''),
    )
    chosen =
      event.isTrusted && at >= 0 ? { option: path[at], message: describe('click', path.slice(at), {}) } : undefined
  })
  on('mouseup', () => setTimeout(tellChosen))
  on('click', (event, path) => {
    const [el] = path
    if (!event.isTrusted || !el) return
    if (chosen && !path.includes(chosen.option)) return tellChosen()
    chosen = undefined
    const toggle = path.find((one) => /^(switch|checkbox|menuitemcheckbox)$/.test(one.getAttribute('role') || ''))
    if (toggle && toggle.localName !== 'input')
      return tell('check', path.slice(path.indexOf(toggle)), { on: toggle.getAttribute('aria-checked') !== 'true' })
    const label = el.closest('label')
    if (label?.control && !label.control.contains(el) && !el.closest('a,button')) return
    if (el.localName === 'select' || el.localName === 'option') return
    if (el.localName === 'input' && /^(checkbox|radio|file)$/.test(el.type)) return
    tell(isText(el) ? 'focus' : 'click', path, { byKey: event.detail === 0 })
  })
  on('input', (event, path) => {
    const el = path.find(isText)
    if (!el || (!event.isTrusted && !(SET.test(el.type) && isShown(el)))) return
    const kept = el.type === 'password' || secrets.has(el) || /one-time-code|cc-|password/.test(el.autocomplete || '')
    if (kept) secrets.add(el)
    const isSame = typing === el
    const value = kept ? {} : { value: String(el.isContentEditable ? el.innerText : el.value).slice(0, 10000) }
    tell('type', path.slice(path.indexOf(el)), { ...value, secret: kept }, isSame)
    typing = el
  })
  on('change', (event, path) => {
    const [el] = path
    if (!el || (!event.isTrusted && !isShown(el))) return
    if (el.localName === 'select')
      tell('choose', path, { value: [...el.selectedOptions].map((one) => one.label || one.text).join(', ') })
    else if (el.localName === 'input' && /^(checkbox|radio)$/.test(el.type)) tell('check', path, { on: el.checked })
    else if (el.localName === 'input' && el.type === 'file')
      tell('upload', path, { value: [...el.files].map((one) => one.name).join(', ') })
  })
  const NAMED = /^(Enter|Escape|ArrowUp|ArrowDown|ArrowLeft|ArrowRight|PageUp|PageDown|Home|End|Delete|Backspace|F\d+)$/
  on('keydown', (event, path) => {
    const [el] = path
    if (!event.isTrusted || event.isComposing || !el) return
    const text = isText(el),
      { key } = event
    const held = [event.ctrlKey && 'Control', event.altKey && 'Alt', event.metaKey && 'Meta'].filter(Boolean)
    const isEdit =
      text &&
      (/^(Backspace|Delete|Home|End|ArrowLeft|ArrowRight)$/.test(key) || (held.length > 0 && /^[acvxz]$/i.test(key)))
    const isLine = key === 'Enter' && (el.localName === 'textarea' || el.isContentEditable)
    const isTyped = text && held.length === 0 && key.length === 1
    if (isEdit || isLine || isTyped || !(NAMED.test(key) || (key.length === 1 && key !== ' '))) return
    tell('press', path, { value: [...held, key].join('+') })
  })
  const selectorOf = (el) => {
    const parts = []
    for (let one = el; one && one !== document.body; one = one.parentElement) {
      const id = one.id && !/\d{3}|:/.test(one.id) ? `#${CSS.escape(one.id)}` : ''
      if (id && document.querySelectorAll(id).length === 1) return [id, ...parts].join(' > ')
      const twins = one.parentElement
        ? [...one.parentElement.children].filter(({ localName }) => localName === one.localName)
        : []
      parts.unshift(one.localName + (twins.length > 1 ? `:nth-of-type(${twins.indexOf(one) + 1})` : ''))
    }
    return parts.join(' > ')
  }
  if (window === top && globalThis.navigation) {
    let byUser = false
    // False for scripts, also for those of a button's handler; true for links that are clicked.
    navigation.addEventListener('navigate', (event) => {
      byUser = event.userInitiated
    })
    navigation.addEventListener('currententrychange', ({ navigationType, from }) => {
      if (navigationType !== 'push' && navigationType !== 'traverse') return
      const delta = navigationType === 'traverse' ? navigation.currentEntry.index - from.index : 0
      send(JSON.stringify({ kind: 'moved', url: location.href, delta, byUser }))
      typing = undefined
    })
  }
  globalThis[read] = () => {
    if (!document.body || document.readyState === 'loading') return
    open()
    return JSON.stringify({ seen: reader.look(), url: location.href })
  }
  globalThis[point] = (x, y) => {
    const path = []
    for (let el = document.elementFromPoint(x, y); el; el = el.parentElement) path.push(el)
    if (path.length > 2) tell('point', path, { selector: selectorOf(path[0]) })
  }
}
