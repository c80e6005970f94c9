// Trains the main-content model from the labelled pages of ../shared/bench and writes src/content/main/model.json.
//   node scripts/train-main-content.mjs              train on all pages and write the shipped model
//   node scripts/train-main-content.mjs --evaluate   also train the five fold models (test/eval/folds), score them
//                                                    out-of-fold through our markdown and print the figures
//   … --evaluate --floors                            and pin those figures as floors
//   … --evaluate --only                              score the stored fold models again, without training
//   … --seeds                                        out-of-fold for five other splits and seeds: mean and spread
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { FOLDS, isSampled, loadPages } from './train/bench.mjs'
import { buildDataset } from './train/dataset.mjs'
import { evaluate } from './train/evaluate.mjs'
import { packModel } from './train/model.mjs'
import { isTrained, SEEDS, scoreSeed, spread, trainSeed } from './train/seeds.mjs'
import { compile } from './train/source.mjs'
import { loadJudged, loadSource } from './train/src.mjs'
import { stages } from './train/stages.mjs'

const at = (path) => new URL(`../${path}`, import.meta.url)
const has = (flag) => process.argv.includes(flag)
const started = Date.now()
const log = (line) => console.log(`[${Math.round((Date.now() - started) / 1000)} s] ${line}`)
const folds = Array.from({ length: FOLDS }, (_, fold) => fold)
const foldFile = (fold) => at(`test/eval/folds/fold-${fold}.json`)

function write(file, model) {
  const text = `${JSON.stringify(model)}\n`
  writeFileSync(file, text)
  log(`${file.pathname.split('/').slice(-3).join('/')}: ${text.length} bytes`)
}

if (has('--seeds')) {
  const src = await loadSource()
  for (const seed of SEEDS) if (!isTrained(seed)) trainSeed(seed, src, (line) => log(`seed ${seed}: ${line}`))
  const code = await loadJudged()
  for (const { name, mean, deviation } of spread(SEEDS.map((seed) => scoreSeed(seed, code))))
    console.log(`${name.padEnd(24)} ${mean.toFixed(4)} ± ${deviation.toFixed(4)}`)
} else if (has('--only')) compile()
else {
  const src = await loadSource()
  const data = buildDataset(src)
  log(`${data.pages.length} pages`)
  const { parts } = stages(data, src, log)
  if (has('--evaluate')) {
    mkdirSync(at('test/eval/folds'), { recursive: true })
    for (const fold of folds) write(foldFile(fold), packModel(parts([fold])))
  }
  write(at('src/content/main/model.json'), packModel(parts([])))
}

if (has('--evaluate')) {
  const code = await loadJudged()
  const models = folds.map((fold) => code.unpackMainContentModel(JSON.parse(readFileSync(foldFile(fold), 'utf8'))))
  const figures = evaluate(code, models)
  for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(24)} ${value.toFixed(4)}`)
  if (has('--floors')) {
    const floored = (of) =>
      Object.fromEntries(Object.entries(of).map(([name, value]) => [name, Math.floor(value * 1e4) / 1e4]))
    const sample = floored(evaluate(code, models, loadPages().filter(isSampled)))
    const floors = { tolerance: 0.0005, all: floored(figures), sample }
    writeFileSync(at('test/eval/extraction-floors.json'), `${JSON.stringify(floors, null, 2)}\n`)
  }
}
