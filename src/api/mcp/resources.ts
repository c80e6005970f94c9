// Resources: the whole input schema of each tool, and whatever has an id (a scrape, a job, a monitor) by a template.
import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/server'
import type { Operation } from '../../capabilities/operation.ts'
import { describeTool, RESOURCE, type ToolSet, toolNameOf } from './tools.ts'

const ROOT = 'orbweaver://'
const MIME_TYPE = 'application/json'

export const listToolResources = ({ operations }: ToolSet): Resource[] =>
  [...operations].map(([name, { summary }]) => ({
    uri: `${RESOURCE}${name}`,
    name,
    description: `${summary}: every option`,
    mimeType: MIME_TYPE,
  }))

/** Reading one thing by its id needs no other input. */
const readsOne = ({ method, params, isAccount }: Operation): boolean =>
  method === 'GET' && params.length === 1 && !isAccount

export const listResourceTemplates = ({ operations }: ToolSet): ResourceTemplateType[] =>
  [...operations.values()].filter(readsOne).map((operation) => ({
    uriTemplate: `${ROOT}${toolNameOf(operation)}/{id}`,
    name: toolNameOf(operation),
    description: operation.summary,
    mimeType: MIME_TYPE,
  }))

/** Undefined: there is no such resource. */
export async function readResource(
  uri: string,
  { operations }: ToolSet,
  call: (operation: Operation, given: Record<string, unknown>) => Promise<{ statusCode: number; body: string }>,
): Promise<string | undefined> {
  const [, name = '', id = ''] = /^orbweaver:\/\/(\w+)\/([\w.~%-]{1,300})$/.exec(uri) ?? []
  if (uri.startsWith(RESOURCE)) {
    const described = operations.get(id)
    return described && describeTool(described)
  }
  const operation = operations.get(name)
  const [param] = operation?.params ?? []
  if (!operation || !readsOne(operation) || param === undefined) return undefined
  const { statusCode, body } = await call(operation, { [param]: decodeURIComponent(id) })
  return statusCode < 400 ? body : undefined
}
