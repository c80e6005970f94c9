// The recording of a session as video: one fragmented MP4 for each of its pages, all in one file, and HLS playlists
// that name byte ranges of it.

import { abortAfter } from '../../base/abort-after.ts'
import { type Clock, HOUR_MS } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import { type EncodedVideo, VIDEO_SEGMENT_MS } from '../../fetch/chrome/encode-video.ts'
import type { LiveSessionPool } from '../../fetch/live-session-pool.ts'
import type { Store } from '../../store/index.ts'
import type { RecordedPage, RecordingData } from './session-recording.ts'
import { type SessionRow, sessionStore } from './store/index.ts'

type VideoPart = { offset: number; bytes: number }

/** One page: the header of its MP4, and its segments. */
interface PageVideo {
  head: VideoPart
  segments: (VideoPart & { ms: number })[]
}

type Replay = { blobId: string; videos: PageVideo[]; expiresAt: number }

const LINKS_MS = 6 * HOUR_MS
/** Calls share the making of a video, so that it does not end with the caller who began it. */
const VIDEO_TIMEOUT_MS = 120_000
/** A video with less life left is made again. */
const MIN_REMAINING_LIFE_MS = 600_000

export type RecordingVideos = ReturnType<typeof openRecordingVideos>

export function openRecordingVideos({ store, live, clock }: { store: Store; live: LiveSessionPool; clock: Clock }) {
  const making = new Map<string, Promise<Replay>>()
  return {
    pages: async (row: SessionRow) => pagesOf(await readFilm(store, row)),
    async video(row: SessionRow) {
      const film = await readFilm(store, row)
      const made = await sessionStore(store).replay(row.id)
      const known = made && { blobId: made.blobId, ...(JSON.parse(made.index) as Omit<Replay, 'blobId'>) }
      if (known && known.expiresAt - clock.now() > MIN_REMAINING_LIFE_MS) return known
      const begun =
        making.get(row.id) ??
        make({ store, live, clock }, row, film, abortAfter(VIDEO_TIMEOUT_MS)).finally(() => making.delete(row.id))
      making.set(row.id, begun)
      return begun
    },
  }
}

const NOT_KEPT =
  'This session has no recording: it was not recorded, no page was shown in it, or the recording is no longer stored.'

async function readFilm(store: Store, { state, recording }: SessionRow): Promise<RecordingData> {
  if (recording !== null && state === 'active')
    throw new Problem('not_found', { instead: 'The recording can be played once the session has ended.' })
  const bytes = recording ? await store.blobs.read(recording) : undefined
  const film = bytes && (JSON.parse(Buffer.from(bytes).toString()) as RecordingData)
  if (!film || film.frames.length === 0) throw new Problem('not_found', { instead: NOT_KEPT })
  return film
}

/** Pages with at least one picture, with the pictures' index of the page. */
function shownPages({ frames, ms, pages = [{ url: '', from: 0, to: ms }] }: RecordingData) {
  return pages.flatMap((page, index) => {
    const shown = frames.filter(([, , of = 0]) => of === index)
    return shown.length > 0 ? [{ page, shown }] : []
  })
}

const pagesOf = (film: RecordingData): RecordedPage[] =>
  shownPages(film).map(({ page, shown }) => ({ ...page, from: shown[0]![0] }))

async function make(
  { store, live, clock }: { store: Store; live: LiveSessionPool; clock: Clock },
  { id, teamId }: SessionRow,
  film: RecordingData,
  signal: AbortSignal,
): Promise<Replay> {
  const parts: Uint8Array[] = []
  const videos: PageVideo[] = []
  let offset = 0
  for (const { page, shown } of shownPages(film)) {
    const start = shown[0]![0]
    const pictures = shown.map(([at, jpeg]) => ({ atMs: at - start, jpeg: Buffer.from(jpeg, 'base64') }))
    const endMs = Math.max(page.to - start, (pictures.at(-1)?.atMs ?? 0) + 1)
    const encoded = await live.encode(pictures, { team: teamId, endMs }, signal)
    const { file, video } = await muxVideo(encoded, offset, endMs)
    parts.push(file)
    videos.push(video)
    offset += file.length
  }
  const expiresAt = clock.now() + LINKS_MS
  const facts = { contentType: 'video/mp4', teamId, expiresAt }
  const { id: blobId } = await store.blobs.put(Buffer.concat(parts), facts)
  await sessionStore(store).setReplay(id, { blobId, index: JSON.stringify({ videos, expiresAt }) })
  return { blobId, videos, expiresAt }
}

async function muxVideo(
  { codec, decoder, packets }: EncodedVideo,
  offset: number,
  endMs: number,
): Promise<{ file: Uint8Array; video: PageVideo }> {
  const { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } = await import('mediabunny')
  const starts: { at: number; ms: number }[] = []
  let end = 0
  const format = new Mp4OutputFormat({
    fastStart: 'fragmented',
    // A fragment ends at the first key frame after this time.
    minimumFragmentDuration: (VIDEO_SEGMENT_MS - 1000) / 1000,
    onMoof: (_, at, seconds) => void starts.push({ at, ms: Math.round(seconds * 1000) }),
    onMdat: (data, at) => {
      end = at + data.length
    },
  })
  const target = new BufferTarget()
  const output = new Output({ format, target })
  const source = new EncodedVideoPacketSource(codec)
  output.addVideoTrack(source)
  await output.start()
  for (const { isKey, atMs, durationMs, bytes } of packets)
    await source.add(new EncodedPacket(bytes, isKey ? 'key' : 'delta', atMs / 1000, durationMs / 1000), {
      decoderConfig: decoder,
    })
  await output.finalize()
  const first = starts[0]?.at ?? 0
  const video = {
    head: { offset, bytes: first },
    segments: starts.map(({ at, ms }, index) => ({
      offset: offset + at,
      bytes: (starts[index + 1]?.at ?? end) - at,
      ms: (starts[index + 1]?.ms ?? endMs) - ms,
    })),
  }
  return { file: new Uint8Array(target.buffer!), video }
}

/** RFC 8216. */
export function writePlaylist({ head, segments }: PageVideo, url: string): string {
  const longest = Math.max(...segments.map(({ ms }) => ms))
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.ceil(longest / 1000)}`,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MAP:URI="${url}",BYTERANGE="${head.bytes}@${head.offset}"`,
    ...segments.flatMap(({ offset, bytes, ms }) => [
      `#EXTINF:${(ms / 1000).toFixed(3)},`,
      `#EXT-X-BYTERANGE:${bytes}@${offset}`,
      url,
    ]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n')
}
