// Encodes an RGB bitmap as PNG. Slow for large images, so it runs in the child process that reads documents.
import { crc32, deflateSync } from 'node:zlib'
import type { ColourBitmap } from './pdfium.ts'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const EIGHT_BITS_RGB = [8, 2, 0, 0, 0]

/** `area`: the part of the picture, as shares of its size: left, top, right and bottom. */
export function encodePng(drawn: ColourBitmap, [x0 = 0, y0 = 0, x1 = 1, y1 = 1]: readonly number[] = []): Buffer {
  const left = Math.min(drawn.width - 1, Math.floor(x0 * drawn.width))
  const top = Math.min(drawn.height - 1, Math.floor(y0 * drawn.height))
  const width = Math.max(1, Math.ceil(x1 * drawn.width) - left)
  const height = Math.max(1, Math.ceil(y1 * drawn.height) - top)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set(EIGHT_BITS_RGB, 8)
  // Each row starts with its filter type, 0 (none).
  const stride = width * 3
  const rows = Buffer.alloc((stride + 1) * height)
  for (let row = 0; row < height; row++) {
    const from = ((top + row) * drawn.width + left) * 3
    rows.set(drawn.rgb.subarray(from, from + stride), row * (stride + 1) + 1)
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Uint8Array): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(data.byteLength)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, sum])
}
