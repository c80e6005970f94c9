// Images of found pages, ranked by their alt text, file name and surrounding text.

import type { IndexedPicture } from '../../search/engine/page-pictures.ts'
import type { ParsedQuery } from '../../search/engine/parse-query.ts'
import { makeQueryWord, tokenizeText } from '../../search/engine/tokenize-text.ts'
import type { IndexHit } from '../../search/search-team-pages.ts'
import type { SearchCandidate } from './fuse-hits.ts'

export function rankPageImages(
  hits: readonly IndexHit[],
  { words, imageSize }: ParsedQuery,
  limit: number,
): SearchCandidate[] {
  const found: { candidate: SearchCandidate; score: number }[] = []
  const seen = new Set<string>()
  for (const [at, { page }] of hits.entries()) {
    const wanted = words.map((word) => makeQueryWord(word, [page.language || 'en', 'en'])).filter(({ stop }) => !stop)
    for (const picture of JSON.parse(page.pictures) as IndexedPicture[]) {
      if (seen.has(picture.url) || !isLargeEnough(picture, imageSize)) continue
      seen.add(picture.url)
      const parts = [picture.alt, nameOf(picture.url), picture.near].map(
        (text) => new Set(tokenizeText(text, page.language || 'en').flatMap(({ terms }) => terms)),
      )
      const weights = [3, 1.5, 1]
      let score = 0
      for (const { terms } of wanted)
        score += Math.max(0, ...parts.map((part, n) => (terms.some((term) => part.has(term)) ? weights[n]! : 0)))
      if (score === 0) continue
      const candidate = {
        url: page.url,
        title: picture.alt || page.title,
        description: picture.near,
        imageUrl: picture.url,
        imageWidth: picture.width,
        imageHeight: picture.height,
      }
      // Ties go to the image of the better page.
      found.push({ candidate, score: score / (wanted.length || 1) - at / 1000 })
    }
  }
  return found
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

function isLargeEnough({ width, height }: IndexedPicture, wanted: ParsedQuery['imageSize']): boolean {
  if (!wanted) return true
  if (width === undefined || height === undefined) return false
  return wanted.atLeast
    ? width >= wanted.width && height >= wanted.height
    : width === wanted.width && height === wanted.height
}

const nameOf = (url: string): string => {
  const name = new URL(url).pathname.split('/').at(-1) ?? ''
  return name.replace(/\.\w+$/, '').replace(/[-_+%0-9]+/g, ' ')
}
