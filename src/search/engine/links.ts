// The links in a page's markdown, as what they say of the pages that they lead to.
import { createHash } from 'node:crypto'
import { pageKey } from '../../base/url-key.ts'
import { wordsOf } from './words.ts'

export interface PageLink {
  /** The address that it leads to, as a number: the same for addresses that are one page. */
  target: number
  text: string
}

const MOST_LINKS = 60
/** Of a page that is nothing but links the rest is not looked at. */
const MOST_SEEN = 600
const LEAST_TEXT = 2
const MOST_TEXT = 120
/** A text that leads to this many pages from one page tells them not apart: "more", in whatever language. */
const TELLS_NOTHING = 3
const MOST_ADDRESS = 2000
const KEYS_KEPT = 20_000

const FILE = /\.(?:avif|bmp|css|gif|ico|jpe?g|js|mp[34]|png|svg|web[mp]|woff2?)(?:$|\?)/i
const ADDRESS = /^(?:https?:\/\/|www\.)\S+$|^\S+\.\S+\/\S*$/i
const LETTER = /\p{L}/u

/** `readable`: a line without the marks of its markdown. */
export function linksOf(
  markdown: string,
  { url: base, language }: { url: string; language: string },
  readable: (line: string) => string,
): PageLink[] {
  let at = markdown.indexOf('](')
  if (at < 0) return []
  const own = targetOf(pageKey(base))
  const byTarget = new Map<number, string>()
  const targets = new Map<string, number>()
  for (let seen = 0; at >= 0 && seen < MOST_SEEN; seen++, at = markdown.indexOf('](', at + 2)) {
    const from = textStart(markdown, at)
    if (from < 0) continue
    const target = addressed(markdown.slice(at + 2, addressEnd(markdown, at + 2)), base)
    if (target === undefined || target === own) continue
    const text = readable(markdown.slice(from, at))
    if (text.length < LEAST_TEXT || text.length > MOST_TEXT || ADDRESS.test(text) || !LETTER.test(text)) continue
    const before = byTarget.get(target)
    if (before === text) continue
    targets.set(text, (targets.get(text) ?? 0) + 1)
    // Of several texts the longest says most.
    if (before === undefined || before.length < text.length) byTarget.set(target, text)
  }
  const links: PageLink[] = []
  for (const [target, text] of byTarget) {
    if (links.length === MOST_LINKS) break
    if (targets.get(text)! < TELLS_NOTHING && wordsOf(text, language || 'en').some(({ stop }) => !stop))
      links.push({ target, text })
  }
  return links
}

const OPEN = 91
const CLOSE = 93
const BACKSLASH = 92
const LINE_END = 10
const PICTURE = 33

/** Where the text of a link begins that ends here; -1: it is a picture, or too long to be a name. */
function textStart(markdown: string, end: number): number {
  let depth = 0
  const least = Math.max(0, end - MOST_TEXT - 40)
  for (let at = end - 1; at >= least; at--) {
    const code = markdown.charCodeAt(at)
    if (code === LINE_END) return -1
    if ((code !== OPEN && code !== CLOSE) || markdown.charCodeAt(at - 1) === BACKSLASH) continue
    if (code === CLOSE) depth++
    else if (depth-- === 0) return markdown.charCodeAt(at - 1) === PICTURE ? -1 : at + 1
  }
  return -1
}

/** Where an address ends: at the bracket that was open before it, or at a space. */
function addressEnd(markdown: string, from: number): number {
  const most = Math.min(markdown.length, from + MOST_ADDRESS)
  let depth = 0
  for (let at = from; at < most; at++) {
    const code = markdown.charCodeAt(at)
    if (code <= 32) return at
    if (code === 40) depth++
    else if (code === 41 && depth-- === 0) return at
  }
  return from
}

/** Pages of a site lead to the same pages again and again. */
const known = new Map<string, number | undefined>()

function addressed(written: string, base: string): number | undefined {
  const address = written.startsWith('<') && written.endsWith('>') ? written.slice(1, -1) : written
  if (!/^https?:/i.test(address)) {
    if (address === '' || address.startsWith('#') || !URL.canParse(address, base)) return undefined
    const { href, protocol } = new URL(address, base)
    return protocol.startsWith('http') ? targetIn(href) : undefined
  }
  if (known.has(address)) return known.get(address)
  const target = targetIn(address)
  if (known.size >= KEYS_KEPT) known.clear()
  known.set(apart(address), target)
  return target
}

const targetIn = (address: string): number | undefined =>
  FILE.test(address) ? undefined : targetOf(pageKey(address.replace(/#.*$/, '')))

/** Not a window onto the page's text, which would keep all of that in memory. */
const apart = (text: string): string => Buffer.from(text).toString()

/** Places of an address for links to it, and how many addresses have places of their own in a team: others share them. */
export const LINKS_KEPT = 8
const BUCKETS = 2 ** 18
export const slotOf = (source: number): number => source % LINKS_KEPT
export const bucketOf = (target: number): number => target % BUCKETS

/** An address by its key, as a number of 48 bits: two that share one are not to be expected. */
export const targetOf = (key: string): number => createHash('md5').update(key).digest().readUIntBE(0, 6)
