// Media types for formats.
import type { AudioOrVideo, FoundMedia } from '../../understanding/media/find-media.ts'
import type { FoundTranscripts } from '../../understanding/media/find-transcripts.ts'
import type { Transcript } from './transcript.ts'

export interface MediaDetails {
  contentType: string
  bytes: number
  duration: number
  codecs: readonly string[]
  width?: number
  height?: number
  poster?: string
  source: string
  expiresAt: string
}

export interface TakenMedia {
  link: string
  details: MediaDetails
  steps: object[]
}

export interface PageMedia {
  take(want: AudioOrVideo, found: FoundMedia, signal: AbortSignal): Promise<TakenMedia>
  transcript(found: FoundTranscripts, language: string | undefined, signal: AbortSignal): Promise<Transcript>
}
