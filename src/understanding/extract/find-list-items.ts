// The items of a list page: the repeated block that links to most pages of its own, found by structure alone.

import type { AnyNode, Element } from 'domhandler'
import { parseDate, toIsoDate } from '../../base/parse-dates.ts'
import { countEach } from '../../base/values.ts'
import { findImageSource } from '../../content/find-image-source.ts'
import {
  closestElement,
  collapsedTextOf,
  collapseSpaces,
  findElement,
  isElement,
  MAX_DEPTH,
  nextNode,
} from '../../content/parse-tree.ts'
import type { ParsedPage } from '../../content/parsed-page.ts'
import { isHttpUrl, makeLinkResolver, type ResolveLink } from '../../content/resolve-links.ts'
import { findMoney } from '../money.ts'
import { headingLevelOf, openPagePart } from './page-part.ts'

export interface ListItem {
  title: string
  url: string
  date?: string
  image?: string
  price?: { amount: number; currency: string }
  text?: string
}

const LEAST_ITEMS = 3
const MOST_ITEMS = 200
/** Share of a group's blocks that must be items; the rest may be advertisements. */
const MIN_ITEM_SHARE = 0.6
const LEAST_TITLE = 3
const MAX_TITLE = 300
const MAX_TEXT = 500
/** A block with links to more addresses is no list item. */
const MAX_LINKS_PER_ITEM = 5
const ASIDE = new Set(['nav', 'footer', 'aside', 'header'])

type ListPage = Pick<ParsedPage, 'tree' | 'base' | 'content' | 'metadata'>

/** Empty when the page has no list. */
export function findListItems({ tree, base, content, metadata }: ListPage): ListItem[] {
  const absolute = makeLinkResolver(base)
  let best: { score: number; blocks: Block[] } = { score: 0, blocks: [] }
  const part = openPagePart(tree, (element) => content.cuts.has(element))
  for (const { items: elements, isMain } of part.groups()) {
    if (elements.length < LEAST_ITEMS || closestElement(elements[0], MAX_DEPTH, ({ name }) => ASIDE.has(name))) continue
    const blocks = blocksOf(elements.slice(0, MOST_ITEMS), absolute)
    if (blocks.length < LEAST_ITEMS || blocks.length < elements.length * MIN_ITEM_SHARE) continue
    const score = blocks.length * richness(blocks) * (isMain ? 2 : 1)
    if (score > best.score) best = { score, blocks }
  }
  const language = [metadata.language].flat()[0]
  return best.blocks.map((block) => itemOf(block, language))
}

/**
 * Entries of a list say more of themselves than links of a menu, and all say the same kinds of things: a fact that half
 * of them have counts for a quarter. A block with many addresses is a part of the layout.
 */
function richness(blocks: readonly Block[]): number {
  const share = (has: (block: Block) => boolean) => (blocks.filter(has).length / blocks.length) ** 2
  const facts =
    share(({ stated, text }) => parseDate(stated ?? text) !== undefined) +
    share(({ image }) => image !== undefined) +
    share(({ text }) => findMoney(text).length > 0) +
    share(({ isHeaded }) => isHeaded)
  const words = Math.min(median(blocks.map(({ text }) => text.length)) / 100, 2)
  return (0.2 + words + facts) / Math.max(1, median(blocks.map(({ links }) => links)) / MAX_LINKS_PER_ITEM)
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

interface Block {
  url: string
  title: string
  /** What may be the title, best first. */
  titles: string[]
  isHeaded: boolean
  stated: string | undefined
  image: string | undefined
  links: number
  text: string
}

/** One for each address. A text that several blocks share, such as "Read more", is no title. */
function blocksOf(elements: readonly Element[], absolute: ResolveLink): Block[] {
  const blocks = new Map<string, Omit<Block, 'title'>>()
  for (const element of elements) {
    const block = blockOf(element, absolute)
    if (block && !blocks.has(block.url)) blocks.set(block.url, block)
  }
  const uses = countEach([...blocks.values()].flatMap(({ titles }) => [...new Set(titles)]))
  return [...blocks.values()].map((block) => ({
    ...block,
    title: block.titles.find((one) => uses.get(one) === 1) ?? block.titles[0]!,
  }))
}

function blockOf(block: Element, absolute: ResolveLink): Omit<Block, 'title'> | undefined {
  const links: { url: string; text: string; isHeading: boolean }[] = []
  const headings: string[] = []
  const names: string[] = []
  let [image, stated]: (string | undefined)[] = []
  for (let node: AnyNode | null = block; node; node = nextNode(node, block)) {
    if (!isElement(node)) continue
    if (node.name === 'a') {
      const url = absolute(node.attribs.href?.trim())
      const isHeading =
        closestElement(node, 4, (one) => headingLevelOf(one) > 0) !== undefined ||
        findElement(node, (one) => headingLevelOf(one) > 0) !== undefined
      if (url && isHttpUrl(url)) links.push({ url, text: collapsedTextOf(node, MAX_TITLE), isHeading })
    } else if (node.name === 'img') {
      image ??= absolute(findImageSource(node))
      if (node.attribs.alt) names.push(collapseSpaces(node.attribs.alt).slice(0, MAX_TITLE))
    } else if (node.name === 'time') stated ??= node.attribs.datetime ?? collapsedTextOf(node, 60)
    else if (headingLevelOf(node) > 0) headings.push(collapsedTextOf(node, MAX_TITLE))
  }
  const addresses = new Set(links.map(({ url }) => url))
  const longest = links.toSorted((a, b) => b.text.length - a.text.length)
  const main = links.find(({ isHeading }) => isHeading) ?? longest[0]
  if (!main) return undefined
  const texts = longest.flatMap(({ url, text }) => (url === main.url ? [text] : []))
  const titles = [...headings, ...texts, ...names].filter(({ length }) => length >= LEAST_TITLE)
  if (titles.length === 0) return undefined
  const text = collapsedTextOf(block, MAX_TEXT)
  return { url: main.url, titles, isHeaded: headings.length > 0, stated, image, links: addresses.size, text }
}

function itemOf({ title, url, stated, image, text }: Block, language: string | undefined): ListItem {
  const date = parseDate(stated ?? text, language)
  const [money] = findMoney(text)
  return {
    title,
    url,
    ...(date ? { date: toIsoDate(date) } : {}),
    ...(image ? { image } : {}),
    ...(money?.currency ? { price: { amount: money.amount, currency: money.currency } } : {}),
    ...(text.length > title.length ? { text } : {}),
  }
}
