// What is kept of a page while its things are made whole, and the posts that were found in it.
import type { MainReading } from './features.ts'
import type { Outline } from './outline.ts'
import type { Title } from './title.ts'

export interface Whole {
  outline: Outline
  reading: MainReading
  keep: Uint8Array
  title: Title | undefined
  /** Media that stay whatever the text beside them does, by their number. */
  pictures: Set<number>
}

export interface Thread {
  /** The elements of posts, in order. */
  posts: number[]
  /** Blocks that were kept only because they say who wrote a post, and when. */
  bylines: number[]
}
