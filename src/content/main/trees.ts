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
  // Four rows at a time: the steps down one tree wait for each other, the steps of four rows do not.
  const four = new Int32Array(4)
  let waiting = 0
  for (let row = 0; row < rows; row++) {
    if (skip?.[row]) continue
    four[waiting++] = row
    if (waiting === 4) {
      runFour(trees, values, stride, four, out)
      waiting = 0
    }
  }
  if (waiting > 0) runFour(trees, values, stride, four.fill(four[0]!, waiting), out)
  return out
}

function runFour(trees: Trees, values: Float32Array, stride: number, rows: Int32Array, out: Float32Array) {
  const { count, bias, features, thresholds, leaves } = trees
  const p = rows[0]! * stride
  const q = rows[1]! * stride
  const r = rows[2]! * stride
  const s = rows[3]! * stride
  let sumP = bias
  let sumQ = bias
  let sumR = bias
  let sumS = bias
  let node = 0
  let leaf = 0
  for (let tree = 0; tree < count; tree++) {
    // `a` to `d` count the leaves to the left of each row's path; Number(…) rather than a choice between 0 and 1 lets
    // the engine do without a branch.
    const root = features[node]!
    const split = thresholds[node]!
    let a = Number(values[p + root]! > split)
    let b = Number(values[q + root]! > split)
    let c = Number(values[r + root]! > split)
    let d = Number(values[s + root]! > split)
    let i = node + 1 + a
    let j = node + 1 + b
    let k = node + 1 + c
    let l = node + 1 + d
    a = 2 * a + Number(values[p + features[i]!]! > thresholds[i]!)
    b = 2 * b + Number(values[q + features[j]!]! > thresholds[j]!)
    c = 2 * c + Number(values[r + features[k]!]! > thresholds[k]!)
    d = 2 * d + Number(values[s + features[l]!]! > thresholds[l]!)
    i = node + 3 + a
    j = node + 3 + b
    k = node + 3 + c
    l = node + 3 + d
    a = 2 * a + Number(values[p + features[i]!]! > thresholds[i]!)
    b = 2 * b + Number(values[q + features[j]!]! > thresholds[j]!)
    c = 2 * c + Number(values[r + features[k]!]! > thresholds[k]!)
    d = 2 * d + Number(values[s + features[l]!]! > thresholds[l]!)
    i = node + 7 + a
    j = node + 7 + b
    k = node + 7 + c
    l = node + 7 + d
    a = 2 * a + Number(values[p + features[i]!]! > thresholds[i]!)
    b = 2 * b + Number(values[q + features[j]!]! > thresholds[j]!)
    c = 2 * c + Number(values[r + features[k]!]! > thresholds[k]!)
    d = 2 * d + Number(values[s + features[l]!]! > thresholds[l]!)
    sumP += leaves[leaf + a]!
    sumQ += leaves[leaf + b]!
    sumR += leaves[leaf + c]!
    sumS += leaves[leaf + d]!
    node += INNER
    leaf += LEAVES
  }
  out[rows[0]!] = sumP
  out[rows[1]!] = sumQ
  out[rows[2]!] = sumR
  out[rows[3]!] = sumS
}
