// The script that measures how a page looks. It runs in a world of its own, where the page's scripts can neither see it
// nor answer for the browser, changes nothing, and stops after so many elements or so long. Text, like page-read.

const MAX_ELEMENTS = 4000
const BUDGET_MS = 1500

export const lookScript = String.raw`(() => {
  const ends = performance.now() + ${BUDGET_MS}
  const root = document.documentElement, body = document.body ?? root
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const brush = canvas.getContext('2d', { willReadFrequently: true })
  const known = new Map()
  // [hex, alpha]; what is not plain rgb() is painted on a pixel and read back.
  const parse = (text) => {
    let made = known.get(text)
    if (made) return made
    const plain = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(text)
    let rgb = plain ? [+plain[1], +plain[2], +plain[3]] : [0, 0, 0], alpha = plain ? (plain[4] === undefined ? 1 : +plain[4]) : 0
    if (!plain && brush && text && text !== 'none') {
      brush.clearRect(0, 0, 1, 1); brush.fillStyle = '#000'; brush.fillStyle = text; brush.fillRect(0, 0, 1, 1)
      const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data
      rgb = [r, g, b]; alpha = a / 255
    }
    made = { rgb, alpha }
    if (known.size < 2000) known.set(text, made)
    return made
  }
  const hex = (rgb) => '#' + rgb.map((one) => Math.max(0, Math.min(255, Math.round(one))).toString(16).padStart(2, '0')).join('')
  const over = ({ rgb, alpha }, under) => rgb.map((one, n) => one * alpha + under[n] * (1 - alpha))
  const fontsOf = (style) => style.fontFamily.split(',').map((one) => one.trim().replace(/^["']|["']$/g, '')).filter(Boolean).slice(0, 12)
  const px = (text) => parseFloat(text) || 0
  const size = root.getBoundingClientRect()
  const pageWidth = Math.max(innerWidth, Math.min(root.scrollWidth, 4000)), pageHeight = Math.max(innerHeight, Math.min(root.scrollHeight, 30000))
  const bump = (map, key, by, make) => { const one = map.get(key) ?? make(); one.n += by; map.set(key, one) }
  const sorted = (map, max) => [...map.values()].sort((a, b) => b.n - a.n).slice(0, max)
  const painted = new Map(), texts = new Map(), links = new Map(), families = new Map(), weights = new Map(), radii = new Map(), spaces = new Map(), transitions = new Map(), iconColours = new Map()
  const types = {}, buttons = [], inputs = [], logos = [], signals = []
  let stroked = 0, filled = 0, words = 0, emojis = 0, exclamations = 0, sample = '', header, footer, maxWidth, columns, gap
  const sections = new Map()
  // Pieces that float over the page are not the page.
  const OVERLAY = /cookie|consent|gdpr|onetrust|chat-?widget|intercom|crisp|modal|popup|overlay/i
  const named = (element) => ((typeof element.className === 'string' ? element.className : element.getAttribute('class') ?? '') + ' ' + (element.id || '')).slice(0, 200)
  const isHome = (link) => {
    try { const to = new URL(link.href, location.href); return to.origin === location.origin && (/^\/(?:index\.\w+|home|[a-z]{2}(?:-[a-z]{2})?)?\/?$/i.test(to.pathname)) } catch { return false }
  }
  const typeOf = (style, under) => {
    const height = style.lineHeight === 'normal' ? undefined : px(style.lineHeight)
    return { colour: hex(over(parse(style.color), under)), fonts: fontsOf(style), size: px(style.fontSize), weight: +style.fontWeight || 400, lineHeight: height, below: px(style.marginBottom) }
  }
  const ownText = (element) => { let text = ''; for (const node of element.childNodes) if (node.nodeType === 3) text += node.data; return text.trim() }
  const boxOf = (element, style, rect, where, under) => {
    const back = parse(style.backgroundColor)
    const ground = back.alpha > 0.05 ? over(back, under) : undefined
    let shade = ground
    if (!ground && /gradient/.test(style.backgroundImage)) { const stop = /(rgba?\([^)]*\)|#[0-9a-f]{3,8}|oklch\([^)]*\)|hsla?\([^)]*\))/i.exec(style.backgroundImage); if (stop) shade = over(parse(stop[1].startsWith('rgb') ? stop[1] : (brush.fillStyle = stop[1], stop[1])), under) }
    const line = px(style.borderTopWidth) > 0 && style.borderTopStyle !== 'none' ? parse(style.borderTopColor) : undefined
    return {
      text: (element.innerText || element.value || element.getAttribute('aria-label') || element.placeholder || '').trim().slice(0, 60), names: named(element),
      background: shade ? hex(shade) : undefined, colour: hex(over(parse(style.color), shade ?? under)), border: line && line.alpha > 0.05 ? hex(over(line, under)) : undefined,
      radius: style.borderTopLeftRadius.split(' ')[0], paddingX: px(style.paddingLeft), paddingY: px(style.paddingTop), area: Math.round(rect.width * rect.height),
      top: Math.round(rect.top + scrollY), where, submits: element.type === 'submit' || !!element.closest('form'),
    }
  }
  // Rules that say what an input looks like in use: read, not tried, since trying would tell the page.
  const focusRules = []
  try {
    let rules = 0
    for (const sheet of [...document.styleSheets].slice(0, 60)) {
      let list; try { list = sheet.cssRules } catch { continue }
      for (const rule of list) { if (++rules > 6000) break; if (rule.selectorText && /:focus/.test(rule.selectorText) && (rule.style.borderColor || rule.style.borderTopColor || rule.style.outlineColor)) focusRules.push(rule) }
    }
  } catch {}
  const focusOf = (element) => {
    for (const { selectorText, style } of focusRules.slice(0, 100).reverse()) {
      try { if (element.matches(selectorText.replace(/:focus(-visible|-within)?/g, ''))) { let value = style.borderTopColor || style.borderColor || style.outlineColor; const name = /^var\((--[\w-]+)/.exec(value); if (name) value = getComputedStyle(element).getPropertyValue(name[1]).trim(); const colour = parse(value); if (colour.alpha > 0.1) return hex(colour.rgb) } } catch {}
    }
    return undefined
  }
  const svgSource = (svg) => {
    if (svg.querySelector('use')) return ''
    const copy = svg.cloneNode(true)
    copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
    const colour = getComputedStyle(svg).color
    if (/currentColor/i.test(copy.outerHTML.slice(0, 50000))) copy.setAttribute('color', colour)
    const text = copy.outerHTML
    return text.length > 30000 ? '' : 'data:image/svg+xml;utf8,' + encodeURIComponent(text)
  }
  const logo = (element, rect, where) => {
    const name = element.localName
    const link = element.closest('a[href]')
    const around = named(element) + ' ' + (element.getAttribute('alt') ?? '') + ' ' + (element.getAttribute('aria-label') ?? '') + ' ' + (element.parentElement ? named(element.parentElement) : '') + ' ' + (link ? named(link) + ' ' + (link.getAttribute('aria-label') ?? '') : '') + ' ' + (element.getAttribute('src') ?? '').split('/').pop().slice(0, 100)
    const home = !!link && isHome(link)
    const called = /logo|brand(?!s)|wordmark/i.test(around)
    const top = rect.top + scrollY
    if (!called && !(home && (where === 'header' || top < 200))) return
    let src = '', kind = 'img'
    if (name === 'img') src = element.currentSrc || element.src
    else if (name === 'svg') { src = svgSource(element); kind = 'svg' }
    else { const found = /url\("?([^")]+)"?\)/.exec(getComputedStyle(element).backgroundImage); src = found ? found[1] : ''; kind = 'background' }
    // A picture that did not load has no size; it is the logo all the same.
    const lost = name === 'img' && !element.naturalWidth
    if (!src || (!lost && (rect.width < 8 || rect.height < 8)) || logos.length >= 20) return
    logos.push({ src: src.slice(0, 100000), alt: (element.getAttribute('alt') ?? element.querySelector?.('title')?.textContent ?? link?.getAttribute('aria-label') ?? '').slice(0, 200), names: around.slice(0, 300), where, linksHome: home, width: Math.round(rect.width), height: Math.round(rect.height), top: Math.round(top), kind, lost })
  }
  const white = [255, 255, 255]
  const canvasGround = (() => { const html = parse(getComputedStyle(root).backgroundColor), own = parse(getComputedStyle(body).backgroundColor); const first = html.alpha > 0 ? html : own; return first.alpha > 0 ? over(first, white) : (/dark/.test(getComputedStyle(root).colorScheme) && !/light/.test(getComputedStyle(root).colorScheme) ? [18, 18, 18] : white) })()
  bump(painted, hex(canvasGround) + ' main', pageWidth * pageHeight, () => ({ n: 0, colour: hex(canvasGround), where: 'main' }))
  const stack = [{ element: body, ground: canvasGround, key: hex(canvasGround) + ' main', where: 'main' }]
  let seen = 0
  while (stack.length > 0 && seen < ${MAX_ELEMENTS} && performance.now() < ends) {
    const { element, ground: under, key: underKey, where: place } = stack.pop()
    const name = element.localName
    if (/^(script|style|template|noscript|iframe|object|video|audio|canvas|option)$/.test(name)) continue
    const style = getComputedStyle(element)
    if (style.display === 'none' || style.visibility === 'hidden' || +style.opacity === 0) continue
    seen++
    const rect = element.getBoundingClientRect()
    const names = named(element)
    if ((style.position === 'fixed' || style.position === 'sticky') && OVERLAY.test(names)) continue
    let where = place
    const top = rect.top + scrollY
    if (where === 'main') {
      if (name === 'header' || name === 'nav' || element.getAttribute('role') === 'banner' || (/(^|[\s_-])(header|nav|navbar|navigation|topbar|top-?nav|masthead|site-?nav)([\s_-]|$)/i.test(names) && name !== 'h1' && top < 300 && rect.height < 400)) { if (top < 400) where = 'header' }
      else if (name === 'footer' || element.getAttribute('role') === 'contentinfo' || /(^|[\s_-])(site-?)?footer([\s_-]|$)/i.test(names)) where = 'footer'
    }
    if (where === 'header' && place === 'main' && header === undefined && rect.width > pageWidth * 0.5) header = Math.round(rect.height)
    if (where === 'footer' && place === 'main' && rect.width > pageWidth * 0.5) footer = Math.round(rect.height)
    let ground = under, key = underKey
    const back = parse(style.backgroundColor)
    const isButton = name === 'button' || (name === 'input' && /^(submit|button|reset)$/.test(element.type)) || element.getAttribute('role') === 'button' || (name === 'a' && (/(^|[\s_-])(btn|button|cta)([\s_-]|$)/i.test(names) || (style.display !== 'inline' && px(style.paddingLeft) >= 8 && px(style.paddingTop) >= 4 && (back.alpha > 0.3 || px(style.borderTopWidth) > 0) && rect.height < 90 && rect.width < 420)))
    if (back.alpha > 0.05 && element !== body && rect.width > 0 && rect.height > 0) {
      ground = over(back, under)
      const area = Math.max(0, Math.min(rect.right, pageWidth) - Math.max(rect.left, 0)) * Math.max(0, Math.min(rect.bottom + scrollY, pageHeight) - Math.max(top, 0)) * (back.alpha > 0.5 ? 1 : 0)
      if (!isButton && area > 0) {
        key = hex(ground) + ' ' + where
        if (key !== underKey) { const below = painted.get(underKey); if (below) below.n -= area }
        if (key !== underKey) bump(painted, key, area, () => ({ n: 0, colour: hex(ground), where }))
      }
    }
    const text = ownText(element)
    const inLink = !isButton && element.closest('a[href]')
    const inButton = isButton || element.closest('button, [role=button], .btn, .button')
    if (text && rect.width > 1) {
      const chars = text.length
      const colour = hex(over(parse(style.color), ground))
      words += text.split(/\s+/).length
      if (sample.length < 4000) sample += ' ' + text.slice(0, 400)
      emojis += (text.slice(0, 2000).match(/\p{Extended_Pictographic}/gu) ?? []).length
      exclamations += text.split('!').length - 1
      const fonts = fontsOf(style)
      bump(families, fonts.join(','), chars, () => ({ n: 0, fonts }))
      bump(weights, style.fontWeight, chars, () => ({ n: 0, weight: +style.fontWeight || 400 }))
      if (inLink && !inButton) bump(links, colour + ' ' + where + (inLink.closest('p, li, td, dd, main, article') && where === 'main' ? '' : ' bare'), 1, () => ({ n: 0, colour, where }))
      else if (!inButton) bump(texts, colour + ' ' + Math.round(px(style.fontSize)), chars, () => ({ n: 0, colour, size: px(style.fontSize) }))
      const slot = /^h[123]$/.test(name) ? name : name === 'p' || (name === 'li' && !types.paragraph) ? 'paragraph' : name === 'code' || name === 'pre' || name === 'kbd' ? 'code' : name === 'small' ? 'small' : name === 'strong' || name === 'b' ? 'strong' : undefined
      if (slot && !types[slot] && (where === 'main' || slot === 'h1') && !(slot === 'paragraph' && chars < 20)) types[slot] = typeOf(style, ground)
    } else if (/^h[123]$/.test(name) && !types[name] && rect.width > 1) types[name] = typeOf(style, ground)
    if (isButton && rect.width > 20 && rect.height > 12 && buttons.length < 60) buttons.push(boxOf(element, style, rect, where, under))
    else if ((name === 'input' && !/^(hidden|checkbox|radio|range|color|file|image|submit|button|reset)$/.test(element.type)) || name === 'textarea' || name === 'select') {
      if (rect.width > 20 && inputs.length < 30) inputs.push({ ...boxOf(element, style, rect, where, under), focusBorder: focusOf(element) })
    } else if (rect.width > 40 && rect.height > 30 && style.borderTopLeftRadius !== '0px') bump(radii, style.borderTopLeftRadius.split(' ')[0], 1, () => ({ n: 0, radius: style.borderTopLeftRadius.split(' ')[0] }))
    if (name === 'img' || name === 'svg' || (where === 'header' && style.backgroundImage.startsWith('url('))) logo(element, rect, where)
    if (name === 'svg') {
      if (rect.width <= 48 && rect.width > 0) { const line = style.stroke !== 'none' || element.querySelector('[stroke]:not([stroke=none])'); line ? stroked++ : filled++; const paint = parse(line && style.stroke !== 'none' ? style.stroke : style.color); bump(iconColours, hex(over(paint, under)), 1, () => ({ n: 0, colour: hex(over(paint, under)) })) }
      continue
    }
    for (const value of [style.paddingTop, style.paddingLeft, style.marginTop, style.marginBottom, style.rowGap, style.columnGap]) { const space = px(value); if (space >= 2 && space <= 160 && Number.isInteger(space)) bump(spaces, space, 1, () => ({ n: 0, pixels: space })) }
    if (style.transitionDuration !== '0s' && (isButton || inLink || /^(input|textarea)$/.test(name))) { const duration = style.transitionDuration.split(',')[0].trim(), easing = (/^(cubic-bezier\([^)]*\)|steps\([^)]*\)|[\w-]+)/.exec(style.transitionTimingFunction) ?? [''])[0]; if (duration !== '0s') bump(transitions, duration + easing, 1, () => ({ n: 0, duration, easing })) }
    const signal = /(^|[\s_-])(success|positive)([\s_-]|$)/i.test(names) ? 'success' : /(^|[\s_-])(warning|caution)([\s_-]|$)/i.test(names) ? 'warning' : /(^|[\s_-])(error|danger|destructive|invalid|negative)([\s_-]|$)/i.test(names) ? 'error' : undefined
    if (signal && signals.length < 60) for (const colour of [style.borderTopWidth !== '0px' ? style.borderTopColor : style.borderLeftWidth !== '0px' ? style.borderLeftColor : '', style.backgroundColor, style.color]) { const one = colour ? parse(colour) : undefined; if (one && one.alpha > 0.5) signals.push({ kind: signal, colour: hex(over(one, under)) }) }
    if (where === 'main' && /^(section|main|article|div)$/.test(name) && rect.width < pageWidth && rect.width > 300) {
      const limit = px(style.maxWidth)
      if (limit >= 480 && limit <= 2400 && style.maxWidth.endsWith('px')) sections.set(limit, (sections.get(limit) ?? 0) + rect.height)
    }
    if (columns === undefined && style.display === 'grid' && where === 'main') { const count = style.gridTemplateColumns.split(' ').filter((one) => /px$/.test(one)).length; if (count > 1 && count <= 16) { columns = count; gap = px(style.columnGap) } }
    for (let at = element.children.length - 1; at >= 0; at--) stack.push({ element: element.children[at], ground, key, where })
    if (element.shadowRoot) for (const child of element.shadowRoot.children) stack.push({ element: child, ground, key, where })
  }
  maxWidth = [...sections].sort((a, b) => b[1] - a[1])[0]?.[0]
  types.body = typeOf(getComputedStyle(body), canvasGround)
  const variables = []
  try {
    const style = getComputedStyle(root), names = new Set()
    for (const sheet of [...document.styleSheets].slice(0, 60)) {
      let list; try { list = sheet.cssRules } catch { continue }
      let rules = 0
      for (const rule of list) { if (++rules > 3000 || names.size > 400) break; if (rule.selectorText && /:root|html|body|data-theme/.test(rule.selectorText)) for (const name of rule.style) if (name.startsWith('--')) names.add(name) }
    }
    for (const name of [...names].slice(0, 400)) {
      const value = style.getPropertyValue(name).trim() || getComputedStyle(body).getPropertyValue(name).trim()
      if (!/^(#[0-9a-f]{3,8}|(rgb|hsl|oklch|oklab|lab|lch|hwb|color)a?\()/i.test(value) || value.length > 100) continue
      brush.clearRect(0, 0, 1, 1); brush.fillStyle = '#010203'; brush.fillStyle = value
      if (brush.fillStyle === '#010203') continue
      const colour = parse(value)
      if (colour.alpha > 0.9 && variables.length < 200) variables.push({ name, colour: hex(colour.rgb) })
    }
  } catch {}
  const meta = (name) => document.querySelector('meta[property="' + name + '"], meta[name="' + name + '"]')?.content ?? ''
  const absolute = (href) => { try { return href ? new URL(href, document.baseURI).href : '' } catch { return '' } }
  const icon = document.querySelector('link[rel~="icon" i][href]') ?? document.querySelector('link[rel="apple-touch-icon" i][href]')
  const area = ({ n, ...rest }) => ({ ...rest, area: Math.round(n) }), chars = ({ n, ...rest }) => ({ ...rest, chars: n }), count = ({ n, ...rest }) => ({ ...rest, count: n })
  return {
    title: document.title.slice(0, 300), siteName: meta('og:site_name').slice(0, 200), favicon: absolute(icon?.getAttribute('href')).slice(0, 20000), ogImage: absolute(meta('og:image')).slice(0, 4000),
    declaredScheme: (getComputedStyle(root).colorScheme + ' ' + meta('color-scheme')).replace('normal', '').trim().slice(0, 40),
    painted: sorted(painted, 30).map(area), texts: sorted(texts, 30).map(chars), links: sorted(links, 20).map(count), families: sorted(families, 20).map(chars), weights: sorted(weights, 9).map(chars),
    types, buttons, inputs, radii: sorted(radii, 10).map(count), spaces: sorted(spaces, 40).map(count), logos, variables, signals,
    icons: { stroked, filled, colours: sorted(iconColours, 5).map(count) }, transitions: sorted(transitions, 5).map(count),
    layout: { maxWidth, columns, gap, header, footer }, words: { count: words, emojis, exclamations, sample },
  }
})()`
