// Scripts that read a finished page: serialise it, scroll to load lazy parts, and refuse cookie banners.

/** The same limit as in the HTTP engine. */
const MAX_HTML_CHARS = 20 * 1024 * 1024

/**
 * Inlines shadow roots and same-origin frames. Nothing is cloned when there are none; an explicit stack prevents
 * overflow on deep pages.
 */
export const serializeHtmlScript = `(() => {
  const MAX = ${MAX_HTML_CHARS}
  const doctype = document.doctype ? '<!doctype ' + document.doctype.name + '>' : ''
  const frames = [...document.querySelectorAll('iframe, frame')].some((frame) => {
    try { return !!frame.contentDocument?.body?.childNodes.length } catch { return false }
  })
  let shadows = false
  const walker = document.createTreeWalker(document.documentElement, 1)
  for (let node = walker.currentNode; node && !shadows; node = walker.nextNode()) shadows = !!node.shadowRoot
  if (!frames && !shadows) return (doctype + document.documentElement.outerHTML).slice(0, MAX)
  const VOID = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/
  const RAW = /^(script|style|xmp|noembed|noframes|plaintext)$/
  const text = (value) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
  const parts = [doctype]
  let length = 0
  const write = (part) => { parts.push(part); length += part.length }
  const open = (element, name) => {
    let tag = '<' + name
    for (const { name: key, value } of element.attributes) if (name === element.localName || key !== 'srcdoc') tag += ' ' + key + '="' + value.replace(/&/g, '&amp;').replace(/"/g, '&quot;') + '"'
    write(tag + '>')
  }
  const stack = [{ node: document.documentElement, frames: 0 }]
  while (stack.length > 0 && length < MAX) {
    const item = stack.pop()
    if (typeof item === 'string') { write(item); continue }
    const { node, frames } = item
    const put = (children) => { for (let at = children.length - 1; at >= 0; at--) stack.push({ node: children[at], frames }) }
    if (node.nodeType === 3) {
      write(RAW.test(node.parentNode?.localName ?? '') ? node.data : text(node.data))
      continue
    }
    if (node.nodeType !== 1) { if (node.nodeType === 11 || node.nodeType === 9) put(node.childNodes); continue }
    const name = node.localName
    if (name === 'slot' && node.getRootNode() instanceof ShadowRoot) {
      const given = node.assignedNodes()
      put(given.length > 0 ? given : node.childNodes)
      continue
    }
    if ((name === 'iframe' || name === 'frame') && frames < 5) {
      let body = null
      try { body = node.contentDocument?.body } catch {}
      if (body && body.childNodes.length > 0) {
        // Keep the frame's attributes: bot challenges are recognised by some of them.
        open(node, 'div')
        stack.push('</div>')
        for (let at = body.childNodes.length - 1; at >= 0; at--) stack.push({ node: body.childNodes[at], frames: frames + 1 })
        continue
      }
    }
    // A parser drops the inlined content inside <frameset>, so write it as <div>.
    const tag = name === 'frameset' ? 'div' : name
    open(node, tag)
    if (VOID.test(name)) continue
    stack.push('</' + tag + '>')
    if (node.shadowRoot) put(node.shadowRoot.childNodes)
    else if (name === 'template') put(node.content.childNodes)
    else put(node.childNodes)
  }
  return parts.join('').slice(0, MAX)
})()`

/** Scrolls down in steps and back, within a budget; a page that grows is followed a few times. */
export const makeScrollScript = (budgetMs: number, grows: number): string => `(async () => {
  const budget = performance.now() + ${budgetMs}
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  const root = document.scrollingElement ?? document.documentElement
  let grown = 0
  while (performance.now() < budget) {
    const before = root.scrollHeight
    root.scrollTop += Math.max(200, innerHeight * 0.9)
    await pause(40)
    if (root.scrollTop + innerHeight < root.scrollHeight - 4) continue
    // A page hears of a scroll with a frame, and a busy browser gives it late.
    let isDrawn = false
    requestAnimationFrame(() => requestAnimationFrame(() => { isDrawn = true }))
    for (let quiet = 0; quiet < 400 && root.scrollHeight <= before && performance.now() < budget; ) {
      await pause(50)
      if (isDrawn) quiet += 50
    }
    if (root.scrollHeight <= before || ++grown > ${grows}) break
  }
  root.scrollTop = 0
  return grown
})()`

