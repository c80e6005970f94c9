// A moving picture of screenshots, with nothing but zlib: PNGs are read, their colours brought down to one palette, and of
// each picture after the first only the part is written that differs from the one before.
import { deflateSync, inflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The pieces of a PNG: their names and what is in them. */
export function chunksOf(png) {
  if (!png.subarray(0, 8).equals(SIGNATURE)) throw new Error('this is no PNG')
  const chunks = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const name = png.toString('latin1', at + 4, at + 8)
    const data = png.subarray(at + 8, at + 8 + length)
    if (png.readUInt32BE(at + 8 + length) !== crc(png.subarray(at + 4, at + 8 + length)))
      throw new Error(`the piece ${name} is damaged`)
    chunks.push({ name, data })
    at += 12 + length
  }
  return chunks
}

/** The colours of a screenshot, three bytes each. Only what browsers write: eight bits, RGB or RGBA, not interlaced. */
export function readPng(png) {
  const chunks = chunksOf(png)
  const head = chunks[0].data
  const [width, height, depth, kind, interlaced] = [
    head.readUInt32BE(0),
    head.readUInt32BE(4),
    head[8],
    head[9],
    head[12],
  ]
  if (depth !== 8 || (kind !== 2 && kind !== 6) || interlaced !== 0)
    throw new Error('this kind of PNG is not read here')
  const size = kind === 2 ? 3 : 4
  const raw = inflateSync(Buffer.concat(chunks.filter(({ name }) => name === 'IDAT').map(({ data }) => data)))
  const pixels = Buffer.alloc(width * height * 3)
  const line = width * size
  let above = Buffer.alloc(line)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (line + 1)]
    const row = Buffer.from(raw.subarray(y * (line + 1) + 1, (y + 1) * (line + 1)))
    for (let x = 0; x < line; x++) {
      const [left, up, corner] = [x < size ? 0 : row[x - size], above[x], x < size ? 0 : above[x - size]]
      row[x] +=
        filter === 1
          ? left
          : filter === 2
            ? up
            : filter === 3
              ? (left + up) >> 1
              : filter === 4
                ? paeth(left, up, corner)
                : 0
    }
    for (let x = 0; x < width; x++) row.copy(pixels, (y * width + x) * 3, x * size, x * size + 3)
    above = row
  }
  return { width, height, pixels }
}

function paeth(left, up, corner) {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

/** `frames`: PNGs of one size, each with how long it is shown. Plays for ever. */
export function makeApng(frames) {
  const pictures = frames.map(({ png }) => readPng(png))
  const [{ width, height }] = pictures
  if (pictures.some((one) => one.width !== width || one.height !== height)) throw new Error('pictures of several sizes')
  const { palette, indexOf } = paletteOf(pictures)
  const drawn = pictures.map(({ pixels }) => indexed(pixels, indexOf))
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 3, 0, 0, 0], 8)
  const control = Buffer.alloc(8)
  control.writeUInt32BE(frames.length, 0)
  const parts = [SIGNATURE, chunk('IHDR', head), chunk('acTL', control), chunk('PLTE', palette)]
  let order = 0
  for (const [n, { ms }] of frames.entries()) {
    const box = n === 0 ? { x: 0, y: 0, width, height } : difference(drawn[n - 1], drawn[n], width, height)
    const frame = Buffer.alloc(26)
    for (const [at, value] of [order++, box.width, box.height, box.x, box.y].entries())
      frame.writeUInt32BE(value, at * 4)
    frame.writeUInt16BE(Math.min(65_535, ms), 20)
    frame.writeUInt16BE(1000, 22)
    parts.push(chunk('fcTL', frame))
    const data = packed(drawn[n], width, box)
    if (n === 0) parts.push(chunk('IDAT', data))
    else {
      const number = Buffer.alloc(4)
      number.writeUInt32BE(order++)
      parts.push(chunk('fdAT', Buffer.concat([number, data])))
    }
  }
  return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))])
}

const MOST_COLOURS = 256

/** The colours that are seen most; any other becomes the nearest of them. */
function paletteOf(pictures) {
  const counts = new Map()
  for (const { pixels } of pictures)
    for (let at = 0; at < pixels.length; at += 3) {
      const colour = pixels.readUIntBE(at, 3)
      counts.set(colour, (counts.get(colour) ?? 0) + 1)
    }
  const kept = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_COLOURS)
    .map(([colour]) => colour)
  const palette = Buffer.alloc(kept.length * 3)
  for (const [n, colour] of kept.entries()) palette.writeUIntBE(colour, n * 3, 3)
  const known = new Map(kept.map((colour, n) => [colour, n]))
  const distance = (a, b) =>
    ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2
  const indexOf = (colour) => {
    let found = known.get(colour)
    if (found === undefined) {
      found = 0
      for (let n = 1; n < kept.length; n++) if (distance(kept[n], colour) < distance(kept[found], colour)) found = n
      known.set(colour, found)
    }
    return found
  }
  return { palette, indexOf }
}

function indexed(pixels, indexOf) {
  const out = Buffer.alloc(pixels.length / 3)
  for (let n = 0; n < out.length; n++) out[n] = indexOf(pixels.readUIntBE(n * 3, 3))
  return out
}

/** The smallest box around all that differs; one point when nothing does. */
function difference(before, after, width, height) {
  let [left, top, right, bottom] = [width, height, -1, -1]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (before[y * width + x] !== after[y * width + x]) {
        left = Math.min(left, x)
        right = Math.max(right, x)
        top = Math.min(top, y)
        bottom = Math.max(bottom, y)
      }
  return right < 0
    ? { x: 0, y: 0, width: 1, height: 1 }
    : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
}

function packed(picture, width, box) {
  const rows = Buffer.alloc(box.height * (box.width + 1))
  for (let y = 0; y < box.height; y++) {
    const from = (box.y + y) * width + box.x
    picture.copy(rows, y * (box.width + 1) + 1, from, from + box.width)
  }
  return deflateSync(rows, { level: 9 })
}

const TABLE = Array.from({ length: 256 }, (_, n) => {
  let value = n
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value >>> 0
})

function crc(bytes) {
  let value = 0xffffffff
  for (const byte of bytes) value = TABLE[(value ^ byte) & 255] ^ (value >>> 8)
  return (value ^ 0xffffffff) >>> 0
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc(body), body.length + 4)
  return out
}
