// Media types for formats.
import type { FoundMedia, MediaKind } from '../../understanding/media/find-media.ts'

export interface TakenMedia {
  link: string
  details: object
  steps: object[]
}

export interface PageMedia {
  take(want: MediaKind, found: FoundMedia, signal: AbortSignal): Promise<TakenMedia>
}
