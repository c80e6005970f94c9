// The product's images: those in a gallery or near the heading, without icons, logos and other products. Different
// sizes of one image are one.

import type { Element } from 'domhandler'
import { valueOr } from '../../base/attempt.ts'
import { findImageSource, findLargestSource } from '../../content/find-image-source.ts'
import { closestElement, collapseSpaces, isElement } from '../../content/parse-tree.ts'
import { isHttpUrl, type ResolveLink } from '../../content/resolve-links.ts'
import type { PlacedElement } from './find-amounts.ts'
import { MAX_IMAGES, type ProductPicture } from './product-draft.ts'
import type { ProductScan } from './scan-product-page.ts'

const GALLERY =
  /gallery|product[-_]?_?(?:image|media|photo|slide|carousel|view|picture)|(?:image|media|photo)[-_]?(?:carousel|slider|viewer|zoom|container|main)|zoom|swiper|slick|thumb|fotorama|images-container|main-?image|magic-?zoom/i
const NOT_PRODUCT =
  /logo|icon|sprite|badge|payment|flag|avatar|star|rating|pixel|spacer|banner|loader|swatch|arrow|visa|paypal/i
const LARGE_IMAGE_ATTRIBUTES =
  'data-zoom-image data-large_image data-zoom data-image-large-src data-full data-large data-zoom-src data-full-size-image-url'.split(
    ' ',
  )
/** Elements on either side of the heading within which images count as the product's, when there is no gallery. */
const MAX_ELEMENTS_FROM_HEADING = 300

export function findProductImages(
  { pictures }: ProductScan,
  heading: PlacedElement | undefined,
  resolve: ResolveLink,
): ProductPicture[] {
  const shown = pictures.filter(({ away, element }) => !away && isPicture(element) && !leadsAway(element))
  const inGallery = shown.filter(({ element }) => isIn(element, GALLERY))
  const near = heading
    ? shown.filter(({ at }) => Math.abs(at - heading.at) < MAX_ELEMENTS_FROM_HEADING)
    : shown.slice(0, 1)
  const found = new Map<string, ProductPicture>()
  for (const { element, text } of inGallery.length > 0 ? inGallery : near.slice(0, 8)) {
    const url = resolve(unwrapProxy(largerOf(element)))
    if (url === undefined || !isHttpUrl(url) || found.size >= MAX_IMAGES) continue
    const stem = removeSizeFromImageUrl(url)
    const alt = collapseSpaces(text).slice(0, 500)
    if (!found.has(stem)) found.set(stem, { url, ...(alt ? { alt } : {}) })
  }
  return [...found.values()]
}

function isPicture({ attribs }: Element): boolean {
  const size = Math.min(Number(attribs.width) || 1000, Number(attribs.height) || 1000)
  if (size < 32) return false
  return !NOT_PRODUCT.test(`${attribs.class ?? ''} ${(attribs.src ?? '').split('/').at(-1)?.slice(0, 200) ?? ''}`)
}

/** The image of another product links to it. */
function leadsAway(img: Element): boolean {
  const link = closestElement(img.parent, 4, ({ name, attribs }) => name === 'a' && attribs.href !== undefined)
  return link !== undefined && !/^#|^javascript:|\.(?:jpe?g|png|webp|avif|gif)(?:\?|$)/i.test(link.attribs.href!)
}

const isIn = (element: Element, pattern: RegExp): boolean =>
  closestElement(element, 7, ({ attribs }) =>
    pattern.test(`${attribs.class ?? ''} ${attribs.id ?? ''}`.slice(0, 300)),
  ) !== undefined

function largerOf(img: Element): string | undefined {
  for (const name of LARGE_IMAGE_ATTRIBUTES) if (img.attribs[name]) return img.attribs[name]
  const { parent } = img
  if (isElement(parent) && parent.name === 'a' && /\.(?:jpe?g|png|webp|avif)(?:\?|$)/i.test(parent.attribs.href ?? ''))
    return parent.attribs.href
  return findLargestSource(img) ?? findImageSource(img)
}

/** Image services take the image's URL as a parameter. */
function unwrapProxy(source: string | undefined): string | undefined {
  const inner = /\/_next\/image\?(?:[^#]*&)?url=([^&]{1,2000})/.exec(source ?? '')?.[1]
  return inner === undefined ? source : valueOr(source, () => decodeURIComponent(inner))
}

/** A URL without size parts: `shirt_800x.jpg?v=1` and `shirt-300x300.jpg` are one image. */
export function removeSizeFromImageUrl(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? url
  return path
    .slice(path.indexOf('//') + 2)
    .replace(
      /[-_@](?:\d{2,4}x\d{0,4}|x\d{2,4}|small|medium|large|grande|master|thumb(?:nail)?|compact|pico|icon|[23]x)(?:_crop_\w+)?(?=\.\w{2,5}$)/i,
      '',
    )
    .replace(/\/(?:cache|resize|images\/stencil)\/[^/]{1,60}\//, '/')
}
