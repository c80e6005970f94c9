// Evaluation by time: trained on older pages, evaluated on newer ones of other sites, beside the ordinary folds of the same
// seeds on the same pages. Prints the mean and the spread of both as JSON. Takes the seeds as arguments.
import { loadPages } from '../../../scripts/train/bench.mjs'
import { isTrained, SEEDS, spread, trainSeed } from '../../../scripts/train/seeds.mjs'
import { source } from '../../../scripts/train/source.mjs'
import { loadJudged, loadSource } from '../../../scripts/train/src.mjs'
import { scoreTime, splitByTime } from '../../../scripts/train/time.mjs'

const asked = process.argv.slice(2).map(Number)
const seeds = asked.length > 0 ? asked : SEEDS
const src = await loadSource()
const code = Object.assign({}, await loadJudged(), await source('content/metadata'), await source('base/parse-dates'))
const list = seeds.map((seed) => {
  const log = (line) => console.error(`  seed ${seed}: ${line}`)
  if (!isTrained(seed)) trainSeed(seed, src, log)
  const split = splitByTime(loadPages(seed), code)
  return { split, ...scoreTime(seed, split, src, code, log) }
})
const { newer, older, since } = list[0].split
const figures = spread(list.map(({ later }) => later)).map((figure, at) => ({
  ...figure,
  ordinary: spread(list.map(({ ordinary }) => ordinary))[at],
}))
console.log(JSON.stringify({ seeds, since, newer: newer.length, older: older.length, figures }))
