// Runs in a world of its own, which scripts of the page cannot read. Other sites could test guesses by writing them and
// looking whether they are painted over.
export function maskValues(host, values, drawn) {
  const here = origin === 'null' ? '' : new URL(origin).hostname
  if (here !== host && !here.endsWith(`.${host}`)) return
  const name = 'orb-masked',
    marked = CSS.highlights.get(name) ?? new Highlight()
  CSS.highlights.set(name, marked)
  const style = new CSSStyleSheet()
  style.replaceSync(
    '::highlight(' +
      name +
      '){color:transparent;-webkit-text-fill-color:transparent;-webkit-text-stroke:0;background-color:#777;text-shadow:none}',
  )
  const longest = Math.max(...values.map((value) => value.length))
  const has = (text) => !!text && values.some((value) => text.includes(value))
  const hide = (element) => element.style?.setProperty('opacity', '0', 'important')
  const NO_HIGHLIGHT = 'svg, option, select, button'
  const painted = new WeakMap()
  const maskRun = (nodes) => {
    for (const node of nodes) {
      for (const range of painted.get(node) ?? []) marked.delete(range)
      painted.delete(node)
    }
    const text = nodes.map((node) => node.data).join('')
    for (const value of values)
      for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
        let start = 0
        for (const node of nodes) {
          const from = Math.max(0, at - start),
            to = Math.min(node.data.length, at + value.length - start)
          start += node.data.length
          if (from >= to) continue
          const range = new Range()
          range.setStart(node, from)
          range.setEnd(node, to)
          marked.add(range)
          painted.set(node, [...(painted.get(node) ?? []), range])
          const outer = node.parentElement?.closest(NO_HIGHLIGHT)
          if (outer) hide(outer.namespaceURI.endsWith('svg') ? node.parentElement : outer)
        }
      }
  }
  // A value may be split over text nodes, so the texts before and after a change are read with it.
  const maskTexts = (root) => {
    const top =
      root.nodeType === Node.DOCUMENT_NODE || root.nodeType === Node.DOCUMENT_FRAGMENT_NODE
        ? root
        : (root.parentElement?.parentElement ?? root.parentNode ?? root)
    const walk = document.createTreeWalker(top, NodeFilter.SHOW_TEXT)
    const nodes = []
    while (walk.nextNode()) if (walk.currentNode.nodeValue) nodes.push(walk.currentNode)
    maskRun(nodes)
  }
  const maskElement = (element) => {
    if (element.matches('input, textarea') && (has(element.value) || has(element.placeholder))) {
      element.style.setProperty('-webkit-text-security', 'disc', 'important')
      if (has(element.placeholder) || /^(button|submit|reset)$/.test(element.type)) hide(element)
    }
    if (element.matches('img, image, object, embed')) {
      const address = element.src || element.data || element.href?.baseVal || ''
      try {
        if (has(address) || has(decodeURIComponent(address))) hide(element)
      } catch {}
    }
    for (const pseudo of ['::before', '::after', '::marker']) {
      const { content } = getComputedStyle(element, pseudo)
      if (
        content !== 'none' &&
        content !== 'normal' &&
        (has(content) || [...element.attributes].some((one) => content.includes(`attr(${one.name}`) && has(one.value)))
      )
        hide(element)
    }
    if (element.shadowRoot) watch(element.shadowRoot)
  }
  const watched = new WeakSet()
  const scan = (root) => {
    maskTexts(root)
    if (root.nodeType === Node.ELEMENT_NODE) maskElement(root)
    for (const element of root.querySelectorAll?.('*') ?? []) maskElement(element)
  }
  const watch = (root) => {
    if (watched.has(root)) return
    watched.add(root)
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, style]
    new MutationObserver((changes) => {
      if (!root.adoptedStyleSheets.includes(style)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, style]
      const changed = new Set(
        changes.flatMap(({ target, addedNodes }) => (addedNodes.length > 0 ? [...addedNodes] : [target])),
      )
      for (const one of changed.size > 50 ? [root] : changed) if (one.isConnected) scan(one)
    }).observe(root, {
      childList: true,
      characterData: true,
      attributes: true,
      subtree: true,
      attributeFilter: ['value', 'placeholder', 'src', 'class', 'style', 'title'],
    })
    scan(root)
  }
  const texts = new WeakMap()
  addEventListener(
    drawn,
    ({ target, detail }) => {
      const text = ((texts.get(target) ?? '') + detail).slice(-2 * longest - String(detail).length)
      texts.set(target, text)
      if (has(text)) hide(target)
    },
    true,
  )
  addEventListener(
    'input',
    ({ target }) => target instanceof Element && target.matches('input, textarea') && maskElement(target),
    true,
  )
  watch(document)
}
