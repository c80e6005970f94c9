// Loads and runs boosted decision trees, all perfect and four levels deep. trees.wat runs 16 rows at a time in
// WebAssembly.
import { TREES_WASM } from './trees-wasm.ts'

const DEPTH = 4
const INNER = (1 << DEPTH) - 1
const LEAVES = 1 << DEPTH
const BATCH = 16
const MAX_STRIDE = 256

// Sizes in bytes of the records described in trees.wat.
const COLUMN_BYTES = BATCH * 4
const MASK = BATCH
const QUESTION = 8
const TREE = 96
const LEAF_BYTES = 64

/** Numbers are little-endian in base64. */
export interface PackedTrees {
  depth: number
  bias: number
  /** Feature of each inner node, one byte, in heap order per tree. */
  features: string
  /** Threshold of each inner node as float32; greater values go right. */
  thresholds: string
  leaves: string
  unit: number
}

/** Loaded trees with memory for one batch, which is reused. */
export interface DecisionTrees {
  bias: number
  unit: number
  width: number
  rows: Float32Array
  sums: Int32Array
  run: (stride: number) => void
}

// TypeScript declares WebAssembly only in the DOM library, which is not loaded.
declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number }) => { buffer: ArrayBuffer }
  Module: new (code: Uint8Array) => object
  Instance: new (module: object, imports: { trees: { memory: object } }) => { exports: unknown }
}
const PAGE = 65_536

/** Exports of trees.wat; all numbers are addresses or byte counts. */
interface Code {
  turn: (rows: number, stride: number, width: number, columns: number) => void
  ask: (questions: number, end: number, masks: number) => void
  add: (trees: number, end: number, sums: number) => void
}

export function unpackTrees(packed: PackedTrees): DecisionTrees {
  if (packed.depth !== DEPTH) throw new Error(`trees are ${packed.depth} levels deep, wanted ${DEPTH}`)
  const features = bytesOf(packed.features)
  const thresholds = new Uint32Array(bytesOf(packed.thresholds).buffer)
  const leaves = new Int16Array(bytesOf(packed.leaves).buffer)
  const count = leaves.length / LEAVES
  if (features.length !== count * INNER || thresholds.length !== count * INNER)
    throw new Error(
      `trees with ${features.length} features, ${thresholds.length} thresholds and ${leaves.length} leaves, ` +
        `wanted ${INNER}, ${INNER} and ${LEAVES} for each tree`,
    )
  const width = features.reduce((most, feature) => Math.max(most, feature + 1), 0)
  const { questions, asked } = questionsOf(features, thresholds)

  const rows = 0
  const columns = rows + BATCH * MAX_STRIDE * 4
  const masks = columns + MAX_STRIDE * COLUMN_BYTES
  const trees = masks + questions.size * MASK
  const sums = trees + count * TREE
  const firstQuestion = sums + BATCH * 4
  const end = firstQuestion + questions.size * QUESTION
  const pages = Math.ceil(end / PAGE)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  const bytes = new Uint8Array(memory.buffer)
  const words = new Uint32Array(memory.buffer)

  let at = firstQuestion / 4
  for (const question of questions.keys()) {
    words[at++] = columns + Math.floor(question / 2 ** 32) * COLUMN_BYTES
    words[at++] = question // typed array stores the lower 32 bits
  }
  for (let tree = 0; tree < count; tree++) {
    const record = trees + tree * TREE
    for (let node = 0; node < INNER; node++) words[record / 4 + node] = masks + asked[tree * INNER + node]! * MASK
    for (let leaf = 0; leaf < LEAVES; leaf++) {
      const value = leaves[tree * LEAVES + leaf]!
      bytes[record + LEAF_BYTES + leaf] = value
      bytes[record + LEAF_BYTES + LEAVES + leaf] = value >> 8
    }
  }

  const code = new WebAssembly.Module(Buffer.from(TREES_WASM, 'base64'))
  const { turn, ask, add } = new WebAssembly.Instance(code, { trees: { memory } }).exports as Code
  const turned = Math.ceil(width / 4) * 16
  return {
    bias: packed.bias,
    unit: packed.unit,
    width,
    rows: new Float32Array(memory.buffer, rows, BATCH * MAX_STRIDE),
    sums: new Int32Array(memory.buffer, sums, BATCH),
    run: (stride) => {
      turn(rows, stride * 4, turned, columns)
      ask(firstQuestion, end, masks)
      add(trees, sums, sums)
    },
  }
}

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))

/**
 * Numbers the distinct questions and maps each node to one. A question is one integer: threshold bits with the feature
 * above them.
 */
function questionsOf(features: Uint8Array, thresholds: Uint32Array) {
  const questions = new Map<number, number>()
  const asked = new Uint32Array(features.length)
  for (let node = 0; node < features.length; node++) {
    const question = features[node]! * 2 ** 32 + thresholds[node]!
    const known = questions.get(question)
    asked[node] = known ?? questions.size
    if (known === undefined) questions.set(question, questions.size)
  }
  return { questions, asked }
}

/** Log-odds per row; skipped rows keep the bias. */
export function runTrees(
  trees: DecisionTrees,
  { values, stride }: { values: Float32Array; stride: number },
  skip?: Uint8Array,
): Float32Array {
  const rows = stride > 0 ? values.length / stride : 0
  const out = new Float32Array(rows).fill(trees.bias)
  if (rows > 0 && (stride < trees.width || stride > MAX_STRIDE))
    throw new Error(`rows of ${stride} numbers, wanted ${trees.width} to ${MAX_STRIDE}`)
  const batch: number[] = []
  for (let row = 0; row < rows; row++) {
    if (!skip?.[row]) batch.push(row)
    if (batch.length < BATCH && row < rows - 1) continue
    runBatch(trees, values, stride, batch, out)
    batch.length = 0
  }
  return out
}

function runBatch(
  trees: DecisionTrees,
  values: Float32Array,
  stride: number,
  batch: readonly number[],
  out: Float32Array,
) {
  if (batch.length === 0) return
  const first = batch[0]!
  // Consecutive rows are copied at once; row-by-row copies cost 25 % more in total.
  if (batch.at(-1)! - first < batch.length)
    trees.rows.set(values.subarray(first * stride, (first + batch.length) * stride))
  else
    batch.forEach((row, i) => {
      trees.rows.set(values.subarray(row * stride, (row + 1) * stride), i * stride)
    })
  trees.run(stride)
  batch.forEach((row, i) => {
    out[row] = trees.bias + trees.unit * trees.sums[i]!
  })
}
