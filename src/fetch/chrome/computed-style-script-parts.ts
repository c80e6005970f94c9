// Parts of the measuring script (computed-style-script.ts), as strings that share one scope.

export const colourScriptPart = String.raw`
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const brush = canvas.getContext('2d', { willReadFrequently: true })
  const knownColours = new Map()
  const readBack = (text) => {
    if (!brush || !text || text === 'none') return { rgb: [0, 0, 0], alpha: 0 }
    brush.clearRect(0, 0, 1, 1)
    brush.fillStyle = '#000'
    brush.fillStyle = text
    brush.fillRect(0, 0, 1, 1)
    const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data
    return { rgb: [r, g, b], alpha: a / 255 }
  }
  const parse = (text) => {
    let made = knownColours.get(text)
    if (made) return made
    const plain = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(text)
    made = plain
      ? { rgb: [+plain[1], +plain[2], +plain[3]], alpha: plain[4] === undefined ? 1 : +plain[4] }
      : readBack(text)
    if (knownColours.size < 2000) knownColours.set(text, made)
    return made
  }
  const over = ({ rgb, alpha }, under) => rgb.map((one, n) => one * alpha + under[n] * (1 - alpha))
  const hex = (rgb) =>
    '#' + rgb.map((one) => Math.max(0, Math.min(255, Math.round(one))).toString(16).padStart(2, '0')).join('')
`

export const boxScriptPart = String.raw`
  const px = (text) => parseFloat(text) || 0
  const named = (element) => ((element.getAttribute('class') ?? '') + ' ' + (element.id || '')).slice(0, 200)
  const fontsOf = (style) =>
    style.fontFamily.split(',').map((one) => one.trim().replace(/^["']|["']$/g, '')).filter(Boolean).slice(0, 12)
  const typeOf = (style, under) => ({
    colour: hex(over(parse(style.color), under)),
    fonts: fontsOf(style),
    size: px(style.fontSize),
    weight: +style.fontWeight || 400,
    lineHeight: style.lineHeight === 'normal' ? undefined : px(style.lineHeight),
    below: px(style.marginBottom),
  })
  // A gradient counts as the colour it begins with.
  const GRADIENT_STOP = /((?:rgb|hsl|oklch|oklab|lab|lch|color)a?\([^()]*\)|#[0-9a-f]{3,8})/i
  const backdropOf = (style, under) => {
    const back = parse(style.backgroundColor)
    if (back.alpha > 0.05) return over(back, under)
    const stop = /gradient/.test(style.backgroundImage) ? GRADIENT_STOP.exec(style.backgroundImage) : null
    return stop ? over(parse(stop[1]), under) : undefined
  }
  const boxOf = (element, style, rect, where, under) => {
    const backdrop = backdropOf(style, under)
    const line = px(style.borderTopWidth) > 0 && style.borderTopStyle !== 'none' ? parse(style.borderTopColor) : undefined
    const label = element.innerText || element.value || element.getAttribute('aria-label') || element.placeholder || ''
    return {
      text: String(label).trim().slice(0, 60),
      names: named(element),
      background: backdrop ? hex(backdrop) : undefined,
      colour: hex(over(parse(style.color), backdrop ?? under)),
      border: line && line.alpha > 0.05 ? hex(over(line, under)) : undefined,
      radius: style.borderTopLeftRadius.split(' ')[0],
      paddingX: px(style.paddingLeft),
      paddingY: px(style.paddingTop),
      area: Math.round(rect.width * rect.height),
      top: Math.round(rect.top + scrollY),
      where,
      submits: element.type === 'submit' || !!element.closest('form'),
    }
  }
`

