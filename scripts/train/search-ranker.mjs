// Trains the weights of src/capabilities/search/ranker.json on graded rows of web hits, and says how good they are on
// queries that were not trained on, and what a source of rubbish costs. Needs a build and the search kit beside the project.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { root } from '../setup.mjs'

const kit = join(root, '../shared/search/data/mwmbl.fusion.jsonl.gz')
if (!existsSync(kit)) {
  console.log('The graded rows are not here: nothing was trained.')
  process.exit(0)
}
const {
  FEATURE_NAMES: FEATURES,
  computeHitFeatures: featuresOf,
  pickSignificantWords: significantWords,
} = await import(join(root, 'dist/capabilities/search/score-hits.js'))
const { eachWord } = await import(join(root, 'dist/search/engine/tokenize-text.js'))
const FOLDS = 5
const gain = (grade) => 2 ** grade - 1

const rows = gunzipSync(readFileSync(kit))
  .toString()
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line))
  .filter(({ candidates }) => candidates.some(({ grade }) => grade > 0))

function wordsOf(query) {
  const words = []
  eachWord(query, (word) => words.push(word))
  return significantWords(words)
}
const vector = (words, { url, title, snippet, position, also }) => {
  const features = featuresOf(words, { url, title, description: snippet ?? '' }, position - 1, also ? 2 : 1)
  return FEATURES.map((name) => features[name])
}
const data = rows.map(({ query, candidates }, at) => {
  const words = wordsOf(query)
  const other = rows[(at + 7) % rows.length].candidates.slice(0, 10)
  return {
    vectors: candidates.map((hit) => vector(words, hit)),
    grades: candidates.map(({ grade }) => grade),
    rubbish: other.map((hit, n) => vector(words, { ...hit, position: n + 1, also: undefined })),
  }
})

/** The likelihood of each hit as the best, by what it is worth; plain steps up the slope. */
function train(set, rounds) {
  const weights = FEATURES.map(() => 0)
  for (let round = 0; round < rounds; round++) {
    const slope = FEATURES.map(() => 0)
    for (const { vectors, grades } of set) {
      const scores = vectors.map((x) => score(weights, x))
      const most = Math.max(...scores)
      const likely = scores.map((value) => Math.exp(value - most))
      const sum = likely.reduce((a, b) => a + b, 0)
      const worth = grades.reduce((a, grade) => a + gain(grade), 0)
      for (const [at, x] of vectors.entries()) {
        const pull = gain(grades[at]) / worth - likely[at] / sum
        for (const [n, value] of x.entries()) slope[n] += pull * value
      }
    }
    for (const n of weights.keys()) weights[n] += 0.3 * ((slope[n] / set.length) * 10 - 0.002 * weights[n])
  }
  return weights
}
const score = (weights, x) => x.reduce((sum, value, n) => sum + value * weights[n], 0)

function ndcg(weights, { vectors, grades, rubbish }, withRubbish) {
  const all = [
    ...vectors.map((x, at) => [score(weights, x), grades[at]]),
    ...(withRubbish ? rubbish.map((x) => [score(weights, x), 0]) : []),
  ]
  const sum = (list) => list.slice(0, 10).reduce((total, grade, at) => total + gain(grade) / Math.log2(at + 2), 0)
  const ranked = all.sort((a, b) => b[0] - a[0]).map(([, grade]) => grade)
  return sum(ranked) / sum([...grades].sort((a, b) => b - a))
}
const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length
const folds = (withRubbish) =>
  mean(
    Array.from({ length: FOLDS }, (_, fold) => {
      const weights = train(
        data.filter((_, at) => at % FOLDS !== fold),
        150,
      )
      return data.filter((_, at) => at % FOLDS === fold).map((row) => ndcg(weights, row, withRubbish))
    }).flat(),
  )
const [clean, soiled] = [folds(false), folds(true)]
console.log(`nDCG@10 out of fold: ${clean.toFixed(4)}; with a source of rubbish ${soiled.toFixed(4)}`)
const weights = train(data, 150)
const table = Object.fromEntries(FEATURES.map((name, n) => [name, Math.round(weights[n] * 1000) / 1000]))
writeFileSync(join(root, 'src/capabilities/search/ranker.json'), `${JSON.stringify({ weights: table }, null, 2)}\n`)
