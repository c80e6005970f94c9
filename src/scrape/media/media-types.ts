// Media types for formats.
import type { AudioOrVideo, FoundMedia, FoundTranscripts } from '../../understanding/media/find-media.ts'
import type { Transcript } from './read-transcript.ts'

export interface MediaFileDetails {
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

export interface StoredMediaLink {
  link: string
  details: MediaFileDetails
  steps: object[]
}

export interface PageMediaFetcher {
  take(want: AudioOrVideo, found: FoundMedia, signal: AbortSignal): Promise<StoredMediaLink>
  transcript(found: FoundTranscripts, language: string | undefined, signal: AbortSignal): Promise<Transcript>
}
