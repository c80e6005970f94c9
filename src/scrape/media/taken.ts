// Media as they are given to formats: what was fetched, and who fetches it.
import type { FoundMedia, MediaKind } from '../../understanding/media/find-media.ts'

export interface TakenMedia {
  link: string
  details: object
  steps: object[]
}

export interface PageMedia {
  take(want: MediaKind, found: FoundMedia, signal: AbortSignal): Promise<TakenMedia>
}
