// The objects of a page's JSON-LD: graphs expanded, references resolved, types without their vocabulary. Common errors
// (comments, trailing commas, raw line breaks in strings) are tolerated. Also the types of facts.
import type { AnyNode, Document } from 'domhandler'
import { parseJson } from '../../base/attempt.ts'
import { isObject } from '../../base/values.ts'
import { isElement, isText, nextNode } from '../../content/parse-tree.ts'
import { parseJsLiteral } from './parse-js-literal.ts'

const MAX_SCRIPTS = 50
const MAX_CHARS = 2_000_000
/** Objects copied while resolving references: cyclic references could otherwise grow without end. */
const MAX_COPIES = 20_000
const MAX_DEPTH = 12

type Raw = Record<string, unknown>

export function readJsonLd(tree: Document): SchemaOrgThing[] {
  const roots = scriptsOf(tree).flatMap((text) => listOutermost(parse(text)))
  return fillIn(roots)
}

function scriptsOf(tree: Document): string[] {
  const texts: string[] = []
  let left = MAX_CHARS
  for (let node: AnyNode | null = tree; node && texts.length < MAX_SCRIPTS; node = nextNode(node, tree)) {
    if (!isElement(node) || node.name !== 'script' || !/^\s*application\/ld\+json/i.test(node.attribs.type ?? ''))
      continue
    const text = node.children.map((child) => (isText(child) ? child.data : '')).join('')
    if (text.length > left) continue
    left -= text.length
    texts.push(text)
  }
  return texts
}

function parse(text: string): unknown {
  const bare = text
    .trim()
    .replace(/^(?:\/\/\s*)?<!\[CDATA\[|(?:\/\/\s*)?\]\]>$/g, '')
    .replace(/^<!--|-->$/g, '')
    .trim()
  return parseJson(bare) ?? parseJsLiteral(bare)?.value
}

function listOutermost(value: unknown): Raw[] {
  const found: Raw[] = []
  const open: unknown[] = [value]
  for (let steps = 0; open.length > 0 && steps < MAX_COPIES; steps++) {
    const one = open.shift()
    if (Array.isArray(one)) open.unshift(...one.slice(0, 2000))
    else if (isObject(one)) {
      if (Array.isArray(one['@graph'])) open.unshift(...one['@graph'].slice(0, 2000))
      if (one['@type'] !== undefined || !('@graph' in one)) found.push(one)
    }
  }
  return found
}

function fillIn(roots: readonly Raw[]): SchemaOrgThing[] {
  const known = new Map<string, Raw>()
  for (const root of roots) if (typeof root['@id'] === 'string') known.set(root['@id'], root)
  let copies = 0
  const copy = (value: unknown, depth: number, path: readonly Raw[]): unknown => {
    if (Array.isArray(value)) return value.slice(0, 2000).map((one) => copy(one, depth + 1, path))
    if (!isObject(value)) return value
    if (depth > MAX_DEPTH || ++copies > MAX_COPIES) return undefined
    const id = value['@id']
    const target = Object.keys(value).length === 1 && typeof id === 'string' ? known.get(id) : undefined
    if (target) return path.includes(target) ? { '@type': typesOf(target), '@id': id } : copy(target, depth, path)
    // A literal with a language or type.
    if ('@value' in value) return value['@value']
    const below = [...path, value]
    const made: Raw = { '@type': typesOf(value) }
    for (const [name, inner] of Object.entries(value)) {
      if (name === '@type' || name === '@context' || name === '@graph') continue
      made[removeVocabularyPrefix(name)] = copy(inner, depth + 1, below)
    }
    return made
  }
  return roots.flatMap((root) => {
    const made = copy(root, 0, [])
    return isObject(made) ? [made as SchemaOrgThing] : []
  })
}

/** `schema:name` and `http://schema.org/name` are `name`; `@id` stays. */
export const removeVocabularyPrefix = (name: string): string =>
  name.startsWith('@') ? name : (/[^/#:]+$/.exec(name)?.[0] ?? name)

const typesOf = (value: Raw): string[] =>
  [value['@type']]
    .flat()
    .filter((type) => typeof type === 'string')
    .map(removeVocabularyPrefix)

/** An object that the page describes: properties by name, `@type` without its vocabulary, references resolved. */
export type SchemaOrgThing = { readonly '@type': readonly string[]; readonly [property: string]: unknown }

/** A script value: `__NEXT_DATA__`, `window.__STATE__ = {…}`, an `application/json` script. */
export interface ScriptState {
  /** The variable, or the id or class of the script; empty without one. */
  name: string
  value: unknown
  /** A response that the page fetched and the caller requested as a source. */
  isFetched?: boolean
}
