// Pictures that may be the logo.
import { named } from './style-boxes.js'

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
  return text.length > 30000 ? '' : `data:image/svg+xml;utf8,${encodeURIComponent(text)}`
}
const sourceOf = (element) => {
  if (element.localName === 'img') return { src: element.currentSrc || element.src, kind: 'img' }
  if (element.localName === 'svg') return { src: drawing(element), kind: 'svg' }
  return { src: /url\("?([^")]+)"?\)/.exec(getComputedStyle(element).backgroundImage)?.[1] ?? '', kind: 'background' }
}
export const logos = []
export const noteLogo = (element, rect, where) => {
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
  const alt =
    element.getAttribute('alt') ??
    element.querySelector?.('title')?.textContent ??
    link?.getAttribute('aria-label') ??
    ''
  logos.push({
    src: src.slice(0, 100000),
    alt: alt.slice(0, 200),
    names,
    where,
    linksHome,
    kind,
    lost,
    width: Math.round(rect.width),
    height: Math.round(rect.height),
    top: Math.round(top),
  })
}
