// Boosted decision trees, read and run. Every tree is perfect (all leaves at one depth), so a walk is a fixed number of
// steps without a branch to mispredict. Training lives in scripts/; this file only evaluates.

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
  depth: number
  count: number
  bias: number
  features: Uint8Array
  thresholds: Float32Array
  leaves: Float32Array
}

export function unpackTrees(packed: PackedTrees): Trees {
  const features = new Uint8Array(Buffer.from(packed.features, 'base64'))
  const thresholds = new Float32Array(new Uint8Array(Buffer.from(packed.thresholds, 'base64')).buffer)
  const raw = new Int16Array(new Uint8Array(Buffer.from(packed.leaves, 'base64')).buffer)
  const leaves = Float32Array.from(raw, (value) => value * packed.unit)
  return { depth: packed.depth, count: leaves.length >> packed.depth, bias: packed.bias, features, thresholds, leaves }
}

/** Log-odds for each row of the table; rows to skip are left at the bias. */
export function runTrees(
  trees: Trees,
  { values, width }: { values: Float32Array; width: number },
  skip?: Uint8Array,
): Float32Array {
  const { depth, count, bias, features, thresholds, leaves } = trees
  const rows = width > 0 ? values.length / width : 0
  const out = new Float32Array(rows).fill(bias)
  const inner = (1 << depth) - 1
  // Number(…) rather than a choice between 1 and 2: the engine then needs no branch, which halves the time.
  for (let row = 0; row < rows; row++) {
    if (skip?.[row]) continue
    const base = row * width
    let sum = bias
    for (let tree = 0; tree < count; tree++) {
      const start = tree * inner
      let at = 0
      for (let level = 0; level < depth; level++)
        at = 2 * at + 1 + Number(values[base + features[start + at]!]! > thresholds[start + at]!)
      sum += leaves[tree * (inner + 1) + at - inner]!
    }
    out[row] = sum
  }
  return out
}
