// Pictures of a page: in its text, and its preview image. Sizes come from the markup, the metadata or the URL.
import { firstText, type StoredDocument } from './stored-fields.ts'

export interface IndexedPicture {
  url: string
  alt: string
  near: string
  width?: number
  height?: number
}

type Size = Pick<IndexedPicture, 'width' | 'height'>

export const MARKDOWN_IMAGE = /!\[([^\]\n]{0,400})\]\(\s*<?([^\s)>]{1,2000})>?(?:\s+"[^"\n]*")?\s*\)/g
const MAX_PICTURES = 40
const MAX_MARKUP = 1_600_000
const NEAR_CHARS = 300
/** No alternative can contain the start of another, so matching stays linear. */
const IMG_TAG = /<img\b(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/gi
const LEAST = 10
const MOST = 9999

export function listPictures(
  document: StoredDocument,
  markdown: string,
  { url: base, title, description }: { url: string; title: string; description: string },
  readableLine: (line: string) => string,
): IndexedPicture[] {
  const found = new Map<string, IndexedPicture>()
  const sizes = sizesIn(document, base)
  const add = (source: string, alt: string, near: () => string, stated: Size = {}): void => {
    const url = found.size < MAX_PICTURES ? addressOf(source, base) : undefined
    if (url === undefined || found.has(url)) return
    found.set(url, {
      url,
      alt: alt.trim(),
      near: near().slice(0, NEAR_CHARS),
      ...sizeIn(url),
      ...stated,
      ...sizes.get(url),
    })
  }
  const { metadata } = document
  const stated = sizeOf(firstText(metadata['og:image:width']), firstText(metadata['og:image:height']))
  const about = () => [title, description].filter(Boolean).join(' · ')
  add(firstText(metadata.ogImage), firstText(metadata['og:image:alt']), about, stated)
  if (!markdown.includes('![')) return [...found.values()]
  const lines = markdown.split('\n')
  let heading = ''
  for (const [at, line] of lines.entries()) {
    if (/^#{1,6}\s/.test(line)) heading = readableLine(line)
    if (!line.includes('![')) continue
    for (const [, alt = '', source = ''] of line.matchAll(MARKDOWN_IMAGE))
      add(source, alt, () => {
        const around = [line, lines[at + 1], lines[at + 2], lines[at - 1]].map((text) => readableLine(text ?? ''))
        return [heading, ...around].filter(Boolean).join(' · ')
      })
  }
  return [...found.values()]
}

function addressOf(source: string, base: string): string | undefined {
  if (source === '' || source.startsWith('data:') || !URL.canParse(source, base)) return undefined
  const { href } = new URL(source, base)
  return /^https?:/.test(href) ? href : undefined
}

function sizeOf(width: string, height: string): Size {
  const [w, h] = [width, height].map((text) => Number(/^\s*(\d{1,5})(?:px)?\s*$/i.exec(text)?.[1]))
  const isSize = (value: number | undefined): value is number => value !== undefined && value >= LEAST && value <= MOST
  return { ...(isSize(w) ? { width: w } : {}), ...(isSize(h) ? { height: h } : {}) }
}

/** From `width` and `height`, and the widths of a `srcset` at the same ratio. */
function sizesIn({ html, rawHtml }: StoredDocument, base: string): Map<string, Size> {
  const sizes = new Map<string, Size>()
  const markup = typeof html === 'string' ? html : typeof rawHtml === 'string' ? rawHtml : ''
  for (const [tag] of markup.slice(0, MAX_MARKUP).matchAll(IMG_TAG)) {
    if (sizes.size >= 2 * MAX_PICTURES) break
    const own = sizeOf(attribute(tag, 'width'), attribute(tag, 'height'))
    const url = addressOf(attribute(tag, 'src'), base)
    for (const [, source = '', width = ''] of attribute(tag, 'srcset').matchAll(/([^\s,]\S*)\s+(\d{1,5})w/g)) {
      const wide = addressOf(source, base)
      const height = own.width && own.height ? Math.round((Number(width) * own.height) / own.width) : ''
      if (wide !== undefined && !sizes.has(wide)) sizes.set(wide, sizeOf(width, String(height)))
    }
    if (url !== undefined && !sizes.has(url) && own.width !== undefined) sizes.set(url, own)
  }
  return sizes
}

const attribute = (tag: string, name: string): string => {
  const [, quoted, single, bare] =
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag) ?? []
  return (quoted ?? single ?? bare ?? '').replaceAll('&amp;', '&')
}

/** Many URLs contain the picture's size. */
function sizeIn(url: string): Size {
  const [, width, height] = /(?:^|[^0-9])([1-9]\d{1,3})x([1-9]\d{1,3})(?:[^0-9]|$)/.exec(url) ?? []
  if (width && height) return { width: Number(width), height: Number(height) }
  const { searchParams } = new URL(url)
  const readParameter = (...names: string[]) =>
    names.map((name) => searchParams.get(name)).find((text) => text !== null) ?? ''
  return sizeOf(readParameter('w', 'width'), readParameter('h', 'height'))
}
