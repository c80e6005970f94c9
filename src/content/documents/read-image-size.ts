// Reads image dimensions from the file header, without decoding. Undefined for unknown formats.

interface ImageSize {
  width: number
  height: number
}

export function readImageSize(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const readLatin = (at: number, length: number) => Buffer.from(bytes.subarray(at, at + length)).toString('latin1')
  if (view.byteLength < 30) return undefined
  if (readLatin(1, 3) === 'PNG') return sizeIfPositive(view.getUint32(16), view.getUint32(20))
  if (readLatin(0, 3) === 'GIF') return sizeIfPositive(view.getUint16(6, true), view.getUint16(8, true))
  if (readLatin(0, 2) === 'BM') return sizeIfPositive(view.getInt32(18, true), Math.abs(view.getInt32(22, true)))
  if (readLatin(0, 4) === 'RIFF') return webpSize(view, readLatin(12, 4))
  if (view.getUint16(0) === 0xffd8) return jpegSize(view)
  return undefined
}

const sizeIfPositive = (width: number, height: number): ImageSize | undefined =>
  width > 0 && height > 0 ? { width, height } : undefined

function webpSize(view: DataView, kind: string): ImageSize | undefined {
  const three = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536
  if (kind === 'VP8X') return { width: three(24) + 1, height: three(27) + 1 }
  if (kind === 'VP8 ') return sizeIfPositive(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff)
  if (kind !== 'VP8L') return undefined
  const bits = view.getUint32(21, true)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

function jpegSize(view: DataView): ImageSize | undefined {
  let at = 2
  while (at + 9 < view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined
    const mark = view.getUint8(at + 1)
    const isFrame = mark >= 0xc0 && mark <= 0xcf && mark !== 0xc4 && mark !== 0xc8 && mark !== 0xcc
    if (isFrame) return sizeIfPositive(view.getUint16(at + 7), view.getUint16(at + 5))
    at += 2 + Math.max(2, view.getUint16(at + 2))
  }
  return undefined
}
