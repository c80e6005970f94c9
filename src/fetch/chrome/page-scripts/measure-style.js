// Measures how a page looks. Changes nothing, has element and time limits, and runs in an isolated world that page scripts
// cannot spoof.
import { boxOf, fontsOf, named, px, typeOf } from './style-boxes.js'
import { hex, over, parse } from './style-colours.js'
import { logos, noteLogo } from './style-logos.js'
import { focusOf, variablesOf } from './style-sheets.js'

const MAX_ELEMENTS = 4000
const BUDGET_MS = 1500
const root = document.documentElement,
  body = document.body ?? root
const pageWidth = Math.max(innerWidth, Math.min(root.scrollWidth, 4000))

const SILENT = /^(script|style|template|noscript|iframe|object|video|audio|canvas|option)$/
// What floats over the page is not the page.
const OVERLAY = /cookie|consent|gdpr|onetrust|chat-?widget|intercom|crisp|modal|popup|overlay/i
const HEADER = /(^|[\s_-])(header|nav|navbar|navigation|topbar|top-?nav|masthead|site-?nav)([\s_-]|$)/i
const FOOTER = /(^|[\s_-])(site-?)?footer([\s_-]|$)/i
const placeOf = (element, names, rect, outer) => {
  if (outer !== 'main') return outer
  const top = rect.top + scrollY
  const role = element.getAttribute('role')
  const isHeader =
    /^(header|nav)$/.test(element.localName) ||
    role === 'banner' ||
    (HEADER.test(names) && top < 300 && rect.height < 400)
  if (isHeader) return top < 400 ? 'header' : outer
  return element.localName === 'footer' || role === 'contentinfo' || FOOTER.test(names) ? 'footer' : outer
}
const isButton = (element, names, style, rect) => {
  const name = element.localName
  if (name === 'button' || element.getAttribute('role') === 'button') return true
  if (name === 'input') return /^(submit|button|reset)$/.test(element.type)
  if (name !== 'a') return false
  if (/(^|[\s_-])(btn|button|cta)([\s_-]|$)/i.test(names)) return true
  const dressed = parse(style.backgroundColor).alpha > 0.3 || px(style.borderTopWidth) > 0
  return (
    dressed &&
    style.display !== 'inline' &&
    px(style.paddingLeft) >= 8 &&
    px(style.paddingTop) >= 4 &&
    rect.height < 90 &&
    rect.width < 420
  )
}
const isInput = ({ localName, type }) =>
  /^(textarea|select)$/.test(localName) ||
  (localName === 'input' && !/^(hidden|checkbox|radio|range|color|file|image|submit|button|reset)$/.test(type))
/** @type {[string, RegExp][]} */
const SIGNALS = [
  ['success', /(^|[\s_-])(success|positive)([\s_-]|$)/i],
  ['warning', /(^|[\s_-])(warning|caution)([\s_-]|$)/i],
  ['error', /(^|[\s_-])(error|danger|destructive|invalid|negative)([\s_-]|$)/i],
]

/** @type {Record<string, Map<unknown, any>>} */
const tallies = {}
const bump = (list, key, by, facts) => {
  tallies[list] ??= new Map()
  const map = tallies[list]
  const one = map.get(key)
  if (one) one.n += by
  else if (map.size < 2000) map.set(key, { n: by, ...facts })
}
const top = (list, max, unit) =>
  [...(tallies[list]?.values() ?? [])]
    .sort((a, b) => b.n - a.n)
    .slice(0, max)
    .map(({ n, ...facts }) => ({ ...facts, [unit]: Math.round(n) }))
const types = {},
  buttons = [],
  inputs = [],
  signals = [],
  layout = {}
const words = { count: 0, emojis: 0, exclamations: 0, sample: '' }
const icons = { stroked: 0, filled: 0 }

