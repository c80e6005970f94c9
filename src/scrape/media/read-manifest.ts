// Parses stream manifests into the parts to fetch. Runs in the media child only: a hostile manifest can expand to
// millions of parts.
import type {
  ReadManifestReply,
  ReadManifestRequest,
  Rendition,
  StreamSegment,
  StreamVariant,
} from './media-child-messages.ts'

/** More than a day of two-second parts. */
const MAX_PARTS = 50_000
const MAX_SECONDS = 24 * 3600
const AES_128 = 'AES-128'
/** Key formats where the key is the plain bytes at its URL. */
const PLAIN_KEY_FORMATS = new Set(['', 'identity'])

export class BadManifestError extends Error {}

export async function readManifest({ kind, text, url }: ReadManifestRequest): Promise<ReadManifestReply> {
  return kind === 'hls' ? readHls(text, url) : readDash(text, url)
}

async function readHls(text: string, base: string): Promise<ReadManifestReply> {
  if (!text.trimStart().startsWith('#EXTM3U')) throw new BadManifestError('it is not an HLS playlist')
  if (countOf(text, '#EXTINF') > MAX_PARTS) throw new BadManifestError(`it lists more than ${MAX_PARTS} parts`)
  const { default: HLS } = await import('hls-parser')
  HLS.setOptions({ strictMode: false, silent: true })
  let playlist: ReturnType<typeof HLS.parse>
  try {
    playlist = HLS.parse(text)
  } catch (error) {
    throw new BadManifestError((error as Error).message.slice(0, 200))
  }
  if (playlist.isMasterPlaylist) {
    const { variants = [], sessionKeyList = [] } = playlist as unknown as HlsMaster
    return {
      variants: variants.filter(({ isIFrameOnly }) => !isIFrameOnly).map((one) => variantOf(one, base)),
      pictures: [],
      sounds: [],
      protected: sessionKeyList.some(isProtected),
      live: false,
    }
  }
  const { segments, endlist, playlistType } = playlist as unknown as HlsMedia
  const parts: StreamSegment[] = []
  let lastMap: string | undefined
  let seconds = 0
  for (const segment of segments) {
    if (segment.gap) continue
    const { map } = segment
    const mapName = map ? `${map.uri} ${map.byterange?.offset ?? ''}` : undefined
    if (map && mapName !== lastMap)
      parts.push({
        url: resolveUrl(map.uri, base),
        seconds: 0,
        ...rangeOf(map.byterange),
        ...lockOf(segment, base, true),
      })
    lastMap = mapName
    seconds += segment.duration || 0
    parts.push({
      url: resolveUrl(segment.uri, base),
      seconds: segment.duration || 0,
      ...rangeOf(segment.byterange),
      ...lockOf(segment, base, false),
    })
  }
  checkLength(seconds)
  const all: Rendition = { parts, seconds, bandwidth: 0, height: 0, codecs: '' }
  return {
    pictures: [all],
    sounds: [],
    protected: segments.some(({ key }) => key !== undefined && key !== null && isProtected(key)),
    live: !endlist && playlistType !== 'VOD',
  }
}

interface HlsKey {
  method: string
  uri?: string
  iv?: ArrayBuffer | Uint8Array
  format?: string
}
interface HlsRange {
  length: number
  offset: number
}
interface HlsSegment {
  uri: string
  duration: number
  byterange?: HlsRange
  mediaSequenceNumber: number
  key?: HlsKey | null
  map?: { uri: string; byterange?: HlsRange } | null
  gap?: boolean
}
interface HlsMedia {
  segments: HlsSegment[]
  endlist: boolean
  playlistType?: string
}
interface HlsSound {
  uri?: string
  isDefault: boolean
  autoselect: boolean
}
interface HlsVariant {
  uri: string
  isIFrameOnly?: boolean
  bandwidth: number
  codecs?: string
  resolution?: { height: number }
  audio?: HlsSound[]
}
interface HlsMaster {
  variants: HlsVariant[]
  sessionKeyList?: HlsKey[]
}

function variantOf({ uri, bandwidth, codecs, resolution, audio = [] }: HlsVariant, base: string): StreamVariant {
  const sound = audio.find(({ isDefault }) => isDefault) ?? audio.find(({ autoselect }) => autoselect) ?? audio[0]
  return {
    url: resolveUrl(uri, base),
    bandwidth: bandwidth || 0,
    height: resolution?.height ?? 0,
    codecs: codecs ?? '',
    ...(sound?.uri ? { soundUrl: resolveUrl(sound.uri, base) } : {}),
  }
}

const isProtected = ({ method, format = '' }: HlsKey): boolean =>
  method !== 'NONE' && (method !== AES_128 || !PLAIN_KEY_FORMATS.has(format))

const rangeOf = (given: HlsRange | undefined): Pick<StreamSegment, 'range'> =>
  given ? { range: { start: given.offset, end: given.offset + given.length - 1 } } : {}

/** Without an explicit IV, the sequence number is the IV; a header is encrypted only with an explicit one. */
function lockOf(
  { key, mediaSequenceNumber }: HlsSegment,
  base: string,
  isHeader: boolean,
): Pick<StreamSegment, 'lock'> {
  if (!key || key.method !== AES_128 || !key.uri || (isHeader && !key.iv)) return {}
  const iv = key.iv
    ? Buffer.from(key.iv as Uint8Array).toString('hex')
    : mediaSequenceNumber.toString(16).padStart(32, '0')
  return { lock: { keyUrl: resolveUrl(key.uri, base), iv } }
}

