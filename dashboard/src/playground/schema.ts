// What the service can do, read from its own /openapi.json: which calls the playground offers and what a form field must
// be. A capability or option that is added to the service appears here by itself.

export interface Schema {
  type?: string | string[]
  description?: string
  default?: unknown
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: Schema | boolean
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  format?: string
}

interface Operation {
  summary: string
  tags?: string[]
  deprecated?: boolean
  requestBody?: { content: Record<string, { schema: Schema }> }
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

/** One call that the playground offers. */
export interface Capability {
  path: string
  summary: string
  /** The field that the big box fills. */
  box: 'url' | 'urls' | 'query' | 'prompt' | 'file'
  fields: Record<string, Schema>
  required: readonly string[]
}

const BOXES = ['url', 'urls', 'query', 'prompt'] as const
/** Fields of clients, not of people. */
const NOT_FOR_PEOPLE = new Set(['origin', 'integration', 'uploadRef'])

/** Calls that are no task of a person: votes on results, what older clients send, checks of the operator. */
const NO_TASK = /feedback|\/extract|threat|params-preview|\/monitor|\/interact|\/browser|\/team\/|\/admin\/|upload-url/

/** What people call them, and the order in which they are offered. */
const TASKS: Readonly<Record<string, string>> = {
  '/v2/scrape': 'Scrape one page',
  '/v2/crawl': 'Crawl a site',
  '/v2/map': 'List the URLs of a site',
  '/v2/batch/scrape': 'Scrape a list of pages',
  '/v2/search': 'Search the web',
  '/v2/parse': 'Read a file',
  '/v2/agent': 'Ask the agent',
  '/v2/crawl/plan': 'Plan a crawl without scraping',
}

const NAMED = '#/components/schemas/'

/** A schema with what it shares by name put where it is meant. */
function inlineReferences<T>(part: T, named: Readonly<Record<string, Schema>>): T {
  if (Array.isArray(part)) return part.map((one) => inlineReferences(one, named)) as T
  if (part === null || typeof part !== 'object') return part
  const { $ref, ...rest } = part as { $ref?: string }
  const name = $ref?.startsWith(NAMED) ? $ref.slice(NAMED.length) : ''
  const meant = Object.hasOwn(named, name) ? { ...named[name], ...rest } : part
  return Object.fromEntries(Object.entries(meant).map(([key, value]) => [key, inlineReferences(value, named)])) as T
}

/** The fields of a call's body. */
export function bodyFields(api: OpenApi | undefined, path: string, method: 'post' | 'patch'): Record<string, Schema> {
  const schema = api?.paths[path]?.[method]?.requestBody?.content['application/json']?.schema
  return inlineReferences(schema?.properties ?? {}, api?.components?.schemas ?? {})
}

export function capabilitiesOf({ paths: written, components }: OpenApi): Capability[] {
  const paths = Object.fromEntries(
    Object.entries(written)
      .filter(([path, { post }]) => post?.requestBody && path.startsWith('/v2/'))
      .map(([path, { post }]) => [
        path,
        { post: { ...post!, requestBody: inlineReferences(post!.requestBody!, components?.schemas ?? {}) } },
      ]),
  ) as OpenApi['paths']
  const order = Object.keys(TASKS)
  const rank = (path: string) => (order.includes(path) ? order.indexOf(path) : order.length)
  const offered = Object.entries(paths).sort(([one], [other]) => rank(one) - rank(other))
  return offered.flatMap(([path, operations]) => {
    const operation = operations.post
    if (!operation || operation.deprecated || !path.startsWith('/v2/') || path.includes('{') || NO_TASK.test(path))
      return []
    const { content = {} } = operation.requestBody ?? {}
    const schema = content['application/json']?.schema
    const names = BOXES.filter((name) => schema?.properties?.[name])
    // A required field comes first: an agent also takes `urls`, but cannot run without its prompt.
    const needed = names.find((name) => schema?.required?.includes(name))
    const box = content['multipart/form-data'] ? 'file' : (needed ?? names[0])
    if (!schema || !box) return []
    const scrapeFields = box === 'file' ? uploadFields(paths) : {}
    const fields = Object.fromEntries(
      Object.entries({ ...scrapeFields, ...schema.properties }).filter(
        ([name, field]) =>
          name !== box && !NOT_FOR_PEOPLE.has(name) && !/^Accepted for comp/.test(field.description ?? ''),
      ),
    )
    return [{ path, summary: TASKS[path] ?? operation.summary, box, fields, required: schema.required ?? [] }]
  })
}

/** An upload's options are those of a page, without what only a visit has; the service says so if one is asked for. */
const ONLY_VISITS =
  /^(url|waitFor|mobile|actions|location|maxAge|minAge|storeInCache|lockdown|headers|proxy|profile|fastMode)$/

function uploadFields(paths: OpenApi['paths']): Record<string, Schema> {
  const scrape = paths['/v2/scrape']?.post?.requestBody?.content['application/json']?.schema.properties ?? {}
  return Object.fromEntries(Object.entries(scrape).filter(([name]) => !ONLY_VISITS.test(name)))
}

/** How a field is drawn. */
type Kind =
  | { kind: 'switch' }
  | { kind: 'choice'; options: string[] }
  | { kind: 'number'; whole: boolean }
  | { kind: 'text'; long: boolean }
  | { kind: 'lines' }
  | { kind: 'pairs' }
  | { kind: 'group'; fields: Record<string, Schema>; required: readonly string[] }
  /** Names to tick, some with options of their own. */
  | { kind: 'picks'; names: string[]; variants: Record<string, Schema> }
  /** A list of things, each of one of these kinds. */
  | { kind: 'list'; variants: Record<string, Schema> }
  /** On and off, with details when on. */
  | { kind: 'switch-group'; fields: Record<string, Schema>; required: readonly string[] }
  | { kind: 'json' }

export function kindOf(schema: Schema): Kind {
  const branches = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== 'null')
  if (branches) return branches.length === 1 ? kindOf(branches[0]!) : kindOfUnion(branches)
  if (schema.enum) return { kind: 'choice', options: schema.enum.map(String) }
  switch (schema.type) {
    case 'boolean':
      return { kind: 'switch' }
    case 'integer':
    case 'number':
      return { kind: 'number', whole: schema.type === 'integer' }
    case 'string':
      return { kind: 'text', long: (schema.maxLength ?? 0) >= 5000 && schema.format !== 'uri' }
    case 'array':
      return kindOfList(schema.items ?? {})
    case 'object':
      if (schema.properties && Object.keys(schema.properties).length > 0)
        return { kind: 'group', fields: schema.properties, required: schema.required ?? [] }
      return typeof schema.additionalProperties === 'object' && schema.additionalProperties.type === 'string'
        ? { kind: 'pairs' }
        : { kind: 'json' }
    default:
      return { kind: 'json' }
  }
}

