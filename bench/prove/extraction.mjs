// The figures of extraction: quality out-of-fold on all pages (the suite runs a sample of them), over five seeds and by time,
// fidelity, CPU beside Readability, and that no step is superlinear. `PROVE_ROWS=quality,seeds` measures only those groups,
// and `PROVE_SEEDS=1,2,3` fewer seeds: one takes seven minutes of CPU to train, once, and five more to learn by time.
import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../scripts/setup.mjs'
import { measureQuality } from '../quality.mjs'
import { measureSpeed } from '../speed.mjs'
import { loopRows } from './rows/loop.mjs'

const GROWTH = join(root, 'bench/prove/rows/growth.mjs')
const SEEDS = join(root, 'bench/prove/rows/extraction-seeds.mjs')
const TIME = join(root, 'bench/prove/rows/extraction-time.mjs')
const BARS = {
  'aeb.shingle.f1': 0.972,
  'wceb.word.f1': 0.887,
  'wceb.macro.f1': 0.825,
  'traf.snip.f1': 0.932,
  'whole.title': 0.97,
  'whole.tables': 0.98,
  'whole.figures': 0.95,
  'whole.captioned': 0.9,
  'whole.questions': 0.95,
  'whole.headings': 0.95,
  'whole.lists': 0.95,
  'whole.posts': 0.95,
  'whole.code+notes': 0.95,
  'whole.facts': 0.95,
  'whole.alike': 0.97,
}

/** Asked of the mean over seeds. */
const SEEDED = [
  'aeb.shingle.f1',
  'wceb.word.f1',
  'wceb.macro.f1',
  'traf.snip.f1',
  'whole.title',
  'whole.tables',
  'whole.captioned',
]
const SEED_BARS = Object.fromEntries(SEEDED.map((name) => [name, BARS[name]]))

const row = (what, bar, measured, ok) => ({ what, bar, measured, ok })

/** The name of a score in the published table: `wceb.word.f1`, `whole.tables`. */
const labelOf = (name) =>
  name
    .replace(/^(\w+)\.(\w+)\.f1$/, 'main content of $1, $2 F1')
    .replace(/^whole\.(.+)$/, 'complete pages, share of $1 kept')

export async function prove() {
  const wanted = process.env.PROVE_ROWS?.split(',')
  const rows = []
  const group = async (name, measure) => {
    if (!wanted || wanted.includes(name)) rows.push(...(await measure()))
  }
  await group('quality', qualityRows)
  await group('seeds', seedRows)
  await group('time', timeRows)
  await group('growth', async () =>
    (await growth()).map(({ from, to, ratio }) =>
      row(`${to} MB page compared with a ${from} MB page: CPU`, '≤ 12 ×', `${ratio.toFixed(1)} ×`, ratio <= 12),
    ),
  )
  await group('loop', loopRows)
  await group('speed', speedRows)
  return { title: 'Extraction', rows }
}

/** Nothing where the labelled pages are not. */
async function qualityRows() {
  const quality = await measureQuality()
  if (!quality) return []
  const { figures, fidelity, fidelityMain, pagesPerCpuSecond, peer } = quality
  const times = pagesPerCpuSecond / peer.pagesPerCpuSecond
  const fallen = fallenBelow(figures)
  return [
    ...Object.entries(BARS).map(([name, bar]) =>
      row(`${labelOf(name)}, cross-validated`, `≥ ${bar}`, figures[name].toFixed(4), figures[name] >= bar),
    ),
    row(
      'minimum scores of the complete set',
      'all reached',
      fallen.length === 0 ? 'all reached' : `fell: ${fallen}`,
      fallen.length === 0,
    ),
    row(
      'fidelity cases of generated pages',
      'all',
      `${fidelity.passed} of ${fidelity.total}`,
      fidelity.passed === fidelity.total,
    ),
    row(
      'fidelity cases with main content only',
      'all',
      `${fidelityMain.passed} of ${fidelityMain.total}`,
      fidelityMain.passed === fidelityMain.total,
    ),
    row(
      'parsing, main content and markdown: articles per CPU second',
      '≥ 120',
      pagesPerCpuSecond.toFixed(0),
      pagesPerCpuSecond >= 120,
    ),
    row(
      'articles per CPU second compared with Readability and turndown, same run',
      '≥ 4 ×',
      `${times.toFixed(1)} ×`,
      times >= 4,
    ),
  ]
}

function fallenBelow(figures) {
  const { all, tolerance } = JSON.parse(readFileSync(join(root, 'test/eval/extraction-floors.json'), 'utf8'))
  return Object.entries(all).flatMap(([name, floor]) =>
    figures[name] < floor - tolerance ? [`${name} ${figures[name].toFixed(4)} < ${floor}`] : [],
  )
}

async function seedRows() {
  if (!existsSync(join(root, '../shared/bench/index.mjs'))) return []
  const { seeds, figures } = await overSeeds(SEEDS)
  const known = new Map(figures.map((figure) => [figure.name, figure]))
  return Object.entries(SEED_BARS).map(([name, bar]) => {
    const { mean, deviation } = known.get(name)
    const measured = `${mean.toFixed(4)} ± ${deviation.toFixed(4)} (seeds ${seeds.join(', ')})`
    return row(`${labelOf(name)}, cross-validated, mean and spread over seeds`, `≥ ${bar}`, measured, mean >= bar)
  })
}

/** How much is lost on pages newer than the training pages: what counts is the drop, not the figure. */
async function timeRows() {
  if (!existsSync(join(root, '../shared/bench/index.mjs'))) return []
  const { seeds, since, newer, older, figures } = await overSeeds(TIME)
  const show = ({ mean, deviation }) => mean.toFixed(4) + (seeds.length > 1 ? ` ± ${deviation.toFixed(4)}` : '')
  return figures
    .filter(({ name }) => SEEDED.includes(name))
    .map((figure) => {
      const { name, mean, ordinary } = figure
      const set = name.slice(0, name.indexOf('.'))
      const where = `${newer} pages judged, those of ${set} since ${since[set]}; ${older} for training; seeds ${seeds.join(', ')}`
      return row(
        `${labelOf(name)}, newest third of the dated pages, trained on older pages of other sites`,
        'at most 0.01 below random folds of the same pages',
        `${show(figure)}; random folds ${show(ordinary)} (${where})`,
        mean >= ordinary.mean - 0.01,
      )
    })
}

/** In a process of its own: training needs more memory than a process is given. */
function overSeeds(script) {
  const asked = process.env.PROVE_SEEDS?.split(',') ?? []
  const child = spawn(process.execPath, ['--max-old-space-size=12000', '--max-semi-space-size=256', script, ...asked], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve(JSON.parse(out)) : reject(new Error(`the seeds ended with ${code}`)),
    )
  })
}

async function speedRows() {
  const { uncached } = await measureSpeed()
  return [
    row(
      'static scrape, uncached, 16 at once: CPU seconds per page',
      '≤ 0.011',
      uncached.cpuPerPage.toFixed(4),
      uncached.cpuPerPage <= 0.011,
    ),
  ]
}

const growth = async () => JSON.parse((await promisify(execFile)(process.execPath, [GROWTH])).stdout)
