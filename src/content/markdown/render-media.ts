// Renders pictures, videos, embedded players and formulas.

import type { Element } from 'domhandler'
import { decodeHTMLStrict } from 'entities'
import { findImageSource, isPlaceholderImage } from '../find-image-source.ts'
import { collapseSpaces, findElement, isElement } from '../parse-tree.ts'
import { isHttpUrl } from '../resolve-links.ts'
import { escapeMarkdownText, escapeMarkdownUrl, writeLinkTitle } from './escape-markdown.ts'
import { type MarkdownRenderState, SKIP_ELEMENT, type TagHandler } from './tag-handler.ts'
import { formulaToMarkdown, type TexFormula } from './tex-formulas.ts'

const REMOVED = '<Base64-Image-Removed>'

export const renderImage: TagHandler = (element, rendering) => {
  const { attribs } = element
  if (isTrackingPixel(element) || isIcon(element)) return SKIP_ELEMENT
  // Wikipedia adds a fallback image beside MathML.
  if (/mwe-math-fallback/.test(attribs.class ?? '') && precededByMath(element)) return SKIP_ELEMENT
  const source = findImageSource(element)
  if (source === undefined) return SKIP_ELEMENT
  if (isPlaceholderImage(source) && noscriptTwin(element)) return SKIP_ELEMENT
  writeImage(element, source, rendering)
  return SKIP_ELEMENT
}

function writeImage(element: Element, source: string, rendering: MarkdownRenderState): void {
  const { writer, resolve, removeBase64Images, images } = rendering
  const alt = label(element.attribs.alt ?? '')
  if (source.startsWith('data:')) {
    const url = removeBase64Images ? REMOVED : source.replace(/\s/g, '')
    writer.atom(`![${alt}](${url})`, false)
    return
  }
  const url = resolve(source)
  if (url === undefined || !isHttpUrl(url)) return
  const picture = pictureOf(url)
  // The same picture again, such as a copy for phones; cells of a table keep theirs.
  if (images.has(picture) && writer.mode === 'flow') return
  images.add(picture)
  const title = collapseSpaces(element.attribs.title ?? '')
  const named = title && title !== collapseSpaces(element.attribs.alt ?? '') ? writeLinkTitle(title.slice(0, 500)) : ''
  let address = escapeMarkdownUrl(url)
  if (writer.mode === 'cell') address = address.replaceAll('|', '%7C')
  writer.atom(`![${alt}](${address}${named})`, false)
}

/** Some sites encode alt texts twice: `&amp;#34;`. */
const label = (text: string): string => escapeMarkdownText(collapseSpaces(decodeHTMLStrict(text)).slice(0, 2000), true)

const sizeOf = (value: string | undefined): number =>
  value !== undefined && /^\s*\d+(?:px)?\s*$/.test(value) ? Number.parseInt(value, 10) : Number.NaN

const UNSEEN = /display\s*:\s*none|visibility\s*:\s*hidden|(?:^|[;\s])(?:width|height)\s*:\s*1px\s*(?:;|$|!)/i

const isTrackingPixel = ({ attribs }: Element): boolean =>
  (sizeOf(attribs.width) <= 1 && sizeOf(attribs.height) <= 1) ||
  (attribs.style !== undefined && UNSEEN.test(attribs.style.slice(0, 500)))

const PICTURE_FILE = /\.(?:jpe?g|png|webp|gif|avif|svg|bmp)$/i

/** In a <noscript>, an address that names no picture counts visits. */
const isShown = ({ attribs }: Element, url: string): boolean =>
  collapseSpaces(attribs.alt ?? '') !== '' || PICTURE_FILE.test(new URL(url).pathname)

const SIZE = /^(?:w|h|width|height|q|quality|fit|resize|dpr|auto|fm|format|crop|size|sz|ssl|strip)$/i

/** The address without the parameters of image services that only change the size. */
function pictureOf(url: string): string {
  const query = url.indexOf('?')
  if (query < 0) return url
  const left = url
    .slice(query + 1)
    .split('&')
    .filter((one) => !SIZE.test(one.split('=', 1)[0]!))
  return left.length === 0 ? url.slice(0, query) : `${url.slice(0, query)}?${left.join('&')}`
}

