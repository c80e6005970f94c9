// The trees in WebAssembly beside a plain walk down each tree, row by row: the yardstick they must agree with.
import { parseDocument } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { computeBlockFeatures } from './block-features.ts'
import { computeContextFeatures } from './context-features.ts'
import { type PackedTrees, runTrees, unpackTrees } from './decision-trees.ts'
import { flattenPage } from './flatten-page.ts'
import { unpackMainContentModel } from './main-content-model.ts'
import shipped from './model.json' with { type: 'json' }
import { logOddsToProbabilities } from './score-and-choose-blocks.ts'

interface Plain {
  features: Uint8Array
  thresholds: Float32Array
  leaves: Int16Array
}

const text = (array: { buffer: ArrayBufferLike }) => Buffer.from(array.buffer).toString('base64')
const pack = ({ features, thresholds, leaves }: Plain): PackedTrees => ({
  depth: 4,
  bias: -0.25,
  unit: 7.5e-6,
  features: text(features),
  thresholds: text(thresholds),
  leaves: text(leaves),
})
const unpack = (packed: PackedTrees): Plain => {
  const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
  return {
    features: bytes(packed.features),
    thresholds: new Float32Array(bytes(packed.thresholds).buffer),
    leaves: new Int16Array(bytes(packed.leaves).buffer),
  }
}

function walk({ features, thresholds, leaves }: Plain, { bias, unit }: PackedTrees, row: Float32Array): number {
  let sum = 0
  for (let tree = 0; tree < leaves.length / 16; tree++) {
    let node = 0
    while (node < 15) {
      const at = tree * 15 + node
      node = 2 * node + (row[features[at]!]! > thresholds[at]! ? 2 : 1)
    }
    sum += leaves[tree * 16 + node - 15]!
  }
  return bias + unit * sum
}

/** The same numbers at every run. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function madeUp(trees: number, features: number, next: (below: number) => number): Plain {
  return {
    features: Uint8Array.from({ length: trees * 15 }, () => next(features)),
    thresholds: Float32Array.from({ length: trees * 15 }, () => (next(2000) - 1000) / 7),
    leaves: Int16Array.from({ length: trees * 16 }, () => next(65_536) - 32_768),
  }
}

/** Rows of thresholds hit exactly, missed by a hair, and of numbers that are hardly numbers. */
function hardRows(plain: Plain, rows: number, stride: number, next: (below: number) => number): Float32Array {
  const thresholds = Array.from({ length: stride }, () => [0])
  plain.features.forEach((feature, i) => {
    thresholds[feature]!.push(plain.thresholds[i]!)
  })
  const odd = [0, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 3.4e38, -3.4e38, 1e-45]
  return Float32Array.from({ length: rows * stride }, (_, i) => {
    const near = thresholds[i % stride]!
    const threshold = near[next(near.length)]!
    return [threshold, threshold + 1e-4, threshold - 1e-4, next(200) - 100, odd[next(odd.length)]!][next(5)]!
  })
}

function expectAgreement(packed: PackedTrees, rows: number, stride: number, seed = 1) {
  const plain = unpack(packed)
  const values = hardRows(plain, rows, stride, random(seed))
  const odds = runTrees(unpackTrees(packed), { values, stride })
  expect(odds).toHaveLength(rows)
  odds.forEach((value, row) => {
    const wanted = walk(plain, packed, values.subarray(row * stride, (row + 1) * stride))
    expect(Math.abs(value - wanted), `row ${row} of ${rows}`).toBeLessThan(1e-5)
  })
}

