// Bodies under every content encoding, honest and not: nested, mislabelled, damaged, and bombs.
import zlib from 'node:zlib'
import type { Page, Pages } from './page.ts'
import { packedWords, tideWords } from './words.ts'

export const compressedText = `<!doctype html><title>Packed</title><h1>Packed page</h1>${'<p>The gates were opened at noon and shut at six.</p>'.repeat(
  400,
)}<p>The end of the packed page.</p>`

const plain = Buffer.from(compressedText)
export const longText = (): string => tideWords(50_000)
const QUICK = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }

const packed =
  (encoding: string, body: () => Buffer): Page =>
  ({ response }) => {
    const bytes = body()
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': encoding,
      'content-length': bytes.length,
    })
    response.end(bytes)
  }

/** A frame of raw blocks: valid zstd that needs no compressor. */
export function rawZstd(bytes: Buffer): Buffer {
  const blocks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 100_000) {
    const part = bytes.subarray(at, at + 100_000)
    blocks.push(zstdBlock(0, part.length, at + part.length >= bytes.length), part)
  }
  return Buffer.concat([zstdHeader(bytes.length), ...blocks])
}

/** A frame of repeated-byte blocks: four bytes on the wire for each 128 KiB. */
function zstdBomb(mebibytes: number): Buffer {
  const blocks: Buffer[] = []
  for (let left = mebibytes * 8; left > 0; left--) blocks.push(zstdBlock(1, 131_072, left === 1), Buffer.from('0'))
  return Buffer.concat([zstdHeader(undefined), ...blocks])
}

/** Tiny blocks under the largest window: nearly no output, much work for a careless decoder. */
export function zstdTinyBlocks(count: number): Buffer {
  const block = Buffer.concat([zstdBlock(1, 1, false), Buffer.from('0')])
  return Buffer.concat([zstdHeader(undefined), Buffer.concat(Array.from({ length: count }, () => block))])
}

/** Asks for a window of 2 GiB. */
function zstdHugeWindow(): Buffer {
  return Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3]),
    zstdBlock(1, 100, true),
    Buffer.from('0'),
    Buffer.alloc(16),
  ])
}

function zstdHeader(size: number | undefined): Buffer {
  const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
  // Without a size: a window of 8 MiB, the largest that a content encoding may ask for.
  if (size === undefined) return Buffer.concat([magic, Buffer.from([0x00, 13 << 3])])
  const head = Buffer.alloc(5)
  head[0] = 0xa0
  head.writeUInt32LE(size, 1)
  return Buffer.concat([magic, head])
}

function zstdBlock(kind: 0 | 1, size: number, last: boolean): Buffer {
  const head = Buffer.alloc(3)
  head.writeUIntLE((size << 3) | (kind << 1) | (last ? 1 : 0), 0, 3)
  return head
}

const MIB = 1024 * 1024
const zeros = (mebibytes: number) => Buffer.alloc(mebibytes * MIB, '0')
/** 200 MiB of one letter in equal members of 1 MiB, so that the test process never holds the plain form. */
const gzipBomb = () => Buffer.concat(new Array(200).fill(zlib.gzipSync(zeros(1), { level: 9 })))

export const compressionPages: Pages = {
  '/packed/gzip': packed('gzip', () => zlib.gzipSync(plain)),
  '/packed/x-gzip': packed('x-gzip', () => zlib.gzipSync(plain)),
  '/packed/br': packed('br', () => zlib.brotliCompressSync(plain)),
  '/packed/deflate': packed('deflate', () => zlib.deflateSync(plain)),
  '/packed/raw-deflate': packed('deflate', () => zlib.deflateRawSync(plain)),
  '/packed/zstd': packed('zstd', () => rawZstd(plain)),
  '/packed/zstd-two-frames': packed('zstd', () =>
    Buffer.concat([rawZstd(plain.subarray(0, 5000)), rawZstd(plain.subarray(5000))]),
  ),
  // Too long to be unpacked in one go: `longText` in each form.
  '/packed/long-gzip': packed('gzip', () => zlib.gzipSync(longText())),
  '/packed/long-br': packed('br', () => zlib.brotliCompressSync(longText(), QUICK)),
  '/packed/long-deflate': packed('deflate', () => zlib.deflateSync(longText())),
  '/packed/long-raw-deflate': packed('deflate', () => zlib.deflateRawSync(longText())),
  '/packed/long-zstd': packed('zstd', packedWords),
  '/packed/nested': packed('gzip, br', () => zlib.brotliCompressSync(zlib.gzipSync(plain))),
  '/packed/nested-three': packed('gzip, gzip, deflate', () => zlib.deflateSync(zlib.gzipSync(zlib.gzipSync(plain)))),
  '/packed/nested-four': packed('gzip, gzip, gzip, gzip', () =>
    zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(plain)))),
  ),
  '/packed/unknown': packed('compress', () => plain),
  '/packed/lie': packed('gzip', () => plain),
  '/packed/empty': packed('gzip', () => Buffer.alloc(0)),
  '/packed/damaged': packed('gzip', () => {
    const bytes = zlib.gzipSync(
      Buffer.concat([plain, Buffer.from(Array.from({ length: 60_000 }, (_, at) => (at * 7919) % 251))]),
    )
    bytes.fill(0xff, bytes.length - 40, bytes.length - 20)
    return bytes
  }),
  '/packed/half': packed('gzip', () => {
    const bytes = zlib.gzipSync(plain)
    return bytes.subarray(0, Math.floor(bytes.length * 0.8))
  }),
  // 30 MiB of text that compresses about 20 times: large, but no bomb.
  '/packed/large': packed('gzip', () => {
    const line = Array.from({ length: 4096 }, (_, at) => `${(at * 2_654_435_761) % 9973} gates, `).join('')
    return zlib.gzipSync(Buffer.from(line.repeat(Math.ceil((30 * MIB) / line.length))), { level: 1 })
  }),
  '/bomb/gzip': packed('gzip', gzipBomb),
  '/bomb/br': packed('br', () => zlib.brotliCompressSync(zeros(64), QUICK)),
  '/bomb/deflate': packed('deflate', () => zlib.deflateSync(zeros(64))),
  '/bomb/zstd': packed('zstd', () => zstdBomb(512)),
  '/bomb/zstd-tiny': packed('zstd', () => zstdTinyBlocks(200_000)),
  '/bomb/zstd-window': packed('zstd', zstdHugeWindow),
  '/bomb/nested': packed('gzip, gzip', () => zlib.gzipSync(gzipBomb(), { level: 9 })),
}
