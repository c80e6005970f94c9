// Interface of readers: convert decoded text of one media-type family to a tree.
import type { Document } from 'domhandler'

export interface FileReading {
  tree: Document
  markdown?: string
  warnings: readonly string[]
}

export interface MediaTypeReader {
  readonly name: string
  /** `type`: sniffed media type; `head`: start of the decoded text. */
  reads(type: string, head: string): boolean
  read(text: string, type: string): FileReading
}
