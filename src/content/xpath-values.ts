// Values of XPath expressions, their conversions, and the limit on the work of one evaluation.
import type { AnyNode, Element } from 'domhandler'
import { isElement, isText, nextNode } from './parse-tree.ts'

export type AttributeNode = { owner: Element; name: string; value: string }
export type XNode = AnyNode | AttributeNode
/** Nodes are in document order. */
export type XValue = XNode[] | string | number | boolean

/** Nodes that all expressions visit in one page, and hundreds of characters that they compare. */
const MAX_WORK = 2_000_000
const MAX_TEXT = 100_000

export type XPathContext = { node: XNode; position: number; size: number; run: Run }

export interface Run {
  root: AnyNode
  /** False: the limit is reached. */
  spend(work: number): boolean
  /** The nodes in document order. */
  order(nodes: ReadonlySet<XNode>): XNode[]
  attributesOf(node: XNode): readonly AttributeNode[]
}

const spent = new WeakMap<AnyNode, number>()
const positions = new WeakMap<AnyNode, ReadonlyMap<AnyNode, number>>()

export function startRun(context: AnyNode): Run {
  let root = context
  while (root.parent) root = root.parent
  const attributes = new Map<Element, AttributeNode[]>()
  const spend = (work: number): boolean => {
    const all = (spent.get(root) ?? 0) + work
    spent.set(root, all)
    return all <= MAX_WORK
  }
  const placeOf = (node: XNode): number =>
    'owner' in node ? positionsIn(root).get(node.owner)! + 0.5 : positionsIn(root).get(node)!
  return {
    root,
    spend,
    order(nodes) {
      if (!spend(nodes.size)) return []
      return nodes.size < 2 ? [...nodes] : [...nodes].sort((a, b) => placeOf(a) - placeOf(b))
    },
    attributesOf(node) {
      if ('owner' in node || !isElement(node)) return []
      const known = attributes.get(node)
      if (known) return known
      const made = Object.entries(node.attribs).map(([name, value]) => ({ owner: node, name, value }))
      attributes.set(node, made)
      return made
    },
  }
}

function positionsIn(root: AnyNode): ReadonlyMap<AnyNode, number> {
  const known = positions.get(root)
  if (known) return known
  const made = new Map<AnyNode, number>()
  for (let node: AnyNode | null = root; node; node = nextNode(node, root)) made.set(node, made.size)
  positions.set(root, made)
  return made
}

export function textOfXNode(node: XNode, run: Run): string {
  if ('owner' in node) return node.value
  if ('data' in node) return node.data
  let text = ''
  for (let one: AnyNode | null = node; one && text.length < MAX_TEXT; one = nextNode(one, node)) {
    if (isText(one)) text += one.data
    if (!run.spend(0.2 + (isText(one) ? one.data.length / 100 : 0))) return ''
  }
  return text
}

export const toText = (value: XValue, run: Run): string =>
  Array.isArray(value) ? (value[0] ? textOfXNode(value[0], run) : '') : String(value)

export function toNumber(value: XValue, run: Run): number {
  if (typeof value === 'number' || typeof value === 'boolean') return Number(value)
  const text = toText(value, run).trim()
  return /^-?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN
}

export const toBoolean = (value: XValue): boolean =>
  Array.isArray(value) ? value.length > 0 : typeof value === 'number' ? value !== 0 && !Number.isNaN(value) : !!value

/** A node-set compares as true when one of its nodes does. */
export function compareValues(sign: string, left: XValue, right: XValue, run: Run): boolean {
  if (typeof left === 'boolean' || typeof right === 'boolean')
    return compare(sign, toBoolean(left), toBoolean(right), run)
  const each = (value: XValue) => (Array.isArray(value) ? value.map((node) => textOfXNode(node, run)) : [value])
  const [lefts, rights] = [each(left), each(right)]
  return lefts.some((one) => rights.some((other) => run.spend(0.1) && compare(sign, one, other, run)))
}

type Scalar = string | number | boolean

function compare(sign: string, one: Scalar, other: Scalar, run: Run): boolean {
  const isText = typeof one === 'string' && typeof other === 'string'
  const isTruth = typeof one === 'boolean' && typeof other === 'boolean'
  if (sign === '=' || sign === '!=') {
    const isSame = isText || isTruth ? one === other : toNumber(one, run) === toNumber(other, run)
    return isSame === (sign === '=')
  }
  const [a, b] = [toNumber(one, run), toNumber(other, run)]
  return sign === '<' ? a < b : sign === '<=' ? a <= b : sign === '>' ? a > b : a >= b
}
