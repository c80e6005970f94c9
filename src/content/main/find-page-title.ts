// Finds the page's title: its main heading, or the text that repeats a declared title.
import type { Element } from 'domhandler'
import { BOILERPLATE_LANDMARK_BITS, RARELY_CONTENT_LANDMARK_BITS } from './block-ancestry.ts'
import type { PageAnalysis } from './block-features.ts'
import type { FlatPage } from './flatten-page.ts'
import { headingLevelOfTag } from './page-structure.ts'

export type PageTitle = { element: number; from: number; to: number; named: boolean }

const MAX_TITLE_WORDS = 60
const MAX_TITLE_CHARS = 400
const MIN_LETTERS = 4
/** A title without <h1> must equal the whole declared title, which must be longer than a label. */
const MIN_DECLARED_TITLE_CHARS = 12
const NAV = 1
const FOOTER = 4
const HEADER = 2
const STORY = 16 | 32
const MENU = 1 << 5
const HOME = /^(?:\/|#|\.\/?|(?:https?:)?\/\/[^/]+\/?)$/i

export const toLettersAndDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '')

export function findPageTitle(outline: FlatPage, reading: PageAnalysis): PageTitle | undefined {
  const names = outline.facts.names.map(toLettersAndDigits).filter((name) => name.length >= MIN_LETTERS)
  const site = toLettersAndDigits(outline.facts.site)
  const heads: { title: PageTitle; said: string }[] = []
  let h1s = 0
  outline.elements.forEach((element, e) => {
    if (element.name !== 'h1') return
    const title = asTitle(outline, e)
    if (!title) return
    h1s++
    if (heads.length > 20 || isFurniture(outline, reading, e) || isSiteNameHeading(outline, e)) return
    const said = toLettersAndDigits(textOf(outline, title))
    if (said.length < MIN_LETTERS || said === site) return
    title.named = names.some((name) => name.includes(said) || (name.length > 8 && said.includes(name)))
    heads.push({ title, said })
  })
  const named = heads.filter(({ title }) => title.named)
  // The longest, since the site's name is also part of many titles.
  if (named.length > 0) return named.reduce((a, b) => (b.said.length > a.said.length ? b : a)).title
  const inStory = heads.filter(({ title }) => !isSiteHeader(reading, title.element))
  if (inStory.length === 1) return inStory[0]!.title
  return h1s > 0 && inStory.length > 1 ? undefined : byName(outline, reading, names)
}

function byName(outline: FlatPage, reading: PageAnalysis, names: readonly string[]): PageTitle | undefined {
  const wanted = new Set(names.filter((name) => name.length >= MIN_DECLARED_TITLE_CHARS))
  if (wanted.size === 0) return undefined
  const { blocks, elements, facts } = outline
  const { hashes } = outline.words
  let plain: PageTitle | undefined
  for (let i = 0; i < blocks.length; i++) {
    const { element, words, firstWord, endWord } = blocks[i]!
    if (element < 0 || words > MAX_TITLE_WORDS || endWord === firstWord || !facts.title.has(hashes[firstWord]!))
      continue
    const level = headingLevelOfTag(elements[element]!.name)
    if (level === 0 && plain) continue
    if (isFurniture(outline, reading, element) || hasLink(outline, i)) continue
    if (level === 0 && reading.ancestry.chainConcepts[element]! & MENU) continue
    const title = { element, from: i, to: i + 1, named: true }
    if (!wanted.has(toLettersAndDigits(textOf(outline, title)))) continue
    if (level > 0) return title
    if (outline.firstBlock[element] === i && outline.endBlock[element] === i + 1) plain = title
  }
  return plain
}

const hasLink = ({ blocks }: FlatPage, block: number): boolean => blocks[block]!.linkChars > 0

function asTitle({ blocks, firstBlock, endBlock }: FlatPage, e: number): PageTitle | undefined {
  const from = firstBlock[e]!
  const to = endBlock[e]!
  if (to === from || to - from > 6) return undefined
  let words = 0
  for (let i = from; i < to; i++) words += blocks[i]!.words
  return words > 0 && words <= MAX_TITLE_WORDS ? { element: e, from, to, named: false } : undefined
}

function textOf({ blocks, texts }: FlatPage, { from, to }: PageTitle): string {
  let out = ''
  for (let t = blocks[from]!.firstText; t < blocks[to - 1]!.endText && out.length < MAX_TITLE_CHARS; t++)
    out += `${texts[t]!.data} `
  return out.slice(0, MAX_TITLE_CHARS)
}

function isFurniture({ parent }: FlatPage, { ancestry }: PageAnalysis, e: number): boolean {
  const up = parent[e]!
  if (up < 0) return false
  const landmarks = ancestry.landmarks[up]!
  if (landmarks & (RARELY_CONTENT_LANDMARK_BITS & ~(NAV | FOOTER))) return true
  return (landmarks & (NAV | FOOTER)) !== 0 && !(landmarks & STORY)
}

const isSiteHeader = ({ ancestry }: PageAnalysis, e: number): boolean =>
  (ancestry.landmarks[e]! & (BOILERPLATE_LANDMARK_BITS & (HEADER | 8))) !== 0 && (ancestry.landmarks[e]! & STORY) === 0

const LOGO_PARTS = 40

/** A heading that links to the home page is the site's name. */
export function isSiteNameHeading({ elements, parent, end }: FlatPage, e: number): boolean {
  for (let inner = e + 1; inner < end[e]! && inner < e + LOGO_PARTS; inner++)
    if (leadsHome(elements[inner]!)) return true
  let up = parent[e]!
  for (let steps = 0; up >= 0 && steps < 8; steps++, up = parent[up]!) if (leadsHome(elements[up]!)) return true
  return false
}

const leadsHome = ({ name, attribs }: Element): boolean => name === 'a' && HOME.test(attribs.href?.trim() ?? '-')
