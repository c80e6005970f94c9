// Out-of-fold as it varies: the folds are dealt anew for each seed, and the trees grown from another one. The models are
// kept in the cache folder, so that a change of rules can be scored on them again without training.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { FOLDS, loadPages } from './bench.mjs'
import { buildDataset } from './dataset.mjs'
import { evaluate } from './evaluate.mjs'
import { packModel } from './model.mjs'
import { stages } from './stages.mjs'

export const SEEDS = [1, 2, 3, 4, 5]
const folds = Array.from({ length: FOLDS }, (_, fold) => fold)
const cache = new URL('../../node_modules/.cache/seeds/', import.meta.url)
const fileOf = (seed, fold) => new URL(`${seed}/fold-${fold}.json`, cache)

export const isTrained = (seed) => folds.every((fold) => existsSync(fileOf(seed, fold)))

/** Trains the fold models of one seed. The second look learns from fewer first models than in the shipped training. */
export function trainSeed(seed, src, log) {
  mkdirSync(new URL(`${seed}/`, cache), { recursive: true })
  const treesFile = (name) => new URL(`${seed}/${name}.json`, cache)
  const store = {
    read: (name) => (existsSync(treesFile(name)) ? JSON.parse(readFileSync(treesFile(name), 'utf8')) : undefined),
    write: (name, trees) => writeFileSync(treesFile(name), JSON.stringify(trees)),
  }
  const tune = { cheap: true, store, first: { seed: 7 + 100 * seed }, second: { seed: 11 + 100 * seed } }
  const { parts } = stages(buildDataset(src, loadPages(seed)), src, log, tune)
  for (const fold of folds) writeFileSync(fileOf(seed, fold), JSON.stringify(packModel(parts([fold]))))
}

export const modelsOf = (seed, { unpackMainContentModel }) =>
  folds.map((fold) => unpackMainContentModel(JSON.parse(readFileSync(fileOf(seed, fold), 'utf8'))))

export const scoreSeed = (seed, code) => evaluate(code, modelsOf(seed, code), loadPages(seed))

const chosenFile = (seed) => new URL(`${seed}/chosen.json`, cache)

/** Figures with factors chosen inside the folds, which factors.mjs measures. */
export const writeChosen = (seed, figures) => writeFileSync(chosenFile(seed), JSON.stringify(figures))
export const readChosen = () =>
  SEEDS.filter((seed) => existsSync(chosenFile(seed))).map((seed) => JSON.parse(readFileSync(chosenFile(seed), 'utf8')))

/** Mean and spread (standard deviation) of each figure over the seeds. */
export function spread(list) {
  return Object.keys(list[0]).map((name) => {
    const values = list.map((figures) => figures[name])
    const mean = values.reduce((a, b) => a + b, 0) / values.length
    const deviation = Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / Math.max(1, values.length - 1))
    return { name, mean, deviation }
  })
}