interface DashSegment {
  resolvedUri: string
  duration: number
  byterange?: HlsRange
  map?: { resolvedUri?: string; uri?: string; byterange?: HlsRange }
}
interface DashPlaylist {
  attributes?: { BANDWIDTH?: number; RESOLUTION?: { height?: number }; CODECS?: string }
  segments?: DashSegment[]
  resolvedUri?: string
  sidx?: { resolvedUri?: string }
  contentProtection?: object
  endList?: boolean
}

async function readDash(text: string, base: string): Promise<ReadManifestReply> {
  if (!/<MPD[\s>]/.test(text)) throw new BadManifestError('it is not a DASH manifest')
  checkPromisedParts(text)
  // The package has no types.
  const { parse } = (await import('mpd-parser' as string)) as { parse(text: string, options: object): DashManifest }
  let manifest: DashManifest
  try {
    manifest = parse(text, { manifestUri: base })
  } catch (error) {
    throw new BadManifestError((error as Error).message.slice(0, 200))
  }
  const pictures = manifest.playlists ?? []
  const sounds = Object.values(manifest.mediaGroups?.AUDIO ?? {})
    .flatMap((group) => Object.values(group))
    .sort((a, b) => Number(b.default ?? false) - Number(a.default ?? false))
    .flatMap(({ playlists = [] }) => playlists)
  return {
    pictures: pictures.map((one) => dashRendition(one, base)),
    sounds: sounds.map((one) => dashRendition(one, base)),
    protected: [...pictures, ...sounds].some(({ contentProtection }) => contentProtection !== undefined),
    live: /<MPD[^>]*type\s*=\s*["']dynamic/.test(text),
  }
}

interface DashManifest {
  playlists?: DashPlaylist[]
  mediaGroups?: { AUDIO?: Record<string, Record<string, { default?: boolean; playlists?: DashPlaylist[] }>> }
}

function dashRendition({ attributes = {}, segments = [], resolvedUri, sidx }: DashPlaylist, base: string): Rendition {
  if (segments.length > MAX_PARTS) throw new BadManifestError(`it lists more than ${MAX_PARTS} parts`)
  const parts: StreamSegment[] = []
  let lastMap: string | undefined
  let seconds = 0
  for (const { resolvedUri: url, duration, byterange, map } of segments) {
    const mapUrl = map ? resolveUrl(map.resolvedUri ?? map.uri ?? '', base) : undefined
    if (map && mapUrl && mapUrl !== lastMap && mapUrl !== url) {
      parts.push({ url: mapUrl, seconds: 0, ...rangeOf(map.byterange) })
      lastMap = mapUrl
    }
    seconds += duration || 0
    parts.push({ url: resolveUrl(url, base), seconds: duration || 0, ...rangeOf(byterange) })
  }
  checkLength(seconds)
  // A single indexed file is the whole stream.
  const whole = sidx?.resolvedUri ?? (segments.length === 0 ? resolvedUri : undefined)
  const { BANDWIDTH: bandwidth = 0, RESOLUTION: { height = 0 } = {}, CODECS: codecs = '' } = attributes
  return {
    parts: whole ? [{ url: resolveUrl(whole, base), seconds }] : wholeFiles(parts),
    seconds,
    bandwidth,
    height,
    codecs,
  }
}

function wholeFiles(parts: StreamSegment[]): StreamSegment[] {
  const urls = new Set(parts.map(({ url }) => url))
  if (urls.size !== 1 || parts.length === 0) return parts
  return [{ url: parts[0]!.url, seconds: parts.reduce((sum, { seconds }) => sum + seconds, 0) }]
}

/** Rejects excessive part counts before parsing, such as one-millisecond parts over a year. */
function checkPromisedParts(text: string): void {
  const seconds = isoSeconds(/mediaPresentationDuration\s*=\s*["']([^"']{1,60})/.exec(text)?.[1])
  checkLength(seconds)
  for (const [tag] of text.matchAll(/<SegmentTemplate\b[^>]{0,2000}/g)) {
    const duration = Number(/\bduration\s*=\s*["'](\d+)/.exec(tag)?.[1] ?? 0)
    const timescale = Number(/\btimescale\s*=\s*["'](\d+)/.exec(tag)?.[1] ?? 1)
    if (duration > 0 && seconds / (duration / timescale) > MAX_PARTS)
      throw new BadManifestError(`it declares more than ${MAX_PARTS} parts`)
  }
  let repeats = 0
  for (const [, count] of text.matchAll(/<S\b[^>]{0,300}?\br\s*=\s*["'](\d+)/g)) repeats += Number(count)
  if (repeats > MAX_PARTS) throw new BadManifestError(`it declares more than ${MAX_PARTS} parts`)
}

function checkLength(seconds: number): void {
  if (seconds > MAX_SECONDS) throw new BadManifestError(`it declares a length of ${Math.round(seconds / 3600)} hours`)
}

function isoSeconds(text = ''): number {
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] =
    /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(text) ?? []
  return Number(days) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

function resolveUrl(address: string, base: string): string {
  try {
    return new URL(address, base).href
  } catch {
    throw new BadManifestError('it names an address that is none')
  }
}

function countOf(text: string, word: string): number {
  let count = 0
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) count += 1
  return count
}
