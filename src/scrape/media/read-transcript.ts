// The transcript of a page: the first captions that can be read.
import { Problem } from '../../base/problem.ts'
import { type CaptionCue, parseCaptionFile } from '../../content/parse-caption-file.ts'
import type { FoundTranscripts, TranscriptCandidate } from '../../understanding/media/find-media.ts'

export interface Transcript {
  language: string | null
  label: string | null
  source: string
  text: string
  cues: CaptionCue[]
}

interface TranscriptRequest {
  found: FoundTranscripts
  /** BCP 47; undefined: what the page names first. */
  language: string | undefined
  textAt(url: string): Promise<string>
}

interface Track {
  language: string | undefined
  label: string | undefined
  source: string
  files: string[]
}

const MAX_TRIES = 8
const MAX_PARTS = 2_000

export async function readTranscript({ found, language, textAt }: TranscriptRequest): Promise<Transcript> {
  const reasons: string[] = []
  const named = found.candidates.map(asTrack)
  const tracks = named.length > 0 ? named : await streamTracks(found, textAt, reasons)
  for (const track of inOrder(tracks, language).slice(0, MAX_TRIES)) {
    const cues = await cuesOf(track, textAt).catch((error: Error) => void reasons.push(error.message))
    if (!cues) continue
    const { source } = track
    const text = cues.map((cue) => cue.text).join('\n')
    return { language: track.language ?? null, label: track.label ?? null, source, text, cues }
  }
  const languages = [...new Set(tracks.flatMap((track) => track.language ?? []))]
  const because = language && languages.length > 0 ? `it has ${languages.join(', ')}, not ${language}` : reasons[0]
  throw new Problem('no_transcript', {
    because: because ?? 'the page has no captions, subtitles or transcript that can be read',
  })
}

const asTrack = ({ url, language, label }: TranscriptCandidate): Track => ({
  language,
  label,
  source: url,
  files: [url],
})

/** The language that was asked for alone; else as the page has them. */
function inOrder(tracks: readonly Track[], language: string | undefined): readonly Track[] {
  if (!language) return tracks
  const wanted = language.toLowerCase()
  const fits = ({ language: own = '' }: Track) => {
    const given = own.toLowerCase()
    return given === wanted || given.startsWith(`${wanted}-`) || wanted.startsWith(`${given}-`)
  }
  const unnamed = tracks.filter((track) => track.language === undefined)
  return [...tracks.filter((track) => track.language !== undefined && fits(track)), ...unnamed]
}

async function cuesOf({ files }: Track, textAt: TranscriptRequest['textAt']): Promise<CaptionCue[]> {
  const cues: CaptionCue[] = []
  for (const file of files) {
    const read = parseCaptionFile(await textAt(file))
    if (!read) throw new Error('its captions are in a form that is not known')
    for (const cue of read) cues.push(cue)
  }
  if (cues.length === 0) throw new Error('its captions are empty')
  return cues
}

async function streamTracks(
  { media }: FoundTranscripts,
  textAt: TranscriptRequest['textAt'],
  reasons: string[],
): Promise<Track[]> {
  const tracks: Track[] = []
  for (const { url, form } of media.candidates.filter(({ form }) => form === 'hls' || form === 'dash').slice(0, 3)) {
    try {
      const manifest = await textAt(url)
      tracks.push(...(form === 'hls' ? await hlsTracks(manifest, url, textAt) : dashTracks(manifest, url)))
    } catch (error) {
      reasons.push((error as Error).message)
    }
  }
  return tracks
}

async function hlsTracks(manifest: string, base: string, textAt: TranscriptRequest['textAt']): Promise<Track[]> {
  const tracks: Track[] = []
  for (const line of manifest.split(/\r?\n/)) {
    if (!line.startsWith('#EXT-X-MEDIA:') || !/\bTYPE=SUBTITLES\b/.test(line)) continue
    const value = (name: string) => new RegExp(`[:,]${name}="([^"]*)"`).exec(line)?.[1]
    const uri = value('URI')
    if (!uri || tracks.length >= MAX_TRIES) continue
    const source = new URL(uri, base).href
    const list = await textAt(source)
    const files = list.startsWith('#EXTM3U')
      ? list.split(/\r?\n/).filter((one) => one.trim() !== '' && !one.startsWith('#'))
      : [source]
    if (files.length > MAX_PARTS) continue
    const absolute = files.map((file) => new URL(file.trim(), source).href)
    tracks.push({ language: value('LANGUAGE'), label: value('NAME'), source, files: absolute })
  }
  return tracks
}

/** Captions in one file; those in the boxes of MP4 are not read. */
function dashTracks(manifest: string, base: string): Track[] {
  const tracks: Track[] = []
  for (const part of manifest.split('<AdaptationSet').slice(1, 200)) {
    const set = part.split('</AdaptationSet>', 1)[0] ?? ''
    const file = /<BaseURL[^>]*>([^<]+)<\/BaseURL>/.exec(set)?.[1]?.trim()
    if (!file || !/(?:mimeType="(?:text\/vtt|application\/ttml\+xml)"|contentType="text")/.test(set)) continue
    const source = new URL(file.replaceAll('&amp;', '&'), base).href
    const language = /\blang="([^"]+)"/.exec(set)?.[1]
    tracks.push({ language, label: undefined, source, files: [source] })
  }
  return tracks
}
