// Decodes audio to MP3 in pieces, so that hours of it never are in memory at once.
import { createRequire } from 'node:module'
import type { EncodedPacket, InputAudioTrack } from 'mediabunny'
import { MP3_SAMPLE_RATES, type Mp3Writer, openMp3Writer } from './mp3.ts'

const PIECE_SECONDS = 20
const LEAD_PACKETS = 3
/** A shorter gap becomes silence; a longer one is a clock jump. */
const MAX_GAP_SECONDS = 60
const MAX_SECONDS = 12 * 3600

export class UndecodableAudioError extends Error {}
/** The sound can be decoded by a library whose path was not given. */
export class MissingAudioDecoderError extends Error {}

type Channels = Float32Array[]
interface Decoder {
  rate: number
  decode(packets: EncodedPacket[]): Promise<Channels>
}

export async function convertAudioToMp3(
  track: InputAudioTrack,
  path: string,
  decoderLibrary: string | undefined,
): Promise<number> {
  const { EncodedPacketSink } = await import('mediabunny')
  const decoder = await decoderFor(track, decoderLibrary)
  const { rate } = decoder
  const width = (await track.getNumberOfChannels()) > 1 ? 2 : 1
  const writer = await openMp3Writer(path, rate, width)
  // Encoders pad the last packet; use the duration in the metadata when present.
  const ends = (await track.getDurationFromMetadata()) ?? Number.POSITIVE_INFINITY
  try {
    const piece: EncodedPacket[] = []
    let lead: EncodedPacket[] = []
    let written = 0
    let origin: number | undefined
    let seconds = 0
    const flush = async () => {
      if (piece.length === 0) return
      // In samples; those before zero are encoder delay and are dropped.
      origin ??= Math.min(0, piece[0]!.timestamp) === 0 ? piece[0]!.timestamp : 0
      const starts = Math.round((piece[0]!.timestamp - origin) * rate)
      const all = await decoder.decode([...lead, ...piece])
      const leadSeconds = lead.reduce((sum, { duration }) => sum + duration, 0)
      let sound = mixChannels(all, width).map((channel) => channel.subarray(Math.round(leadSeconds * rate)))
      if (starts < 0) sound = sound.map((channel) => channel.subarray(-starts))
      const hole = starts - written
      if (hole > rate / 50 && hole < MAX_GAP_SECONDS * rate) {
        await silence(writer, hole, width)
        written += hole
      }
      const over = written + (sound[0]?.length ?? 0) - Math.round(ends * rate)
      if (over > 0 && over < rate / 5) sound = sound.map((channel) => channel.subarray(0, channel.length - over))
      written += sound[0]?.length ?? 0
      if (written > MAX_SECONDS * rate) throw new UndecodableAudioError('it is longer than twelve hours')
      await writer.add(sound)
      lead = piece.slice(-LEAD_PACKETS)
      piece.length = 0
      seconds = 0
    }
    for await (const packet of new EncodedPacketSink(track).packets()) {
      piece.push(packet)
      seconds += packet.duration
      if (seconds >= PIECE_SECONDS || piece.length >= 4000) await flush()
    }
    await flush()
    return await writer.finish()
  } finally {
    await writer.close()
  }
}

async function silence(writer: Mp3Writer, samples: number, width: number): Promise<void> {
  const block = 65_536
  for (let left = samples; left > 0; left -= block) {
    const quiet = new Float32Array(Math.min(block, left))
    await writer.add(Array.from({ length: width }, () => quiet))
  }
}

/** Downmixes to one or two channels; the centre goes to both sides. */
function mixChannels(channels: Channels, width: number): Channels {
  if (channels.length === width) return channels
  if (channels.length === 1) return [channels[0]!, channels[0]!]
  const [left = new Float32Array(0), right = left, centre] = channels
  if (width === 1) return [left.map((sample, at) => (sample + right[at]!) / 2)]
  if (!centre || channels.length < 3) return [left, right]
  const mix = (side: Float32Array) =>
    side.map((sample, at) => Math.max(-1, Math.min(1, 0.6 * sample + 0.4 * centre[at]!)))
  return [mix(left), mix(right)]
}

