// Flags as text for `orb help <command>`, docs/cli.md and completion.
import { type OperationInputs, type OperationSchema, toKebabCase } from '../capabilities/operation.ts'
import { type CommandFlag, schemaBranches, takesBoolean } from './flags.ts'

type FlagLine = { flag: string; help: string }

export const describeOperationFlags = (inputs: OperationInputs, params: readonly string[]): FlagLine[] =>
  Object.entries(inputs.properties)
    .filter(([name]) => !params.includes(name))
    .map(([name, schema]) => ({ flag: flagOf(name, schema), help: helpOf(schema) }))

export const describeOwnFlags = (own: readonly CommandFlag[]): FlagLine[] =>
  own.map(({ name, short, value, help }) => ({
    flag: `${short ? `-${short}, ` : ''}--${name}${value ? ` <${value}>` : ''}`,
    help,
  }))

export function listFlagNames(
  inputs: OperationInputs,
  params: readonly string[],
  own: readonly CommandFlag[],
): string[] {
  const ofSchema = Object.entries(inputs.properties)
    .filter(([name]) => !params.includes(name))
    .flatMap(([name, schema]) => {
      const flag = `--${toKebabCase(name)}`
      return takesBoolean(schema) && schema.default === true ? [flag, `--no-${toKebabCase(name)}`] : [flag]
    })
  return [...ofSchema, ...own.map(({ name }) => `--${name}`)]
}

function flagOf(name: string, schema: OperationSchema): string {
  const flag = toKebabCase(name)
  if (takesBoolean(schema)) return schema.default === true ? `--no-${flag}` : `--${flag}`
  return `--${flag} <${valueName(schema)}>`
}

function valueName(schema: OperationSchema): string {
  const all = schemaBranches(schema)
  const isA = (type: string) => all.some((branch) => branch.type === type)
  if (isA('array')) return all.some(({ items }) => items && schemaBranches(items).some(isTextual)) ? 'list' : 'json'
  if (isA('integer') || isA('number')) return 'number'
  const values = all.flatMap((branch) => branch.enum ?? [])
  if (values.length > 0 && values.length <= 6 && !isA('object')) return values.join('|')
  if (all.some(isTextual)) return schema.format === 'uri' ? 'url' : 'text'
  return 'json'
}

const isTextual = ({ type, enum: values }: OperationSchema): boolean => type === 'string' || values !== undefined

function helpOf(schema: OperationSchema): string {
  const all = schemaBranches(schema)
  const parts = [schema.description ?? '']
  const names = all.flatMap(({ items }) => (items ? schemaBranches(items).flatMap((branch) => branch.enum ?? []) : []))
  if (names.length > 0) parts.push(`One or more of ${names.join(', ')}.`)
  const inner = all.flatMap(({ properties }) => Object.keys(properties ?? {}))
  if (inner.length > 0 && inner.length <= 8)
    parts.push(`Its parts: ${inner.map((name) => `.${toKebabCase(name)}`).join(', ')}.`)
  const { default: normal } = schema
  if (normal !== undefined && typeof normal !== 'object' && normal !== '' && !takesBoolean(schema))
    parts.push(`${normal} by default.`)
  if (takesBoolean(schema) && normal === true) return `Turn off: ${parts.join(' ').trim()}`
  return parts.filter(Boolean).join(' ')
}

export function alignColumns(lines: readonly FlagLine[], width = 100): string {
  const left = Math.min(34, Math.max(...lines.map(({ flag }) => flag.length)) + 2)
  return lines
    .map(({ flag, help }) => {
      const [first = '', ...more] = wrapText(help, width - left - 2)
      const head =
        flag.length + 2 > left ? `  ${flag}\n  ${' '.repeat(left)}${first}` : `  ${flag.padEnd(left)}${first}`
      return [head, ...more.map((line) => `  ${' '.repeat(left)}${line}`)].join('\n')
    })
    .join('\n')
}

function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
