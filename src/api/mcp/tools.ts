// Operations as MCP tools: names, descriptions and short schemas, independent of the transport. Each capability
// declares its tool cards.
import type { Tool } from '@modelcontextprotocol/server'
import { findNearestName } from '../../base/did-you-mean.ts'
import { Problem } from '../../base/problem.ts'
import type { McpInputDescription, McpToolDescription } from '../../capabilities/mcp-tool-descriptions.ts'
import type { Operation, OperationSchema } from '../../capabilities/operation.ts'
import { FILE_INPUT_NOTE, fileInputSchemas } from './file-input.ts'
import { LONG_REPLY_LIMITS } from './paginate-long-replies.ts'

export const READ_NEXT_PART_TOOL = 'read_on'
export const MORE_TOOLS_TOOL = 'more_tools'
export const ADMIN_TOOL = 'admin'
export const DO_TOOL = 'do'
export const RESOURCE = 'orbweaver://tools/'

export const toolNameOf = ({ name }: Pick<Operation, 'name'>): string => name.replace(/[ -]/g, '_')

export type ToolSet = { operations: ReadonlyMap<string, Operation>; tools: Tool[] }

/**
 * Account operations need an admin key and are read-only: an agent reads untrusted pages, which must not make it issue
 * keys.
 */
export function makeToolSet(all: readonly Operation[], isAdmin: boolean): ToolSet {
  const web = all.filter(({ isAccount }) => !isAccount)
  const admin = isAdmin ? all.filter(isForAdmin) : []
  const others = web.filter(({ mcp }) => mcp === undefined)
  return {
    operations: new Map([...web, ...admin].map((operation) => [toolNameOf(operation), operation])),
    tools: [
      ...web.flatMap((operation) => (operation.mcp ? [toolOf(operation, operation.mcp)] : [])),
      readOnTool,
      behind(MORE_TOOLS_TOOL, others, 'Any other operation by its name', { tool: 'scrape' }),
      ...(admin.length > 0
        ? [
            behind(ADMIN_TOOL, admin, 'Read usage, credits, keys, teams and health of the service', {
              tool: 'admin_usage',
            }),
          ]
        : []),
    ],
  }
}

const isForAdmin = ({ isAccount, method, name }: Operation): boolean =>
  isAccount && method === 'GET' && !name.includes('secret')

const readOnTool: Tool = {
  name: READ_NEXT_PART_TOOL,
  description: `The rest of a long answer that was cut off: its next part. The cursor is at the end of the previous part, valid for ${LONG_REPLY_LIMITS.keepMs / 60_000} minutes.`,
  inputSchema: { type: 'object', properties: { cursor: { type: 'string' } }, required: ['cursor'] },
  annotations: { readOnlyHint: true },
}

/** One tool for many operations; without `arguments` it returns the schema of the named one. */
function behind(name: string, operations: readonly Operation[], use: string, example: object): Tool {
  return {
    name,
    description: `${use}: ${operations.map(toolNameOf).join(', ')}. Without \`arguments\`: the whole input schema of any tool. Example: ${JSON.stringify(example)}`,
    inputSchema: {
      type: 'object',
      properties: { tool: { type: 'string' }, arguments: { type: 'object' } },
      required: ['tool'],
    },
  }
}

/** Routes call what they work on `jobId`, `sessionId` or `id`; tools call it `id`. */
function idOf({ params, inputs }: Operation): string | undefined {
  const [first] = params
  return first !== undefined && /Id$/.test(first) && inputs().properties.id === undefined ? first : undefined
}

const shownAs = (operation: Operation, input: string): string => (input === idOf(operation) ? 'id' : input)

