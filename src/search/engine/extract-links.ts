// Extracts links from a page's markdown as anchor texts.
import { createHash } from 'node:crypto'
import { pageKeyOf } from '../../base/url-key.ts'
import { tokenizeText } from './tokenize-text.ts'

export interface PageLink {
  target: number
  text: string
}

const MOST_LINKS = 60
/** Limits work on pages that are mostly links. */
const MAX_LINKS_READ = 600
const LEAST_TEXT = 2
const MOST_TEXT = 120
/** A text that links to this many pages is not distinctive, such as "more". */
const MAX_PAGES_PER_LINK_TEXT = 3
const MOST_ADDRESS = 2000
const KEYS_KEPT = 20_000

const FILE = /\.(?:avif|bmp|css|gif|ico|jpe?g|js|mp[34]|png|svg|web[mp]|woff2?)(?:$|\?)/i
const ADDRESS = /^(?:https?:\/\/|www\.)\S+$|^\S+\.\S+\/\S*$/i
const LETTER = /\p{L}/u

export function extractLinks(
  markdown: string,
  { url: base, language }: { url: string; language: string },
  readable: (line: string) => string,
): PageLink[] {
  let at = markdown.indexOf('](')
  if (at < 0) return []
  const own = hashLinkTarget(pageKeyOf(base))
  const byTarget = new Map<number, string>()
  const targets = new Map<string, number>()
  for (let seen = 0; at >= 0 && seen < MAX_LINKS_READ; seen++, at = markdown.indexOf('](', at + 2)) {
    const from = textStart(markdown, at)
    if (from < 0) continue
    const target = findAddress(markdown.slice(at + 2, addressEnd(markdown, at + 2)), base)
    if (target === undefined || target === own) continue
    const text = readable(markdown.slice(from, at))
    if (text.length < LEAST_TEXT || text.length > MOST_TEXT || ADDRESS.test(text) || !LETTER.test(text)) continue
    const before = byTarget.get(target)
    if (before === text) continue
    targets.set(text, (targets.get(text) ?? 0) + 1)
    // The longest of several texts is the most descriptive.
    if (before === undefined || before.length < text.length) byTarget.set(target, text)
  }
  const links: PageLink[] = []
  for (const [target, text] of byTarget) {
    if (links.length === MOST_LINKS) break
    if (targets.get(text)! < MAX_PAGES_PER_LINK_TEXT && tokenizeText(text, language || 'en').some(({ stop }) => !stop))
      links.push({ target, text })
  }
  return links
}

const OPEN = 91
const CLOSE = 93
const BACKSLASH = 92
const LINE_END = 10
const PICTURE = 33

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

/** Cache: pages of a site repeat the same links. */
const known = new Map<string, number | undefined>()

function findAddress(written: string, base: string): number | undefined {
  const address = written.startsWith('<') && written.endsWith('>') ? written.slice(1, -1) : written
  if (!/^https?:/i.test(address)) {
    if (address === '' || address.startsWith('#') || !URL.canParse(address, base)) return undefined
    const { href, protocol } = new URL(address, base)
    return protocol.startsWith('http') ? targetIn(href) : undefined
  }
  if (known.has(address)) return known.get(address)
  const target = targetIn(address)
  if (known.size >= KEYS_KEPT) known.clear()
  known.set(copyString(address), target)
  return target
}

const targetIn = (address: string): number | undefined =>
  FILE.test(address) ? undefined : hashLinkTarget(pageKeyOf(address.replace(/#.*$/, '')))

/** A copy: a substring would keep the page's whole text in memory. */
const copyString = (text: string): string => Buffer.from(text).toString()

/** Link slots per URL, and URL buckets per team; URLs beyond share buckets. */
export const MAX_LINKS_PER_TARGET = 8
const BUCKETS = 2 ** 18
export const linkSlotOf = (source: number): number => source % MAX_LINKS_PER_TARGET
export const linkBucketOf = (target: number): number => target % BUCKETS

/** A 48-bit hash of the URL key; collisions are unlikely. */
export const hashLinkTarget = (key: string): number => createHash('md5').update(key).digest().readUIntBE(0, 6)
