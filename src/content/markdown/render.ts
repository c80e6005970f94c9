// Converts a tree to markdown in one iterative walk. Tag handlers are in blocks.ts and inline.ts.
import { type AnyNode, type Element, Text } from 'domhandler'
import type { ResolveLink } from '../address.ts'
import { saysLoading } from '../loading-messages.ts'
import type { Cuts } from '../main-content.ts'
import { isElement, isText } from '../tree.ts'
import { blockTags, endHeading } from './blocks.ts'
import { inlineTags } from './inline.ts'
import { formulaOfScript, mayHoldTex, splitTex } from './math.ts'
import { noscriptImage, writeFormula } from './media.ts'
import { type Enter, type Leave, type Rendering, SKIP } from './rendering.ts'
import { type TableKind, tableKinds } from './tables.ts'
import { Writer } from './writer.ts'

interface MarkdownOptions {
  roots: readonly AnyNode[]
  cuts: Cuts
  resolve: ResolveLink
  removeBase64Images: boolean
  title?: Element
  heading?: string
  posts?: ReadonlySet<Element>
}

const TAGS: ReadonlyMap<string, Enter> = new Map([...blockTags, ...inlineTags])

const BLOCKS: ReadonlySet<string> = new Set(blockTags.map(([name]) => name))

export function toMarkdown(options: MarkdownOptions): string {
  const { roots, cuts, resolve, removeBase64Images, title, heading, posts } = options
  let kinds: Map<Element, TableKind> | undefined
  const laidOut = tablesAround(posts)
  const rendering: Rendering = {
    writer: new Writer(),
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
        for (const root of roots) for (const [one, kind] of tableKinds(root, cuts)) kinds.set(one, kind)
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

function walk(root: AnyNode, rendering: Rendering): void {
  const { cuts } = rendering
  const leaves: Leave[] = []
  const owners: AnyNode[] = []
  let node: AnyNode = root
  for (;;) {
    let first: AnyNode | undefined
    if (isText(node)) {
      if (!cuts.has(node)) writeText(node.data, rendering)
    } else if (isElement(node)) {
      if (node !== root && (cuts.has(node) || node === rendering.title || saysLoading(node))) writeCut(node, rendering)
      else {
        if (rendering.posts?.has(node)) beginPost(rendering)
        const enter = TAGS.get(node.name)
        const leave = enter ? enter(node, rendering) : unknownTag(node, rendering)
        if (leave !== SKIP) {
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

function writeTitle(children: readonly AnyNode[], rendering: Rendering): void {
  const { writer } = rendering
  writer.heading = 1
  writer.mode = 'line'
  rendering.inTitle = true
  for (const child of children) if (!rendering.cuts.has(child)) walk(child, rendering)
  rendering.inTitle = false
  endHeading(writer)
}

function beginPost(rendering: Rendering): void {
  const { writer, table, lists } = rendering
  writer.boundary()
  if (rendering.postSeen && writer.mode === 'flow' && !table && lists.length === 0) writer.block('---')
  rendering.postSeen = true
}

/** Unprocessed shortcodes of site builders: `[vc_row]`, `[button link="…"]`, `[/et_pb_text]`. */
const SHORTCODE =
  /\[(?:\/[a-z][\w-]{1,40}|(?:vc|et_pb|fusion|av|cs|kc|mk|nectar|tatsu|fl|su|us|dt|vcex)_[a-z\d_]{1,40}|[a-z][\w-]{1,40}(?=\s+[\w-]{1,40}=["'”“″][^\][]{0,2000}\]))(?:\s[^\][<>]{0,2000})?\]/gi

function writeText(text: string, rendering: Rendering): void {
  const data = text.includes('[') ? text.replace(SHORTCODE, ' ') : text
  for (const part of mayHoldTex(data) ? splitTex(data) : [data]) {
    if (typeof part === 'string') rendering.writer.text(part)
    else writeFormula(part, rendering)
  }
}

/** A dropped script may hold a formula, and a <noscript> the only copy of an image. */
function writeCut(element: Element, rendering: Rendering): void {
  // Text before and after a dropped block stays separate.
  if (BLOCKS.has(element.name)) rendering.writer.boundary()
  if (element.name === 'noscript') noscriptImage(element, rendering)
  else if (element.name === 'script') {
    const formula = formulaOfScript(element)
    if (formula) writeFormula(formula, rendering)
  }
}

/** Custom elements may be block or inline; a space separates their texts. */
function unknownTag(element: Element, { writer }: Rendering): Leave | undefined {
  if (!element.name.includes('-')) return undefined
  writer.space()
  return () => writer.space()
}
