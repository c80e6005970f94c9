// Paints over values of the vault where pages of their site show them, so that no picture, recording or viewer has them.
// The document itself is not changed.
import type { BrowserContext, Page } from 'playwright-core'

/** Runs in a world of its own, which scripts of the page cannot read. */
const MASKING_SCRIPT = `((host, values) => {
  // Other sites could test guesses by writing them and looking whether they are painted over.
  if (location.hostname !== host && !location.hostname.endsWith('.' + host)) return
  const name = 'orb-masked', marked = CSS.highlights.get(name) ?? new Highlight()
  CSS.highlights.set(name, marked)
  const style = new CSSStyleSheet()
  style.replaceSync('::highlight(' + name + '){color:transparent;-webkit-text-fill-color:transparent;background-color:#777;text-shadow:none}')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, style]
  const maskText = (node) => {
    for (const value of values)
      for (let at = node.data.indexOf(value); at >= 0; at = node.data.indexOf(value, at + value.length)) {
        const range = new Range()
        range.setStart(node, at)
        range.setEnd(node, at + value.length)
        marked.add(range)
      }
  }
  const maskField = (field) => {
    if (values.some((value) => field.value?.includes(value))) field.style.setProperty('-webkit-text-security', 'disc', 'important')
  }
  const scan = (root) => {
    if (root.nodeType === Node.TEXT_NODE) return maskText(root)
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    while (walk.nextNode()) maskText(walk.currentNode)
    if (root.matches?.('input, textarea')) maskField(root)
    for (const field of root.querySelectorAll?.('input, textarea') ?? []) maskField(field)
  }
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) for (const node of addedNodes.length > 0 ? addedNodes : [target]) scan(node)
  }).observe(document, { childList: true, characterData: true, attributes: true, attributeFilter: ['value'], subtree: true })
  scan(document)
})`

/** Shorter values occur in too many words. */
const MIN_MASKED_CHARS = 3

const masked = new WeakMap<BrowserContext, Set<string>>()

/** Masks the values on this and every later page of the context that is of `host` or below it. */
export async function maskValues(context: BrowserContext, host: string, values: readonly string[]): Promise<void> {
  const known = masked.get(context) ?? new Set()
  masked.set(context, known)
  const fresh = values.filter((value) => value.length >= MIN_MASKED_CHARS && !known.has(`${host} ${value}`))
  if (fresh.length === 0) return
  for (const value of fresh) known.add(`${host} ${value}`)
  const source = `${MASKING_SCRIPT}(${JSON.stringify(host)}, ${JSON.stringify(fresh)})`
  const mask = async (page: Page) => {
    const session = await context.newCDPSession(page)
    await session.send('Page.enable')
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: 'orb-mask', runImmediately: true })
  }
  context.on('page', (page) => void mask(page).catch(() => {}))
  await Promise.all(context.pages().map(mask))
}