/** The arguments as the route names them. A body is checked by its route; a wrong argument without one is named here. */
export function readToolArguments(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { id, ...rest } = spread(given)
  const own = idOf(operation)
  const named = id === undefined ? rest : { [own ?? 'id']: id, ...rest }
  const known = Object.keys(operation.inputs().properties)
  const stranger =
    operation.takesBody || operation.takesFile ? undefined : Object.keys(named).find((name) => !known.includes(name))
  const takes = known.map((name) => shownAs(operation, name))
  if (stranger !== undefined) {
    const meant = findNearestName(stranger, takes)
    const hint = meant ? `; did you mean ${meant}?` : `; ${toolNameOf(operation)} takes ${takes.join(', ') || 'none'}`
    throw new Problem('bad_request', { because: `${stranger}: there is no such argument${hint}` })
  }
  const missing = operation.params.find((name) => named[name] === undefined || named[name] === '')
  if (missing === undefined) return named
  throw new Problem('bad_request', {
    because: `${shownAs(operation, missing)}: is missing; ${toolNameOf(operation)} takes ${takes.slice(0, 12).join(', ')}`,
  })
}

export const emptyReplyText = (operation: Operation, given: Readonly<Record<string, unknown>>): string => {
  const { params, summary } = operation
  const what = params.map((name) => `${shownAs(operation, name)} ${String(given[name])}`).join(', ')
  return `Done: ${summary}${what ? ` (${what})` : ''}.`
}

function toolOf(operation: Operation, { use, not, example, inputs = {} }: McpToolDescription): Tool {
  const { properties, required } = operation.inputs()
  const named = [...new Set([...required, ...Object.keys(inputs)])]
  const short = Object.fromEntries(
    named.map((input) => [shownAs(operation, input), shortenSchema(properties[input] ?? {}, inputs[input])]),
  )
  const hasMore = Object.keys(properties).length > named.length
  return {
    name: toolNameOf(operation),
    description: [
      use,
      ...(operation.takesFile ? [FILE_INPUT_NOTE] : []),
      ...(not ? [`Not for ${not}.`] : []),
      ...(example ? [`Example: ${JSON.stringify(example)}`] : []),
    ].join(' '),
    inputSchema: {
      type: 'object',
      properties: {
        ...(operation.takesFile ? fileInputSchemas : {}),
        ...short,
        ...(operation.takesFile ? { uploadRef: { type: 'string' } } : {}),
        ...(hasMore ? { options: { type: 'object', description: `See ${RESOURCE}${toolNameOf(operation)}` } } : {}),
      } as Tool['inputSchema']['properties'],
      required: required.map((input) => shownAs(operation, input)),
    },
    // The protocol's defaults fit the rest: may modify, open world.
    ...(reads(operation) ? { annotations: { readOnlyHint: true } } : {}),
  }
}

const reads = ({ method, name }: Operation): boolean =>
  method === 'GET' || ['scrape', 'parse', 'map', 'search'].includes(name)

/** Type and a few words; the resource has the full schema. */
function shortenSchema(schema: OperationSchema, words: McpInputDescription | undefined): object {
  if (words !== undefined && typeof words !== 'string') return words
  return {
    ...(schema.type ? { type: schema.type } : {}),
    ...(schema.type === 'array' ? { items: schema.items?.type ? { type: schema.items.type } : {} } : {}),
    ...(schema.enum && schema.enum.length <= 6 ? { enum: schema.enum } : {}),
    ...(words ? { description: words } : {}),
  }
}

/** `options` has what the short schema omits; explicit arguments win. */
function spread(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { options, ...rest } = given
  if (options === undefined || options === null) return rest
  if (typeof options !== 'object' || Array.isArray(options))
    throw new Problem('bad_request', { because: 'options: must be an object' })
  return { ...options, ...rest }
}

export function describeTool(operation: Operation): string {
  const { properties, required } = operation.inputs()
  const shown = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [shownAs(operation, name), schema]),
  )
  const all = operation.takesFile ? { ...fileInputSchemas, ...shown } : shown
  return JSON.stringify({
    tool: toolNameOf(operation),
    summary: operation.summary,
    inputSchema: { type: 'object', properties: all, required: required.map((name) => shownAs(operation, name)) },
  })
}

export function unknownToolMessage(name: string, { operations, tools }: ToolSet): string {
  const known = [...operations.keys(), READ_NEXT_PART_TOOL]
  const meant = findNearestName(name, known)
  return `There is no tool "${name}".${meant ? ` Did you mean ${meant}?` : ''} There are ${tools.map((tool) => tool.name).join(', ')}.`
}
