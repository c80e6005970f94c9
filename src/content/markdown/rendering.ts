// What the tables of tags share while a page is written, and the contract of a tag. No behaviour lives here.
import type { Element } from 'domhandler'
import type { ResolveLink } from '../address.ts'
import type { Cuts } from '../main-content.ts'
import type { Cell, TableKind } from './tables.ts'
import type { Writer } from './writer.ts'

export interface ListState {
  ordered: boolean
  number: number
  step: number
  tight: boolean
  /** No item of it was entered yet. */
  fresh: boolean
  /** The list stands in an item of a tight list: no blank line before it. */
  inItem: boolean
  /** It follows a list of its own kind at once, and takes other markers lest the two be read as one. */
  twin: boolean
}

/** What the tags share while a page is written. */
export interface Rendering {
  readonly writer: Writer
  readonly cuts: Cuts
  readonly resolve: ResolveLink
  readonly removeBase64Images: boolean
  readonly lists: ListState[]
  /** Where the last list ended, and the markers it had. */
  listEnd: { at: number; sign: string } | undefined
  /** The rows of the data table being read; undefined outside one. */
  table: { rows: Cell[][]; caption: string } | undefined
  /** Images written so far: a <noscript> twin is not written again. */
  readonly images: Set<string>
  /** Written already, before all else. */
  readonly title: Element | undefined
  readonly posts: ReadonlySet<Element> | undefined
  postSeen: boolean
  /** The title is being written: it leads nowhere. */
  inTitle: boolean
  /** Ids that a note reference pointed at, with their labels. */
  readonly notes: Map<string, string>
  kindOfTable(table: Element): TableKind
}

/** What to do when an element ends. */
export type Leave = () => void
/** Said by a tag that has written all there is: its children are not visited. */
export const SKIP = Symbol('skip')
export type Enter = (element: Element, rendering: Rendering) => Leave | typeof SKIP | undefined
