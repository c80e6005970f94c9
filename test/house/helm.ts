// Renders our Helm chart without Helm: the part of Go templates that it uses. What it does not know is an error, so a chart
// that outgrows it fails its test.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'

type Value = unknown
type Scope = { dot: Value; names: ReadonlyMap<string, Value> }
type Node = string | { head: string; body: Node[]; or: Node[] }

export function renderChart(folder: string, release: string, values: object = {}): object[] {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  const chart = parse(read('Chart.yaml')) as Record<string, unknown>
  const Chart = { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion }
  const dot = { Values: merged(parse(read('values.yaml')), values), Release: { Name: release }, Chart }
  const defined = new Map<string, Node[]>()
  const files = readdirSync(join(folder, 'templates')).sort()
  const trees = files.map((name) => ({ name, tree: parseTemplate(read(`templates/${name}`)) }))
  for (const { tree } of trees)
    for (const node of tree)
      if (typeof node === 'object' && node.head.startsWith('define '))
        defined.set(JSON.parse(node.head.slice(7)) as string, node.body)
  return trees
    .filter(({ name }) => name.endsWith('.yaml'))
    .flatMap(({ tree }) => run(tree, { dot, names: new Map() }, defined).split(/^---$/m))
    .filter((text) => text.trim() !== '')
    .map((text) => parse(text) as object)
}

function merged(base: Value, over: Value): Value {
  if (!isObject(base) || !isObject(over)) return over ?? base
  const both = new Set([...Object.keys(base), ...Object.keys(over)])
  return Object.fromEntries([...both].map((key) => [key, merged(base[key], over[key])]))
}

const isObject = (value: Value): value is Record<string, Value> => typeof value === 'object' && value !== null

function parseTemplate(text: string): Node[] {
  const pieces = text
    .replace(/\s*\{\{-/g, '{{')
    .replace(/-\}\}\s*/g, '}}')
    .split(/(\{\{.*?\}\})/)
  const stack: { head: string; body: Node[]; or: Node[]; now: Node[] }[] = []
  const root: Node[] = []
  for (const piece of pieces) {
    const into = stack.at(-1)?.now ?? root
    const head = /^\{\{(.*)\}\}$/.exec(piece)?.[1]?.trim()
    if (head === undefined) into.push(piece)
    else if (/^(define|if|range|with)\b/.test(head)) {
      const node = { head, body: [] as Node[], or: [] as Node[] }
      into.push(node)
      stack.push({ ...node, now: node.body })
    } else if (head === 'else') {
      const top = stack.at(-1)!
      top.now = top.or
    } else if (head === 'end') stack.pop()
    else into.push({ head, body: [], or: [] })
  }
  if (stack.length > 0) throw new Error(`${stack[0]!.head} has no end`)
  return root
}

function run(nodes: readonly Node[], scope: Scope, defined: ReadonlyMap<string, Node[]>): string {
  const value = (text: string, within = scope) => evaluate(text, within, defined)
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node
      const [word = '', rest = ''] = [node.head.split(' ', 1)[0], node.head.replace(/^\S+ /, '')]
      if (word === 'define') return ''
      if (word === 'if') return run(isTrue(value(rest)) ? node.body : node.or, scope, defined)
      if (word === 'with') {
        const dot = value(rest)
        return isTrue(dot) ? run(node.body, { ...scope, dot }, defined) : run(node.or, scope, defined)
      }
      if (word === 'range') {
        const [, key = '', item = '', over = ''] = /^\$(\w+), \$(\w+) := (.+)$/.exec(rest) ?? []
        const entries = Object.entries((value(over) ?? {}) as object).sort()
        return entries
          .map(([name, one]) => {
            const names = new Map([...scope.names, [key, name], [item, one]])
            return run(node.body, { dot: one, names }, defined)
          })
          .join('')
      }
      return String(value(node.head) ?? '')
    })
    .join('')
}

const isTrue = (value: Value): boolean =>
  isObject(value)
    ? Object.keys(value).length > 0
    : value !== undefined && value !== false && value !== '' && value !== 0

function evaluate(text: string, scope: Scope, defined: ReadonlyMap<string, Node[]>): Value {
  let passed: Value[] = []
  for (const stage of text.split(' | ')) passed = [call(wordsOf(stage), passed)]
  return passed[0]

  function call([name = '', ...rest]: string[], last: Value[]): Value {
    const args = () => [...rest.map(one), ...last]
    switch (name) {
      case 'include': {
        const [template, dot] = args()
        const body = defined.get(String(template))
        if (!body) throw new Error(`no template is called ${template}`)
        return run(body, { dot, names: new Map() }, defined).trim()
      }
      case 'dict': {
        const given = args()
        return Object.fromEntries(given.flatMap((key, at) => (at % 2 === 0 ? [[key, given[at + 1]]] : [])))
      }
      case 'nindent':
        return `\n${String(args()[1]).replace(/^(?=.)/gm, ' '.repeat(Number(rest[0])))}`
      case 'toYaml':
        return stringify(args()[0]).trim()
      case 'quote':
        return JSON.stringify(String(args()[0]))
      case 'default':
        return isTrue(args()[1]) ? args()[1] : args()[0]
      case 'eq':
        return args()[0] === args()[1]
      case 'not':
        return !isTrue(args()[0])
      default:
        if (rest.length > 0) throw new Error(`the function ${name} is not known here`)
        return one(name)
    }
  }

  function one(word: string): Value {
    if (word.startsWith('(')) return evaluate(word.slice(1, -1), scope, defined)
    if (word.startsWith('"')) return JSON.parse(word)
    if (/^\d+$/.test(word)) return Number(word)
    const [, variable, path = ''] = /^(?:\$(\w+))?((?:\.\w*)*)$/.exec(word) ?? []
    if (path === '' && variable === undefined) throw new Error(`${word} is not known here`)
    const start = variable === undefined ? scope.dot : scope.names.get(variable)
    return path
      .split('.')
      .filter(Boolean)
      .reduce<Value>((found, key) => {
        if (!isObject(found) || !(key in found)) throw new Error(`${word}: there is no ${key}`)
        return found[key]
      }, start)
  }
}

/** Words, texts and parentheses. */
const wordsOf = (stage: string): string[] => stage.match(/\([^)]*\)|"[^"]*"|\S+/g) ?? []
