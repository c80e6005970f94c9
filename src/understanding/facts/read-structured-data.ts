// A page's machine-readable facts: objects in JSON-LD, microdata and RDFa, and script state. Bounded, and never
// evaluated.
import type { AnyNode, Document, Element } from 'domhandler'
import { parseJson } from '../../base/attempt.ts'
import { once } from '../../base/values.ts'
import { isElement, isText, nextNode } from '../../content/parse-tree.ts'
import type { ParsedPage } from '../../content/parsed-page.ts'
import { FETCHED_MARK } from '../../content/read-network-responses.ts'
import { parseJsLiteral } from './parse-js-literal.ts'
import { readJsonLd, type SchemaOrgThing, type ScriptState } from './read-json-ld.ts'
import { readMicrodataAndRdfa } from './read-microdata-and-rdfa.ts'

export interface StructuredData {
  /** Top-level objects in document order: JSON-LD first, then microdata and RDFa. */
  readonly things: readonly SchemaOrgThing[]
  readonly states: readonly ScriptState[]
}

const known = new WeakMap<Document, StructuredData>()

/** Cached per tree. */
export function readStructuredData({ tree, base }: Pick<ParsedPage, 'tree' | 'base'>): StructuredData {
  const facts = known.get(tree) ?? readFacts(tree, base)
  known.set(tree, facts)
  return facts
}

function readFacts(tree: Document, base: string): StructuredData {
  const things = once(() => [...readJsonLd(tree), ...readMicrodataAndRdfa(tree, base)])
  const states = once(() => readScriptStates(tree))
  return {
    get things() {
      return things()
    },
    get states() {
      return states()
    },
  }
}

const MAX_STATES = 100
/** Total script characters read per page. */
const MAX_SCRIPT_CHARS = 8_000_000
const MAX_ASSIGNMENTS = 200

const ASSIGNMENT =
  /(?:\b(?:var|let|const)\s+|\b(?:window|self|globalThis)\s*(?:\.\s*|\[\s*["']))([\p{L}_$][\p{L}\p{N}_$.]{0,80})(?:["']\s*\])?\s*=\s*(?=[[{]|JSON\s*\.\s*parse\s*\(\s*["'`])/gu
const PARSED = /^JSON\s*\.\s*parse\s*\(\s*/

function readScriptStates(tree: Document): ScriptState[] {
  const states: ScriptState[] = []
  let left = MAX_SCRIPT_CHARS
  for (let node: AnyNode | null = tree; node && states.length < MAX_STATES; node = nextNode(node, tree)) {
    if (!isElement(node) || node.name !== 'script') continue
    const type = (node.attribs.type ?? '').trim().toLowerCase()
    const isData = /^(?:application|text)\/(?:[\w.-]+\+)?json|^text\/x-magento-init/.test(type)
    if (!isData && type !== '' && !/javascript|module|ecmascript/.test(type)) continue
    if (/ld\+json/.test(type) || node.attribs.src !== undefined) continue
    const text = node.children.map((child) => (isText(child) ? child.data : '')).join('')
    if (text.length > left) continue
    left -= text.length
    if (isData) {
      const value = read(text.trim())
      if (isWorthwhile(value))
        states.push({ name: nameOf(node), value, ...(FETCHED_MARK in node.attribs ? { isFetched: true } : {}) })
    } else states.push(...assignmentsIn(text).slice(0, MAX_STATES - states.length))
  }
  return states
}

const nameOf = ({ attribs }: Element): string => attribs.id ?? attribs['data-name'] ?? attribs.class ?? ''

const read = (text: string): unknown => parseJson(text.replace(/^<!--|-->$/g, '')) ?? parseJsLiteral(text)?.value

function assignmentsIn(text: string): ScriptState[] {
  const states: ScriptState[] = []
  ASSIGNMENT.lastIndex = 0
  for (let tries = 0; tries < MAX_ASSIGNMENTS; tries++) {
    const found = ASSIGNMENT.exec(text)
    if (!found) break
    const at = ASSIGNMENT.lastIndex
    const call = PARSED.exec(text.slice(at, at + 40))?.[0]
    const literal = parseJsLiteral(text, at + (call?.length ?? 0))
    if (!literal) continue
    ASSIGNMENT.lastIndex = literal.end
    const value = call !== undefined && typeof literal.value === 'string' ? read(literal.value) : literal.value
    if (isWorthwhile(value)) states.push({ name: found[1]!, value })
  }
  return states
}

const isWorthwhile = (value: unknown): boolean =>
  value !== null && typeof value === 'object' && Object.keys(value).length > 0
