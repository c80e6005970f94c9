// Split by time: learn from older pages and judge newer ones of other sites, beside the ordinary folds on the same pages.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { getDomainWithoutSuffix } from 'tldts'
import { buildDataset } from './dataset.mjs'
import { pageDate } from './dates.mjs'
import { scores, toMarkdown } from './evaluate.mjs'
import { packModel } from './model.mjs'
import { modelsOf } from './seeds.mjs'
import { stages } from './stages.mjs'

/** So much of the dated pages is judged: the newest. */
const JUDGED = 1 / 3

const siteOf = ({ url, id }) => (url && getDomainWithoutSuffix(url)) || id

/**
 * The newest third of the dated pages of each set (the sets were gathered years apart), and what may be learned from: pages
 * of other sites that are older than those of their set, or have no date.
 */
export function splitByTime(pages, code) {
  const dates = new Map(pages.map((page) => [page, pageDate(page, code)]))
  const newer = []
  const since = {}
  for (const set of new Set(pages.map((page) => page.set))) {
    const dated = pages.filter((page) => page.set === set && dates.get(page) !== undefined)
    dated.sort((a, b) => dates.get(b) - dates.get(a))
    newer.push(...dated.slice(0, Math.round(dated.length * JUDGED)))
    since[set] = new Date(dates.get(newer.at(-1))).toISOString().slice(0, 10)
  }
  const judged = new Set(newer.map(siteOf))
  return { newer, older: pages.filter((page) => !judged.has(siteOf(page))), since, dates }
}

const cache = new URL('../../node_modules/.cache/seeds/', import.meta.url)

/** The model of the older pages; kept, as those of the seeds are. */
export function timeModel(seed, older, src, log) {
  const file = new URL(`time-${seed}.json`, cache)
  if (!existsSync(file)) {
    const tune = { first: { seed: 7 + 100 * seed }, second: { seed: 11 + 100 * seed } }
    const { parts } = stages(buildDataset(src, older), src, log, tune)
    mkdirSync(cache, { recursive: true })
    writeFileSync(file, JSON.stringify(packModel(parts([]))))
  }
  return src.unpackMainContentModel(JSON.parse(readFileSync(file, 'utf8')))
}

/** Scores of the newer pages: by a model that knows only older ones, and by the ordinary folds of the same seed. */
export function scoreTime(seed, { newer, older }, src, code, log) {
  const model = timeModel(seed, older, src, log)
  const models = modelsOf(seed, code)
  const score = (modelOf) => scores(newer, (page) => toMarkdown(code, modelOf(page), page).scored)
  return { later: score(() => model), ordinary: score((page) => models[page.fold]) }
}
