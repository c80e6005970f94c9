// Serialises the document with its shadow roots and same-origin frames. Nothing is cloned when there are none; an explicit
// stack prevents overflow on deep pages.

/** The same limit as in the HTTP engine. */
const MAX = 20 * 1024 * 1024

export function serializeHtml() {
  const doctype = document.doctype ? `<!doctype ${document.doctype.name}>` : ''
  const frames = [...document.querySelectorAll('iframe, frame')].some((/** @type {any} */ frame) => {
    try {
      return !!frame.contentDocument?.body?.childNodes.length
    } catch {
      return false
    }
  })
  let shadows = false
  const walker = document.createTreeWalker(document.documentElement, 1)
  for (let node = /** @type {any} */ (walker.currentNode); node && !shadows; node = walker.nextNode())
    shadows = !!node.shadowRoot
  if (!frames && !shadows) return (doctype + document.documentElement.outerHTML).slice(0, MAX)
  const VOID = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/
  const RAW = /^(script|style|xmp|noembed|noframes|plaintext)$/
  const text = (value) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
  const parts = [doctype]
  let length = 0
  const write = (part) => {
    parts.push(part)
    length += part.length
  }
  const open = (element, name) => {
    let tag = `<${name}`
    for (const { name: key, value } of element.attributes)
      if (name === element.localName || key !== 'srcdoc')
        tag += ` ${key}="${value.replace(/&/g, '&amp;').replace(/"/g, '&quot;')}"`
    write(`${tag}>`)
  }
  /** @type {any} */
  const stack = [{ node: document.documentElement, frames: 0 }]
  while (stack.length > 0 && length < MAX) {
    const item = stack.pop()
    if (typeof item === 'string') {
      write(item)
      continue
    }
    const { node, frames } = item
    const put = (children) => {
      for (let at = children.length - 1; at >= 0; at--) stack.push({ node: children[at], frames })
    }
    if (node.nodeType === 3) {
      write(RAW.test(node.parentNode?.localName ?? '') ? node.data : text(node.data))
      continue
    }
    if (node.nodeType !== 1) {
      if (node.nodeType === 11 || node.nodeType === 9) put(node.childNodes)
      continue
    }
    const name = node.localName
    if (name === 'slot' && node.getRootNode() instanceof ShadowRoot) {
      const given = node.assignedNodes()
      put(given.length > 0 ? given : node.childNodes)
      continue
    }
    if ((name === 'iframe' || name === 'frame') && frames < 5) {
      let body = null
      try {
        body = node.contentDocument?.body
      } catch {}
      if (body && body.childNodes.length > 0) {
        // Keep the frame's attributes: bot challenges are recognised by some of them.
        open(node, 'div')
        stack.push('</div>')
        for (let at = body.childNodes.length - 1; at >= 0; at--)
          stack.push({ node: body.childNodes[at], frames: frames + 1 })
        continue
      }
    }
    // A parser drops the inlined content inside <frameset>, so write it as <div>.
    const tag = name === 'frameset' ? 'div' : name
    open(node, tag)
    if (VOID.test(name)) continue
    stack.push(`</${tag}>`)
    if (node.shadowRoot) put(node.shadowRoot.childNodes)
    else if (name === 'template') put(node.content.childNodes)
    else put(node.childNodes)
  }
  return parts.join('').slice(0, MAX)
}
