import { describe, expect, it } from 'vitest'
import { rawZstd, zstdTinyBlocks } from '../../test/site/compressions.ts'
import { packedWords, tideWords } from '../../test/site/words.ts'
import { createZstdDecoder } from './decode-zstd.ts'

function unpack(bytes: Buffer, chunkSize: number): Promise<string> {
  const stream = createZstdDecoder()
  for (let at = 0; at < bytes.length; at += chunkSize) stream.write(bytes.subarray(at, at + chunkSize))
  stream.end()
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => resolve(Buffer.concat(chunks).toString()))
    stream.on('error', reject)
  })
}

const skippable = (length: number): Buffer => {
  const head = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 0, 0, 0, 0])
  head.writeUInt32LE(length, 4)
  return Buffer.concat([head, Buffer.alloc(length, 7)])
}

describe('createZstdDecoder', () => {
  it.each([1, 7, 1000, 65_536])('reads what zstd wrote, in chunks of %i', async (chunkSize) => {
    expect(await unpack(packedWords(), chunkSize)).toBe(tideWords(50_000))
  })

  it.each([1, 100])('reads frame after frame and leaves out the skippable ones, in chunks of %i', async (chunkSize) => {
    const frames = [
      skippable(5000),
      rawZstd(Buffer.from('high ')),
      skippable(0),
      packedWords(),
      rawZstd(Buffer.from(' low')),
    ]
    expect(await unpack(Buffer.concat(frames), chunkSize)).toBe(`high ${tideWords(50_000)} low`)
  })

  it.each([
    ['another format', Buffer.from('plain text, not packed')],
    ['a dictionary that nobody has', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x01, 0x50, 9, 1, 0, 0])],
    ['a block larger than the format allows', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x50, 0xf9, 0xff, 0xff, 0])],
    ['a window of gigabytes', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, 1, 0, 0])],
    ['a single segment of gigabytes', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0])],
    ['frames without end', Buffer.concat(Array.from({ length: 2000 }, () => rawZstd(Buffer.from('x'))))],
    ['work without output', zstdTinyBlocks(100_000)],
  ])('refuses %s', async (_what, bytes) => {
    await expect(unpack(bytes, 1000)).rejects.toThrow(/zstd/)
  })
})
