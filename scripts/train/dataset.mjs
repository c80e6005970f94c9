// The bench pages as the trainer needs them: outlines without their trees, labels, weights, and tokens for the lexicon.
import { getDomain } from 'tldts'
import { loadPages, tokens } from './bench.mjs'
import { labelsBySnippets, labelsByText } from './labels.mjs'

const KEPT_ATTRIBUTES = ['class', 'aria-modal', 'id', 'role', 'itemprop', 'itemtype', 'data-testid', 'aria-label']
const MAX_CHAIN = 30

/** Rare kinds count more, or the many articles would decide alone. */
const KIND_WEIGHT = {
  article: 1,
  documentation: 1.5,
  service: 1.5,
  forum: 2,
  collection: 2.5,
  listing: 2.5,
  product: 3,
}
/** The articles of `aeb` are few, and cut most exactly: what a caption or a teaser is, they tell best. */
const EXACT_WEIGHT = 2.5
const SNIPPET_WEIGHT = 0.06

/** The page as the service reads it: the same parser, and the same things that never count. */
function readOutline(html, { parseTree, chooseContent, flattenPage }) {
  const { tree } = parseTree(html)
  const { cuts } = chooseContent(tree, WHOLE, true)
  return flattenPage(tree, (element) => cuts.has(element))
}

const WHOLE = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }

export function buildDataset(src, from = loadPages()) {
  const {
    hashElementNames: nameHashes,
    tokensOfUrl: addressTokens,
    tokensOfDeclaredKinds: saidTokens,
    TOKEN_HASH_SALTS: SALT,
  } = src
  const vocabulary = new Map()
  const hashes = []
  const idOf = (hash, fold, site) => {
    let entry = vocabulary.get(hash)
    if (!entry) {
      entry = { id: vocabulary.size, hash, sites: Array.from({ length: 5 }, () => new Set()) }
      vocabulary.set(hash, entry)
    }
    hashes[entry.id] = hash
    entry.sites[fold].add(site)
    return entry
  }
  const pages = from.map((page) => {
    const outline = readOutline(page.html(), src)
    const texts = outline.blocks.map((b) => {
      let s = ''
      for (let i = b.firstText; i < b.endText; i++) s += outline.texts[i].data
      return s.replace(/\s+/g, ' ')
    })
    const { text } = page.truth
    const labels = Float32Array.from(
      text === undefined ? labelsBySnippets(texts, page.truth) : labelsByText(texts, text),
    )
    const words = texts.map((t) => tokens(t).length)
    const truthWords = text === undefined ? 0 : tokens(text).length
    const kind = page.set === 'aeb' ? EXACT_WEIGHT : (KIND_WEIGHT[page.type] ?? 1)
    const weights = Float32Array.from(words, (w) =>
      text === undefined ? SNIPPET_WEIGHT : Math.min(2, (kind * (w + 1)) / (truthWords + 100)),
    )
    if (text !== undefined) capWeight(weights, 3 * kind)
    const site = page.url ? (getDomain(page.url) ?? page.id) : page.id
    const own = outline.elements.map((e) => nameHashes(e).map((hash) => idOf(hash, page.fold, site).id))
    const lists = outline.blocks.map((b) => {
      const ids = new Set()
      let steps = 0
      for (let e = b.element; e >= 0 && steps < MAX_CHAIN; e = outline.parent[e], steps++)
        for (const id of own[e]) ids.add(id)
      return ids
    })
    outline.blocks.forEach((b, i) => {
      for (const h of hashesOf(outline, b)) lists[i].add(idOf(h ^ SALT.word, page.fold, site).id)
    })
    for (const [i, h] of headingPairs(outline))
      for (const hash of hashesOf(outline, outline.blocks[h]))
        lists[i].add(idOf(hash ^ SALT.heading, page.fold, site).id)
    const kindTokens = [
      ...new Set([
        ...own.flat().map((id) => hashes[id]),
        ...addressTokens(page.url),
        ...saidTokens(outline.facts.said),
      ]),
    ]
    slim(outline)
    const { set, id, type, url, fold, truth } = page
    return {
      set,
      id,
      type,
      url,
      fold,
      site,
      truth,
      kindTokens,
      outline,
      texts,
      labels,
      weights,
      words,
      lists: lists.map((s) => Int32Array.from(s)),
    }
  })
  return {
    pages,
    vocabulary: [...vocabulary.values()].map((v) => ({
      hash: v.hash,
      sites: v.sites.map((s) => s.size),
    })),
  }
}

const hashesOf = ({ words }, { firstWord, endWord }) => words.hashes.subarray(firstWord, endWord)

function capWeight(weights, most) {
  const sum = weights.reduce((a, b) => a + b, 0)
  if (sum > most) for (let i = 0; i < weights.length; i++) weights[i] *= most / sum
}

/** Blocks and the nearest heading before them that shares their section; the features decide more finely. */
function headingPairs(outline) {
  const out = []
  let last = -1
  let until = 0
  outline.blocks.forEach((b, i) => {
    if (i >= until) last = -1
    if (last >= 0) out.push([i, last])
    const name = b.element < 0 ? '' : outline.elements[b.element].name
    if (/^h[1-6]$/.test(name)) {
      last = i
      const up = outline.parent[b.element]
      const scope = up >= 0 && outline.endBlock[up] === i + 1 && outline.parent[up] >= 0 ? outline.parent[up] : up
      until = scope < 0 ? outline.blocks.length : outline.endBlock[scope]
    }
  })
  return out
}

/** The trees of all pages would not fit in memory. */
function slim(outline) {
  outline.elements = outline.elements.map(({ name, attribs }) => {
    const kept = {}
    for (const key of KEPT_ATTRIBUTES) if (attribs[key]) kept[key] = attribs[key].slice(0, 240)
    return { name, attribs: kept }
  })
  outline.texts = []
}
