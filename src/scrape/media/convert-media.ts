// Makes the final file: keeps playable files, remuxes streams to MP4 or WebM without re-encoding, converts audio to
// MP3.
import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import type { EncodedPacket, Input, InputAudioTrack, InputTrack, InputVideoTrack } from 'mediabunny'
import { convertAudioToMp3, UndecodableAudioError } from './convert-audio-to-mp3.ts'
import type { ConvertedMedia, ConvertMediaRequest } from './media-child-messages.ts'

export class UnusableMediaError extends Error {
  readonly denied: boolean
  constructor(message: string, denied = false) {
    super(message)
    this.denied = denied
  }
}

const PLAYABLE = new Map([
  ['MP4', 'video/mp4'],
  ['QuickTime File Format', 'video/quicktime'],
  ['WebM', 'video/webm'],
  ['Matroska', 'video/x-matroska'],
])
/** Up to this size the index goes to the front, which needs the whole file in memory. */
const MAX_IN_MEMORY_BYTES = 32 * 1024 * 1024
const WEBM_ONLY = /^(?:vp8|vorbis)$/
/** A larger timestamp jump is a clock reset, as between advertisements. */
const MAX_JUMP_BACK_SECONDS = 2
const MAX_JUMP_AHEAD_SECONDS = 30

export async function convertMedia(order: ConvertMediaRequest): Promise<ConvertedMedia> {
  const { ALL_FORMATS, FilePathSource, Input: InputFile } = await import('mediabunny')
  const inputs = order.inputs.map((path) => new InputFile({ source: new FilePathSource(path), formats: ALL_FORMATS }))
  try {
    return await (order.want === 'audio' ? makeAudio(inputs, order) : makeVideo(inputs, order))
  } catch (error) {
    if (error instanceof UnusableMediaError || !order.ffmpeg) throw error
    return byFfmpeg(order, order.ffmpeg)
  } finally {
    for (const input of inputs) input.dispose()
  }
}

async function tracksOf(inputs: Input[]): Promise<{ picture: InputVideoTrack | null; sound: InputAudioTrack | null }> {
  let picture: InputVideoTrack | null = null
  let sound: InputAudioTrack | null = null
  for (const input of inputs) {
    if (!(await input.canRead()))
      throw new UnusableMediaError('what the address holds is no audio or video that can be read')
    picture ??= await input.getPrimaryVideoTrack()
    sound ??= await input.getPrimaryAudioTrack()
  }
  return { picture, sound }
}

async function codecOf(track: InputTrack): Promise<string> {
  const codec = await track.getCodec()
  if (codec) return codec
  const inner = String(await track.getInternalCodecId())
  if (/^enc[va]$/.test(inner)) throw new UnusableMediaError('it is encrypted for licensed players', true)
  throw new UndecodableAudioError(`a codec that is not known here (${inner.slice(0, 40)})`)
}

async function makeAudio(inputs: Input[], order: ConvertMediaRequest): Promise<ConvertedMedia> {
  const { sound } = await tracksOf(inputs.toReversed())
  if (!sound) throw new UnusableMediaError('it has no sound')
  const codec = await codecOf(sound)
  const format = await sound.input.getFormat()
  if (codec === 'mp3' && format.name === 'MP3')
    return {
      path: order.inputs[inputs.indexOf(sound.input)]!,
      contentType: 'audio/mpeg',
      seconds: await sound.computeDuration(),
      codecs: ['mp3'],
      by: 'copied',
    }
  if (order.ffmpeg) return byFfmpeg(order, order.ffmpeg)
  const seconds = await convertAudioToMp3(sound, order.output, order.audioDecoder)
  return { path: order.output, contentType: 'audio/mpeg', seconds, codecs: ['mp3'], by: 'encoded' }
}

async function makeVideo(inputs: Input[], order: ConvertMediaRequest): Promise<ConvertedMedia> {
  const { picture, sound } = await tracksOf(inputs)
  if (!picture) throw new UnusableMediaError('it has no picture')
  const videoCodec = await codecOf(picture)
  const audioCodec = sound ? await codecOf(sound) : undefined
  const codecs = [videoCodec, ...(audioCodec ? [audioCodec] : [])]
  const size = { width: await picture.getDisplayWidth(), height: await picture.getDisplayHeight() }
  const container = await picture.input.getFormat()
  const playable = PLAYABLE.get(container.name)
  if (inputs.length === 1 && playable && !(await isFragmented(order.inputs[0]!))) {
    const seconds = await picture.input.computeDuration()
    return { path: order.inputs[0]!, contentType: playable, seconds, codecs, ...size, by: 'copied' }
  }
  const isWebm = codecs.some((codec) => WEBM_ONLY.test(codec))
  const seconds = await remux(picture, sound, codecs, isWebm, order)
  return {
    path: order.output,
    contentType: isWebm ? 'video/webm' : 'video/mp4',
    seconds,
    codecs,
    ...size,
    by: 'remuxed',
  }
}

/** Concatenated segments form a fragmented MP4, which some players do not open. */
async function isFragmented(path: string): Promise<boolean> {
  const { open } = await import('node:fs/promises')
  const file = await open(path, 'r')
  try {
    const head = Buffer.alloc(65_536)
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    return head.subarray(0, bytesRead).includes('mvex')
  } finally {
    await file.close()
  }
}