const measureText = (element, style, text, backdrop, where, button) => {
  const colour = hex(over(parse(style.color), backdrop))
  const size = px(style.fontSize)
  words.count += text.split(/\s+/).length
  if (words.sample.length < 4000) words.sample += ` ${text.slice(0, 400)}`
  words.emojis += (text.slice(0, 2000).match(/\p{Extended_Pictographic}/gu) ?? []).length
  words.exclamations += text.split('!').length - 1
  const fonts = fontsOf(style)
  bump('families', fonts.join(), text.length, { fonts })
  bump('weights', style.fontWeight, text.length, { weight: +style.fontWeight || 400 })
  if (button || element.closest('button, [role=button], .btn, .button')) return
  const link = element.closest('a[href]')
  if (!link) bump('texts', `${colour} ${Math.round(size)}`, text.length, { colour, size })
  // Links in running text are counted apart from those that stand alone.
  else bump('links', colour + where + !!link.closest('p, li, td, dd, main, article'), 1, { colour, where })
}
const slotOf = (name, text) => {
  if (/^h[123]$/.test(name)) return name
  if (name === 'p' || (name === 'li' && !types.paragraph)) return text.length >= 20 ? 'paragraph' : undefined
  if (/^(code|pre|kbd)$/.test(name)) return 'code'
  if (name === 'b') return 'strong'
  return name === 'small' || name === 'strong' ? name : undefined
}
const measureIcon = (element, style, rect, under) => {
  if (rect.width === 0 || rect.width > 48) return
  const stroked = style.stroke !== 'none' || !!element.querySelector('[stroke]:not([stroke=none])')
  stroked ? icons.stroked++ : icons.filled++
  const colour = hex(over(parse(style.stroke !== 'none' ? style.stroke : style.color), under))
  bump('icons', colour, 1, { colour })
}
const measureSpaces = (style) => {
  for (const value of [
    style.paddingTop,
    style.paddingLeft,
    style.marginTop,
    style.marginBottom,
    style.rowGap,
    style.columnGap,
  ]) {
    const pixels = px(value)
    if (pixels >= 2 && pixels <= 160 && Number.isInteger(pixels)) bump('spaces', pixels, 1, { pixels })
  }
}
const measureSignal = (names, style, under) => {
  const kind = SIGNALS.find(([, pattern]) => pattern.test(names))?.[0]
  if (!kind || signals.length >= 60) return
  const edge =
    style.borderTopWidth !== '0px' ? style.borderTopColor : style.borderLeftWidth !== '0px' ? style.borderLeftColor : ''
  for (const text of [edge, style.backgroundColor, style.color]) {
    const colour = text ? parse(text) : undefined
    if (colour && colour.alpha > 0.5) signals.push({ kind, colour: hex(over(colour, under)) })
  }
}
const measureLayout = (style, rect, where, outer) => {
  if (where !== outer && rect.width > pageWidth * 0.5) {
    if (where === 'header') layout.header ??= Math.round(rect.height)
    if (where === 'footer') layout.footer = Math.round(rect.height)
  }
  if (where !== 'main') return
  const limit = px(style.maxWidth)
  if (style.maxWidth.endsWith('px') && limit >= 480 && limit <= 2400 && rect.width > 300)
    bump('widths', limit, rect.height, { limit })
  if (layout.columns !== undefined || style.display !== 'grid') return
  const columns = style.gridTemplateColumns.split(' ').filter((one) => one.endsWith('px')).length
  if (columns > 1 && columns <= 16) Object.assign(layout, { columns, gap: px(style.columnGap) })
}
export function measureStyle() {
  const ends = performance.now() + BUDGET_MS
  const pageHeight = Math.max(innerHeight, Math.min(root.scrollHeight, 30000))
  const white = [255, 255, 255]
  const canvasBackground = (() => {
    const declared = [root, body]
      .map((element) => parse(getComputedStyle(element).backgroundColor))
      .find(({ alpha }) => alpha > 0)
    if (declared) return over(declared, white)
    const scheme = getComputedStyle(root).colorScheme
    return /dark/.test(scheme) && !/light/.test(scheme) ? [18, 18, 18] : white
  })()
  const seenArea = (rect) =>
    Math.max(0, Math.min(rect.right, pageWidth) - Math.max(rect.left, 0)) *
    Math.max(0, Math.min(rect.bottom + scrollY, pageHeight) - Math.max(rect.top + scrollY, 0))
  const paint = (colour, where, area, underKey) => {
    const key = `${colour} ${where}`
    if (key === underKey) return key
    const below = tallies.painted?.get(underKey)
    if (below) below.n -= area
    bump('painted', key, area, { colour, where })
    return key
  }
  const firstKey = paint(hex(canvasBackground), 'main', pageWidth * pageHeight, '')
  /** @type {any} */
  const stack = [{ element: body, under: canvasBackground, underKey: firstKey, outer: 'main' }]
  for (let seen = 0; stack.length > 0 && seen < MAX_ELEMENTS && performance.now() < ends; seen++) {
    const { element, under, underKey, outer } = stack.pop()
    const name = element.localName
    if (SILENT.test(name)) continue
    const style = getComputedStyle(element)
    if (style.display === 'none' || style.visibility === 'hidden' || +style.opacity === 0) continue
    const names = named(element)
    if (/fixed|sticky/.test(style.position) && OVERLAY.test(names)) continue
    const rect = element.getBoundingClientRect()
    const where = placeOf(element, names, rect, outer)
    const button = isButton(element, names, style, rect)
    const back = parse(style.backgroundColor)
    const paints = back.alpha > 0.05 && element !== body && rect.width > 0 && rect.height > 0
    const backdrop = paints ? over(back, under) : under
    const key = paints && !button && back.alpha > 0.5 ? paint(hex(backdrop), where, seenArea(rect), underKey) : underKey
    let text = ''
    for (const node of element.childNodes) if (node.nodeType === 3) text += node.nodeValue
    text = text.trim()
    if (text && rect.width > 1) measureText(element, style, text, backdrop, where, button)
    const slot = rect.width > 1 ? slotOf(name, text) : undefined
    if (slot && !types[slot] && (where === 'main' || slot === 'h1')) types[slot] = typeOf(style, backdrop)
    if (button) {
      if (rect.width > 20 && rect.height > 12 && buttons.length < 60)
        buttons.push(boxOf(element, style, rect, where, under))
    } else if (isInput(element)) {
      if (rect.width > 20 && inputs.length < 30)
        inputs.push({ ...boxOf(element, style, rect, where, under), focusBorder: focusOf(element) })
    } else if (rect.width > 40 && rect.height > 30 && style.borderTopLeftRadius !== '0px') {
      const radius = style.borderTopLeftRadius.split(' ')[0]
      bump('radii', radius, 1, { radius })
    }
    if (name === 'img' || name === 'svg' || (where === 'header' && style.backgroundImage.startsWith('url(')))
      noteLogo(element, rect, where)
    if (name === 'svg') {
      measureIcon(element, style, rect, under)
      continue
    }
    measureSpaces(style)
    measureSignal(names, style, under)
    measureLayout(style, rect, where, outer)
    const duration = style.transitionDuration.split(',')[0].trim()
    if (duration !== '0s' && (button || name === 'a' || isInput(element))) {
      const easing = /^(cubic-bezier\([^)]*\)|steps\([^)]*\)|[\w-]+)/.exec(style.transitionTimingFunction)?.[0] ?? ''
      bump('transitions', duration + easing, 1, { duration, easing })
    }
    const inside = [...(element.shadowRoot?.children ?? []), ...element.children].reverse()
    for (const child of inside) stack.push({ element: child, under: backdrop, underKey: key, outer: where })
  }
  types.body = typeOf(getComputedStyle(body), canvasBackground)
  const meta = (name) =>
    document.querySelector(`meta[property="${name}"], meta[name="${name}"]`)?.getAttribute('content') ?? ''
  const absolute = (href) => {
    try {
      return href ? new URL(href, document.baseURI).href : ''
    } catch {
      return ''
    }
  }
  const icon =
    document.querySelector('link[rel~="icon" i][href]') ??
    document.querySelector('link[rel="apple-touch-icon" i][href]')
  return {
    title: document.title.slice(0, 300),
    siteName: meta('og:site_name').slice(0, 200),
    favicon: absolute(icon?.getAttribute('href')).slice(0, 20000),
    ogImage: absolute(meta('og:image')).slice(0, 4000),
    painted: top('painted', 30, 'area'),
    texts: top('texts', 30, 'chars'),
    links: top('links', 20, 'count'),
    families: top('families', 20, 'chars'),
    weights: top('weights', 9, 'chars'),
    types,
    buttons,
    inputs,
    logos,
    signals,
    words,
    radii: top('radii', 10, 'count'),
    spaces: top('spaces', 40, 'count'),
    variables: variablesOf(),
    icons: { ...icons, colours: top('icons', 5, 'count') },
    transitions: top('transitions', 5, 'count'),
    layout: { ...layout, maxWidth: top('widths', 1, 'area')[0]?.limit },
  }
}
