// Gives schemas that occur more than once a name under `components`, so that a generated client has one type for each
// of them.

type Schemas = Record<string, object>

type Shared = { body: Record<string, unknown>; uses: number; names: string[] }

const MIN_LENGTH = 180
/** Keywords that describe a property rather than its schema; they stay beside the `$ref`. */
const KEYWORDS_BESIDE_REFERENCE = new Set(['description', 'default', 'deprecated', 'readOnly'])

export function nameSharedSchemas(document: Record<string, unknown>, schemas: Schemas): Record<string, unknown> {
  const found = new Map<string, Shared>()
  count(document, [], found)
  for (const [name, schema] of Object.entries(schemas)) count(schema, [name], found, true)
  const taken = new Set(Object.keys(schemas))
  const named: Schemas = {}
  const refs = new Map<string, string>()
  const replace = (node: unknown, isRoot = false): unknown => {
    if (Array.isArray(node)) return node.map((part) => replace(part))
    if (node === null || typeof node !== 'object') return node
    const inside = (part: object): object =>
      Object.fromEntries(Object.entries(part).map(([key, value]) => [key, OPAQUE.has(key) ? value : replace(value)]))
    const { key, own } = isRoot ? { key: undefined, own: {} } : split(node)
    const shared = key === undefined ? undefined : found.get(key)
    if (key === undefined || shared === undefined || shared.uses < 2) return inside(node)
    let name = refs.get(key)
    if (name === undefined) {
      name = shared.names.find((one) => !taken.has(one)) ?? `${shared.names.at(-1)}${taken.size}`
      taken.add(name)
      refs.set(key, name)
      named[name] = inside(shared.body)
    }
    return { $ref: `#/components/schemas/${name}`, ...own }
  }
  const written = replace(document) as Record<string, unknown>
  for (const [name, schema] of Object.entries(schemas)) named[name] = replace(schema, true) as object
  const components = written.components as object
  return { ...written, components: { ...components, schemas: sortSchemas(named) } }
}

const OPAQUE = new Set(['example', 'examples', 'default', 'const', 'enum'])

function count(node: unknown, path: readonly string[], found: Map<string, Shared>, isRoot = false): void {
  if (Array.isArray(node)) {
    for (const part of node) count(part, path, found)
    return
  }
  if (node === null || typeof node !== 'object') return
  const { key, body } = isRoot ? { key: undefined, body: {} } : split(node)
  if (key !== undefined) {
    const known = found.get(key)
    if (known) known.uses++
    else found.set(key, { body, uses: 1, names: namesFor(path) })
    // What only occurs inside of it is counted once.
    if (known) return
  }
  for (const [name, value] of Object.entries(node))
    if (!OPAQUE.has(name)) count(value, STRUCTURAL_KEYWORDS.has(name) ? path : [...path, name], found)
}

/** Path segments that are OpenAPI syntax; they are left out when a schema is named after its path. */
const STRUCTURAL_KEYWORDS = new Set(
  'properties items anyOf oneOf allOf additionalProperties content application/json schema 200 paths'.split(' '),
)

function split(node: object): { key?: string; body: Record<string, unknown>; own: Record<string, unknown> } {
  const body: Record<string, unknown> = {}
  const own: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(node)) (KEYWORDS_BESIDE_REFERENCE.has(name) ? own : body)[name] = value
  const isSchema = 'properties' in body || 'anyOf' in body || 'oneOf' in body || 'enum' in body
  // A schema's map of properties may have such names, too: those of a schema are no schemas by their types.
  const isProper = typeof body.type === 'string' || Array.isArray(body.anyOf) || Array.isArray(body.oneOf)
  const key = isSchema && isProper ? JSON.stringify(body) : ''
  return { ...(key.length >= MIN_LENGTH ? { key } : {}), body, own }
}

/** Puts parts of the path in front until the name is free, and the method last. */
function namesFor(path: readonly string[]): string[] {
  const parts = path.map((part) => PLACES[part] ?? part)
  const words = parts
    .flatMap((part) => part.split(/[^A-Za-z0-9]+/))
    .filter((word) => /^(?!v\d$|id$)[A-Za-z]/.test(word))
  const nouns = words.filter((word) => !METHODS.has(word)).map(capital)
  const names = nouns.map((_, at) => nouns.slice(-1 - at).join('')).filter((name) => !VAGUE.has(name))
  return [...names, words.map(capital).join('')]
}

const PLACES: Readonly<Record<string, string>> = { requestBody: 'request', responses: 'reply' }
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete'])
const VAGUE = new Set(['Data', 'Request', 'Reply', 'ReplyData'])

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const sortSchemas = (schemas: Schemas): Schemas =>
  Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
