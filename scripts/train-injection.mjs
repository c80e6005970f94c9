// `node scripts/train-injection.mjs <injection folder> <bench folder>`: learns to tell orders to a model from the text of
// ordinary pages and writes src/understanding/injection/model.json. Attacks, carriers and pages are split by hash: one half
// is learnt, `--sealed` reports the other half once and writes nothing.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { filled, foreign, innocent, orders, requests, takeovers } from './train/injection-texts.mjs'
import { pdfOf } from './train/pdf-text.mjs'
import { compile, source } from './train/source.mjs'

const [kit = '../shared/injection', bench = '../shared/bench'] = process.argv
  .slice(2)
  .filter((word) => !word.startsWith('--'))
const isSealed = process.argv.includes('--sealed')
compile()
const { parsePage } = await source('content/parsed-page')
const { listSentences: sentencesOf } = await source('understanding/injection/list-sentences')
const {
  FEATURE_BUCKET_COUNT: BUCKETS,
  makeScoringContext: contextOf,
  MIN_SENTENCE_SCORE: MIN_SCORE,
  hashSentenceFeatures: piecesOf,
  contextFeaturesOf: standingOf,
} = await source('understanding/injection/sentence-features')
const { openInjectionScorer: openScorer } = await source('understanding/injection/find-prompt-injection')
const { findPromptInjection } = await source('understanding/injection/find-prompt-injection')
const { readPdf } = await source('content/pdf/read-pdf')
const { blocksToHtml } = await source('content/pdf/blocks-to-html')
const pdfium = await (await source('content/pdf/pdfium')).openPdfium()

const hash = (text) => createHash('sha256').update(text).digest().readUInt32BE(0)
const half = (id) => hash(id) % 2
const fold = (id) => (hash(`fold ${id}`) >>> 3) % 2
const lines = (path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
let seed = 12345
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 2 ** 32
}
const pick = (list) => list[Math.floor(random() * list.length)]

const wanted = isSealed ? 1 : 0
const attacks = lines(join(kit, 'data/attacks.jsonl')).filter(({ id }) => half(id) === wanted)
const seen = new Set()
const carriers = lines(join(kit, 'data/carriers.jsonl'))
  .filter(({ text }) => !seen.has(text) && seen.add(text))
  .filter(({ id }) => half(id) === wanted)
const pages = ['aeb', 'traf', 'wceb'].flatMap((name) =>
  gunzipSync(readFileSync(join(bench, `data/${name}.jsonl.gz`)))
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter(({ id, enc }) => half(id) === wanted && enc === 'br')
    .map(({ id, body, url }) => ({ id, url, html: brotliDecompressSync(Buffer.from(body, 'base64')).toString() })),
)

const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
/** The same lines as each kind of page. */
export const forms = {
  html: (text) => [
    'text/html',
    `<!doctype html><title>Page</title><main>${text
      .split('\n')
      .map((line) => `<p>${escaped(line)}</p>`)
      .join('\n')}</main>`,
  ],
  text: (text) => ['text/plain', text],
  markdown: (text) => ['text/markdown', `# Page\n\n${text.split('\n').join('\n\n')}\n`],
  json: (text) => ['application/json', JSON.stringify({ id: 7, title: 'Page', body: text })],
  xml: (text) => [
    'application/xml',
    `<?xml version="1.0"?><page><title>Page</title>${text
      .split('\n')
      .map((line) => `<line>${escaped(line)}</line>`)
      .join('')}</page>`,
  ],
  'json-ld': (text) => [
    'text/html',
    `<!doctype html><title>Page</title><script type="application/ld+json">${JSON.stringify({ '@type': 'Article', articleBody: text }).replace(/</g, '\\u003c')}</script><p>A page.</p>`,
  ],
  code: (text) => [
    'text/html',
    `<!doctype html><title>Page</title><p>As follows.</p><pre><code>${escaped(text)}</code></pre>`,
  ],
}
/** As the service reads a PDF: its text, laid out, as HTML. */
async function asPdf(text) {
  const options = { mode: 'fast', maxPages: 1000, pageMarkers: false }
  const { blocks } = await readPdf(pdfOf(text), options, { pdfium, timeLeft: () => 60_000 })
  return ['text/html', blocksToHtml(blocks, undefined)]
}
const sourceOf = ([contentType, body], url = 'https://example.com/') => {
  const page = parsePage(
    { bytes: Buffer.from(body), contentType: `${contentType}; charset=utf-8`, url },
    { onlyMainContent: false, includeTags: [], excludeTags: [] },
  )
  return { tree: page.tree, rawHtml: contentType === 'text/html' ? body : '' }
}
const attacked = (text, attack, where) => {
  const all = text.split('\n')
  all.splice(where === 0 ? 0 : where === 2 ? all.length : Math.ceil(all.length / 2), 0, attack)
  return all.join('\n')
}

if (isSealed) {
  await report()
  process.exit(0)
}

