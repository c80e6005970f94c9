// Converts a tree to markdown in one iterative walk. Tag handlers are in blocks.ts and render-inline-elements.ts.
import { type AnyNode, type Element, Text } from 'domhandler'
import { isLoadingMessage } from '../detect-loading-messages.ts'
import type { RemovedNodes } from '../find-main-content.ts'
import { isElement, isText } from '../parse-tree.ts'
import type { ResolveLink } from '../resolve-links.ts'
import { MarkdownWriter } from './markdown-writer.ts'
import { blockTagHandlers, endHeading } from './render-block-elements.ts'
import { inlineTagHandlers } from './render-inline-elements.ts'
import { renderNoscriptImage, writeFormula } from './render-media.ts'
import { classifyTables, type TableKind } from './tables.ts'
import { type LeaveElement, type MarkdownRenderState, SKIP_ELEMENT, type TagHandler } from './tag-handler.ts'
import { mayContainTex, splitAtTex, texOfScript } from './tex-formulas.ts'

interface MarkdownOptions {
  roots: readonly AnyNode[]
  cuts: RemovedNodes
  resolve: ResolveLink
  removeBase64Images: boolean
  title?: Element
  heading?: string
  posts?: ReadonlySet<Element>
}

const TAGS: ReadonlyMap<string, TagHandler> = new Map([...blockTagHandlers, ...inlineTagHandlers])

const BLOCKS: ReadonlySet<string> = new Set(blockTagHandlers.map(([name]) => name))

export function toMarkdown(options: MarkdownOptions): string {
  const { roots, cuts, resolve, removeBase64Images, title, heading, posts } = options
  let kinds: Map<Element, TableKind> | undefined
  const laidOut = tablesAround(posts)
  const rendering: MarkdownRenderState = {
    writer: new MarkdownWriter(),
    cuts,
    resolve,
    removeBase64Images,
    lists: [],
    listEnd: undefined,
    table: undefined,
    images: new Set(),
    title,
    posts,
    postSeen: false,
    inTitle: false,
    notes: new Map(),
    kindOfTable(table) {
      if (laidOut.has(table)) return 'layout'
      if (!kinds) {
        kinds = new Map()
        for (const root of roots) for (const [one, kind] of classifyTables(root, cuts)) kinds.set(one, kind)
      }
      return kinds.get(table) ?? 'layout'
    },
  }
  if (title) writeTitle(title.children, rendering)
  else if (heading !== undefined) writeTitle([new Text(heading)], rendering)
  for (const root of roots) {
    walk(root, rendering)
    rendering.writer.boundary()
  }
  return rendering.writer.toString()
}

/** Old forums lay out threads in tables; tables that are or contain a post are not data. */
function tablesAround(posts: ReadonlySet<Element> | undefined): ReadonlySet<AnyNode> {
  const around = new Set<AnyNode>()
  for (const post of posts ?? [])
    for (let up: AnyNode | null = post; up && !around.has(up); up = up.parent) around.add(up)
  return around
}

function walk(root: AnyNode, rendering: MarkdownRenderState): void {
  const { cuts } = rendering
  const leaves: LeaveElement[] = []
  const owners: AnyNode[] = []
  let node: AnyNode = root
  for (;;) {
    let first: AnyNode | undefined
    if (isText(node)) {
      if (!cuts.has(node)) writeText(node.data, rendering)
    } else if (isElement(node)) {
      if (node !== root && (cuts.has(node) || node === rendering.title || isLoadingMessage(node)))
        writeCut(node, rendering)
      else {
        if (rendering.posts?.has(node)) beginPost(rendering)
        const enter = TAGS.get(node.name)
        const leave = enter ? enter(node, rendering) : unknownTag(node, rendering)
        if (leave !== SKIP_ELEMENT) {
          first = node.children[0]
          if (leave) {
            leaves.push(leave)
            owners.push(node)
          }
        }
      }
    } else if ('children' in node) first = node.children[0]
    if (first) {
      node = first
      continue
    }
    for (;;) {
      if (owners.length > 0 && owners[owners.length - 1] === node) {
        owners.pop()
        leaves.pop()!()
      }
      if (node === root) return
      const next: AnyNode | null = node.next
      if (next) {
        node = next
        break
      }
      node = node.parent!
    }
  }
}

function writeTitle(children: readonly AnyNode[], rendering: MarkdownRenderState): void {
  const { writer } = rendering
  writer.heading = 1
  writer.mode = 'line'
  rendering.inTitle = true
  for (const child of children) if (!rendering.cuts.has(child)) walk(child, rendering)
  rendering.inTitle = false
  endHeading(writer)
}

function beginPost(rendering: MarkdownRenderState): void {
  const { writer, table, lists } = rendering
  writer.boundary()
  if (rendering.postSeen && writer.mode === 'flow' && !table && lists.length === 0) writer.block('---')
  rendering.postSeen = true
}

/** Unprocessed shortcodes of site builders: `[vc_row]`, `[button link="…"]`, `[/et_pb_text]`. */
const SHORTCODE =
  /\[(?:\/[a-z][\w-]{1,40}|(?:vc|et_pb|fusion|av|cs|kc|mk|nectar|tatsu|fl|su|us|dt|vcex)_[a-z\d_]{1,40}|[a-z][\w-]{1,40}(?=\s+[\w-]{1,40}=["'”“″][^\][]{0,2000}\]))(?:\s[^\][<>]{0,2000})?\]/gi

function writeText(text: string, rendering: MarkdownRenderState): void {
  const data = text.includes('[') ? text.replace(SHORTCODE, ' ') : text
  for (const part of mayContainTex(data) ? splitAtTex(data) : [data]) {
    if (typeof part === 'string') rendering.writer.text(part)
    else writeFormula(part, rendering)
  }
}

/** A dropped script may hold a formula, and a <noscript> the only copy of an image. */
function writeCut(element: Element, rendering: MarkdownRenderState): void {
  // Text before and after a dropped block stays separate.
  if (BLOCKS.has(element.name)) rendering.writer.boundary()
  if (element.name === 'noscript') renderNoscriptImage(element, rendering)
  else if (element.name === 'script') {
    const formula = texOfScript(element)
    if (formula) writeFormula(formula, rendering)
  }
}

/** Custom elements may be block or inline; a space separates their texts. */
function unknownTag(element: Element, { writer }: MarkdownRenderState): LeaveElement | undefined {
  if (!element.name.includes('-')) return undefined
  writer.space()
  return () => writer.space()
}