/** Refuses a cookie banner by its reject button and removes what remains; without a button `unanswered` decides. */
export const makeRefuseConsentScript = (unanswered: 'leave' | 'remove'): string => `(async () => {
  const KNOWN = '#onetrust-consent-sdk, #CybotCookiebotDialog, #didomi-host, #usercentrics-root, .qc-cmp2-container, [id^="sp_message_container"], .fc-consent-root, #cookie-law-info-bar, .cc-window, #cookiescript_injected, .osano-cm-window, #iubenda-cs-banner, .cky-consent-container, .cmplz-cookiebanner, #axeptio_overlay, #tarteaucitronRoot, #truste-consent-track, .truste_overlay, .termly-styles-root'
  const LIKELY = '[id*="cookie" i], [class*="cookie" i], [id*="consent" i], [class*="consent" i], [id*="gdpr" i], [class*="gdpr" i], [id*="cmp" i], [class*="cmp-" i], dialog, [role="dialog"], [role="alertdialog"], [aria-modal="true"]'
  const SPEAKS = /cookie|consent|einwilligung|datenschutz|vie priv\\u00e9e|privacidad|privacy|personuppgifter|zgod[ay]|soubory|\\u540c\\u610f|\\u30af\\u30c3\\u30ad\\u30fc/i
  const NO = /\\b(reject|decline|refuse|deny|disagree|no,? thanks|opt[ -]?out|(only|just|strictly) (the )?(necessary|essential|required)|(necessary|essential|required)( cookies)? only|continue without|without accepting)\\b|ablehnen|verweigern|nur (notwendige|erforderliche|essenzielle)|refuser|continuer sans|rechazar|denegar|rifiuta|nega|weigeren|afwijzen|avvisa|neka|afvis|odm\\u00edtnout|odrzu|recusar|rejeitar|hyl\\u00e4|\\u62d2\\u5426|\\u62d2\\u7edd/i
  const floats = (element) => {
    for (let one = element, up = 0; one && up < 4; one = one.parentElement, up++) {
      const { position } = getComputedStyle(one)
      if (position === 'fixed' || position === 'sticky') return true
    }
    return element.matches('dialog, [role="dialog"], [role="alertdialog"], [aria-modal="true"]')
  }
  const seen = (element) => element.isConnected && element.getClientRects().length > 0 && getComputedStyle(element).visibility !== 'hidden'
  const banners = [...document.querySelectorAll(KNOWN)]
  for (const element of [...document.querySelectorAll(LIKELY)].slice(0, 300)) {
    if (banners.some((banner) => banner.contains(element)) || element === document.body || element === document.documentElement) continue
    const text = element.textContent ?? ''
    if (text.length < 4000 && SPEAKS.test(text) && seen(element) && floats(element)) banners.push(element)
  }
  if (banners.length === 0) return 'none'
  let refused = false
  for (const banner of banners) {
    const roots = [banner, banner.shadowRoot].filter(Boolean)
    const buttons = roots.flatMap((root) => [...root.querySelectorAll('button, a, [role="button"], input[type="button"], input[type="submit"]')]).slice(0, 100)
    const no = buttons.find((button) => NO.test((button.innerText || button.value || button.getAttribute('aria-label') || '').slice(0, 80)))
    if (!no) continue
    no.click()
    refused = true
  }
  if (!refused && '${unanswered}' === 'leave') return 'open'
  if (refused) await new Promise((resolve) => setTimeout(resolve, 60))
  for (const banner of banners) if (banner.isConnected) banner.remove()
  for (const cover of [...document.querySelectorAll('[class*="overlay" i], [class*="backdrop" i], [class*="modal-bg" i]')].slice(0, 200)) {
    const { position } = getComputedStyle(cover)
    const { width, height } = cover.getBoundingClientRect()
    if (position === 'fixed' && width >= innerWidth * 0.9 && height >= innerHeight * 0.9 && (cover.textContent ?? '').trim().length < 40) cover.remove()
  }
  for (const root of [document.documentElement, document.body])
    if (root && /hidden|clip/.test(getComputedStyle(root).overflow + getComputedStyle(root).overflowY)) root.style.setProperty('overflow', 'auto', 'important')
  return refused ? 'refused' : 'removed'
})()`
