// Gradient-boosted perfect trees for logistic loss with soft labels, on histograms of at most 64 bins a feature.

const BINS = 64

/** Cut points for each feature, at even steps of its distribution. */
export function cutPoints(values, width, rows) {
  const sample = Math.min(rows, 20_000)
  const step = rows / sample
  const column = new Float32Array(sample)
  const cuts = []
  for (let f = 0; f < width; f++) {
    for (let i = 0; i < sample; i++) column[i] = values[Math.floor(i * step) * width + f]
    column.sort()
    const points = []
    for (let b = 1; b < BINS; b++) {
      const x = column[Math.floor((b * sample) / BINS)]
      if ((points.length === 0 || x > points.at(-1)) && x < column[sample - 1]) points.push(x)
    }
    cuts.push(Float32Array.from(points))
  }
  return cuts
}

/** Column-major bin numbers: bin b holds values in (cut[b-1], cut[b]]. */
export function binned(values, width, rows, cuts) {
  const bins = []
  for (let f = 0; f < width; f++) {
    const cut = cuts[f]
    const out = new Uint8Array(rows)
    for (let i = 0; i < rows; i++) {
      const x = values[i * width + f]
      let lo = 0
      let hi = cut.length
      while (lo < hi) {
        const mid = (lo + hi) >> 1
        if (x > cut[mid]) lo = mid + 1
        else hi = mid
      }
      out[i] = lo
    }
    bins.push(out)
  }
  return bins
}

