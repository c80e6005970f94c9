// Resolves a manifest URL to part lists: video (or combined) and separate audio. Selects the best quality within the
// byte limit.
import type { AudioOrVideo } from '../../understanding/media/find-media.ts'
import { fetchManifestOrCaptions, type MediaFetch, type MediaHttpRequest } from './download-stream-segments.ts'
import type { ReadManifestReply, Rendition, StreamSegment, StreamVariant } from './media-child-messages.ts'
import { MediaCandidateError, type MediaChildProcess } from './media-child-process.ts'

interface StreamServices {
  want: AudioOrVideo
  fetch: MediaFetch
  worker: MediaChildProcess
  headers(url: string): MediaHttpRequest['headers']
  maxBytes: number
}

const AUDIO_CODECS = /^(?:mp4a|ac-3|ec-3|opus|flac|vorbis|mp3|\s|,|\.|[\da-f]|\d)*$/i

export async function resolveStream(
  services: StreamServices,
  url: string,
  kind: 'hls' | 'dash',
  signal: AbortSignal,
): Promise<StreamSegment[][]> {
  const manifest = await readAt(services, url, kind, signal)
  if (kind === 'dash') return dashTracks(services, manifest)
  if (!manifest.variants) return [makeWholeRendition(manifest).parts]
  return hlsTracks(services, manifest.variants, signal)
}

async function readAt(
  services: StreamServices,
  url: string,
  kind: 'hls' | 'dash',
  signal: AbortSignal,
): Promise<ReadManifestReply> {
  const answer = await fetchManifestOrCaptions(services.fetch, url, services.headers(url), signal)
  const text = new TextDecoder().decode(answer.body)
  const found = await services.worker.read({ kind, text, url: answer.url }, signal)
  if (found.protected) throw new MediaCandidateError('it is encrypted for licensed players', true)
  if (found.live) throw new MediaCandidateError('it is a live stream, which has no end')
  return found
}

async function hlsTracks(
  services: StreamServices,
  variants: StreamVariant[],
  signal: AbortSignal,
): Promise<StreamSegment[][]> {
  const playlist = async (url: string): Promise<Rendition> => {
    const found = await readAt(services, url, 'hls', signal)
    if (found.variants) throw new MediaCandidateError('its playlists lead in a circle')
    return makeWholeRendition(found)
  }
  if (variants.length === 0) throw new MediaCandidateError('its playlist lists nothing')
  if (services.want === 'audio') {
    const apart = variants.find(({ soundUrl }) => soundUrl)?.soundUrl
    const smallest = variants.toSorted((a, b) => a.bandwidth - b.bandwidth)[0]!
    return [(await playlist(apart ?? smallest.url)).parts]
  }
  const pictures = variants.filter(({ codecs, height }) => height > 0 || codecs === '' || !AUDIO_CODECS.test(codecs))
  const best = (pictures.length > 0 ? pictures : variants).toSorted(
    (a, b) => b.height - a.height || b.bandwidth - a.bandwidth,
  )
  for (const [n, variant] of best.entries()) {
    const picture = await playlist(variant.url)
    const estimate = (variant.bandwidth / 8) * picture.seconds
    if (estimate > services.maxBytes && n < best.length - 1) continue
    return variant.soundUrl ? [picture.parts, (await playlist(variant.soundUrl)).parts] : [picture.parts]
  }
  throw new MediaCandidateError('its playlist lists nothing')
}

function dashTracks(services: StreamServices, { pictures, sounds }: ReadManifestReply): StreamSegment[][] {
  const sortUsable = (all: Rendition[]) =>
    all.filter(({ parts }) => parts.length > 0).toSorted((a, b) => b.height - a.height || b.bandwidth - a.bandwidth)
  const sound = sortUsable(sounds)[0]
  const ranked = sortUsable(pictures)
  if (services.want === 'audio') {
    const only = sound ?? ranked.at(-1)
    if (!only) throw new MediaCandidateError('its manifest lists nothing')
    return [only.parts]
  }
  const fits = ranked.find(({ bandwidth, seconds }) => (bandwidth / 8) * seconds <= services.maxBytes)
  const picture = fits ?? ranked.at(-1)
  if (!picture) throw new MediaCandidateError('its manifest lists no picture')
  return sound ? [picture.parts, sound.parts] : [picture.parts]
}

function makeWholeRendition({ pictures }: ReadManifestReply): Rendition {
  const [all] = pictures
  if (!all || all.parts.length === 0) throw new MediaCandidateError('its playlist lists nothing')
  return all
}
