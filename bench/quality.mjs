// Quality and CPU of extraction beside what a user would pick instead, in one run, on the labelled pages of
// ../shared/bench. Our own scores are out-of-fold: each page is judged with the model that has not seen its site.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Readability } from '@mozilla/readability'
import { gfm } from 'joplin-turndown-plugin-gfm'
import { parseHTML } from 'linkedom'
import Turndown from 'turndown'
import { root } from '../scripts/setup.mjs'
import { measureFidelity } from './fidelity.mjs'

const benchFile = join(root, '../shared/bench/index.mjs')
const built = (path) => import(pathToFileURL(join(root, 'dist', path)).href)
const MAIN = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Undefined where the labelled pages are not. */
export async function measureQuality() {
  if (!existsSync(benchFile)) return undefined
  const { loadSet, scoreSet } = await import(pathToFileURL(benchFile).href)
  const articles = loadSet('aeb').map((page) => ({ page, bytes: page.read() }))
  const { parsePage } = await built('content/parsed-page.js')
  const ours = timed(
    articles,
    ({ page, bytes }) => parsePage({ bytes, contentType: page.contentType, url: page.url }, MAIN).markdown,
  )
  const peer = timed(articles, ({ page }) => readable(page.html()))
  const pages = articles.map(({ page }) => page)
  return {
    figures: await outOfFold(),
    fidelity: await measureFidelity(),
    fidelityMain: await measureFidelity(true),
    pagesPerCpuSecond: ours.perSecond,
    peer: { pagesPerCpuSecond: peer.perSecond, aeb: scoreSet('aeb', pages, peer.out).total.shingle.f1 },
  }
}

/** One round to warm up, one that counts. */
function timed(articles, convert) {
  for (const article of articles) convert(article)
  const out = {}
  const started = cpuSeconds()
  for (const article of articles) out[article.page.id] = convert(article)
  return { out, perSecond: articles.length / (cpuSeconds() - started) }
}

const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced' })
turndown.use(gfm)
function readable(html) {
  const { document } = parseHTML(html)
  return turndown.turndown(new Readability(document).parse()?.content ?? '')
}

async function outOfFold() {
  const { evaluate } = await import(pathToFileURL(join(root, 'scripts/train/evaluate.mjs')).href)
  const { unpackMainContentModel } = await built('content/main/main-content-model.js')
  const folder = join(root, 'test/eval/folds')
  const models = readdirSync(folder)
    .sort()
    .map((file) => unpackMainContentModel(JSON.parse(readFileSync(join(folder, file), 'utf8'))))
  const [{ parseTree }, { chooseContent }, { findMainContent }, { toMarkdown }, { makeLinkResolver }] =
    await Promise.all(
      ['parse-tree', 'choose-content', 'main-content', 'markdown/render', 'resolve-links'].map((name) =>
        built(`content/${name}.js`),
      ),
    )
  return evaluate({ parseTree, chooseContent, findMainContent, toMarkdown, makeLinkResolver }, models)
}

/** What the peers score on the same pages, from the table that comes with them. */
const PEERS = {
  'aeb.shingle.f1': 'rs-trafilatura 0.969, Readability 0.955, defuddle 0.933',
  'wceb.word.f1': 'rs-trafilatura 0.859 (published), defuddle 0.81, Readability 0.794',
  'wceb.macro.f1': 'rs-trafilatura 0.797 (published), defuddle 0.74, Readability 0.679',
  'traf.snip.f1': 'trafilatura 0.924 (published), Readability 0.880',
}

export function qualityTable({ figures, fidelity, pagesPerCpuSecond, peer }) {
  const rows = Object.entries(figures).map(
    ([name, value]) => `| ${name}, out-of-fold | ${value.toFixed(4)} | ${PEERS[name] ?? '–'} |`,
  )
  return [
    '| What | Ours | Peers |',
    '|---|---|---|',
    ...rows,
    `| fidelity cases | ${fidelity.passed} of ${fidelity.total} | defuddle 82 %, mdream 62 %, turndown 53 % |`,
    `| articles a CPU second, parse to markdown | ${pagesPerCpuSecond.toFixed(0)} | Readability + turndown ${peer.pagesPerCpuSecond.toFixed(0)} (F1 ${peer.aeb.toFixed(3)}), same run |`,
  ].join('\n')
}
