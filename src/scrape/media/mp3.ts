// Writes an MP3 file incrementally. The first frame has the frame count and encoder padding, for exact length and
// seeking.
import { type FileHandle, open } from 'node:fs/promises'
import { createMp3Encoder } from 'wasm-media-encoders'

/** Other rates are resampled by the decoder. */
export const MP3_SAMPLE_RATES: readonly number[] = [32_000, 44_100, 48_000]

/** Samples that LAME prepends. */
const ENCODER_DELAY = 576
const FRAME_SAMPLES = 1152
const BITRATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const BITRATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const RATES_1 = [44_100, 48_000, 32_000]

export interface Mp3Writer {
  /** One array per channel, equal lengths. */
  add(channels: Float32Array[]): Promise<void>
  finish(): Promise<number>
  close(): Promise<void>
}

export async function openMp3Writer(path: string, sampleRate: number, channels: 1 | 2): Promise<Mp3Writer> {
  const encoder = await createMp3Encoder()
  const bitrate = channels === 2 ? 128 : 96
  encoder.configure({ sampleRate, channels, bitrate: bitrate as 128 })
  const file = await open(path, 'w', 0o600)
  let samples = 0
  let position = 0
  let opening: Buffer | undefined
  const frames = frameCounter()
  const write = async (encoded: Uint8Array) => {
    if (encoded.byteLength === 0) return
    // The encoder reuses its memory, so copy.
    const bytes = Buffer.from(encoded)
    if (!opening) {
      opening = emptyFrame(bytes)
      position = opening.byteLength
    }
    frames.see(bytes)
    await writeAll(file, bytes, position)
    position += bytes.byteLength
  }
  return {
    async add(given) {
      samples += given[0]?.length ?? 0
      await write(encoder.encode(given as never))
    },
    async finish() {
      await write(encoder.finalize())
      const count = frames.count()
      if (!opening || count === 0) throw new Error('there was no sound to encode')
      fillOpening(opening, { frames: count, bytes: position, padding: count * FRAME_SAMPLES - samples - ENCODER_DELAY })
      await writeAll(file, opening, 0)
      return samples / sampleRate
    },
    close: () => file.close(),
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; )
    at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten
}

function frameLength(first: number, second: number, third: number): number {
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return 0
  const version = (second >> 3) & 3
  const isOne = version === 3
  const bitrate = (isOne ? BITRATES_1 : BITRATES_2)[third >> 4] ?? 0
  const rate = (RATES_1[(third >> 2) & 3] ?? 0) / (isOne ? 1 : version === 2 ? 2 : 4)
  if (bitrate === 0 || rate === 0) return 0
  return Math.floor(((isOne ? 144 : 72) * bitrate * 1000) / rate) + ((third >> 1) & 1)
}

function frameCounter() {
  let count = 0
  let until = 0
  const header: number[] = []
  return {
    count: () => count,
    see(bytes: Buffer): void {
      let at = 0
      while (at < bytes.length) {
        if (until > 0) {
          const step = Math.min(until, bytes.length - at)
          until -= step
          at += step
          continue
        }
        header.push(bytes[at++]!)
        if (header.length < 3) continue
        const length = frameLength(header[0]!, header[1]!, header[2]!)
        header.length = 0
        if (length === 0) continue
        count += 1
        until = length - 3
      }
    },
  }
}

function emptyFrame(stream: Buffer): Buffer {
  const [first = 0, second = 0, third = 0, fourth = 0] = stream
  const frame = Buffer.alloc(frameLength(first, second, third & ~2))
  frame.set([first, second | 1, third & ~2, fourth])
  return frame
}

interface Totals {
  frames: number
  bytes: number
  padding: number
}

function fillOpening(frame: Buffer, { frames, bytes, padding }: Totals): void {
  const isOne = ((frame[1]! >> 3) & 3) === 3
  const isMono = frame[3]! >> 6 === 3
  const tag = 4 + (isOne ? (isMono ? 17 : 32) : isMono ? 9 : 17)
  frame.write('Info', tag, 'latin1')
  frame.writeUInt32BE(0x0f, tag + 4)
  frame.writeUInt32BE(frames, tag + 8)
  frame.writeUInt32BE(bytes, tag + 12)
  // Seek table: linear at a constant bitrate.
  for (let at = 0; at < 100; at++) frame[tag + 16 + at] = Math.floor((at * 256) / 100)
  frame.write('LAME3.100', tag + 120, 'latin1')
  const ends = (ENCODER_DELAY << 12) | Math.max(0, Math.min(4095, padding))
  frame.writeUIntBE(ends, tag + 141, 3)
}
