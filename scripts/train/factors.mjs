// What the factors of src/content/main/choose-blocks.ts are worth when they are chosen inside the folds only: for each fold each
// factor is chosen from a small grid by the out-of-fold pages of the other folds, one after another, and the fold is scored
// with what was chosen, with titles and bylines scored apart and with everything counted. Needs the fold models of a seed
// (`PROVE_ROWS=seeds PROVE_SEEDS=1 npm run prove extraction`), 3 GB and four minutes of CPU. The figures are stored beside the
// models, and the mean and spread over all seeds that have them are printed last.
//   node --max-old-space-size=12000 scripts/train/factors.mjs 1
import { FOLDS, loadPages, SETS, scoreSet } from './bench.mjs'
import { toMarkdown } from './evaluate.mjs'
import { modelsOf, readChosen, spread, writeChosen } from './seeds.mjs'
import { compile, source } from './source.mjs'
import { loadJudged } from './src.mjs'

const WHOLE = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }
/** These are added or are a least value, and 0 switches them off; the others multiply, and 1 does. */
const ADDED = ['strictness', 'listing', 'collection', 'heart', 'role']
/** A gain below this is chance: today's value stays. */
const LEAST_GAIN = 0.0001

const seed = Number(process.argv[2] ?? 1)
compile()
const parts = await Promise.all(
  ['flatten-page', 'score-and-choose-blocks', 'choose-blocks'].map((name) => source(`content/main/${name}`)),
)
const code = Object.assign({}, await loadJudged(), ...parts)
const today = code.PROBABILITY_FACTORS
const models = modelsOf(seed, code)
const pages = loadPages(seed).map(parsePage)
console.log(`seed ${seed}: ${pages.length} pages, ${cpu()}`)

/** A page with all that does not depend on the factors, so that a candidate only repeats the choice. */
function parsePage(page) {
  const { tree } = code.parseTree(page.html())
  const never = code.chooseContent(tree, WHOLE, true).cuts
  const outline = code.flattenPage(tree, (element) => never.has(element))
  const judgement =
    outline.blocks.length > 0 ? code.scoreAndChooseBlocks(outline, page.url, models[page.fold]) : undefined
  if (judgement) judgement.reading.sheet.values = new Float32Array(0)
  return { ...page, html: () => '', tree, outline, judgement, scored: new Map() }
}

/**
 * The scores of one page with these factors. Pages on which the same blocks are chosen are scored once. `scored` is the
 * text without titles and bylines that the truth lacks, `main` all of it.
 */
function scorePage(page, factors, text = 'scored') {
  const { tree, outline, judgement, scored } = page
  const keep = judgement
    ? code.chooseBlocks(outline, judgement.reading, judgement.probabilities, judgement.teasers, factors)
    : new Uint8Array(0)
  const key = text + Buffer.from(keep).toString('latin1')
  if (!scored.has(key)) {
    const main = judgement
      ? () => code.mainContentOfBlocks(outline, { ...judgement, keep }, page.url || undefined)
      : () => ({ cuts: new Map(), posts: new Set(), bylines: [] })
    const own = { ...code, parseTree: () => ({ tree }), findMainContent: main }
    const markdown = toMarkdown(own, undefined, page)[text]
    scored.set(key, scoreSet(page.set, [page], { [page.id]: markdown }).rows[0])
  }
  return scored.get(key)
}

const known = new Map()
/** The scores of all pages with these factors, in the order of `pages`. */
function rowsOf(factors) {
  const key = JSON.stringify(factors)
  if (!known.has(key))
    known.set(
      key,
      pages.map((page) => scorePage(page, factors)),
    )
  return known.get(key)
}

const mean = (list) => list.reduce((a, b) => a + b, 0) / Math.max(1, list.length)
const f1 = (p, r) => (p + r > 0 ? (2 * p * r) / (p + r) : 0)