describe('running trees', () => {
  it('gives what a walk down each tree gives, for the model we ship', () => {
    expectAgreement(shipped.first, 500, 256)
    expectAgreement(shipped.second, 500, 256, 2)
  })
  it('gives it for any number of rows, full batches or not', () => {
    const packed = pack(madeUp(20, 12, random(3)))
    for (const rows of [1, 2, 15, 16, 17, 31, 32, 33, 1000]) expectAgreement(packed, rows, 12, rows)
  })
  it('gives it for rows of any width up to 256 numbers', () => {
    for (const stride of [1, 2, 3, 4, 5, 63, 64, 255, 256])
      expectAgreement(pack(madeUp(30, stride, random(stride))), 40, stride)
  })
  it('gives it for a single tree and for a thousand that differ in every threshold', () => {
    expectAgreement(pack(madeUp(1, 3, random(4))), 20, 4)
    const thousand = madeUp(1000, 1, random(5))
    thousand.thresholds.forEach((_, i) => {
      thousand.thresholds[i] = i / 3
    })
    expectAgreement(pack(thousand), 20, 1)
  })
  it('adds up the greatest and the least leaves without a carry lost', () => {
    for (const leaf of [32_767, -32_768, 255, 256, -1, -256]) {
      const plain = madeUp(400, 8, random(6))
      plain.leaves.fill(leaf)
      expectAgreement(pack(plain), 5, 8)
    }
  })
  it('goes left when a value equals its threshold and right when it is greater', () => {
    const plain = madeUp(1, 1, random(7))
    plain.thresholds.fill(0.5)
    plain.leaves.set(Array.from({ length: 16 }, (_, leaf) => leaf * 1000))
    const values = Float32Array.of(0.5, 0.500_001, 0.499_999)
    const odds = runTrees(unpackTrees({ ...pack(plain), bias: 0, unit: 1 }), { values, stride: 1 })
    expect([...odds]).toEqual([0, 15_000, 0])
  })
  it('leaves rows to skip at the bias and the others as they would be alone', () => {
    const packed = pack(madeUp(50, 10, random(8)))
    const plain = unpack(packed)
    const next = random(9)
    const values = hardRows(plain, 300, 10, next)
    const skip = Uint8Array.from({ length: 300 }, (_, row) => (row < 60 ? row % 2 : row < 120 ? 1 : +(next(10) < 3)))
    const odds = runTrees(unpackTrees(packed), { values, stride: 10 }, skip)
    odds.forEach((value, row) => {
      const wanted = skip[row] ? packed.bias : walk(plain, packed, values.subarray(row * 10, row * 10 + 10))
      expect(Math.abs(value - wanted), `row ${row}`).toBeLessThan(1e-5)
    })
  })
  it('remembers nothing of the rows before', () => {
    const packed = pack(madeUp(50, 10, random(10)))
    const trees = unpackTrees(packed)
    const values = hardRows(unpack(packed), 16, 10, random(11))
    const once = runTrees(trees, { values, stride: 10 })
    runTrees(trees, { values: values.map((x) => -x), stride: 10 })
    expect(runTrees(trees, { values, stride: 10 })).toEqual(once)
  })
  it('knows nothing but the bias when there are no trees', () => {
    expectAgreement(pack(madeUp(0, 1, random(12))), 20, 1)
  })
  it('has nothing to say about no rows', () => {
    expect(runTrees(unpackTrees(shipped.first), { values: new Float32Array(0), stride: 256 })).toHaveLength(0)
  })
  it('refuses rows narrower than the trees look and wider than any can', () => {
    const trees = unpackTrees(shipped.first)
    expect(() => runTrees(trees, { values: new Float32Array(20), stride: 10 })).toThrow('rows of 10 numbers')
    expect(() => runTrees(trees, { values: new Float32Array(600), stride: 300 })).toThrow('rows of 300 numbers')
  })
})

describe('unpacking trees', () => {
  it('refuses trees of another depth', () => {
    expect(() => unpackTrees({ ...shipped.first, depth: 5 })).toThrow('5 levels deep, wanted 4')
  })
  it('refuses trees of which a part is missing', () => {
    expect(() => unpackTrees({ ...shipped.first, leaves: text(new Int16Array(40)) })).toThrow('40 leaves')
    expect(() => unpackTrees({ ...shipped.first, features: '' })).toThrow('with 0 features')
  })
})

describe('the numbers about a page', () => {
  it('are numbers, whatever the page', () => {
    const model = unpackMainContentModel(shipped)
    const pages = ['<p>', '<p>one', '<p>!!!<p> <p>\u0000', '<a href="x">x</a>'.repeat(50), '<td>1'.repeat(40)]
    for (const html of [
      ...pages,
      `<main><h1>a b</h1>${'<p>some words, and more.</p>'.repeat(30)}</main>${pages.join('')}`,
    ]) {
      const outline = flattenPage(parseDocument(html))
      const reading = computeBlockFeatures(outline, model.lexicon, model.kinds, 'https://example.com/a')
      expect(reading.sheet.values.some(Number.isNaN)).toBe(false)
      const odds = runTrees(model.first, reading.sheet)
      expect(computeContextFeatures(outline, reading, logOddsToProbabilities(odds)).values.some(Number.isNaN)).toBe(
        false,
      )
    }
  })
})
