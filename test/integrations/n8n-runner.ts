// Runs one operation of a declarative n8n node as n8n does: the fields that a form shows become a request by their `routing`,
// hooks before and after it included. Nothing of the node is known here but n8n's own format of descriptions.
import { request } from 'node:http'
import type { Json } from '../e2e/service.ts'

interface Routed {
  options: Json
  preSend: ((this: Json, options: Json) => Promise<Json>)[]
  postReceive: Json[]
}

interface Credentials {
  baseUrl: string
  apiKey: string
}

/** The values of a form: what was typed, and the default of every other field that is shown. */
function formOf(properties: Json[], typed: Json): Json {
  const form: Json = structuredClone(typed)
  // A field may be shown because of one that comes later.
  for (let before = -1; before !== Object.keys(form).length; ) {
    before = Object.keys(form).length
    for (const field of properties)
      if (!(field.name in form) && isShown(field, form)) form[field.name] = structuredClone(field.default)
  }
  for (const field of properties) if (field.name in typed && isShown(field, form)) fillGroups(field, form)
  return form
}

/** A group that was added has all of its fields; a collection has those that were added one by one. */
function fillGroups(field: Json, within: Json): void {
  if (field.type !== 'fixedCollection') return
  for (const group of field.options)
    for (const entry of [within[field.name]?.[group.name] ?? []].flat())
      for (const inner of group.values) {
        const isNew = !(inner.name in entry) && isShown(inner, entry)
        if (isNew) entry[inner.name] = structuredClone(inner.default)
        else if (inner.name in entry) fillGroups(inner, entry)
      }
}

/** Every operation of the node, by the name of its resource. */
export const operationsOf = (properties: Json[]): string[] =>
  properties
    .filter(({ name, type }) => name === 'operation' && type === 'options')
    .flatMap(({ displayOptions, options }) =>
      options.map(({ value }: Json) => `${displayOptions.show.resource[0]}.${value}`),
    )

/** The items that the operation hands to the next node. */
export async function runOperation(description: Json, credentials: Credentials, typed: Json): Promise<Json[]> {
  const form = formOf(description.properties, typed)
  const scope = { $credentials: credentials, $parameter: form }
  const routed: Routed = { options: evaluated(description.requestDefaults, scope), preSend: [], postReceive: [] }
  for (const field of description.properties) route(field, form, form, scope, routed)
  const host = hostOf(form, credentials)
  let { options } = routed
  for (const hook of routed.preSend) options = await hook.call(host, options)
  const response = await send(options, credentials)
  let items: Json[] = [response.body].flat().map((json) => ({ json }))
  for (const hook of routed.postReceive) items = await received(hook, host, items, response)
  return items
}

/** A hook is a function, or one of n8n's own by name. */
async function received(hook: Json, host: Json, items: Json[], response: Json): Promise<Json[]> {
  if (typeof hook === 'function') return hook.call(host, items, response)
  if (hook.type !== 'setKeyValue') throw new Error(`n8n-runner has no ${hook.type}`)
  return items.map(({ json }) => ({ json: evaluated(hook.properties, { $response: response, $responseItem: json }) }))
}

/** Adds what a field and the fields within it ask of the request. */
function route(field: Json, value: Json, form: Json, scope: Json, into: Routed): void {
  if (!isShown(field, form)) return
  const own = value?.[field.name]
  apply(field.routing, own, scope, into)
  if (field.type === 'options') {
    const chosen = field.options?.find((option: Json) => option.value === own)
    apply(chosen?.routing, own, scope, into)
  } else if (field.type === 'collection') {
    for (const inner of field.options) if (inner.name in (own ?? {})) route(inner, own, form, scope, into)
  } else if (field.type === 'fixedCollection') {
    for (const group of field.options)
      for (const entry of [own?.[group.name] ?? []].flat())
        for (const inner of group.values) if (inner.name in entry) route(inner, entry, form, scope, into)
  }
}

function apply(routing: Json, value: Json, scope: Json, into: Routed): void {
  if (!routing) return
  merge(into.options, evaluated(routing.request ?? {}, { ...scope, $value: value }))
  into.preSend.push(...(routing.send?.preSend ?? []))
  into.postReceive.push(...(routing.output?.postReceive ?? []))
}

function isShown({ displayOptions = {} }: Json, form: Json): boolean {
  const { show = {}, hide = {} } = displayOptions
  const has = (name: string, values: Json[]) => values.includes(form[name])
  return (
    Object.entries<Json[]>(show).every(([name, values]) => has(name, values)) &&
    !Object.entries<Json[]>(hide).some(([name, values]) => has(name, values))
  )
}

/** A text that begins with `=` is an expression; one that is a single `{{ }}` keeps the type of its value. */
function evaluated(template: Json, scope: Json): Json {
  if (Array.isArray(template)) return template.map((part) => evaluated(part, scope))
  if (template && typeof template === 'object')
    return Object.fromEntries(Object.entries(template).map(([name, part]) => [name, evaluated(part, scope)]))
  if (typeof template !== 'string' || !template.startsWith('=')) return template
  const text = template.slice(1).trim()
  const run = (code: string) => new Function(...Object.keys(scope), `return (${code})`)(...Object.values(scope))
  const parts = text.split(/\{\{|\}\}(?!\})/)
  if (parts.length === 3 && parts[0] === '' && parts[2] === '') {
    try {
      return run(parts[1]!)
    } catch (error) {
      // A list that nobody filled in has no items: n8n takes such an expression for undefined.
      if (error instanceof TypeError) return undefined
      throw error
    }
  }
  return parts.map((part, index) => (index % 2 ? run(part) : part)).join('')
}

/** As lodash merges: undefined replaces nothing. */
function merge(into: Json, from: Json): void {
  for (const [name, value] of Object.entries<Json>(from ?? {})) {
    const isObject = value && typeof value === 'object' && !Array.isArray(value)
    if (isObject && into[name] && typeof into[name] === 'object') merge(into[name], value)
    else if (value !== undefined) into[name] = value
  }
}

const hostOf = (form: Json, credentials: Credentials): Json => ({
  getNodeParameter: (name: string, fallback: Json) => form[name] ?? fallback,
  getCredentials: async () => credentials,
  helpers: {
    httpRequestWithAuthentication: async (_: string, options: Json) => (await send(options, credentials)).body,
  },
})

/** A body goes with every method, as n8n sends it; `fetch` would refuse that. */
function send(options: Json, { apiKey }: Credentials): Promise<{ statusCode: number; headers: Json; body: Json }> {
  const { baseURL = '', url = '', method = 'GET', headers = {}, qs = {}, body } = options
  const query = new URLSearchParams(qs).toString()
  const text = body && Object.keys(body).length > 0 ? JSON.stringify(body) : undefined
  return new Promise((resolve, reject) => {
    const length = text === undefined ? {} : { 'Content-Length': Buffer.byteLength(text) }
    const all = { ...headers, Authorization: `Bearer ${apiKey}`, ...length }
    const sent = request(`${baseURL}${url}${query && `?${query}`}`, { method, headers: all }, async (response) => {
      let answer = ''
      for await (const chunk of response) answer += chunk
      const { statusCode = 0 } = response
      if (statusCode >= 400) return reject(new Error(`${method} ${url} ${text}: ${statusCode} ${answer}`))
      resolve({ statusCode, headers: response.headers, body: answer ? JSON.parse(answer) : {} })
    })
    sent.on('error', reject)
    sent.end(text)
  })
}
