// State shared by tag handlers, and their interface.
import type { Element } from 'domhandler'
import type { RemovedNodes } from '../find-main-content.ts'
import type { ResolveLink } from '../resolve-links.ts'
import type { MarkdownWriter } from './markdown-writer.ts'
import type { MarkdownCell, TableKind } from './tables.ts'

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

export interface MarkdownRenderState {
  readonly writer: MarkdownWriter
  readonly cuts: RemovedNodes
  readonly resolve: ResolveLink
  readonly removeBase64Images: boolean
  readonly lists: ListState[]
  listEnd: { at: number; sign: string } | undefined
  table: { rows: MarkdownCell[][]; caption: string } | undefined
  readonly images: Set<string>
  readonly title: Element | undefined
  readonly posts: ReadonlySet<Element> | undefined
  postSeen: boolean
  inTitle: boolean
  /** Ids targeted by note references, with their labels. */
  readonly notes: Map<string, string>
  kindOfTable(table: Element): TableKind
}

export type LeaveElement = () => void
export const SKIP_ELEMENT = Symbol('skip')
export type TagHandler = (
  element: Element,
  rendering: MarkdownRenderState,
) => LeaveElement | typeof SKIP_ELEMENT | undefined
