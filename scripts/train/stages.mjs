// The stages of training, each honest towards the next: what a stage learns from a page never comes from a model that
// has seen that page's site. `without` lists the folds left out; models are kept by that list. `tune.store` keeps trees on disk,
// so that a training that was ended goes on where it stood.
import { binned, boost, cutPoints, pack, random } from './boost.mjs'
import { learnKinds } from './kinds.mjs'
import { learnLexicon } from './lexicon.mjs'

const FIRST = { trees: 240, depth: 4, rate: 0.12, rowShare: 0.35, columnShare: 0.3, lambda: 30, minWeight: 60, seed: 7 }
const SECOND = {
  trees: 120,
  depth: 4,
  rate: 0.1,
  rowShare: 0.35,
  columnShare: 0.3,
  lambda: 30,
  minWeight: 60,
  seed: 11,
}

export function stages({ pages, vocabulary }, src, log = () => {}, tune = {}) {
  const {
    computeBlockFeatures: featuresOf,
    computeContextFeatures: contextOf,
    runTrees,
    unpackTrees,
    logOddsToProbabilities: toProbabilities,
    PAGE_KINDS: KINDS,
  } = src
  const kept = new Map()
  const once = (name, without, make) => {
    const key = `${name} ${[...without].sort().join()}`
    if (!kept.has(key)) kept.set(key, make())
    return kept.get(key)
  }
  const seen = (without) => pages.filter((p) => !without.includes(p.fold))
  const lexicon = (without) => once('lexicon', without, () => learnLexicon(seen(without), vocabulary, without))
  const kinds = (without) =>
    once('kinds', without, () =>
      learnKinds(
        seen(without).filter((p) => p.set !== 'traf'),
        KINDS,
      ),
    )
  const read = (page, without) => featuresOf(page.outline, lexicon(without), kinds(without), page.url)
  const plus = (without, fold) => (without.includes(fold) ? without : [...without, fold])

  const grown = (name, without, grow) =>
    once(name, without, () => {
      let packed = tune.store?.read(`${name}-${without.join('-')}`)
      if (!packed) {
        packed = pack(grow())
        tune.store?.write(`${name}-${without.join('-')}`, packed)
        log(`${name} without ${without}`)
      }
      return { packed, trees: unpackTrees(packed) }
    })
  const first = (without) =>
    grown('first', without, () =>
      learn(seen(without), (page) => read(page, plus(without, page.fold)).sheet, { ...FIRST, ...tune.first }),
    )
  const look = (page, without) => {
    const reading = read(page, without)
    return contextOf(page.outline, reading, toProbabilities(runTrees(first(without).trees, reading.sheet)))
  }
  const looks = new Map()
  /** The same for every second look, so it is kept. */
  const cheapLook = (page) => {
    if (!looks.has(page)) looks.set(page, look(page, [page.fold]))
    return looks.get(page)
  }
  const second = (without) =>
    grown('second', without, () => {
      const lookAt = tune.cheap ? cheapLook : (page) => look(page, plus(without, page.fold))
      return learn(seen(without), lookAt, { ...SECOND, ...tune.second })
    })
  const parts = (without) => ({
    lexicon: lexicon(without),
    kinds: kinds(without),
    first: first(without).packed,
    second: second(without).packed,
  })
  return {
    parts,
    kindOf: (page) => src.predictPageKind(kinds([page.fold]), page.kindTokens),
    read,
    second: (page) => toProbabilities(runTrees(second([page.fold]).trees, look(page, [page.fold]))),
  }
}

// Menus of hundreds of entries teach no more than a sample of them does.
const SMALL_WORDS = 8
const MAX_SMALL = 120

function learn(pages, sheetOf, options) {
  const rng = random(options.seed)
  const rows = []
  const labels = []
  const weights = []
  const groups = []
  let width = 0
  pages.forEach((page, group) => {
    const sheet = sheetOf(page)
    if (sheet.width > 0) width = sheet.width
    const small = page.words.filter((w, i) => w > 0 && w < SMALL_WORDS && !Number.isNaN(page.labels[i])).length
    const share = Math.min(1, MAX_SMALL / Math.max(1, small))
    for (let i = 0; i < page.labels.length; i++) {
      if (Number.isNaN(page.labels[i]) || page.words[i] === 0) continue
      const sampled = page.words[i] < SMALL_WORDS
      if (sampled && rng() > share) continue
      rows.push(sheet.values.subarray(i * sheet.stride, i * sheet.stride + width))
      labels.push(page.labels[i])
      weights.push(sampled ? page.weights[i] / share : page.weights[i])
      groups.push(group)
    }
  })
  const values = new Float32Array(rows.length * width)
  rows.forEach((row, i) => {
    values.set(row, i * width)
  })
  const cuts = cutPoints(values, width, rows.length)
  const bins = binned(values, width, rows.length, cuts)
  return boost(
    {
      bins,
      cuts,
      labels: Float32Array.from(labels),
      weights: Float32Array.from(weights),
      groups: Int32Array.from(groups),
    },
    options,
  )
}