// Sentences: what is an order, by itself.
const written = [
  [requests, 50],
  [orders, 70],
  [takeovers, 70],
  [foreign, 40],
].flatMap(([patterns, times]) =>
  patterns.flatMap((pattern) => Array.from({ length: times }, () => ({ id: pattern, text: filled(pattern, random) }))),
)
const given = attacks.flatMap(({ id, text }) => Array.from({ length: 12 }, () => ({ id, text: text.split('\n')[0] })))
const harmless = innocent.flatMap((pattern) =>
  Array.from({ length: 40 }, () => ({ id: pattern, text: filled(pattern, random) })),
)
console.error(
  `${pages.length} pages, ${carriers.length} carriers, ${attacks.length} attacks, ${written.length} written`,
)
const clean = [
  ...pages.map(({ id, html, url }) => ({ id, html, sentences: sentencesOf(sourceOf(['text/html', html], url)) })),
  ...carriers.map(({ id, text }) => ({ id, text, sentences: sentencesOf(sourceOf(forms.text(text))) })),
]
console.error(`${clean.reduce((sum, { sentences }) => sum + sentences.length, 0)} sentences`)
const ordinary = clean.flatMap(({ id, sentences }) =>
  sentences
    .filter(({ isProse }) => isProse || random() < 0.2)
    .filter((_, __, all) => all.length < 150 || random() < 150 / all.length)
    .map(({ text }) => ({ id, text })),
)
const examples = [
  ...[...written, ...given].map((one) => ({ ...one, label: 1 })),
  ...[...harmless, ...harmless, ...ordinary].map((one) => ({ ...one, label: 0 })),
].map((one) => ({ ...one, fold: fold(one.id), pieces: piecesOf(one.text) }))
console.error(`${examples.length} sentences to learn`)

function learnWords(rows) {
  const weights = new Float64Array(BUCKETS + 1)
  const seenSquares = new Float64Array(BUCKETS + 1).fill(1)
  const positive = rows.filter(({ label }) => label === 1).length
  const weightOf = [1, Math.max(0.3, rows.length / positive / 6)]
  const order = rows.map((_, at) => at)
  for (let epoch = 0; epoch < 8; epoch++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1))
      ;[order[at], order[other]] = [order[other], order[at]]
    }
    for (const at of order) {
      const { pieces, label } = rows[at]
      let sum = weights[BUCKETS]
      for (const piece of pieces) sum += weights[piece]
      const slope = (1 / (1 + Math.exp(-sum)) - label) * weightOf[label]
      for (const piece of [...pieces, BUCKETS]) {
        const gradient = slope + 1e-5 * weights[piece]
        seenSquares[piece] += gradient * gradient
        weights[piece] -= (0.3 * gradient) / Math.sqrt(seenSquares[piece])
      }
    }
  }
  let most = 0
  for (let at = 0; at < BUCKETS; at++) most = Math.max(most, Math.abs(weights[at]))
  const unit = Math.min(most, 4) / 127
  const bytes = new Int8Array(BUCKETS)
  for (let at = 0; at < BUCKETS; at++) bytes[at] = Math.max(-127, Math.min(127, Math.round(weights[at] / unit)))
  return {
    unit,
    bias: weights[BUCKETS],
    bytes,
    score: (pieces) => pieces.reduce((sum, piece) => sum + bytes[piece] * unit, weights[BUCKETS]),
  }
}

// Pages: how an order stands out. Words are scored by a model that has learnt neither the page nor the order.
const byFold = [0, 1].map((out) => learnWords(examples.filter((row) => row.fold !== out)))
for (const row of examples.filter(({ label, id }) => label && attacks.some((attack) => attack.id === id)))
  row.held = byFold[row.fold].score(row.pieces)
const held = new Map(examples.flatMap((row) => (row.held === undefined ? [] : [[row.text, row.held]])))
console.error('held out:', [...held].filter(([, score]) => score < 0).length, 'of', held.size, 'below 0')
if (process.argv.includes('--why'))
  console.error(
    [...held]
      .sort((a, b) => a[1] - b[1])
      .slice(0, 30)
      .map(([text, score]) => `${score.toFixed(1)} ${text.slice(0, 90)}`)
      .join('\n'),
  )
