// What stands around each block: its ancestors, the headings above it, the sections it repeats in, and how text and
// links are spread near it. Sums are made bottom-up and handed down once, never by climbing from each block.
import type { Element } from 'domhandler'
import type { Outline } from './outline.ts'

const log = (x: number): number => Math.log2(1 + x)
const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0)

/** Blocks at least this long, with few links, are taken for running text when the heart of a page is sought. */
const PROSE_CHARS = 60

const LANDMARK: Record<string, number> = {
  nav: 1,
  header: 2,
  footer: 4,
  aside: 8,
  article: 16,
  main: 32,
  form: 64,
  table: 128,
  ul: 256,
  ol: 256,
  figure: 512,
  blockquote: 1024,
  section: 2048,
  dl: 4096,
  button: 8192,
  label: 8192,
  details: 16384,
  a: 32768,
}
const ROLES: Record<string, number> = {
  navigation: 1,
  banner: 2,
  contentinfo: 4,
  complementary: 8,
  article: 16,
  main: 32,
}
const LANDMARK_BITS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768]

/** Ancestors are also seen by size: the smallest one that holds this many characters. */
const SIZES = [250, 1000, 4000] as const

export function surroundings(outline: Outline, nameScore: (element: Element) => number) {
  const { elements, parent, blocks, firstBlock, endBlock, depth } = outline
  const n = elements.length
  // Prefix sums over blocks make any subtree's or window's totals two look-ups.
  const chars = prefix(blocks.length, (i) => blocks[i]!.chars)
  const linkChars = prefix(blocks.length, (i) => blocks[i]!.linkChars)
  const prose = prefix(blocks.length, (i) => {
    const b = blocks[i]!
    return b.chars >= PROSE_CHARS && b.linkChars < b.chars * 0.4 ? b.chars - b.linkChars : 0
  })
  const stops = prefix(blocks.length, (i) => blocks[i]!.stops + blocks[i]!.commas)
  const sum = (p: Float64Array, from: number, to: number): number => p[to]! - p[from]!
  const total = chars[blocks.length]!
  const totalProse = prose[blocks.length]!

  const score = new Float32Array(n)
  const chainSum = new Float32Array(n)
  const chainMin = new Float32Array(n)
  const chainMax = new Float32Array(n)
  const nearSum = new Float32Array(n)
  const flags = new Int32Array(n)
  const sized = SIZES.map(() => new Int32Array(n))
  const repeats = repetition(outline)
  const repeated = new Int32Array(n)
  for (let e = 0; e < n; e++) {
    const up = parent[e]!
    const element = elements[e]!
    const s = nameScore(element)
    score[e] = s
    chainSum[e] = s + (up < 0 ? 0 : chainSum[up]!)
    chainMin[e] = Math.min(s, up < 0 ? 0 : chainMin[up]!)
    chainMax[e] = Math.max(s, up < 0 ? 0 : chainMax[up]!)
    nearSum[e] = s + (up < 0 ? 0 : score[up]! * 0.7 + (parent[up]! < 0 ? 0 : score[parent[up]!]! * 0.5))
    const role = element.attribs.role
    flags[e] = (up < 0 ? 0 : flags[up]!) | (LANDMARK[element.name] ?? 0) | (role === undefined ? 0 : (ROLES[role] ?? 0))
    const size = sum(chars, firstBlock[e]!, endBlock[e]!)
    for (let k = 0; k < SIZES.length; k++) sized[k]![e] = size >= SIZES[k]! ? e : up < 0 ? -1 : sized[k]![up]!
    repeated[e] = repeats.count[e]! >= 3 ? e : up < 0 ? -1 : repeated[up]!
  }

  const heart = heartOf(outline, prose, totalProse)
  const { headingOf, outerHeadingOf, h1, h1s, headings } = headingsOf(outline)

  const range = (e: number): [number, number] => (e < 0 ? [0, blocks.length] : [firstBlock[e]!, endBlock[e]!])
  const describe = (row: number[], e: number, i: number): void => {
    const [from, to] = range(e)
    const c = sum(chars, from, to)
    row.push(log(c), share(sum(linkChars, from, to), c), log(to - from), log(c / Math.max(1, to - from)))
    row.push(share(c, total), share(sum(chars, from, i), c), share(sum(prose, from, to), c))
  }
  const byElement = {
    write(row: number[], e: number, i: number): void {
      const up = e < 0 ? -1 : parent[e]!
      const up2 = up < 0 ? -1 : parent[up]!
      row.push(e < 0 ? 0 : depth[e]!, e < 0 ? 0 : score[e]!, e < 0 ? 0 : nearSum[e]!, e < 0 ? 0 : chainSum[e]!)
      row.push(e < 0 ? 0 : chainMin[e]!, e < 0 ? 0 : chainMax[e]!)
      const f = e < 0 ? 0 : flags[e]!
      for (const bit of LANDMARK_BITS) row.push(f & bit ? 1 : 0)
      describe(row, up, i)
      describe(row, up2, i)
      for (const level of sized) describe(row, e < 0 ? -1 : level[e]!, i)
      const r = e < 0 ? -1 : repeated[e]!
      if (r < 0) row.push(0, 0, 0, 0, 0, 0)
      else {
        const [from, to] = range(r)
        const c = sum(chars, from, to)
        row.push(log(repeats.count[r]!), log(c), share(sum(linkChars, from, to), c), log(to - from))
        row.push(log(repeats.chars[r]! / repeats.count[r]!), share(repeats.chars[r]!, total))
      }
      const meet = e < 0 ? -1 : heart.meet[e]!
      row.push(meet < 0 ? 0 : share(sum(prose, firstBlock[meet]!, endBlock[meet]!), totalProse))
      row.push(meet < 0 ? 0 : share(sum(chars, firstBlock[meet]!, endBlock[meet]!), total))
      row.push(e < 0 ? 0 : depth[e]! - (meet < 0 ? 0 : depth[meet]!), heart.best >= 0 && meet === heart.best ? 1 : 0)
      row.push(i < heart.from ? i - heart.from : i >= heart.to ? i - heart.to + 1 : 0)
    },
  }
  const windows = {
    write(row: number[], i: number): void {
      for (const w of [4, 12]) {
        const from = Math.max(0, i - w)
        const to = Math.min(blocks.length, i + w + 1)
        const back = sum(chars, from, i)
        const ahead = sum(chars, i + 1, to)
        row.push(log(back), log(ahead), share(sum(linkChars, from, i), back), share(sum(linkChars, i + 1, to), ahead))
        row.push(log(sum(prose, from, to)), share(sum(stops, from, to), sum(chars, from, to)))
      }
    },
  }
  return { byElement, windows, headingOf, outerHeadingOf, page: pageTotals() }

  function pageTotals() {
    const kinds = { paragraph: 0, list: 0, table: 0, longest: 0, long: 0, timed: 0, repeated: 0 }
    for (const b of blocks) {
      const f = b.element < 0 ? 0 : flags[b.element]!
      const name = b.element < 0 ? '' : elements[b.element]!.name
      if (name === 'p') kinds.paragraph += b.chars
      if (f & 256) kinds.list += b.chars
      if (f & 128) kinds.table += b.chars
      if (b.element >= 0 && repeated[b.element]! >= 0) kinds.repeated += b.chars
      if (b.chars > kinds.longest) kinds.longest = b.chars
      if (b.chars >= 100 && b.linkChars < b.chars * 0.3) kinds.long++
      if (b.timed) kinds.timed++
    }
    let articles = 0
    let forms = 0
    for (const { name } of elements) {
      if (name === 'article') articles++
      else if (name === 'form') forms++
    }
    const [from, to] = range(heart.best)
    return {
      chars: total,
      linkShare: share(linkChars[blocks.length]!, total),
      paragraphShare: share(kinds.paragraph, total),
      listShare: share(kinds.list, total),
      tableShare: share(kinds.table, total),
      repeatedShare: share(kinds.repeated, total),
      longest: kinds.longest,
      longBlocks: kinds.long,
      timed: kinds.timed,
      articles: log(articles),
      forms,
      media: outline.media.length,
      h1,
      h1s,
      headings,
      title: titleBlock(outline),
      pathShare: share(totalProse, total),
      best: heart.best < 0 ? 0 : share(sum(chars, from, to), total),
    }
  }
}