const ICON_SIZE = 32

function isIcon({ attribs }: Element): boolean {
  if (collapseSpaces(attribs.alt ?? '') !== '') return false
  const small = sizeOf(attribs.width) <= ICON_SIZE && sizeOf(attribs.height) <= ICON_SIZE
  return small || (attribs['aria-hidden'] === 'true' && sizeOf(attribs.width) <= 2 * ICON_SIZE)
}

function precededByMath(element: Element): boolean {
  const { parent } = element
  return isElement(parent) && findElement(parent, ({ name }) => name === 'math', 20) !== undefined
}

function noscriptTwin(element: Element): boolean {
  let next = element.next
  while (next && !isElement(next)) next = next.next
  return (
    isElement(next) && next.name === 'noscript' && findElement(next, ({ name }) => name === 'img', 50) !== undefined
  )
}

/** The <noscript> image, unless the page already shows it. */
export function renderNoscriptImage(element: Element, rendering: MarkdownRenderState): void {
  const img = findElement(element, ({ name }) => name === 'img')
  const source = img && findImageSource(img)
  if (!img || !source || isPlaceholderImage(source) || isTrackingPixel(img)) return
  const url = rendering.resolve(source)
  if (url === undefined || rendering.images.has(pictureOf(url)) || !isShown(img, url)) return
  let next = element.next
  while (next && !isElement(next)) next = next.next
  if (isElement(next) && next.name === 'img' && rendering.resolve(findImageSource(next)) === url) return
  writeImage(img, source, rendering)
}

export const renderMedia: TagHandler = (element, rendering) => {
  const { attribs, name } = element
  const inner = findElement(element, (at) => at.name === 'source' && Boolean(at.attribs.src))
  const source = attribs.src || attribs['data-src'] || inner?.attribs.src
  writeLink(source, label(attribs.title || attribs['aria-label'] || name), rendering)
  return SKIP_ELEMENT
}

const PLAYERS =
  /(?:^|\.)(?:youtube\.com|youtube-nocookie\.com|vimeo\.com|dailymotion\.com|spotify\.com|soundcloud\.com|codepen\.io|codesandbox\.io|stackblitz\.com|jsfiddle\.net|loom\.com|wistia\.(?:com|net)|ted\.com|twitch\.tv|tiktok\.com|bilibili\.com|archive\.org|figma\.com|datawrapper\.de|slideshare\.net|simplecast\.com|megaphone\.fm|podbean\.com)$/i

/** Players and framed documents become links; tracking and ad frames are dropped. */
export const renderEmbed: TagHandler = (element, rendering) => {
  const { attribs } = element
  const url = rendering.resolve(attribs.src || attribs['data-src'])
  if (url === undefined || !isHttpUrl(url) || isTrackingPixel(element)) return SKIP_ELEMENT
  const title = collapseSpaces(attribs.title ?? '')
  const { hostname } = new URL(url)
  if (!title && !PLAYERS.test(hostname)) return SKIP_ELEMENT
  writeLink(watchAddress(url), label(title || hostname.replace(/^www\./, '')), rendering)
  return SKIP_ELEMENT
}

function watchAddress(url: string): string {
  const youtube = url.match(/^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]{6,20})/)?.[1]
  if (youtube && youtube !== 'videoseries') return `https://www.youtube.com/watch?v=${youtube}`
  const vimeo = url.match(/^https?:\/\/player\.vimeo\.com\/video\/(\d+)/)?.[1]
  return vimeo ? `https://vimeo.com/${vimeo}` : url
}

function writeLink(source: string | undefined, text: string, { writer, resolve }: MarkdownRenderState): void {
  const url = resolve(source)
  if (url === undefined || !isHttpUrl(url)) return
  writer.space()
  writer.atom(`[${text}](${escapeMarkdownUrl(url)})`)
  writer.space()
}

export function writeFormula(formula: TexFormula, { writer }: MarkdownRenderState): void {
  const block = formula.display && writer.mode === 'flow'
  if (block) {
    writer.flush()
    writer.block(formulaToMarkdown(formula))
  } else writer.atom(`$${formula.tex}$`)
}