function kindOfUnion(branches: Schema[]): Kind {
  const group = branches.find(({ properties }) => properties)
  if (group && branches.some(({ type }) => type === 'boolean'))
    return { kind: 'switch-group', fields: group.properties ?? {}, required: group.required ?? [] }
  const plain = branches.find(({ type }) => type === 'string')
  return plain ? kindOf(plain) : { kind: 'json' }
}

function kindOfList(items: Schema): Kind {
  const branches = items.anyOf ?? items.oneOf
  if (!branches) {
    if (items.enum) return { kind: 'picks', names: items.enum.map(String), variants: {} }
    if (items.type === 'string') return { kind: 'lines' }
    return items.properties ? { kind: 'list', variants: { '': items } } : { kind: 'json' }
  }
  const variants = Object.fromEntries(
    branches.flatMap((branch) => {
      const type = branch.properties?.type?.const
      return typeof type === 'string' ? [[type, branch] as const] : []
    }),
  )
  const names = branches.find((branch) => branch.enum)?.enum?.map(String)
  if (names) return { kind: 'picks', names, variants }
  return Object.keys(variants).length > 0 ? { kind: 'list', variants } : { kind: 'json' }
}

/** The options of a variant, without the word that names it. */
export function optionsOf(variant: Schema | undefined): Record<string, Schema> {
  const { type: _type, ...rest } = variant?.properties ?? {}
  return rest
}

const ACRONYMS = /\b(tls|url|urls|pii|pdf|css|ip|html|json|dpi)\b/gi

/** `skipTlsVerification` → `Skip TLS verification` */
export function spoken(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(ACRONYMS, (word) => word.toUpperCase().replace('URLS', 'URLs'))
  return words.charAt(0).toUpperCase() + words.slice(1)
}
