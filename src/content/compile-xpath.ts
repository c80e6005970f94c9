// Compiles callers' XPath 1.0 expressions for a parsed page. Without variables and namespaces; the work of all expressions
// on one page is limited.
import type { AnyNode, Element } from 'domhandler'
import { isElement, isText } from './parse-tree.ts'
import { callXPathFunction, hasXPathFunction } from './xpath-functions.ts'
import {
  type AttributeNode,
  compareValues,
  type Run,
  startRun,
  toBoolean,
  toNumber,
  type XNode,
  type XPathContext,
  type XValue,
} from './xpath-values.ts'

const MAX_CHARS = 1000
const MAX_NESTING = 30

type Evaluate = (context: XPathContext) => XValue

/** A matched element, or the text of an attribute, of a text node or of a computed value. */
export type XPathMatch = Element | string

/** Throws where the expression is wrong. Matches are in document order; none beyond the limit of work. */
export function compileXPath(expression: string): (context: AnyNode) => XPathMatch[] {
  if (expression.length > MAX_CHARS) throw new Error(`it has more than ${MAX_CHARS} characters`)
  const evaluate = new XPathParser(expression).parse()
  return (node) => {
    const value = evaluate({ node, position: 1, size: 1, run: startRun(node) })
    if (!Array.isArray(value)) return value === '' || Number.isNaN(value) ? [] : [String(value)]
    return value.flatMap((one): XPathMatch[] => {
      if ('owner' in one) return [one.value]
      return isElement(one) ? [one] : isText(one) ? [one.data] : []
    })
  }
}

const TOKEN =
  /\s*(?:(\d+(?:\.\d*)?|\.\d+)|("[^"]*"|'[^']*')|([\p{L}_][\p{L}\p{N}_.-]*(?::(?!:)[\p{L}_*][\p{L}\p{N}_.-]*)?)|(\/\/|::|\.\.|!=|<=|>=|[/.@()[\],|+\-=<>*]))/uy

type Token = { kind: 'number' | 'literal' | 'name' | 'sign' | 'end'; text: string; at: number }

function tokensOf(expression: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  const end = expression.trimEnd().length
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex
    const [, number, literal, name, sign] = TOKEN.exec(expression) ?? []
    if (number !== undefined) tokens.push({ kind: 'number', text: number, at })
    else if (literal !== undefined) tokens.push({ kind: 'literal', text: literal.slice(1, -1), at })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, at })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, at })
    else throw new Error(`unexpected ${JSON.stringify(expression.slice(at).trim()[0])} at character ${at + 1}`)
  }
  return [...tokens, { kind: 'end', text: '', at: end }]
}

/** Operators from the weakest to the strongest. */
const LEVELS = [['or'], ['and'], ['=', '!='], ['<', '<=', '>', '>='], ['+', '-'], ['*', 'div', 'mod']]
const NODE_TYPES = new Set(['node', 'text', 'comment'])

type Test = (node: XNode) => boolean
type Step = { axis: Axis; test: Test; predicates: Evaluate[] }

const ANY_NODE: Step = { axis: 'descendant-or-self', test: () => true, predicates: [] }

class XPathParser {
  readonly #tokens: readonly Token[]
  #at = 0
  #nesting = 0

  constructor(expression: string) {
    this.#tokens = tokensOf(expression)
  }

  parse(): Evaluate {
    const evaluate = this.#expression()
    if (this.#token.kind !== 'end') this.#fail()
    return evaluate
  }

  get #token(): Token {
    return this.#tokens[this.#at]!
  }

