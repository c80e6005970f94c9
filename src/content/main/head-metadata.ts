// Collects title, description and declared page kind (Open Graph, JSON-LD) during the outline walk. They are hints for
// the model, never content.
import type { Element } from 'domhandler'
import { isText } from 'domhandler'
import { addTextStats, TextStats, WordHashes } from './text-stats.ts'

export interface HeadMetadata {
  title: Set<number>
  description: Set<number>
  /** Titles from <title> and sharing metadata; `site` is the site's name. */
  names: string[]
  site: string
  shared: string
  said: number
  data: string[]
  /** The product price in Open Graph metadata; empty without one. */
  price: string
  /** Scripts other than data. */
  hasPrograms: boolean
}

/** Patterns for JSON-LD types, og:type, generators and similar, with the bit each sets. */
const DECLARED_KIND_PATTERNS: readonly (readonly [RegExp, number])[] = [
  [/\b(?:news|blog|scholarly|tech|opinion|report)?article\b|blogposting|reportage/i, 0],
  [/\bproduct\b|\boffer\b/i, 1],
  [/discussionforum|\bqapage\b|\bquestion\b|\bcomment\b/i, 2],
  [/itemlist|collectionpage|searchresults|\bproductgroup\b|offercatalog/i, 3],
  [/\bfaqpage\b|\bhowto\b|\brecipe\b|techarticle|apireference/i, 4],
  [/localbusiness|\bservice\b|\borganization\b|corporation|softwareapplication/i, 5],
  [/\bwebsite\b/i, 6],
  [/vbulletin|phpbb|xenforo|discourse|invision|simple machines|mybb|flarum|vanilla|smf\b/i, 7],
  [/shopify|woocommerce|magento|prestashop|bigcommerce/i, 8],
  [/docusaurus|sphinx|mkdocs|gitbook|vitepress|mdbook|hugo|jekyll|doxygen/i, 9],
]
export const DECLARED_KIND_BIT_COUNT = 10

const MAX_LD_CHARS = 50_000
const MAX_LD_TYPES = 200
const MAX_WORDS = 60
const MAX_NAME = 400
const MAX_NAMES = 4
const MAX_DATA = 20

export const emptyHeadMetadata = (): HeadMetadata => ({
  title: new Set(),
  description: new Set(),
  names: [],
  site: '',
  shared: '',
  said: 0,
  data: [],
  price: '',
  hasPrograms: false,
})

export const HEAD_METADATA_TAGS = new Set(['title', 'meta', 'script'])

export function addHeadMetadata(facts: HeadMetadata, element: Element): void {
  const { name, attribs } = element
  if (name === 'title') {
    if (facts.title.size === 0) addWords(facts.title, firstText(element))
    if (facts.names.length < MAX_NAMES) facts.names.push(firstText(element).slice(0, MAX_NAME))
  } else if (name === 'meta') noteMeta(facts, attribs)
  else if (attribs.type?.toLowerCase() === 'application/ld+json') {
    if (facts.data.length < MAX_DATA) facts.data.push(firstText(element))
    noteTypes(facts, firstText(element))
  } else if (name === 'script') facts.hasPrograms = true
}

function noteMeta(facts: HeadMetadata, attribs: Record<string, string>): void {
  const key = (attribs.property ?? attribs.name ?? '').toLowerCase()
  const content = attribs.content?.slice(0, 1000)
  if (!content) return
  if (key === 'og:title') {
    addWords(facts.title, content)
    facts.shared ||= content.slice(0, MAX_NAME)
    if (facts.names.length < MAX_NAMES) facts.names.push(content.slice(0, MAX_NAME))
  } else if (key === 'og:site_name') facts.site ||= content.slice(0, MAX_NAME)
  else if (key === 'description' || key === 'og:description') addWords(facts.description, content)
  else if (key === 'og:type' || key === 'generator') note(facts, content)
  else if (key === 'product:price:amount' || key === 'og:price:amount') facts.price ||= content.slice(0, MAX_NAME)
}

function noteTypes(facts: HeadMetadata, json: string): void {
  const types = /"@type"\s*:\s*\[?\s*"([^"]{1,60})"/g
  const text = json.slice(0, MAX_LD_CHARS)
  const seen = new Set<string>()
  for (let i = 0; i < MAX_LD_TYPES; i++) {
    const found = types.exec(text)
    if (!found) return
    if (seen.has(found[1]!)) continue
    seen.add(found[1]!)
    note(facts, found[1]!)
  }
}

function note(facts: HeadMetadata, said: string): void {
  for (const [words, bit] of DECLARED_KIND_PATTERNS) if (words.test(said)) facts.said |= 1 << bit
}

function firstText(element: Element): string {
  const child = element.firstChild
  return child && isText(child) ? child.data : ''
}

function addWords(set: Set<number>, text: string): void {
  const list = new WordHashes()
  addTextStats(`${text.slice(0, 300)} `, 0, new TextStats(), list, MAX_WORDS)
  for (let i = 0; i < list.length; i++) set.add(list.hashes[i]!)
}
