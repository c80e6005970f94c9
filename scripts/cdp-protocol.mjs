// Writes src/fetch/chrome/live/protocol.json: the methods and parameters of the DevTools protocol that a session is open
// for. Source: the protocol's own description (npm `devtools-protocol`) and the decisions in protocol-decisions.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'src/fetch/chrome/live')
const require = createRequire(import.meta.url)

/** Every domain that the protocol describes. */
export const protocolDomains = () =>
  ['browser', 'js'].flatMap((part) => require(`devtools-protocol/json/${part}_protocol.json`).domains)

const SENSITIVE_NAME = /path|file|folder|director|url|origin|referr|host|proxy|target|window|handle|bucket|storagekey/i
const SENSITIVE_TYPE = /\.(TargetID|SessionID|BrowserContextID|WindowID|StreamHandle|SerializedStorageKey)$/
const SCALAR = { integer: 'number', number: 'number', boolean: 'boolean', string: 'string', binary: 'string' }

/** The schema of all open methods. Throws when a sensitive parameter has no decision, or a decision no parameter. */
export function protocolSchema(decisions = JSON.parse(readFileSync(join(folder, 'protocol-decisions.json'), 'utf8'))) {
  const domains = new Map(protocolDomains().map((domain) => [domain.domain, domain]))
  const decided = new Map(decisions.parameters.flatMap(({ rule, of }) => of.map((name) => [name, rule])))
  const [types, used, faults] = [{}, new Set(), []]

  const typeNamed = (name) => {
    const [domain, id] = name.split('.')
    return domains.get(domain)?.types?.find((type) => type.id === id)
  }
  /** A named type, or what stands in its place, with the domain that its own names belong to. */
  const resolve = (domain, { $ref, ...inline }) => {
    if (!$ref) return { ...inline, domain }
    const ref = $ref.includes('.') ? $ref : `${domain}.${$ref}`
    return { ...typeNamed(ref), domain: ref.split('.')[0], ref }
  }
  /** A field as text: an optional rule, its type, and `[]` for a list. */
  const fieldOf = (owner, domain, field) => {
    const key = `${owner} ${field.name}`
    const outer = resolve(domain, field)
    const isList = outer.type === 'array'
    const { type, properties, ref = outer.ref, enum: values } = isList ? resolve(outer.domain, outer.items) : outer
    if (properties) addType(ref, properties)
    const kind = properties ? ref : (SCALAR[type] ?? 'any')
    const holdsText = kind === 'string' || kind === 'any'
    const sensitive = SENSITIVE_TYPE.test(ref ?? '') || (holdsText && !values && SENSITIVE_NAME.test(field.name))
    const rule = decided.get(key)
    if (rule) used.add(key)
    else if (sensitive) faults.push(`${key} (${ref ?? kind}) needs a decision`)
    if (rule === 'refused') return undefined
    return `${rule && rule !== 'any' ? `${rule}:` : ''}${kind}${isList ? '[]' : ''}`
  }
  const fieldsOf = (owner, domain, list = []) =>
    Object.fromEntries(
      list.flatMap((field) => {
        const text = fieldOf(owner, domain, field)
        return text === undefined ? [] : [[field.name, text]]
      }),
    )
  const addType = (name, properties) => {
    if (types[name]) return
    types[name] = {}
    types[name] = fieldsOf(name, name.split('.')[0], properties)
  }
  const methodsIn = (table) =>
    Object.fromEntries(
      Object.entries(table).flatMap(([domain, names]) =>
        names.split(' ').flatMap((name) => {
          const command = domains.get(domain)?.commands.find((one) => one.name === name)
          if (!command) faults.push(`the protocol has no method ${domain}.${name}`)
          return command ? [[`${domain}.${name}`, fieldsOf(`${domain}.${name}`, domain, command.parameters)]] : []
        }),
      ),
    )
  const schema = { browser: methodsIn(decisions.browserMethods), page: methodsIn(decisions.pageMethods), types }
  for (const key of decided.keys()) if (!used.has(key)) faults.push(`${key} is decided, and no open method has it`)
  if (faults.length > 0) throw new Error(`protocol-decisions.json:\n${faults.join('\n')}`)
  return schema
}

/** As text: a line for each method and type. */
export function schemaText(schema = protocolSchema()) {
  const lines = (table) => Object.entries(table).map(([name, fields]) => `"${name}":${JSON.stringify(fields)}`)
  const parts = Object.entries(schema).map(([part, table]) => `"${part}":{\n${lines(table).join(',\n')}\n}`)
  return `{\n${parts.join(',\n')}\n}\n`
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(folder, 'protocol.json'), schemaText())