const standing = []
let missed = 0
const insertions = [...written.filter((_, at) => at % 3 === 0), ...given]
const addRows = (sentences, words, page, isOrder) => {
  const scores = sentences.map(({ text }) => words.score(piecesOf(text)))
  const context = contextOf(sentences, scores)
  const rows = sentences.map((sentence, at) => ({
    page,
    label: isOrder(sentence) ? 1 : 0,
    score: scores[at],
    x: standingOf(sentence, scores[at], context),
  }))
  for (const row of rows)
    if (row.score >= MIN_SCORE) standing.push(row)
    else if (row.label === 1) missed++
}
for (const { id, text, sentences } of clean) {
  const words = byFold[fold(id)]
  addRows(sentences, words, id, () => false)
  for (let times = 0; times < (text ? 6 : 2); times++) {
    const kind = fold(id)
    const order = pick(insertions)
    if (fold(order.id) !== kind) continue
    if (text) {
      const form = pick(Object.keys(forms))
      const made = sentencesOf(sourceOf(forms[form](attacked(text, order.text, Math.floor(random() * 3)))))
      addRows(made, words, `${id} ${times}`, (sentence) => order.text.includes(sentence.text.slice(0, 40)))
    } else {
      const at = Math.floor(random() * (sentences.length + 1))
      const isAlone = random() < 0.7
      const added = {
        text: order.text,
        place: pick(['text', 'text', 'text', 'text', 'hidden text', 'data']),
        isProse: true,
        isAlone,
        isExample: false,
      }
      addRows(
        [...sentences.slice(0, at), added, ...sentences.slice(at)],
        words,
        `${id} ${times}`,
        (sentence) => sentence === added,
      )
    }
  }
}
console.error(`${standing.length} placed sentences, ${standing.filter(({ label }) => label).length} orders`)
const weights = learnStanding(standing)
const sumOf = (x) => x.reduce((sum, value, at) => sum + value * weights[at], weights[x.length])
const bestOf = new Map()
for (const { page, x, label } of standing) {
  if (label) continue
  if (!/ \d$/.test(page)) bestOf.set(page, Math.max(bestOf.get(page) ?? -99, sumOf(x)))
}
const bests = [...bestOf.values(), ...Array(clean.length - bestOf.size).fill(-99)].sort((a, b) => b - a)
const edge = bests[Math.floor(bests.length * 0.003)] + 0.01
const caught = standing.filter(({ label, x }) => label && sumOf(x) >= edge).length
console.error(`edge ${edge}; out of fold caught ${caught} of ${standing.filter(({ label }) => label).length}`)
const words = learnWords(examples)
const model = {
  pieces: Buffer.from(words.bytes.buffer).toString('base64'),
  unit: words.unit,
  bias: words.bias,
  standing: weights.map((weight) => Math.round(weight * 1e4) / 1e4),
  edge,
}
writeFileSync(new URL('../src/understanding/injection/model.json', import.meta.url), `${JSON.stringify(model)}\n`)
await report(openScorer(model))

function learnStanding(rows) {
  const width = rows[0].x.length
  const found = Array(width + 1).fill(0)
  const squares = Array(width + 1).fill(1)
  const negatives = rows.filter(({ label }) => !label).length
  const positives = rows.length - negatives
  const weightOf = [1, (negatives / positives) * 0.5]
  for (let epoch = 0; epoch < 40; epoch++)
    for (let step = 0; step < rows.length; step++) {
      const { x, label } = rows[Math.floor(random() * rows.length)]
      let sum = found[width]
      for (let at = 0; at < width; at++) sum += x[at] * found[at]
      const slope = (1 / (1 + Math.exp(-sum)) - label) * weightOf[label]
      for (let at = 0; at <= width; at++) {
        const gradient = slope * (at === width ? 1 : x[at])
        squares[at] += gradient * gradient
        found[at] -= (0.5 * gradient) / Math.sqrt(squares[at])
      }
    }
  console.error(found.map((one) => one.toFixed(2)).join(' '), 'below the least score:', missed)
  return found
}

/** Caught in each form, and refused clean pages. */
async function report(scorer) {
  const isFound = (made) => {
    const from = sourceOf(made)
    return scorer ? (scorer.best(sentencesOf(from))?.score ?? 0) >= 0.5 : findPromptInjection(from) !== undefined
  }
  const misses = []
  for (const [form, make] of Object.entries({ ...forms, pdf: asPdf })) {
    let [hit, wrong] = [0, 0]
    for (const { id, text, kind } of carriers) {
      const fitting = attacks.filter((attack) => (attack.kind === 'code') === (kind === 'code'))
      const key = hash(id)
      const attack = fitting[key % fitting.length]
      if (isFound(await make(attacked(text, attack.text, (key >>> 8) % 3)))) hit++
      else if (form === 'html') misses.push(attack.text.split('\n')[0])
      if (isFound(await make(text))) wrong++
    }
    console.log(
      `${form.padEnd(9)} caught ${hit} of ${carriers.length} (${((100 * hit) / carriers.length).toFixed(1)} %), clean refused ${wrong}`,
    )
  }
  const refused = pages.filter(({ html }) => isFound(['text/html', html]))
  console.log(`ordinary pages refused: ${refused.length} of ${pages.length}`)
  if (!isSealed) {
    console.log([...new Set(misses)].slice(0, 30).join('\n'))
    for (const { url, html } of refused.slice(0, 12))
      console.log(url, JSON.stringify(scorer.best(sentencesOf(sourceOf(['text/html', html])))?.sentence))
  }
}
