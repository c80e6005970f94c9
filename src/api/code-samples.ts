// Code samples for curl, TypeScript and the CLI, generated from a route's example so that they match the schema.

import { deriveOperations } from '../capabilities/derive-operations.ts'
import { toKebabCase } from '../capabilities/operation.ts'
import type { Route } from '../capabilities/route.ts'

export const EXAMPLE_BASE_URL = 'http://localhost:3002'

export function writeCodeSamples(route: Route): string | undefined {
  const { example, method, path } = route
  if (!example || /^\/v[01]\//.test(path)) return undefined
  const body = JSON.stringify(example)
  const curl = `curl ${EXAMPLE_BASE_URL}${path} -H "Authorization: Bearer $ORB_API_KEY" -H "Content-Type: application/json" -d '${body}'`
  const script = [
    `const answer = await fetch('${EXAMPLE_BASE_URL}${path}', {`,
    `  method: '${method}',`,
    `  headers: { authorization: 'Bearer ' + key, 'content-type': 'application/json' },`,
    `  body: JSON.stringify(${JSON.stringify(example)
      .replace(/"(\w+)":/g, '$1: ')
      .replace(/,/g, ', ')}),`,
    '})',
  ].join('\n')
  return [fenceCode('sh', curl), fenceCode('ts', script), ...commandOf(route)].join('\n\n')
}

function commandOf(route: Route): string[] {
  const [operation] = deriveOperations([{ routes: [route] }])
  if (!operation || !route.example) return []
  const words = Object.entries(route.example).flatMap(([name, value]) => {
    if (operation.inputs().required.includes(name)) return Array.isArray(value) ? value : [value]
    return [`--${toKebabCase(name)}`, Array.isArray(value) ? value.join(',') : value]
  })
  return [fenceCode('sh', ['npx orbweaver', operation.name, ...words.map(quoteForShell)].join(' '))]
}

const quoteForShell = (word: unknown): string =>
  /^[\w./:@,-]+$/.test(String(word)) ? String(word) : `'${String(word)}'`

const fenceCode = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``
