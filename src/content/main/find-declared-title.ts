// The title of a page whose text has none: og:title, the headline of its JSON-LD, or <title> without the site's name.

import { parseJson } from '../../base/attempt.ts'
import { toLettersAndDigits } from './find-page-title.ts'
import type { HeadMetadata } from './head-metadata.ts'
import type { KeepState } from './keep-state-types.ts'

const MIN_LETTERS = 4
const MAX_CHARS = 300
const SEPARATOR = /\s+[|–—·•»«:-]\s+|\s*\|\s*/
const HEADLINE = /"headline"\s*:\s*("(?:[^"\\]|\\.){4,400}")/
/** A text this near to the beginning that repeats the title is the title. */
const MAX_BLOCKS_BEFORE_TITLE = 12

/** Mutates `keep`: a kept text that repeats the title is replaced by it. Undefined when a heading of the page is kept. */
export function findDeclaredTitle(
  { outline, keep }: Omit<KeepState, 'title'>,
  url: string | undefined,
): string | undefined {
  const { blocks, elements, facts, texts } = outline
  const title = ownTitle(facts, url)
  if (title === undefined) return undefined
  const said = toLettersAndDigits(title)
  let seen = 0
  for (let i = 0; i < blocks.length; i++) {
    if (!keep[i]) continue
    const { element, firstText, endText } = blocks[i]!
    const name = element < 0 ? '' : elements[element]!.name
    if (name === 'h1') return undefined
    if (seen++ >= MAX_BLOCKS_BEFORE_TITLE) continue
    let text = ''
    for (let t = firstText; t < endText && text.length < MAX_CHARS; t++) text += texts[t]!.data
    if (toLettersAndDigits(text) === said) keep[i] = 0
  }
  return seen > 0 ? title : undefined
}

function ownTitle({ shared, names, data, site }: HeadMetadata, url: string | undefined): string | undefined {
  const sites = [toLettersAndDigits(site), hostOf(url)].filter((name) => name.length >= MIN_LETTERS - 1)
  for (const title of [shared, headlineIn(data), names[0]]) {
    const own = title ? withoutSite(title, sites) : ''
    if (own && toLettersAndDigits(own).length >= MIN_LETTERS) return own
  }
  return undefined
}

function withoutSite(title: string, sites: readonly string[]): string {
  const isSite = (part: string | undefined) => part !== undefined && sites.includes(toLettersAndDigits(part))
  const parts = title.replace(/\s+/g, ' ').trim().split(SEPARATOR)
  if (parts.length === 1) return isSite(parts[0]) ? '' : parts[0]!.slice(0, MAX_CHARS)
  if (isSite(parts.at(-1))) return cutAt(title, parts.at(-1)!, 'end')
  return isSite(parts[0]) ? cutAt(title, parts[0]!, 'start') : title.trim().slice(0, MAX_CHARS)
}

function cutAt(title: string, part: string, side: 'start' | 'end'): string {
  const text = title.replace(/\s+/g, ' ').trim()
  const rest = side === 'end' ? text.slice(0, -part.length) : text.slice(part.length)
  return rest.replace(/^[\s|–—·•»«:-]+|[\s|–—·•»«:-]+$/g, '').slice(0, MAX_CHARS)
}

function headlineIn(data: readonly string[]): string | undefined {
  for (const text of data) {
    const [, quoted] = HEADLINE.exec(text.slice(0, 100_000)) ?? []
    const headline = quoted === undefined ? undefined : parseJson(quoted)
    if (headline !== undefined) return headline as string
  }
  return undefined
}

function hostOf(url: string | undefined): string {
  if (url === undefined || !URL.canParse(url)) return ''
  const labels = new URL(url).hostname.replace(/^www\./, '').split('.')
  return toLettersAndDigits(labels.length > 2 && labels.at(-2)!.length <= 3 ? labels.at(-3)! : (labels.at(-2) ?? ''))
}
