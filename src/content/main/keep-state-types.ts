// Types of the passes that correct which blocks are kept: their shared state, and the posts of a thread.
import type { PageAnalysis } from './block-features.ts'
import type { PageTitle } from './find-page-title.ts'
import type { FlatPage } from './flatten-page.ts'

export interface KeepState {
  outline: FlatPage
  reading: PageAnalysis
  keep: Uint8Array
  title: PageTitle | undefined
  pictures: Set<number>
}

export type PostsAndBylines = { posts: number[]; bylines: number[] }
