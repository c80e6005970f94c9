// Generates the option and reply tables in docs/ from the OpenAPI document (`npm run docs`), so that they match the
// schemas.

interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  default?: unknown
  const?: unknown
  enum?: unknown[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  maxLength?: number
  maxItems?: number
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
}

interface Operation {
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const ELSEWHERE: Readonly<Record<string, string>> = {
  scrapeOptions: '[options of a scrape](scraping.md#every-option)',
}
const NO_LIMIT = Number.MAX_SAFE_INTEGER
const MAX_CHOICES = 12

/** Markdown for a call such as `POST /v2/map`; throws when it does not exist. */
export function renderOptionsTable(document: OpenApiDocument, call: string): string {
  const [method = '', path = ''] = call.split(' ')
  const operation = document.paths[path]?.[method.toLowerCase()]
  if (!operation) throw new Error(`docs name ${call}, which the API does not have`)
  const body = resolveReference(document, operation.requestBody?.content['application/json']?.schema)
  const reply = resolveReference(document, operation.responses['200']?.content?.['application/json']?.schema)
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  return [
    ...table('Option', rowsOf(document, body)),
    ...table(
      'Query',
      query.map(({ name, required, description = '', schema }) =>
        row(document, `?${name}=`, { ...schema, description }, required),
      ),
    ),
    ...answerTable(document, reply),
  ].join('\n\n')
}

/** The fields of the objects of a list, by their `type`, for a call and option such as `POST /v2/scrape actions`. */
export function renderFieldsTable(document: OpenApiDocument, what: string): string {
  const [method = '', path = '', option = ''] = what.split(' ')
  const body = document.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema
  const items = propertiesOf(document, resolveReference(document, body))[option]?.items
  const rows = branchesOf(document, items ?? {}).flatMap((branch) => {
    const { type, ...fields } = branch.properties ?? {}
    const required = new Set(branch.required ?? [])
    return typeof type?.const !== 'string'
      ? []
      : Object.entries(fields).map(
          ([name, part]) => `| \`${type.const}\` ${row(document, name, part, required.has(name))}`,
        )
  })
  if (rows.length === 0) throw new Error(`docs name the fields of ${what}, which the API does not have`)
  return ['| `type` | Field | Type | Default | Description |', '|---|---|---|---|---|', ...removeDuplicates(rows)].join(
    '\n',
  )
}

const branchesOf = (document: OpenApiDocument, schema: Schema): Schema[] => {
  const own = resolveReference(document, schema)
  const forms = [...(own.anyOf ?? []), ...(own.oneOf ?? []), ...(own.allOf ?? [])]
  return forms.length === 0 ? [own] : forms.flatMap((form) => branchesOf(document, form))
}

function rowsOf(document: OpenApiDocument, schema: Schema): string[] {
  const required = new Set(schema.required ?? [])
  return Object.entries(propertiesOf(document, schema))
    .sort(([a], [b]) => Number(required.has(b)) - Number(required.has(a)))
    .map(([name, part]) => row(document, name, part, required.has(name)))
}

function propertiesOf(document: OpenApiDocument, schema: Schema): Record<string, Schema> {
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  return Object.assign(
    {},
    ...forms.map((form) => propertiesOf(document, resolveReference(document, form))),
    schema.properties ?? {},
  )
}

const table = (first: string, rows: readonly string[]): string[] =>
  rows.length === 0 ? [] : [[`| ${first} | Type | Default | Description |`, '|---|---|---|---|', ...rows].join('\n')]

function row(document: OpenApiDocument, name: string, schema: Schema, required: boolean): string {
  const usual = required ? 'required' : schema.default === undefined ? '–' : `\`${JSON.stringify(schema.default)}\``
  return `| \`${name}\` | ${cell(ELSEWHERE[name] ?? kindOf(document, schema))} | ${cell(usual)} | ${cell(schema.description ?? '')} |`
}

function answerTable(document: OpenApiDocument, reply: Schema): string[] {
  const rows = Object.entries(propertiesOf(document, reply)).map(
    ([name, part]) => `| \`${name}\` | ${cell(kindOf(document, part))} | ${cell(part.description ?? '')} |`,
  )
  return rows.length === 0 ? [] : [['| Response | Type | Description |', '|---|---|---|', ...rows].join('\n')]
}

function kindOf(document: OpenApiDocument, given: Schema): string {
  const schema = resolveReference(document, given)
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  if (forms.length > 0) return formsOf(document, forms)
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum) return choices(schema.enum)
  const type = Array.isArray(schema.type) ? schema.type.filter((one) => one !== 'null')[0] : schema.type
  if (type === 'array') return `list of ${kindOf(document, schema.items ?? {})}${most(schema.maxItems)}`
  if (type === 'string') return `${schema.format === 'uri' ? 'URL' : 'text'}${most(schema.maxLength, ' characters')}`
  if (type === 'number' || type === 'integer') return `number${rangeOf(schema)}`
  if (type === 'boolean') return '`true` or `false`'
  if (type === 'null') return '`null`'
  return Object.keys(schema.properties ?? {}).length > 0
    ? `object: ${Object.keys(schema.properties ?? {})
        .slice(0, MAX_CHOICES)
        .map((name) => `\`${name}\``)
        .join(', ')}`
    : 'object'
}

function formsOf(document: OpenApiDocument, forms: readonly Schema[]): string {
  const types = forms.map((form) => resolveReference(document, form).properties?.type?.const)
  const typed = removeDuplicates(types.flatMap((type) => (typeof type === 'string' ? [type] : [])))
  if (typed.length < 2) return removeDuplicates(forms.map((form) => kindOf(document, form))).join(' or ')
  const others = forms.filter((_, at) => typeof types[at] !== 'string').map((form) => kindOf(document, form))
  return [...removeDuplicates(others), `object with a \`type\`: ${typed.map((type) => `\`${type}\``).join(', ')}`].join(
    ' or ',
  )
}

const choices = (values: readonly unknown[]): string =>
  values
    .slice(0, MAX_CHOICES)
    .map((value) => `\`${String(value)}\``)
    .join(', ') + (values.length > MAX_CHOICES ? ' …' : '')

const most = (limit: number | undefined, of = ''): string =>
  limit === undefined || limit >= NO_LIMIT ? '' : `, at most ${limit.toLocaleString('en-US')}${of}`

function rangeOf({ minimum, exclusiveMinimum, maximum }: Schema): string {
  const low = minimum ?? exclusiveMinimum
  const from = low === undefined || low <= -NO_LIMIT ? '' : `${minimum === undefined ? ' over' : ' from'} ${low}`
  const to = maximum === undefined || maximum >= NO_LIMIT ? '' : ` to ${maximum.toLocaleString('en-US')}`
  return from + to
}

const removeDuplicates = (words: readonly string[]): string[] => [...new Set(words)]

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim() || '–'

function resolveReference(document: OpenApiDocument, schema: Schema | undefined): Schema {
  const name = schema?.$ref?.split('/').at(-1)
  return name
    ? ({ ...(document.components.schemas[name] ?? {}), ...schema, $ref: undefined } as Schema)
    : (schema ?? {})
}

const MARKED = /(<!-- (options|fields): (.+?) -->\n)[\s\S]*?(<!-- end of \2 -->)/g

export const fillOptionsTables = (document: OpenApiDocument, page: string): string =>
  page.replace(MARKED, (_, begin: string, kind: string, what: string, end: string) => {
    const render = kind === 'fields' ? renderFieldsTable : renderOptionsTable
    return `${begin}\n${render(document, what)}\n\n${end}`
  })
