// The same call in other words: curl, the released SDKs, the command line, MCP. Pure: text from a call.
import type { Capability } from './schema.ts'

export interface Call {
  capability: Capability
  body: Record<string, unknown>
  origin: string
  /** Of an upload. */
  fileName?: string | undefined
}

/** Stands where the key goes, until there is one to show. */
export const KEY = 'fc-YOUR-KEY'
/** How the SDKs call what they have a method for, and which argument comes first. */
const METHODS: Readonly<Record<string, string>> = {
  '/v2/scrape': 'scrape',
  '/v2/crawl': 'crawl',
  '/v2/map': 'map',
  '/v2/batch/scrape': 'batchScrape',
  '/v2/search': 'search',
  '/v2/extract': 'extract',
  '/v2/parse': 'parse',
}

export const languages = ['curl', 'TypeScript', 'Python', 'Go', 'CLI', 'MCP'] as const
type Language = (typeof languages)[number]

export function snippet(language: Language, call: Call): string {
  switch (language) {
    case 'curl':
      return curl(call)
    case 'TypeScript':
      return typescript(call)
    case 'Python':
      return python(call)
    case 'Go':
      return go(call)
    case 'CLI':
      return commandLine(call)
    case 'MCP':
      return mcp(call)
  }
}

/** In single quotes, whatever is in it. */
const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
/** As the shell needs it: plain words stay plain. */
const word = (text: string): string => (/^[\w./:@%+=,-]+$/.test(text) ? text : quoteForShell(text))

function curl({ capability, body, origin, fileName }: Call): string {
  const head = `-H "Authorization: Bearer ${KEY}"`
  if (capability.box === 'file') {
    const options = Object.keys(body).length > 0 ? ` \\\n  -F options=${quoteForShell(JSON.stringify(body))}` : ''
    return `curl ${origin}${capability.path} \\\n  ${head} \\\n  -F file=@${word(fileName ?? 'file.pdf')}${options}`
  }
  // Not --json: that needs curl 7.82, and Ubuntu 22.04 has an older one.
  const type = '-H "Content-Type: application/json"'
  return `curl ${origin}${capability.path} \\\n  ${head} \\\n  ${type} \\\n  -d ${quoteForShell(JSON.stringify(body, null, 2))}`
}

/** The argument that comes first, and the rest as the SDK groups it. */
function argumentsOf({ capability, body }: Call): { first: unknown; rest: Record<string, unknown> } {
  const { [capability.box]: first, ...rest } = body
  if (capability.path !== '/v2/batch/scrape') return { first, rest }
  const own = new Set(['webhook', 'maxConcurrency', 'ignoreInvalidURLs', 'appendToId', 'zeroDataRetention'])
  const outer = Object.fromEntries(Object.entries(rest).filter(([name]) => own.has(name)))
  const options = Object.fromEntries(Object.entries(rest).filter(([name]) => !own.has(name)))
  return { first, rest: { ...outer, ...(Object.keys(options).length > 0 ? { options } : {}) } }
}

function typescript(call: Call): string {
  const { capability, body, origin, fileName } = call
  const method = METHODS[capability.path]
  if (!method)
    return [
      `const answer = await fetch(${js(`${origin}${capability.path}`)}, {`,
      "  method: 'POST',",
      `  headers: { authorization: 'Bearer ${KEY}', 'content-type': 'application/json' },`,
      `  body: JSON.stringify(${js(body, 1)}),`,
      '})',
      'console.log(await answer.json())',
    ].join('\n')
  const { first, rest } = argumentsOf(call)
  const options = Object.keys(rest).length > 0 ? `, ${js(rest)}` : ''
  const argument =
    capability.box === 'file'
      ? `{ data: await readFile(${js(fileName ?? 'file.pdf')}), filename: ${js(fileName ?? 'file.pdf')} }`
      : js(first ?? '')
  return [
    "import { Firecrawl } from 'firecrawl'",
    ...(capability.box === 'file' ? ["import { readFile } from 'node:fs/promises'"] : []),
    '',
    `const client = new Firecrawl({ apiKey: '${KEY}', apiUrl: ${js(origin)} })`,
    `const answer = await client.${method}(${argument}${options})`,
    'console.log(answer)',
  ].join('\n')
}

function python(call: Call): string {
  const { capability, body, origin, fileName } = call
  const method = METHODS[capability.path]
  if (!method)
    return [
      'import requests',
      '',
      'answer = requests.post(',
      `    ${py(`${origin}${capability.path}`)},`,
      `    headers={"Authorization": "Bearer ${KEY}"},`,
      `    json=${py(body, 1)},`,
      ')',
      'print(answer.json())',
    ].join('\n')
  const { first, rest } = argumentsOf(call)
  const named = { ...rest, ...((rest.options as object | undefined) ?? {}) } as Record<string, unknown>
  delete named.options
  const options = Object.entries(named).map(([name, value]) => `, ${snake(name)}=${py(value, 0, name)}`)
  return [
    'from firecrawl import Firecrawl',
    '',
    `client = Firecrawl(api_key="${KEY}", api_url=${py(origin)})`,
    `answer = client.${snake(method)}(${py(capability.box === 'file' ? (fileName ?? 'file.pdf') : (first ?? ''))}${options.join('')})`,
    'print(answer)',
  ].join('\n')
}

