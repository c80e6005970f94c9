// Features that are equal for all blocks of a page: size, composition and predicted kind.
import { type BlockAncestry, IN_LIST_BIT, IN_TABLE_BIT } from './block-ancestry.ts'
import type { FlatPage } from './flatten-page.ts'
import { DECLARED_KIND_BIT_COUNT } from './head-metadata.ts'
import type { GoverningHeadings } from './page-structure.ts'
import { logScale, ratioOrZero } from './text-stats.ts'

/**
 * Concept bits (see css-class-concepts.ts) whose share of running text indicates the page kind: comments, reviews, products,
 * cards, posts.
 */
const KIND_INDICATING_CONCEPTS = [0, 1, 10, 11, 13]

export function computePageFeatures(
  outline: FlatPage,
  ancestry: BlockAncestry,
  headings: GoverningHeadings,
  kind: Float32Array,
  url: string | undefined,
): number[] {
  const { blocks, elements, facts, media } = outline
  const { sums, heart, landmarks, chainConcepts, repeated } = ancestry
  const n = blocks.length
  const total = sums.chars[n]!
  let paragraphs = 0
  let lists = 0
  let tables = 0
  let repeating = 0
  let longest = 0
  let long = 0
  let timed = 0
  const telling = KIND_INDICATING_CONCEPTS.map(() => 0)
  for (let i = 0; i < n; i++) {
    const { element: e, chars, linkChars, timed: isTimed } = blocks[i]!
    if (chars > longest) longest = chars
    if (chars >= 100 && linkChars < chars * 0.3) long++
    if (isTimed) timed++
    if (e < 0) continue
    if (elements[e]!.name === 'p') paragraphs += chars
    if (landmarks[e]! & IN_LIST_BIT) lists += chars
    if (landmarks[e]! & IN_TABLE_BIT) tables += chars
    if (repeated[e]! >= 0) repeating += chars
    const prose = sums.prose[i + 1]! - sums.prose[i]!
    for (let k = 0; k < KIND_INDICATING_CONCEPTS.length; k++)
      if ((chainConcepts[e]! >> KIND_INDICATING_CONCEPTS[k]!) & 1) telling[k]! += prose
  }
  let articles = 0
  let forms = 0
  for (const { name } of elements) {
    if (name === 'article') articles++
    else if (name === 'form') forms++
  }
  const said: number[] = []
  for (let bit = 0; bit < DECLARED_KIND_BIT_COUNT; bit++) said.push((facts.said >> bit) & 1)
  return [
    logScale(total),
    logScale(n),
    ratioOrZero(sums.links[n]!, total),
    ratioOrZero(paragraphs, total),
    ratioOrZero(lists, total),
    ratioOrZero(tables, total),
    ratioOrZero(repeating, total),
    logScale(longest),
    long,
    headings.h1s,
    headings.count / n,
    headings.h1 < 0 ? 0 : headings.h1 / n,
    logScale(articles),
    logScale(forms),
    logScale(timed),
    logScale(media.length),
    ratioOrZero(sums.prose[n]!, total),
    ratioOrZero(sums.chars[heart.to]! - sums.chars[heart.from]!, total),
    ratioOrZero(sums.prose[heart.to]! - sums.prose[heart.from]!, sums.prose[n]!),
    ...telling.map((chars) => ratioOrZero(chars, sums.prose[n]!)),
    ...said,
    ...kind,
    ...addressNumbers(url),
  ]
}

function addressNumbers(url: string | undefined): number[] {
  const rest = url?.slice(0, 2000).replace(/^[a-z]+:\/\/[^/?#]*/i, '') ?? ''
  const path = rest.split(/[?#]/, 1)[0]!
  const parts = path.split('/').filter(Boolean)
  const last = parts.at(-1) ?? ''
  const digits = /\d{4}/.test(path) ? (/\d{6}/.test(path) ? 2 : 1) : 0
  const hyphens = Math.min(12, last.split('-').length - 1)
  return [url === undefined ? -1 : parts.length, path.length, digits, hyphens, rest.includes('?') ? 1 : 0]
}