/** The four figures, of `rows` where `counts` says so. */
function figuresOf(rows, counts) {
  const bySet = Object.fromEntries(SETS.map((set) => [set, []]))
  pages.forEach((page, i) => {
    if (counts(page)) bySet[page.set].push(rows[i])
  })
  const { aeb, wceb, traf } = bySet
  const kinds = [...new Set(wceb.map(({ type }) => type))]
  const sum = (of) => traf.reduce((a, row) => a + of(row), 0)
  const found = sum((row) => row.with[0])
  const precise = (a, b) => (a + b > 0 ? a / (a + b) : 0)
  const exact = ([, fp, fn]) => fp === 0 && fn === 0
  return {
    aeb: f1(
      mean(aeb.filter(({ tff: [tp, fp] }) => tp + fp > 0).map(({ tff }) => (exact(tff) ? 1 : precise(tff[0], tff[1])))),
      mean(
        aeb.filter(({ tff: [tp, , fn] }) => tp + fn > 0).map(({ tff }) => (exact(tff) ? 1 : precise(tff[0], tff[2]))),
      ),
    ),
    word: mean(wceb.map((row) => row.f1)),
    macro: mean(kinds.map((kind) => mean(wceb.filter(({ type }) => type === kind).map((row) => row.f1)))),
    traf: f1(
      found / Math.max(1, found + sum((row) => row.without[0])),
      found /
        Math.max(
          1,
          sum((row) => row.with[1]),
        ),
    ),
  }
}

const total = (figures) => mean(Object.values(figures))

function gridOf(name) {
  const off = ADDED.includes(name) ? 0 : 1
  return [...new Set([today[name], off, today[name] / 2, Math.min(1, today[name] * 2)])]
}

function chooseWithout(fold) {
  const counts = (page) => page.fold !== fold
  let chosen = today
  let best = total(figuresOf(rowsOf(chosen), counts))
  for (const name of Object.keys(today)) {
    for (const value of gridOf(name).slice(1)) {
      const factors = { ...chosen, [name]: value }
      const reached = total(figuresOf(rowsOf(factors), counts))
      if (reached <= best + LEAST_GAIN) continue
      best = reached
      chosen = factors
    }
  }
  return chosen
}

const show = (figures) =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${value.toFixed(4)}`)
    .join('  ')
function cpu() {
  const { user, system } = process.cpuUsage()
  return `${Math.round((user + system) / 1e6)} CPU s, ${Math.round(process.memoryUsage().rss / 1e6)} MB`
}

const fixed = rowsOf(today)
console.log(`fixed               ${show(figuresOf(fixed, () => true))}  (${cpu()})`)
for (const name of Object.keys(today)) {
  const off = rowsOf({ ...today, [name]: ADDED.includes(name) ? 0 : 1 })
  console.log(`without ${name.padEnd(11)} ${show(figuresOf(off, () => true))}`)
}
const chosen = Array.from({ length: FOLDS }, (_, fold) => {
  const factors = chooseWithout(fold)
  console.log(`fold ${fold} chosen, ${cpu()}`)
  return factors
})
const own = pages.map((page, i) => rowsOf(chosen[page.fold])[i])
const whole = pages.map((page) => scorePage(page, chosen[page.fold], 'main'))
const kinds = [...new Set(pages.filter(({ set }) => set === 'wceb').map(({ type }) => type))]
const reached = {
  ...figuresOf(own, () => true),
  ...Object.fromEntries(kinds.map((kind) => [kind, figuresOf(own, ({ type }) => type === kind).word])),
  ...Object.fromEntries(
    Object.entries(figuresOf(whole, () => true)).map(([name, value]) => [`${name}, everything counted`, value]),
  ),
}
console.log(`chosen in folds     ${show(reached)}`)
writeChosen(seed, reached)
for (const name of Object.keys(today))
  console.log(`${name.padEnd(12)} ${today[name]} → ${chosen.map((factors) => factors[name]).join(', ')}`)
console.log(cpu())
const stored = readChosen()
console.log(`over ${stored.length} seeds:`)
for (const { name, mean, deviation } of spread(stored))
  console.log(`${name.padEnd(28)} ${mean.toFixed(4)} ± ${deviation.toFixed(4)}`)
