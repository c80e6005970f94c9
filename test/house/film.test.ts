// The moving picture of the README: its encoder, and that what is checked in moves, is small, and is the one that is shown.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { chunksOf, makeApng, readPng } from '../../scripts/apng.mjs'

const root = join(import.meta.dirname, '../..')

/** A film of one picture is a PNG; its colours are put back from the palette. */
function pixelsOf(png: Buffer): number[] {
  const chunks = chunksOf(png)
  const part = (name: string) => chunks.find((chunk) => chunk.name === name)!.data
  const width = part('IHDR').readUInt32BE(0)
  const raw = inflateSync(part('IDAT'))
  return [...raw].filter((_, n) => n % (width + 1) !== 0).flatMap((n) => [...part('PLTE').subarray(n * 3, n * 3 + 3)])
}

/** A screenshot as a browser may write it: each line with another filter. */
function screenshot(width: number, rows: readonly number[][]): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(rows.length, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const lines = rows.flatMap((row, y) => {
    const above = rows[y - 1] ?? row.map(() => 0)
    const guess = (x: number) => {
      const [left, up] = [row[x - 3] ?? 0, above[x]!]
      return [0, left, up, (left + up) >> 1][y % 4]!
    }
    return [y % 4, ...row.map((value, x) => (value - guess(x)) & 255)]
  })
  return chunked([
    ['IHDR', head],
    ['IDAT', deflateSync(Buffer.from(lines))],
    ['IEND', Buffer.alloc(0)],
  ])
}

function chunked(parts: readonly (readonly [string, Buffer])[]): Buffer {
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    ...parts.map(([name, data]) => {
      const body = Buffer.concat([Buffer.from(name), data])
      const out = Buffer.alloc(body.length + 8)
      out.writeUInt32BE(data.length, 0)
      body.copy(out, 4)
      out.writeUInt32BE(crc32(body), body.length + 4)
      return out
    }),
  ])
}

function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  }
  return (value ^ 0xffffffff) >>> 0
}

describe('the film', () => {
  const rows = Array.from({ length: 8 }, (_, y) => Array.from({ length: 15 }, (_, x) => (x * 40 + y * 9) & 255))

  it('keeps the colours of its pictures, whatever filters they came with', () => {
    const png = screenshot(5, rows)
    expect([...readPng(png).pixels]).toEqual(rows.flat())
    expect(pixelsOf(makeApng([{ png, ms: 100 }]))).toEqual(rows.flat())
  })

  it('writes only what changed, in order, and refuses a damaged picture', () => {
    const other = rows.map((row, y) => row.map((value, x) => (y === 3 && x >= 6 && x < 9 ? 255 : value)))
    const film = makeApng([
      { png: screenshot(5, rows), ms: 100 },
      { png: screenshot(5, other), ms: 700 },
    ])
    const chunks = chunksOf(film)
    expect(chunks.map(({ name }) => name).join(' ')).toBe('IHDR acTL PLTE fcTL IDAT fcTL fdAT IEND')
    const frame = chunks[5]!.data
    expect([0, 4, 8, 12, 16].map((at) => frame.readUInt32BE(at))).toEqual([1, 1, 1, 2, 3])
    expect(frame.readUInt16BE(20)).toBe(700)
    const damaged = Buffer.from(film)
    damaged[40]! ^= 1
    expect(() => chunksOf(damaged)).toThrow(/damaged/)
  })

  it('of the README moves, and is no larger than 1.5 MB', () => {
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('](docs/film.png)')
    const film = readFileSync(join(root, 'docs/film.png'))
    expect(film.length).toBeLessThanOrEqual(1_500_000)
    const frames = chunksOf(film)
      .find(({ name }) => name === 'acTL')!
      .data.readUInt32BE(0)
    expect(frames).toBeGreaterThan(4)
  })
})