  #is(...texts: readonly string[]): boolean {
    const { kind, text } = this.#token
    return kind !== 'literal' && texts.includes(text)
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false
    this.#at += 1
    return true
  }

  #expect(text: string): void {
    if (!this.#take(text)) this.#fail(text)
  }

  #fail(wanted?: string): never {
    const { kind, text, at } = this.#token
    const found = kind === 'end' ? 'the end' : JSON.stringify(text)
    throw new Error(`unexpected ${found} at character ${at + 1}${wanted ? `, where ${wanted} belongs` : ''}`)
  }

  #expression(): Evaluate {
    this.#nesting += 1
    if (this.#nesting > MAX_NESTING) throw new Error(`it is nested more than ${MAX_NESTING} levels deep`)
    const evaluate = this.#operators(0)
    this.#nesting -= 1
    return evaluate
  }

  #operators(level: number): Evaluate {
    const signs = LEVELS[level]
    if (!signs) return this.#negation()
    let left = this.#operators(level + 1)
    while (this.#is(...signs)) {
      const sign = this.#token.text
      this.#at += 1
      left = operate(sign, left, this.#operators(level + 1))
    }
    return left
  }

  #negation(): Evaluate {
    if (this.#take('-')) {
      const inner = this.#negation()
      return (context) => -toNumber(inner(context), context.run)
    }
    let left = this.#path()
    while (this.#take('|')) {
      const [one, other] = [left, this.#path()]
      left = (context) => context.run.order(new Set([...nodesOf(one(context)), ...nodesOf(other(context))]))
    }
    return left
  }

  #path(): Evaluate {
    if (this.#is('/')) {
      this.#at += 1
      const steps = this.#startsStep() ? this.#steps() : []
      return (context) => walk([context.run.root], steps, context.run)
    }
    if (this.#is('//')) {
      const steps = this.#furtherSteps()
      return (context) => walk([context.run.root], steps, context.run)
    }
    if (this.#startsStep()) {
      const steps = this.#steps()
      return (context) => walk([context.node], steps, context.run)
    }
    const primary = this.#primary()
    const predicates = this.#predicates()
    const steps = this.#furtherSteps()
    if (predicates.length === 0 && steps.length === 0) return primary
    return (context) => walk(filter(nodesOf(primary(context)), predicates, context.run), steps, context.run)
  }

  #startsStep(): boolean {
    const { kind, text } = this.#token
    if (kind === 'name') return this.#tokens[this.#at + 1]?.text !== '(' || NODE_TYPES.has(text)
    return kind === 'sign' && ['.', '..', '@', '*'].includes(text)
  }

  #steps(): Step[] {
    return [this.#step(), ...this.#furtherSteps()]
  }

  #furtherSteps(): Step[] {
    const steps: Step[] = []
    for (;;) {
      if (this.#take('//')) steps.push(ANY_NODE)
      else if (!this.#take('/')) return steps
      if (!this.#startsStep()) this.#fail('a step')
      steps.push(this.#step())
    }
  }

  #step(): Step {
    if (this.#take('.')) return { axis: 'self', test: () => true, predicates: [] }
    if (this.#take('..')) return { axis: 'parent', test: () => true, predicates: [] }
    let axis: Axis = 'child'
    if (this.#take('@')) axis = 'attribute'
    else if (this.#tokens[this.#at + 1]?.text === '::') {
      if (!Object.hasOwn(AXES, this.#token.text)) this.#fail('an axis')
      axis = this.#token.text as Axis
      this.#at += 2
    }
    return { axis, test: this.#nodeTest(axis), predicates: this.#predicates() }
  }

  #nodeTest(axis: Axis): Test {
    if (this.#take('*')) return axis === 'attribute' ? () => true : (node) => !('owner' in node) && isElement(node)
    const { kind, text } = this.#token
    if (kind !== 'name') this.#fail('a name')
    this.#at += 1
    if (this.#is('(') && NODE_TYPES.has(text)) {
      this.#at += 1
      this.#expect(')')
      return (node) => text === 'node' || (!('owner' in node) && node.type === text)
    }
    const name = text.toLowerCase()
    return axis === 'attribute'
      ? (node) => 'owner' in node && node.name === name
      : (node) => !('owner' in node) && isElement(node) && node.name === name
  }

  #predicates(): Evaluate[] {
    const predicates: Evaluate[] = []
    while (this.#take('[')) {
      predicates.push(this.#expression())
      this.#expect(']')
    }
    return predicates
  }

  #primary(): Evaluate {
    const { kind, text } = this.#token
    if (kind === 'literal' || kind === 'number') {
      this.#at += 1
      return () => (kind === 'number' ? Number(text) : text)
    }
    if (this.#take('(')) {
      const inner = this.#expression()
      this.#expect(')')
      return inner
    }
    if (kind !== 'name') this.#fail()
    const given: Evaluate[] = []
    const { at } = this.#token
    this.#at += 2
    while (!this.#is(')')) {
      if (given.length > 0) this.#expect(',')
      given.push(this.#expression())
    }
    this.#at += 1
    if (!hasXPathFunction(text, given.length))
      throw new Error(`no function ${text}() with ${given.length} arguments, at character ${at + 1}`)
    const evaluateAll = (context: Parameters<Evaluate>[0]) => given.map((one) => one(context))
    return (context) => callXPathFunction(text, evaluateAll(context), context)
  }
}

const nodesOf = (value: XValue): readonly XNode[] => (Array.isArray(value) ? value : [])

function operate(sign: string, left: Evaluate, right: Evaluate): Evaluate {
  if (sign === 'or') return (context) => toBoolean(left(context)) || toBoolean(right(context))
  if (sign === 'and') return (context) => toBoolean(left(context)) && toBoolean(right(context))
  if (/[=<>]/.test(sign)) return (context) => compareValues(sign, left(context), right(context), context.run)
  return (context) => {
    const [a, b] = [toNumber(left(context), context.run), toNumber(right(context), context.run)]
    return sign === '+' ? a + b : sign === '-' ? a - b : sign === '*' ? a * b : sign === 'div' ? a / b : a % b
  }
}

function walk(from: readonly XNode[], steps: readonly Step[], run: Run): XNode[] {
  let nodes = [...from]
  for (const { axis, test, predicates } of steps) {
    const next = new Set<XNode>()
    for (const node of nodes) {
      const found: XNode[] = []
      for (const one of AXES[axis](node, run)) {
        if (!run.spend(1)) return []
        if (test(one)) found.push(one)
      }
      for (const one of filter(found, predicates, run)) next.add(one)
    }
    nodes = run.order(next)
  }
  return nodes
}

function filter(nodes: readonly XNode[], predicates: readonly Evaluate[], run: Run): readonly XNode[] {
  let left = nodes
  for (const predicate of predicates) {
    const size = left.length
    left = left.filter((node, n) => {
      if (!run.spend(1)) return false
      const value = predicate({ node, position: n + 1, size, run })
      return typeof value === 'number' ? value === n + 1 : toBoolean(value)
    })
  }
  return left
}

// --- axes ------------------------------------------------------------------------------------------------------------

type Axis = keyof typeof AXES

const treeNode = (node: XNode): AnyNode | undefined => ('owner' in node ? undefined : node)
const parentOf = (node: XNode): AnyNode | null => ('owner' in node ? node.owner : node.parent)

function* descendants(node: XNode): Generator<AnyNode> {
  const root = treeNode(node)
  if (!root) return
  const open: AnyNode[] = 'children' in root ? [...root.children].reverse() : []
  for (let one = open.pop(); one; one = open.pop()) {
    yield one
    if ('children' in one) for (let n = one.children.length - 1; n >= 0; n--) open.push(one.children[n]!)
  }
}

function* ancestors(node: XNode): Generator<AnyNode> {
  for (let up = parentOf(node); up; up = up.parent) yield up
}

function* siblings(node: XNode, way: 'next' | 'prev'): Generator<AnyNode> {
  for (let one = treeNode(node)?.[way] ?? null; one; one = one[way]) yield one
}

/** What follows or precedes in the document, without ancestors and descendants; the nearest first. */
function* beyond(node: XNode, way: 'next' | 'prev'): Generator<AnyNode> {
  for (const base of [treeNode(node), ...ancestors(node)])
    for (const one of base ? siblings(base, way) : []) {
      if (way === 'next') yield one
      yield* way === 'next' ? descendants(one) : [...descendants(one)].reverse()
      if (way === 'prev') yield one
    }
}

const AXES = {
  self: (node: XNode): Iterable<XNode> => [node],
  child: (node: XNode): Iterable<XNode> => {
    const parent = treeNode(node)
    return parent && 'children' in parent ? parent.children : []
  },
  parent: (node: XNode): Iterable<XNode> => {
    const parent = parentOf(node)
    return parent ? [parent] : []
  },
  descendant: (node: XNode): Iterable<XNode> => descendants(node),
  *'descendant-or-self'(node: XNode): Iterable<XNode> {
    yield node
    yield* descendants(node)
  },
  ancestor: (node: XNode): Iterable<XNode> => ancestors(node),
  *'ancestor-or-self'(node: XNode): Iterable<XNode> {
    yield node
    yield* ancestors(node)
  },
  'following-sibling': (node: XNode): Iterable<XNode> => siblings(node, 'next'),
  'preceding-sibling': (node: XNode): Iterable<XNode> => siblings(node, 'prev'),
  following: (node: XNode): Iterable<XNode> => beyond(node, 'next'),
  preceding: (node: XNode): Iterable<XNode> => beyond(node, 'prev'),
  attribute: (node: XNode, run: Run): Iterable<AttributeNode> => run.attributesOf(node),
}
