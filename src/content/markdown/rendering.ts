// State shared by tag handlers, and their interface.
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
  fresh: boolean
  /** Inside an item of a tight list: no blank line before it. */
  inItem: boolean
  /** Directly follows a list of the same kind, so it needs other markers to stay separate. */
  twin: boolean
}

export interface Rendering {
  readonly writer: Writer
  readonly cuts: Cuts
  readonly resolve: ResolveLink
  readonly removeBase64Images: boolean
  readonly lists: ListState[]
  listEnd: { at: number; sign: string } | undefined
  table: { rows: Cell[][]; caption: string } | undefined
  readonly images: Set<string>
  readonly title: Element | undefined
  readonly posts: ReadonlySet<Element> | undefined
  postSeen: boolean
  inTitle: boolean
  /** Ids targeted by note references, with their labels. */
  readonly notes: Map<string, string>
  kindOfTable(table: Element): TableKind
}

export type Leave = () => void
export const SKIP = Symbol('skip')
export type Enter = (element: Element, rendering: Rendering) => Leave | typeof SKIP | undefined
