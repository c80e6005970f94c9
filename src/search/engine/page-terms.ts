// Converts page content to the terms of a segment.
import { createHash } from 'node:crypto'
import { ANCHORS, BODY, FIELDS, HEADINGS, PLACE, TITLE } from './fields.ts'
import { MOST_WORDS, ONE } from './packed-counts.ts'
import type { PageContent } from './page.ts'
import type { SegmentPage } from './segment-write.ts'
import { eachKnown, type KnownWord } from './words.ts'

interface Numbered {
  number: number
  version: number
  seenAt: number
}

let counted = 0

export function segmentPage(
  content: PageContent,
  { number, version, seenAt }: Numbered,
  linked: readonly string[] = [],
): SegmentPage {
  const { url, title, headings, text, description, language, type, date } = content
  const page = ++counted
  const words: KnownWord[] = []
  const lengths = new Array<number>(FIELDS.length).fill(0)
  const add = (field: number, source: string, stated: string | undefined, keepsStops: boolean) => {
    const one = ONE[field]!
    const most = MOST_WORDS[field]!
    let length = lengths[field]!
    eachKnown(source, stated, (word) => {
      if (length >= most || (word.stop && !keepsStops)) return
      length++
      if (word.page !== page) {
        word.page = page
        word.counts = 0
        words.push(word)
      }
      word.counts += one
    })
    lengths[field] = length
  }
  const stated = language || 'en'
  add(TITLE, title, stated, true)
  for (const heading of headings) add(HEADINGS, heading, stated, false)
  add(BODY, text, stated, false)
  // The meta description counts as body text unless already in it.
  if (description && !text.includes(description)) add(BODY, description, stated, false)
  if (linked.length > 0) add(ANCHORS, linked.join('\n'), stated, false)
  const { hostname, host, pathname } = new URL(url)
  add(PLACE, placeWords(hostname, pathname), undefined, true)
  const tags = [...sitesOf(hostname), ...(host === hostname ? [] : [`site:${host}`]), `type:${type}`]
  if (language) tags.push(`lang:${language}`)
  if (content.isNews) tags.push('news')
  if (content.pictures.length > 0) tags.push('pictures')
  return {
    number,
    version,
    terms: termsOf(words),
    lengths,
    tags,
    minutes: Math.max(1, Math.floor((date ?? seenAt) / 60_000)),
    tie: createHash('md5').update(url).digest().readUInt32LE(0),
    language,
  }
}

function termsOf(words: readonly KnownWord[]): Map<string, number> {
  const terms = new Map<string, number>()
  for (const { terms: own, counts } of words) for (const term of own) terms.set(term, (terms.get(term) ?? 0) + counts)
  return terms
}

/** `docs.example.com` matches `site:` of itself and all parent domains. */
function sitesOf(hostname: string): string[] {
  const labels = hostname
    .toLowerCase()
    .replace(/^www\./, '')
    .split('.')
  if (/^[\d.]+$|:/.test(hostname)) return [`site:${hostname}`]
  return labels.map((_, at) => `site:${labels.slice(at).join('.')}`)
}

function placeWords(hostname: string, pathname: string): string {
  const path = decoded(pathname).replace(/\.[a-z0-9]{2,5}$/i, '')
  return `${hostname
    .replace(/^www\./, '')
    .split('.')
    .slice(0, -1)
    .join(' ')} ${path.replace(/[^\p{L}\p{N}\p{M}]+|(?<![\p{L}\p{N}])\p{N}+(?![\p{L}\p{N}])/gu, ' ')}`
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
