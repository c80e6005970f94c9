// Boosted decision trees, read and run. Every tree is perfect and four levels deep, so a walk is four steps, written
// out, without a branch to mispredict. Training lives in scripts/; this file only evaluates.

export const DEPTH = 4
const INNER = (1 << DEPTH) - 1
const LEAVES = 1 << DEPTH

/** As stored: numbers packed little-endian in base64. */
export interface PackedTrees {
  depth: number
  bias: number
  /** Feature of each inner node, one byte, tree after tree in heap order. */
  features: string
  /** Threshold of each inner node as float32: go right when the value is greater. */
  thresholds: string
  /** Leaf values as int16, in units of `unit`. */
  leaves: string
  unit: number
}

export interface Trees {
  count: number
  bias: number
  features: Uint8Array
  thresholds: Float32Array
  leaves: Float32Array
}

export function unpackTrees(packed: PackedTrees): Trees {
  if (packed.depth !== DEPTH) throw new Error(`trees are ${packed.depth} levels deep, wanted ${DEPTH}`)
  const features = new Uint8Array(Buffer.from(packed.features, 'base64'))
  const thresholds = new Float32Array(new Uint8Array(Buffer.from(packed.thresholds, 'base64')).buffer)
  const raw = new Int16Array(new Uint8Array(Buffer.from(packed.leaves, 'base64')).buffer)
  const leaves = Float32Array.from(raw, (value) => value * packed.unit)
  return { count: leaves.length >> DEPTH, bias: packed.bias, features, thresholds, leaves }
}

/** Log-odds for each row of the table; rows to skip are left at the bias. */
export function runTrees(
  trees: Trees,
  { values, stride }: { values: Float32Array; stride: number },
  skip?: Uint8Array,
): Float32Array {
  const rows = stride > 0 ? values.length / stride : 0
  const out = new Float32Array(rows).fill(trees.bias)
  // Two rows at a time: the steps down one tree wait for each other, the steps of two rows do not.
  let waiting = -1
  for (let row = 0; row < rows; row++) {
    if (skip?.[row]) continue
    if (waiting < 0) waiting = row
    else {
      runPair(trees, values, stride, waiting, row, out)
      waiting = -1
    }
  }
  if (waiting >= 0) runPair(trees, values, stride, waiting, waiting, out)
  return out
}

function runPair(trees: Trees, values: Float32Array, stride: number, one: number, two: number, out: Float32Array) {
  const { count, bias, features, thresholds, leaves } = trees
  const p = one * stride
  const q = two * stride
  let sumP = bias
  let sumQ = bias
  let node = 0
  let leaf = 0
  for (let tree = 0; tree < count; tree++) {
    // `a` and `b` count the leaves to the left of each row's path; Number(…) rather than a choice between 0 and 1 lets
    // the engine do without a branch.
    const root = features[node]!
    let a = Number(values[p + root]! > thresholds[node]!)
    let b = Number(values[q + root]! > thresholds[node]!)
    let i = node + 1 + a
    let j = node + 1 + b
    a = 2 * a + Number(values[p + features[i]!]! > thresholds[i]!)
    b = 2 * b + Number(values[q + features[j]!]! > thresholds[j]!)
    i = node + 3 + a
    j = node + 3 + b
    a = 2 * a + Number(values[p + features[i]!]! > thresholds[i]!)
    b = 2 * b + Number(values[q + features[j]!]! > thresholds[j]!)
    i = node + 7 + a
    j = node + 7 + b
    a = 2 * a + Number(values[p + features[i]!]! > thresholds[i]!)
    b = 2 * b + Number(values[q + features[j]!]! > thresholds[j]!)
    sumP += leaves[leaf + a]!
    sumQ += leaves[leaf + b]!
    node += INNER
    leaf += LEAVES
  }
  out[one] = sumP
  out[two] = sumQ
}
