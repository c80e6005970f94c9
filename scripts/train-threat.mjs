// `node scripts/train-threat.mjs <urls.jsonl.gz>`: learns the risk of addresses from a file of {url, label} and writes
// src/fetch/threats/model.json. Prints what it is worth out of fold: no domain is judged by a model that has seen it.
// Ordinary addresses of ordinary domains are learnt beside them (train/ordinary.mjs), because a file of good addresses that
// people collect has hardly a log-in page in it. `--evaluate`: only that, as JSON.
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { getDomain } from 'tldts'
import { binned, boost, cutPoints, random } from './train/boost.mjs'
import { ordinaryDomains, trainingAddresses } from './train/ordinary.mjs'
import { compile, source } from './train/source.mjs'

const FOLDS = 5
const EPOCHS = 30
/** Ordinary addresses of each open domain. */
const ORDINARY_EACH = 3
const VIEWS = ['whole', 'host', 'path']
const RATE = 0.07
const TREES = { trees: 200, depth: 5, rate: 0.06, rowShare: 0.7, columnShare: 0.5, lambda: 2, minWeight: 3, seed: 3 }

const onlyEvaluates = process.argv.includes('--evaluate')
const [given = '../shared/threat/data/urls.jsonl.gz'] = process.argv.slice(2).filter((word) => !word.startsWith('--'))
compile()
const { computeUrlFeatures: addressFacts, URL_FEATURE_BUCKET_COUNT: BUCKETS } =
  await source('fetch/threats/url-features')
const { scoreUrlRisk: riskOf } = await source('fetch/threats/score-url')
const { FREE_HOSTS, TRICK_WORDS, WELL_KNOWN_DOMAINS: WELL_KNOWN } = await source('fetch/threats/threat-words')
const rows = gunzipSync(readFileSync(given))
  .toString()
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line))
  .map(withFacts)
const width = rows[0].dense.length
const domains = ordinaryDomains((domain) => WELL_KNOWN.has(domain) || FREE_HOSTS.has(domain))
if (!domains) throw new Error('the lists of ordinary domains could not be fetched')
const ordinary = trainingAddresses(domains, [...TRICK_WORDS], ORDINARY_EACH).map((url) => withFacts({ url, label: 0 }))

const raw = new Float64Array(rows.length)
for (let fold = 0; fold < FOLDS; fold++) {
  const model = train([...rows, ...ordinary].filter((row) => row.fold !== fold))
  rows.forEach((row, at) => {
    if (row.fold === fold) raw[at] = model.score(row)
  })
}
const edge = edgeOf(raw)
const risks = rows.map((row, at) => riskOf(row.url, () => raw[at] - edge).score + (raw[at] - edge) / 1e6)
if (onlyEvaluates) {
  console.log(JSON.stringify(figures(risks)))
  process.exit(0)
}
console.log('model alone, out of fold:', figures(raw))
console.log('with the rules, as it ships:', figures(risks))
const refused = rows.filter(({ label }, at) => label === 0 && risks[at] >= 75).length
const caught = rows.filter(({ label }, at) => label === 1 && risks[at] >= 75).length
console.log(`refused at 75: ${caught} of the fraudulent, ${refused} of the legitimate`)
writeFileSync(
  new URL('../src/fetch/threats/model.json', import.meta.url),
  `${JSON.stringify(packed(train([...rows, ...ordinary])))}\n`,
)

function withFacts(row) {
  const { dense, ofHost, ofPath } = addressFacts(row.url)
  const fold = foldOf(getDomain(row.url) ?? new URL(row.url).hostname)
  return { ...row, dense, fold, whole: [...new Set([...ofHost, ...ofPath])], host: ofHost, path: ofPath }
}

/** Linear models over pieces of the address, and trees over its shape and what those say. */
function train(some) {
  const linear = VIEWS.map((view) => fitLinear(some, view))
  const columns = width + VIEWS.length
  const values = new Float32Array(some.length * columns)
  for (const [at, row] of some.entries()) values.set(row.dense, at * columns)
  for (const fold of new Set(some.map((row) => row.fold))) {
    const rest = some.filter((row) => row.fold !== fold)
    VIEWS.forEach((view, nth) => {
      const other = fitLinear(rest, view)
      some.forEach((row, at) => {
        if (row.fold === fold) values[at * columns + width + nth] = other.score(row)
      })
    })
  }
  const cuts = cutPoints(values, columns, some.length)
  const trees = boost(
    {
      bins: binned(values, columns, some.length, cuts),
      cuts,
      labels: Float32Array.from(some, ({ label }) => label),
      weights: new Float32Array(some.length).fill(1),
      groups: Int32Array.from(some, (_, at) => at),
    },
    TREES,
  )
  return { linear, trees, score: (row) => treeSum(trees, [...row.dense, ...linear.map((one) => one.score(row))]) }
}

