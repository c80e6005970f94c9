// The contract of a reader: decoded text of one family of types → a tree, from which everything else is made. A reader
// knows its format; it does not know markdown, options or where the bytes came from.
import type { Document } from 'domhandler'

export interface FileReading {
  tree: Document
  /** Set where the text already is what markdown should be: plain text, markdown itself. */
  markdown?: string
  warnings: readonly string[]
}

export interface Reader {
  readonly name: string
  /** `type` is the sniffed media type, `head` the beginning of the decoded text. */
  reads(type: string, head: string): boolean
  read(text: string, type: string): FileReading
}