async function remux(
  picture: InputVideoTrack,
  sound: InputAudioTrack | null,
  codecs: string[],
  isWebm: boolean,
  order: ConvertMediaRequest,
): Promise<number> {
  const bunny = await import('mediabunny')
  const { Output, FilePathTarget, Mp4OutputFormat, WebMOutputFormat } = bunny
  const bytes = (await Promise.all(order.inputs.map(async (path) => (await stat(path)).size))).reduce((a, b) => a + b)
  const format = isWebm
    ? new WebMOutputFormat()
    : new Mp4OutputFormat({ fastStart: bytes <= MAX_IN_MEMORY_BYTES ? 'in-memory' : false })
  const output = new Output({ format, target: new FilePathTarget(order.output) })
  const video = new bunny.EncodedVideoPacketSource(codecs[0] as 'avc')
  output.addVideoTrack(video)
  const audio = sound ? new bunny.EncodedAudioPacketSource(codecs[1] as 'aac') : undefined
  if (audio) output.addAudioTrack(audio)
  await output.start()
  const starts = [await picture.getFirstTimestamp(), ...(sound ? [await sound.getFirstTimestamp()] : [])]
  // Video and audio share a clock unless they clearly differ.
  const shared = Math.max(...starts) - Math.min(...starts) < MAX_JUMP_AHEAD_SECONDS
  const [pictureStart = 0, soundStart = 0] = shared ? starts.map(() => Math.min(...starts)) : starts
  const pictures = readSteadily(picture, pictureStart)
  const sounds = sound ? readSteadily(sound, soundStart) : undefined
  const pictureMeta = { decoderConfig: (await picture.getDecoderConfig()) ?? undefined }
  const soundMeta = { decoderConfig: (await sound?.getDecoderConfig()) ?? undefined }
  let end = 0
  let nextPicture = await pictures.next()
  let nextSound = await sounds?.next()
  while (!nextPicture.done || (nextSound && !nextSound.done)) {
    const pictureAt = nextPicture.done ? Number.POSITIVE_INFINITY : nextPicture.value.timestamp
    const soundAt = !nextSound || nextSound.done ? Number.POSITIVE_INFINITY : nextSound.value.timestamp
    const packet = (pictureAt <= soundAt ? nextPicture.value : nextSound!.value) as EncodedPacket
    end = Math.max(end, packet.timestamp + packet.duration)
    if (pictureAt <= soundAt) {
      await video.add(packet, pictureMeta as never)
      nextPicture = await pictures.next()
    } else {
      await audio!.add(packet, soundMeta as never)
      nextSound = await sounds!.next()
    }
  }
  await output.finalize()
  return end
}

async function* readSteadily(track: InputTrack, start: number): AsyncGenerator<EncodedPacket> {
  const { EncodedPacketSink } = await import('mediabunny')
  let shift = -start
  let last: number | undefined
  for await (const packet of new EncodedPacketSink(track).packets()) {
    let at = packet.timestamp + shift
    if (last !== undefined && (at < last - MAX_JUMP_BACK_SECONDS || at > last + MAX_JUMP_AHEAD_SECONDS)) {
      shift += last - at
      at = last
    }
    last = Math.max(last ?? 0, at + packet.duration)
    // Packets before the start are decoder priming; a file cannot mark them per track.
    if (at < -0.5) continue
    yield packet.clone({ timestamp: Math.max(0, at) })
  }
}

/** Excludes demuxers that read other files or URLs. */
const FFMPEG_FORMATS = 'mov,mp4,m4a,matroska,webm,mpegts,ogg,mp3,flac,wav,aac,avi,flv,asf'

async function byFfmpeg({ want, inputs, output }: ConvertMediaRequest, ffmpeg: string): Promise<ConvertedMedia> {
  const given = inputs.flatMap((path) => [
    '-protocol_whitelist',
    'file',
    '-format_whitelist',
    FFMPEG_FORMATS,
    '-i',
    path,
  ])
  const how =
    want === 'audio'
      ? ['-map', `${inputs.length - 1}:a:0`, '-vn', '-c:a', 'libmp3lame', '-b:a', '128k', '-f', 'mp3']
      : ['-map', '0:v:0', '-map', `${inputs.length - 1}:a:0?`, '-c', 'copy', '-movflags', '+faststart', '-f', 'mp4']
  const args = ['-nostdin', '-v', 'error', '-y', ...given, ...how, output]
  await new Promise<void>((resolve, reject) => {
    const run = spawn(ffmpeg, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    run.stderr.on('data', (chunk) => {
      said = (said + chunk).slice(-500)
    })
    run.once('error', (error) => reject(new UnusableMediaError(`ffmpeg cannot be run (${error.message})`)))
    run.once('exit', (code) =>
      code === 0 ? resolve() : reject(new UnusableMediaError(`ffmpeg refused it: ${said.trim()}`)),
    )
  })
  const { ALL_FORMATS, FilePathSource, Input: InputFile } = await import('mediabunny')
  const result = new InputFile({ source: new FilePathSource(output), formats: ALL_FORMATS })
  try {
    const picture = want === 'video' ? await result.getPrimaryVideoTrack() : null
    const sound = await result.getPrimaryAudioTrack()
    const codecs = [await picture?.getCodec(), await sound?.getCodec()].filter((codec) => codec != null)
    return {
      path: output,
      contentType: want === 'audio' ? 'audio/mpeg' : 'video/mp4',
      seconds: await result.computeDuration(),
      codecs,
      ...(picture ? { width: await picture.getDisplayWidth(), height: await picture.getDisplayHeight() } : {}),
      by: 'ffmpeg',
    }
  } finally {
    result.dispose()
  }
}
