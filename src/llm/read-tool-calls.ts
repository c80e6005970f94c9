// Tool calls that a model wrote as text, in the usual dialects: `<tool_call>` blocks, JSON with a name and arguments,
// and calls as in Python.
import { isObject } from '../base/values.ts'
import { parseModelJson } from './parse-model-json.ts'

type WrittenCall = Record<string, unknown> & { tool: string }

const MARKS = /<\/?tool_calls?>|<\|[^|<>]{1,40}\|>|\[\/?TOOL_CALLS\]/
const MAX_CHARS = 20_000
const MAX_ARGUMENTS = 2000

/** Of the tools in `names`; empty: the text has none. */
export function readToolCalls(given: string, names: readonly string[]): WrittenCall[] {
  const text = given.slice(0, MAX_CHARS)
  const calls = text.split(MARKS).flatMap((part) => callsOf(parseModelJson(part)?.value, names, 0))
  return calls.length > 0 ? calls : pythonCallsIn(text, names)
}

function callsOf(value: unknown, names: readonly string[], depth: number): WrittenCall[] {
  if (depth > 4) return []
  if (Array.isArray(value)) return value.slice(0, 50).flatMap((one) => callsOf(one, names, depth + 1))
  if (!isObject(value)) return []
  for (const inner of [value.tool_calls, value.calls, value.function])
    if (inner !== null && typeof inner === 'object') return callsOf(inner, names, depth + 1)
  const name = [value.name, value.tool, value.tool_name, value.action, value.function].find(
    (one): one is string => typeof one === 'string' && names.includes(one),
  )
  if (name !== undefined) {
    const given = [value.arguments, value.parameters, value.args, value.input, value.action_input].find(
      (one) => one !== undefined,
    )
    const input = typeof given === 'string' ? parseModelJson(given)?.value : (given ?? value)
    return [{ ...(isObject(input) ? input : {}), tool: name }]
  }
  const [only, ...others] = Object.entries(value)
  return only && others.length === 0 && names.includes(only[0]) && isObject(only[1])
    ? [{ ...only[1], tool: only[0] }]
    : []
}

/** `read(links=[1, 2])`, `read({"links": [1]})`, `<function=read>{"links": [1]}</function>`. */
function pythonCallsIn(text: string, names: readonly string[]): WrittenCall[] {
  const calls: WrittenCall[] = []
  for (const { 1: name = '', index, 0: opening } of text.matchAll(/(?<![\p{L}\p{N}_-])([a-z_]{2,40})\s?[(>]/gu)) {
    if (!names.includes(name)) continue
    const rest = text.slice(index + opening.length, index + opening.length + MAX_ARGUMENTS).trimStart()
    const written = rest.startsWith('{') ? rest : `{${rest.split(')', 1)[0]!.replace(/([a-z_]+)\s*=/gi, '"$1":')}}`
    const input = parseModelJson(written)?.value
    calls.push({ ...(isObject(input) ? input : {}), tool: name })
  }
  return calls
}