async function decoderFor(track: InputAudioTrack, library: string | undefined): Promise<Decoder> {
  const codec = await track.getCodec()
  if (codec === 'opus') return opusDecoder(track)
  if (codec && (CONTAINER_FORMATS.has(codec) || codec.startsWith('pcm-'))) {
    if (library === undefined) throw new MissingAudioDecoderError(codec)
    return pieceDecoder(track, codec, library)
  }
  throw new UndecodableAudioError(`sound in ${codec ?? 'an unknown codec'} cannot be decoded here`)
}

/** The container format in which packets of each codec are wrapped, since the decoder library reads only files. */
const CONTAINER_FORMATS = new Map<string, () => Promise<new () => object>>([
  ['aac', async () => (await import('mediabunny')).AdtsOutputFormat as never],
  ['mp3', async () => (await import('mediabunny')).Mp3OutputFormat as never],
  ['flac', async () => (await import('mediabunny')).FlacOutputFormat as never],
  ['vorbis', async () => (await import('mediabunny')).OggOutputFormat as never],
])

interface AudioLibrary {
  NapiOfflineAudioContext: new (
    channels: number,
    length: number,
    rate: number,
  ) => {
    decodeAudioData(bytes: ArrayBuffer): Promise<{ numberOfChannels: number; getChannelData(n: number): Float32Array }>
  }
}

/** The native file of node-web-audio-api alone: its JavaScript is for playing, and needs seven packages more. */
function loadAudioLibrary(path: string): AudioLibrary {
  try {
    return createRequire(import.meta.url)(path) as AudioLibrary
  } catch (error) {
    const because = (error as Error).message.split('\n', 1)[0]
    throw new UndecodableAudioError(
      `the audio decoder cannot be loaded on this machine (${because}); set ORB_FFMPEG instead`,
    )
  }
}

async function pieceDecoder(track: InputAudioTrack, codec: string, library: string): Promise<Decoder> {
  const own = await track.getSampleRate()
  const rate = MP3_SAMPLE_RATES.includes(own) ? own : 44_100
  const { NapiOfflineAudioContext } = loadAudioLibrary(library)
  const context = new NapiOfflineAudioContext(1, 1, rate)
  const { Output, BufferTarget, EncodedAudioPacketSource, WavOutputFormat } = await import('mediabunny')
  const Format = ((await CONTAINER_FORMATS.get(codec)?.()) ?? WavOutputFormat) as typeof WavOutputFormat
  const decoderConfig = (await track.getDecoderConfig()) ?? undefined
  return {
    rate,
    async decode(packets) {
      const target = new BufferTarget()
      const output = new Output({ format: new Format(), target })
      const source = new EncodedAudioPacketSource(codec as 'aac')
      output.addAudioTrack(source)
      await output.start()
      // Consecutive timestamps: the originals may have been reset in between.
      let at = 0
      for (const packet of packets) {
        await source.add(packet.clone({ timestamp: at }), decoderConfig ? { decoderConfig } : undefined)
        at += packet.duration
      }
      await output.finalize()
      const decoded = await context.decodeAudioData(target.buffer as ArrayBuffer)
      return Array.from({ length: decoded.numberOfChannels }, (_, n) => decoded.getChannelData(n))
    },
  }
}

/** Opus always uses 48 kHz and keeps its state between packets, so it needs no warm-up. */
async function opusDecoder(track: InputAudioTrack): Promise<Decoder> {
  const { OpusDecoder } = await import('opus-decoder')
  const channels = Math.min(2, await track.getNumberOfChannels())
  const decoder = new OpusDecoder({ channels })
  await decoder.ready
  return {
    rate: 48_000,
    async decode(packets) {
      const { channelData } = decoder.decodeFrames(packets.map(({ data }) => data))
      return channelData
    },
  }
}