function prefix(length: number, value: (i: number) => number): Float64Array {
  const out = new Float64Array(length + 1)
  for (let i = 0; i < length; i++) out[i + 1] = out[i]! + value(i)
  return out
}

/** For each element, how many siblings share its tag and first class name, and their text together. */
function repetition({ elements, parent, blocks, firstBlock, endBlock }: Outline) {
  const n = elements.length
  const count = new Int32Array(n)
  const chars = new Float64Array(n)
  const sums = prefix(blocks.length, (i) => blocks[i]!.chars)
  const groups = new Map<string, number>()
  const leader = new Int32Array(n)
  for (let e = 0; e < n; e++) {
    const { name, attribs } = elements[e]!
    leader[e] = e
    if (endBlock[e]! === firstBlock[e]!) continue
    const word = attribs.class === undefined ? '' : attribs.class.slice(0, 40).trimStart().split(/\s/, 1)[0]!
    const key = `${parent[e]} ${name} ${word}`
    const first = groups.get(key)
    if (first === undefined) groups.set(key, e)
    else leader[e] = first
    const lead = leader[e]!
    count[lead]!++
    chars[lead]! += sums[endBlock[e]!]! - sums[firstBlock[e]!]!
  }
  for (let e = 0; e < n; e++) {
    count[e] = count[leader[e]!]!
    chars[e] = chars[leader[e]!]!
  }
  return { count, chars }
}

