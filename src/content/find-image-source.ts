// Finds the real source of an <img>: lazy-loading attributes, srcset and <picture>.
import type { Element } from 'domhandler'
import { isElement } from './parse-tree.ts'

const LAZY =
  'data-src data-lazy-src data-original data-lazy data-orig-file data-full-src data-hi-res-src data-url data-image data-actualsrc data-echo'.split(
    ' ',
  )
const LAZY_SETS = ['data-srcset', 'data-lazy-srcset', 'data-original-set'] as const
const PLACEHOLDER =
  /(?:^|[/_-])(?:blank|spacer|placeholder|transparent|lazy(?:load)?|loading|pixel|1x1|grey|gray)[\w-]*\.(?:gif|png|svg|jpe?g|webp)/i

export const isPlaceholderImage = (src: string): boolean =>
  src.startsWith('data:') || src === '' || src === '#' || src.startsWith('about:') || PLACEHOLDER.test(src.slice(-200))

export function findImageSource(img: Element): string | undefined {
  const { attribs } = img
  const src = attribs.src?.trim()
  if (src && !isPlaceholderImage(src)) return src
  for (const name of LAZY) {
    const lazy = attribs[name]?.trim()
    // Some loaders store JSON or a placeholder image here.
    if (lazy && !/^(?:\{|\[|data:)/.test(lazy)) return withWidth(lazy, attribs['data-widths'])
  }
  return findLargestSource(img) ?? otherSource(attribs) ?? (src || undefined)
}

const WIDTH = /\{width\}|%7Bwidth%7D/gi
const GOOD_WIDTH = 1080

/** Some loaders put a `{width}` placeholder into the address: uses the largest listed width or a default. */
function withWidth(address: string, widths = ''): string {
  const named = widths.slice(0, 1000).match(/\d{2,4}/g) ?? []
  return address.replace(WIDTH, String(named.length > 0 ? Math.max(...named.map(Number)) : GOOD_WIDTH))
}

/** Other lazy-loading attributes, recognised by both name and value. */
const LAZY_NAME = /^(?:data-|lazy|nitro-)[\w-]*(?:src|original|url|image|img|full|large|hi-?res|photo|picture)[\w-]*$/
const PICTURE_ADDRESS =
  /^(?:(?:https?:)?\/\/|\.{0,2}\/)?[^\s"'<>{}]+\.(?:jpe?g|png|webp|gif|avif|svg)(?:[?#][^\s"'<>]*)?$/i

function otherSource(attribs: Record<string, string>): string | undefined {
  for (const name in attribs) {
    const value = attribs[name]!.trim()
    if (value.length > 2000 || !LAZY_NAME.test(name) || isPlaceholderImage(value)) continue
    if (name.endsWith('srcset')) {
      const found = findLargest(value)
      if (found) return found
    } else if (PICTURE_ADDRESS.test(value)) return value
  }
  return undefined
}

/** The largest candidate of srcset, its lazy variant or the enclosing <picture>. */
export function findLargestSource(img: Element): string | undefined {
  const own = findLargest(srcset(img))
  if (own) return own
  const { parent } = img
  if (!isElement(parent) || parent.name !== 'picture') return undefined
  for (const child of parent.children) {
    if (!isElement(child) || child.name !== 'source') continue
    const found = findLargest(srcset(child))
    if (found) return found
  }
  return undefined
}

function srcset(element: Element): string | undefined {
  const { attribs } = element
  for (const name of LAZY_SETS) if (attribs[name]) return attribs[name]
  return attribs.srcset
}

type ImageCandidate = { url: string; size: number }

const isBlank = (char: string | undefined): boolean => char !== undefined && /\s/.test(char)

/**
 * Parses srcset per the HTML standard: a comma inside an address is part of it. Linear, since the input is untrusted.
 */
export function parseSrcset(text: string | undefined): ImageCandidate[] {
  if (!text) return []
  const found: ImageCandidate[] = []
  const end = Math.min(text.length, 20_000)
  let at = 0
  while (at < end && found.length < 100) {
    while (at < end && (isBlank(text[at]) || text[at] === ',')) at++
    const from = at
    while (at < end && !isBlank(text[at])) at++
    let url = text.slice(from, at)
    let size = 1
    if (url.endsWith(',')) {
      while (url.endsWith(',')) url = url.slice(0, -1)
    } else {
      const start = at
      while (at < end && text[at] !== ',') at++
      size = Number.parseFloat(text.slice(start, at)) || 1
    }
    if (url) found.push({ url, size })
  }
  return found
}

function findLargest(text: string | undefined): string | undefined {
  let best: ImageCandidate | undefined
  for (const one of parseSrcset(text)) {
    if (!one.url.startsWith('data:') && (!best || one.size > best.size)) best = one
  }
  return best?.url
}