/** Of the whole address its shape counts as well. */
function fitLinear(some, view) {
  const width = view === 'whole' ? some[0].dense.length : 0
  const size = BUCKETS + width + 1
  const weights = new Float64Array(size)
  const seen = new Float64Array(size).fill(1e-6)
  const mean = Array.from({ length: width }, (_, f) => some.reduce((sum, { dense }) => sum + dense[f], 0) / some.length)
  const scale = mean.map(
    (m, f) => Math.sqrt(some.reduce((sum, { dense }) => sum + (dense[f] - m) ** 2, 0) / some.length) || 1,
  )
  const rng = random(5)
  const order = some.map((_, at) => at)
  const score = ({ [view]: pieces, dense }) => {
    const share = 1 / Math.sqrt(pieces.length || 1)
    let sum = weights[size - 1]
    for (const piece of pieces) sum += weights[piece] * share
    for (let f = 0; f < width; f++) sum += (weights[BUCKETS + f] * (dense[f] - mean[f])) / scale[f]
    return sum
  }
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(rng() * (i + 1))
      ;[order[i], order[j]] = [order[j], order[i]]
    }
    for (const at of order) {
      const row = some[at]
      const miss = 1 / (1 + Math.exp(-score(row))) - row.label
      const move = (w, x) => {
        const step = miss * x
        seen[w] += step * step
        weights[w] -= (RATE * step) / Math.sqrt(seen[w])
      }
      const share = 1 / Math.sqrt(row[view].length || 1)
      for (const piece of row[view]) move(piece, share)
      for (let f = 0; f < width; f++) move(BUCKETS + f, (row.dense[f] - mean[f]) / scale[f])
      move(size - 1, 1)
    }
  }
  return { weights, mean, scale, score }
}

function treeSum({ depth, bias, trees }, values) {
  let sum = bias
  for (const { feature, threshold, leaf } of trees) {
    let node = 0
    for (let level = 0; level < depth; level++) node = 2 * node + (values[feature[node]] > threshold[node] ? 2 : 1)
    sum += leaf[node - (2 ** depth - 1)]
  }
  return sum
}

function packed({ linear: [whole, host, path], trees: { depth, bias, trees } }) {
  const { mean, scale, weights } = whole
  return {
    whole: {
      ...packedLinear(whole),
      dense: [...weights.subarray(BUCKETS, BUCKETS + width)].map(round),
      mean: mean.map(round),
      scale: scale.map(round),
    },
    host: packedLinear(host),
    path: packedLinear(path),
    trees: {
      depth,
      bias: round(bias),
      feature: base64(Uint8Array.from(trees.flatMap(({ feature }) => [...feature]))),
      threshold: base64(Float32Array.from(trees.flatMap(({ threshold }) => [...threshold]))),
      leaf: base64(Float32Array.from(trees.flatMap(({ leaf }) => [...leaf]))),
    },
    edge: round(edge),
  }
}

function packedLinear({ weights }) {
  const pieces = weights.subarray(0, BUCKETS)
  const unit = pieces.reduce((most, w) => Math.max(most, Math.abs(w)), 0) / 127
  return {
    pieces: base64(Int8Array.from(pieces, (w) => Math.round(w / unit))),
    unit: round(unit),
    bias: round(weights.at(-1)),
  }
}

function round(n) {
  return Number(n.toPrecision(6))
}

function base64({ buffer, byteOffset, byteLength }) {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64')
}

/** The lowest score above which at most one legitimate address in a hundred lies. */
function edgeOf(scores) {
  const good = rows.flatMap(({ label }, at) => (label === 0 ? [scores[at]] : [])).sort((a, b) => b - a)
  return good[Math.floor(good.length * 0.01)]
}

function figures(scores) {
  const bad = rows.filter(({ label }) => label === 1).length
  const good = rows.length - bad
  const sorted = rows.map(({ label }, at) => [scores[at], label]).sort((a, b) => b[0] - a[0])
  let [hits, wrong, recall, area] = [0, 0, 0, 0]
  for (const [, label] of sorted) {
    if (label) hits++
    else {
      wrong++
      area += hits
    }
    if (wrong / good <= 0.01) recall = hits / bad
  }
  return { recallAt1Percent: Number(recall.toFixed(4)), auc: Number((area / bad / good).toFixed(4)) }
}

function foldOf(text) {
  let h = 7
  for (const letter of text) h = Math.imul(h ^ letter.charCodeAt(0), 0x5bd1e995) >>> 0
  return h % FOLDS
}
