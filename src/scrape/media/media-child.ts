// The media child process: parses manifests and makes files, one order at a time. A crash loses only the current item.
import { Problem } from '../../base/problem.ts'
import { MissingAudioDecoderError, UndecodableAudioError } from './convert-audio-to-mp3.ts'
import { convertMedia, UnusableMediaError } from './convert-media.ts'
import type { MediaChildReply, MediaChildRequest } from './media-child-messages.ts'
import { BadManifestError, readManifest } from './read-manifest.ts'

async function answer(order: MediaChildRequest): Promise<MediaChildReply<unknown>> {
  try {
    return { made: order.do === 'manifest' ? await readManifest(order) : await convertMedia(order) }
  } catch (error) {
    if (error instanceof MissingAudioDecoderError) return { lacks: 'audioDecoder' }
    if (error instanceof Problem) return { problem: error.toJSON() }
    if (error instanceof UnusableMediaError) return { unfit: error.message, denied: error.denied }
    if (error instanceof BadManifestError || error instanceof UndecodableAudioError) return { unfit: error.message }
    return { unfit: `it cannot be read (${error instanceof Error ? error.message.slice(0, 200) : 'unknown'})` }
  }
}

process.on('message', (order: MediaChildRequest) => {
  void answer(order).then((reply) => process.send?.(reply))
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