/** What the command line and the tools call it. */
const wordsOf = ({ path }: Capability): string[] =>
  path
    .replace(/^\/v2\//, '')
    .replace(/^batch\/scrape$/, 'batch')
    .split('/')

function commandLine({ capability, body, fileName }: Call): string {
  const { [capability.box]: first, ...rest } = body
  const name = wordsOf(capability).join(' ')
  const given =
    capability.box === 'file' ? [fileName ?? 'file.pdf'] : Array.isArray(first) ? first : first ? [first] : []
  const places = given.length > 0 ? given.map((text) => word(String(text))) : [`<${capability.box}>`]
  const flags = Object.entries(rest).map(([option, value]) => {
    const flag = `--${kebab(option)}`
    if (value === true) return flag
    if (value === false) return `--no-${kebab(option)}`
    const isNames = Array.isArray(value) && value.every((item) => typeof item === 'string')
    const text = isNames ? value.join(',') : typeof value === 'object' ? JSON.stringify(value) : String(value)
    return `${flag} ${word(text)}`
  })
  return `npx orbweaver ${name} ${[...places, ...flags].join(' ')}`
}

function mcp({ capability, body, origin, fileName }: Call): string {
  const name = wordsOf(capability).join('_').replaceAll('-', '_')
  const given =
    capability.box === 'file' ? { filename: fileName ?? 'file.pdf', content: 'its bytes as base64', ...body } : body
  const asked = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
  return [
    `# The service as a server: ${JSON.stringify({ mcpServers: { orbweaver: { url: `${origin}/mcp`, headers: { Authorization: `Bearer ${KEY}` } } } })}`,
    '# What its client then sends:',
    JSON.stringify(asked, null, 2),
  ].join('\n')
}

const snake = (name: string): string => name.replace(/[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`)
const kebab = (name: string): string => name.replace(/[A-Z]+/g, (letters) => `-${letters.toLowerCase()}`)

/** A value as JavaScript, the way people write it. */
function js(value: unknown, depth = 0): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  if (value === null || typeof value !== 'object') return String(value)
  const parts = Array.isArray(value)
    ? value.map((item) => js(item, depth + 1))
    : Object.entries(value).map(
        ([name, item]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : js(name)}: ${js(item, depth + 1)}`,
      )
  return laidOut(parts, Array.isArray(value) ? '[]' : '{}', depth, '  ')
}

/** Options whose own names the Python client spells with underscores; what is below any other option is data. */
const PY_OPTIONS = new Set(['scrapeOptions', 'formats', 'parsers', 'location', 'actions', 'profile', 'webhook'])
/** Below these is data, whatever it is in: the property of a schema keeps its name. */
const DATA = new Set(['schema', 'headers', 'metadata'])

/** A value as Python. `option` is the option it belongs to; without one, everything is data and stays as it is. */
function py(value: unknown, depth = 0, option = ''): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const respell = PY_OPTIONS.has(option)
  const parts = Array.isArray(value)
    ? value.map((item) => py(item, depth + 1, option))
    : Object.entries(value).map(([name, item]) => {
        const below = respell && !DATA.has(name) ? (PY_OPTIONS.has(name) ? name : option) : ''
        return `${JSON.stringify(respell ? snake(name) : name)}: ${py(item, depth + 1, below)}`
      })
  return laidOut(parts, Array.isArray(value) ? '[]' : '{}', depth, '    ')
}

/** In backquotes as Go writes raw texts; a backquote inside is put together. */
const raw = (text: string): string => `\`${text.replaceAll('`', '` + "`" + `')}\``

function go({ capability, body, origin, fileName }: Call): string {
  const isFile = capability.box === 'file'
  const imports = isFile
    ? ['bytes', 'fmt', 'io', 'mime/multipart', 'net/http', 'os']
    : ['fmt', 'io', 'net/http', 'strings']
  const name = JSON.stringify(fileName ?? 'file.pdf')
  const making = isFile
    ? [
        '\tvar body bytes.Buffer',
        '\tform := multipart.NewWriter(&body)',
        `\tpart, _ := form.CreateFormFile("file", ${name})`,
        `\tfile, err := os.ReadFile(${name})`,
        '\tif err != nil {',
        '\t\tpanic(err)',
        '\t}',
        '\tpart.Write(file)',
        ...(Object.keys(body).length > 0 ? [`\tform.WriteField("options", ${raw(JSON.stringify(body))})`] : []),
        '\tform.Close()',
        `\trequest, _ := http.NewRequest("POST", ${JSON.stringify(`${origin}${capability.path}`)}, &body)`,
        '\trequest.Header.Set("Content-Type", form.FormDataContentType())',
      ]
    : [
        `\tbody := strings.NewReader(${raw(JSON.stringify(body, null, 2))})`,
        `\trequest, _ := http.NewRequest("POST", ${JSON.stringify(`${origin}${capability.path}`)}, body)`,
        '\trequest.Header.Set("Content-Type", "application/json")',
      ]
  return [
    'package main',
    '',
    'import (',
    ...imports.map((one) => `\t"${one}"`),
    ')',
    '',
    'func main() {',
    ...making,
    `\trequest.Header.Set("Authorization", "Bearer ${KEY}")`,
    '\tanswer, err := http.DefaultClient.Do(request)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer answer.Body.Close()',
    '\ttext, _ := io.ReadAll(answer.Body)',
    '\tfmt.Println(string(text))',
    '}',
  ].join('\n')
}

/** On one line when it is short. */
function laidOut(parts: string[], brackets: string, depth: number, indent: string): string {
  const [open = '', close = ''] = brackets
  if (parts.length === 0) return brackets
  const line = parts.join(', ')
  const space = open === '{' ? ' ' : ''
  if (line.length < 60 && !line.includes('\n')) return `${open}${space}${line}${space}${close}`
  const pad = indent.repeat(depth + 1)
  return `${open}\n${parts.map((part) => `${pad}${part},\n`).join('')}${indent.repeat(depth)}${close}`
}