export function random(seed) {
  let s = seed | 0
  return () => {
    s = (s + 0x6d2b79f5) | 0
    let t = Math.imul(s ^ (s >>> 15), 1 | s)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * data: { bins, cuts, labels, weights, groups } for the rows to learn from; groups number the pages, which are sampled
 * as a whole. Returns { depth, bias, trees: [{ feature, threshold, leaf }] }.
 */
export function boost(data, { trees: count, depth, rate, rowShare, columnShare, lambda, minWeight, seed }) {
  const { bins, cuts, labels, weights, groups } = data
  const rows = labels.length
  const width = bins.length
  const rng = random(seed)
  const groupCount = groups.reduce((a, b) => Math.max(a, b), 0) + 1
  let up = 0
  let all = 0
  for (let i = 0; i < rows; i++) {
    up += labels[i] * weights[i]
    all += weights[i]
  }
  const bias = Math.log((up + 1e-6) / (all - up + 1e-6))
  const score = new Float32Array(rows).fill(bias)
  const grad = new Float32Array(rows)
  const hess = new Float32Array(rows)
  const scale = rows / all
  const inner = (1 << depth) - 1
  const trees = []
  const order = new Int32Array(rows)
  const spare = new Int32Array(rows)
  for (let t = 0; t < count; t++) {
    const chosen = new Uint8Array(groupCount)
    for (let g = 0; g < groupCount; g++) chosen[g] = rng() < rowShare ? 1 : 0
    let used = 0
    for (let i = 0; i < rows; i++) {
      const p = 1 / (1 + Math.exp(-score[i]))
      const w = weights[i] * scale
      grad[i] = (p - labels[i]) * w
      hess[i] = Math.max(1e-6, p * (1 - p)) * w
      if (chosen[groups[i]]) order[used++] = i
    }
    const columns = []
    for (let f = 0; f < width; f++) if (cuts[f].length > 0 && rng() < columnShare) columns.push(f)
    trees.push(growTree(columns, used))
    apply(trees.at(-1))
  }
  return { depth, bias, trees }

  function growTree(columns, used) {
    const tree = {
      feature: new Uint8Array(inner),
      bin: new Uint8Array(inner).fill(255),
      threshold: new Float32Array(inner).fill(3e38),
      leaf: new Float32Array(inner + 1),
    }
    let nodes = [{ from: 0, to: used, hist: histogram(columns, 0, used) }]
    for (let level = 0; level < depth; level++) {
      const next = []
      nodes.forEach((node, k) => {
        const id = (1 << level) - 1 + k
        const split = node && node.to > node.from ? bestSplit(columns, node.hist) : undefined
        if (!split) {
          // A leaf above the last level: everything goes left.
          next.push(node ? { ...node } : undefined, undefined)
          return
        }
        tree.feature[id] = split.feature
        tree.bin[id] = split.bin
        tree.threshold[id] = cuts[split.feature][split.bin]
        const column = bins[split.feature]
        let left = node.from
        let right = 0
        for (let i = node.from; i < node.to; i++) {
          const r = order[i]
          if (column[r] > split.bin) spare[right++] = r
          else order[left++] = r
        }
        order.set(spare.subarray(0, right), left)
        const a = { from: node.from, to: left }
        const b = { from: left, to: node.to }
        if (level + 1 < depth) {
          const [small, big] = a.to - a.from < b.to - b.from ? [a, b] : [b, a]
          small.hist = histogram(columns, small.from, small.to)
          for (let i = 0; i < node.hist.length; i++) node.hist[i] -= small.hist[i]
          big.hist = node.hist
        }
        next.push(a, b)
      })
      nodes = next
    }
    nodes.forEach((node, k) => {
      if (!node) return
      let g = 0
      let h = 0
      for (let i = node.from; i < node.to; i++) {
        g += grad[order[i]]
        h += hess[order[i]]
      }
      tree.leaf[k] = (-rate * g) / (h + lambda)
    })
    return tree
  }

  function histogram(columns, from, to) {
    const hist = new Float64Array(columns.length * BINS * 2)
    const count = to - from
    // Side by side, so that only the bins are read here and there.
    const slopes = new Float32Array(count * 2)
    for (let i = 0; i < count; i++) {
      const r = order[from + i]
      slopes[2 * i] = grad[r]
      slopes[2 * i + 1] = hess[r]
    }
    columns.forEach((f, c) => {
      const column = bins[f]
      const base = c * BINS * 2
      for (let i = 0; i < count; i++) {
        const at = base + column[order[from + i]] * 2
        hist[at] += slopes[2 * i]
        hist[at + 1] += slopes[2 * i + 1]
      }
    })
    return hist
  }

  function bestSplit(columns, hist) {
    let best
    let most = 1e-3
    for (let c = 0; c < columns.length; c++) {
      const base = c * BINS * 2
      let G = 0
      let H = 0
      for (let b = 0; b < BINS; b++) {
        G += hist[base + 2 * b]
        H += hist[base + 2 * b + 1]
      }
      const whole = (G * G) / (H + lambda)
      let g = 0
      let h = 0
      const last = cuts[columns[c]].length
      for (let b = 0; b < last; b++) {
        g += hist[base + 2 * b]
        h += hist[base + 2 * b + 1]
        if (h < minWeight || H - h < minWeight) continue
        const gain = (g * g) / (h + lambda) + ((G - g) * (G - g)) / (H - h + lambda) - whole
        if (gain > most) {
          most = gain
          best = { feature: columns[c], bin: b }
        }
      }
    }
    return best
  }

  function apply(tree) {
    const columns = Array.from(tree.feature, (f) => bins[f])
    for (let i = 0; i < rows; i++) {
      let at = 0
      for (let level = 0; level < depth; level++) at = 2 * at + (columns[at][i] > tree.bin[at] ? 2 : 1)
      score[i] += tree.leaf[at - inner]
    }
  }
}

/** Packs trees the way src/content/main/decision-trees.ts reads them. */
export function pack({ depth, bias, trees }) {
  const inner = (1 << depth) - 1
  const features = new Uint8Array(trees.length * inner)
  const thresholds = new Float32Array(trees.length * inner)
  const leaves = new Int16Array(trees.length * (inner + 1))
  const top = Math.max(1e-6, ...trees.map((t) => t.leaf.reduce((a, b) => Math.max(a, Math.abs(b)), 0)))
  const unit = top / 32_000
  trees.forEach((tree, t) => {
    features.set(tree.feature, t * inner)
    thresholds.set(tree.threshold, t * inner)
    for (let k = 0; k <= inner; k++) leaves[t * (inner + 1) + k] = Math.round(tree.leaf[k] / unit)
  })
  const text = (array) => Buffer.from(array.buffer).toString('base64')
  return { depth, bias, unit, features: text(features), thresholds: text(thresholds), leaves: text(leaves) }
}