/** Follows the running text down the tree: from the root to the child that holds most of it, while one does. */
function heartOf({ elements, parent, end, firstBlock, endBlock, blocks }: Outline, prose: Float64Array, total: number) {
  const n = elements.length
  const onPath = new Uint8Array(n)
  let best = -1
  let e = 0
  while (total > 0 && e < n) {
    const own = prose[endBlock[e]!]! - prose[firstBlock[e]!]!
    const above = best < 0 ? total : prose[endBlock[best]!]! - prose[firstBlock[best]!]!
    if (own > above * 0.6) {
      onPath[e] = 1
      best = e
      e++
      if (e >= end[best]!) break
    } else {
      e = end[e]!
      if (best >= 0 && e >= end[best]!) break
    }
  }
  const meet = new Int32Array(n)
  for (let i = 0; i < n; i++) meet[i] = onPath[i] ? i : parent[i]! < 0 ? -1 : meet[parent[i]!]!
  return { meet, best, from: best < 0 ? 0 : firstBlock[best]!, to: best < 0 ? blocks.length : endBlock[best]! }
}

/** The heading each block stands under: the last one before it whose section, two levels up at most, holds the block. */
function headingsOf({ elements, parent, blocks, endBlock }: Outline) {
  const headingOf = new Int32Array(blocks.length).fill(-1)
  const outerHeadingOf = new Int32Array(blocks.length).fill(-1)
  const open: { block: number; level: number; until: number }[] = []
  let h1 = -1
  let h1s = 0
  let headings = 0
  for (let i = 0; i < blocks.length; i++) {
    const e = blocks[i]!.element
    const name = e < 0 ? '' : elements[e]!.name
    while (open.length > 0 && open.at(-1)!.until <= i) open.pop()
    const isHeading = name.length === 2 && name[0] === 'h' && name[1]! >= '1' && name[1]! <= '6'
    if (isHeading) {
      const level = name.charCodeAt(1) - 48
      headings++
      if (level === 1) {
        h1s++
        if (h1 < 0) h1 = i
      }
      while (open.length > 0 && open.at(-1)!.level >= level) open.pop()
    }
    const top = open.at(-1)
    if (top) {
      headingOf[i] = top.block
      const outer = open.at(-2)
      if (outer) outerHeadingOf[i] = outer.block
    }
    if (isHeading) {
      const up = parent[e]!
      const up2 = up < 0 ? -1 : parent[up]!
      // A heading alone in a wrapper governs what follows the wrapper.
      const scope = up >= 0 && endBlock[up]! === i + 1 && up2 >= 0 ? up2 : up
      open.push({ block: i, level: name.charCodeAt(1) - 48, until: scope < 0 ? blocks.length : endBlock[scope]! })
    }
  }
  return { headingOf, outerHeadingOf, h1, h1s, headings }
}

/** The block that repeats the page's title best: where the content usually begins. */
function titleBlock({ blocks, facts }: Outline): number {
  let best = -1
  let most = 0.5
  for (let i = 0; i < blocks.length; i++) {
    const { hashes, words } = blocks[i]!
    if (words > 30 || hashes.length < 2) continue
    let hit = 0
    for (const hash of hashes) if (facts.title.has(hash)) hit++
    const score = (hit / hashes.length) * Math.min(1, hit / 3)
    if (score > most) {
      most = score
      best = i
    }
  }
  return best
}
