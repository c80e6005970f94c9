// State shared by the passes that keep or cut whole units, and the posts found.
import type { MainReading } from './features.ts'
import type { Outline } from './outline.ts'
import type { Title } from './title.ts'

export interface KeepState {
  outline: Outline
  reading: MainReading
  keep: Uint8Array
  title: Title | undefined
  pictures: Set<number>
}

export interface ThreadBlocks {
  posts: number[]
  bylines: number[]
}