export const logoScriptPart = String.raw`
  const HOME_PATH = /^\/(?:index\.\w+|home|[a-z]{2}(?:-[a-z]{2})?)?\/?$/i
  const isHome = (link) => {
    try {
      const to = new URL(link.href, location.href)
      return to.origin === location.origin && HOME_PATH.test(to.pathname)
    } catch {
      return false
    }
  }
  const drawing = (svg) => {
    // A drawing that refers to another part of the page is nothing by itself.
    if (svg.querySelector('use')) return ''
    const copy = svg.cloneNode(true)
    copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
    copy.setAttribute('color', getComputedStyle(svg).color)
    const text = copy.outerHTML
    return text.length > 30000 ? '' : 'data:image/svg+xml;utf8,' + encodeURIComponent(text)
  }
  const sourceOf = (element) => {
    if (element.localName === 'img') return { src: element.currentSrc || element.src, kind: 'img' }
    if (element.localName === 'svg') return { src: drawing(element), kind: 'svg' }
    return { src: /url\("?([^")]+)"?\)/.exec(getComputedStyle(element).backgroundImage)?.[1] ?? '', kind: 'background' }
  }
  const logos = []
  const noteLogo = (element, rect, where) => {
    if (logos.length >= 20) return
    const link = element.closest('a[href]')
    const words = [element, element.parentElement, link].filter(Boolean).map(named)
    for (const name of ['alt', 'aria-label']) words.push(element.getAttribute(name) ?? '', link?.getAttribute(name) ?? '')
    words.push((element.getAttribute('src') ?? '').split('/').pop().slice(0, 100))
    const names = words.join(' ').slice(0, 300)
    const linksHome = !!link && isHome(link)
    const top = rect.top + scrollY
    if (!/logo|brand(?!s)|wordmark/i.test(names) && !(linksHome && (where === 'header' || top < 200))) return
    const { src, kind } = sourceOf(element)
    const lost = kind === 'img' && !element.naturalWidth
    if (!src || (!lost && (rect.width < 8 || rect.height < 8))) return
    const alt = element.getAttribute('alt') ?? element.querySelector?.('title')?.textContent ?? link?.getAttribute('aria-label') ?? ''
    logos.push({
      src: src.slice(0, 100000), alt: alt.slice(0, 200), names, where, linksHome, kind, lost,
      width: Math.round(rect.width), height: Math.round(rect.height), top: Math.round(top),
    })
  }
`

export const styleSheetScriptPart = String.raw`
  const rulesOf = (max) => {
    const rules = []
    for (const sheet of [...document.styleSheets].slice(0, 60)) {
      let list
      try { list = sheet.cssRules } catch { continue }
      for (const rule of list) {
        if (rules.length >= max) return rules
        if (rule.selectorText) rules.push(rule)
      }
    }
    return rules
  }
  const rules = rulesOf(6000)
  const focusRules = rules
    .filter(({ selectorText, style }) => /:focus/.test(selectorText) && (style.borderColor || style.borderTopColor || style.outlineColor))
    .slice(-100)
    .reverse()
  // Read, not tried: to focus an input would tell the page.
  const focusOf = (element) => {
    for (const { selectorText, style } of focusRules) {
      try {
        if (!element.matches(selectorText.replace(/:focus(-visible|-within)?/g, ''))) continue
        const value = style.borderTopColor || style.borderColor || style.outlineColor
        const variable = /^var\((--[\w-]+)/.exec(value)
        const colour = parse(variable ? getComputedStyle(element).getPropertyValue(variable[1]).trim() : value)
        if (colour.alpha > 0.1) return hex(colour.rgb)
      } catch {}
    }
    return undefined
  }
  const COLOUR_VALUE = /^(#[0-9a-f]{3,8}|(rgb|hsl|oklch|oklab|lab|lch|hwb|color)a?\(|[a-z]+$)/i
  const KEYWORD = /^(currentcolor|inherit|initial|revert|unset)$/i
  // Many design systems keep only the parts, for use as hsl(var(--primary)).
  const HSL_PARTS = /^[\d.]+(deg)?\s+[\d.]+%\s+[\d.]+%$/
  const variablesOf = () => {
    const names = new Set()
    for (const { selectorText, style } of rules) {
      if (names.size > 400) break
      if (/:root|html|body|data-theme/.test(selectorText)) for (const name of style) if (name.startsWith('--')) names.add(name)
    }
    const styles = [document.documentElement, document.body].filter(Boolean).map((element) => getComputedStyle(element))
    const found = []
    for (const name of [...names].slice(0, 400)) {
      const text = styles.map((style) => style.getPropertyValue(name).trim()).find(Boolean) ?? ''
      const value = HSL_PARTS.test(text) ? 'hsl(' + text + ')' : text
      if (value.length > 100 || !COLOUR_VALUE.test(value) || KEYWORD.test(value) || !CSS.supports('color', value)) continue
      const colour = parse(value)
      if (colour.alpha > 0.9 && found.length < 200) found.push({ name, colour: hex(colour.rgb) })
    }
    return found
  }
`
