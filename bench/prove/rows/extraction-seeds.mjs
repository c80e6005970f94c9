// Out-of-fold over several seeds: the folds are dealt anew by site group and the trees grown from another seed. Prints the mean
// and the spread of each figure as JSON. Takes the seeds as arguments; what is trained already is only scored.
import { isTrained, SEEDS, scoreSeed, spread, trainSeed } from '../../../scripts/train/seeds.mjs'
import { loadJudged, loadSource } from '../../../scripts/train/src.mjs'

const asked = process.argv.slice(2).map(Number)
const seeds = asked.length > 0 ? asked : SEEDS
const src = await loadSource()
for (const seed of seeds) if (!isTrained(seed)) trainSeed(seed, src, (line) => console.error(`  seed ${seed}: ${line}`))
const code = await loadJudged()
const list = []
for (const seed of seeds) {
  list.push(scoreSeed(seed, code))
  console.error(`  seed ${seed}: scored`)
}
console.log(JSON.stringify({ seeds, figures: spread(list) }))
