// The media child process: parses manifests and makes files, one order at a time. A crash loses only the current item.
import { Problem } from '../../base/problem.ts'
import type { MediaOrder, MediaReply } from './child-messages.ts'
import { UndecodableSound } from './decode-audio.ts'
import { BadManifest, readManifest } from './manifest.ts'
import { makeMedia, UnusableMedia } from './remux.ts'

async function answer(order: MediaOrder): Promise<MediaReply<unknown>> {
  try {
    return { made: order.do === 'manifest' ? await readManifest(order) : await makeMedia(order) }
  } catch (error) {
    if (error instanceof Problem) return { problem: error.toJSON() }
    if (error instanceof UnusableMedia) return { unfit: error.message, denied: error.denied }
    if (error instanceof BadManifest || error instanceof UndecodableSound) return { unfit: error.message }
    return { unfit: `it cannot be read (${error instanceof Error ? error.message.slice(0, 200) : 'unknown'})` }
  }
}

process.on('message', (order: MediaOrder) => {
  void answer(order).then((reply) => process.send?.(reply))
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
