// Converts page content to the terms of a segment.
import { createHash } from 'node:crypto'
import { decodePercent } from '../../base/attempt.ts'
import { ANCHORS_FIELD, BODY_FIELD, FIELDS, HEADINGS_FIELD, TITLE_FIELD, URL_WORDS_FIELD } from './field-weights.ts'
import { MAX_COUNT_PER_FIELD, PACKED_ONE_PER_FIELD } from './packed-term-counts.ts'
import type { PageContent } from './read-page-content.ts'
import type { SegmentBuilder, SegmentPage } from './segment-build.ts'
import { eachCountedWord } from './tokenize-text.ts'

interface Numbered {
  number: number
  version: number
  seenAt: number
}

export function addPage(
  builder: SegmentBuilder,
  content: PageContent,
  { number, version, seenAt }: Numbered,
  linked: readonly string[] = [],
): void {
  const { url, title, headings, text, description, language } = content
  const lengths = new Array<number>(FIELDS.length).fill(0)
  const add = (field: number, source: string, stated: string | undefined, keepsStops: boolean) => {
    const one = PACKED_ONE_PER_FIELD[field]!
    const most = MAX_COUNT_PER_FIELD[field]!
    let length = lengths[field]!
    eachCountedWord(source, stated, (word) => {
      if (length >= most || (word.stop && !keepsStops)) return
      length++
      builder.countWord(word, one)
    })
    lengths[field] = length
  }
  const stated = language || 'en'
  add(TITLE_FIELD, title, stated, true)
  for (const heading of headings) add(HEADINGS_FIELD, heading, stated, false)
  add(BODY_FIELD, text, stated, false)
  // The meta description counts as body text unless already in it.
  if (description && !text.includes(description)) add(BODY_FIELD, description, stated, false)
  if (linked.length > 0) add(ANCHORS_FIELD, linked.join('\n'), stated, false)
  const { hostname, pathname } = new URL(url)
  add(URL_WORDS_FIELD, placeWords(hostname, pathname), undefined, true)
  const tie = createHash('md5').update(url).digest().readUInt32LE(0)
  builder.add({ number, version, lengths, tie, language, ...tagsAndMinutes(content, seenAt) })
}

function tagsAndMinutes(
  { url, language, type, date, isNews, pictures }: PageContent,
  seenAt: number,
): Pick<SegmentPage, 'tags' | 'minutes'> {
  const { hostname, host } = new URL(url)
  const tags = [...sitesOf(hostname), ...(host === hostname ? [] : [`site:${host}`]), `type:${type}`]
  if (language) tags.push(`lang:${language}`)
  if (isNews) tags.push('news')
  if (pictures.length > 0) tags.push('pictures')
  return { tags, minutes: Math.max(1, Math.floor((date ?? seenAt) / 60_000)) }
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
  const path = decodePercent(pathname).replace(/\.[a-z0-9]{2,5}$/i, '')
  return `${hostname
    .replace(/^www\./, '')
    .split('.')
    .slice(0, -1)
    .join(' ')} ${path.replace(/[^\p{L}\p{N}\p{M}]+|(?<![\p{L}\p{N}])\p{N}+(?![\p{L}\p{N}])/gu, ' ')}`
}
