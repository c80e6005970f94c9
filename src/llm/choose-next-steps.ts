// A model's choice of next steps: tool calls where the endpoint supports them, JSON or calls in the text otherwise.
import { isObject } from '../base/values.ts'
import type { ModelCallContext } from './ask-model.ts'
import type { ChooseTask } from './llm.ts'
import { findModelRefusal, ModelFault } from './model-fault.ts'
import type { ChatMessage, ModelReply } from './model-request-types.ts'
import { parseModelJson } from './parse-model-json.ts'
import { CHOOSE_NEXT_STEPS_PROMPT, CHOOSE_WITHOUT_TOOLS_PROMPT, fencePageText } from './prompts.ts'

/** Responses without a call after which an endpoint counts as having no tools. */
const MAX_REPLIES_WITHOUT_TOOL_CALL = 2
/** Choices that may be answered with a result, before one is taken as it is. */
const MAX_RESULTS = 3

export type ToolCallingState = { calls: number; silent: number }

export async function chooseNextSteps(
  ask: ChooseTask,
  talk: ModelCallContext,
  calling: ToolCallingState,
): Promise<unknown> {
  const messages: ChatMessage[] = [{ role: 'user', content: `${fencePageText(ask.text())}\n\n${ask.prompt}` }]
  for (let results = 0; ; results++) {
    const choice =
      (talk.endpoint.facts.tools ? await calledTools(ask, messages, talk, calling) : undefined) ??
      (await writtenChoice(ask, messages, talk))
    const result = results < MAX_RESULTS ? ask.respond?.(choice) : undefined
    if (result === undefined) return choice
    messages.push(
      { role: 'assistant', content: JSON.stringify(choice) },
      { role: 'user', content: `Result of your calls:\n${fencePageText(result)}\n\nGo on with the task.` },
    )
  }
}

async function calledTools(
  ask: ChooseTask,
  messages: readonly ChatMessage[],
  talk: ModelCallContext,
  calling: ToolCallingState,
): Promise<unknown> {
  const { chat, budget, signal } = talk
  let reply: ModelReply
  try {
    reply = await chat.ask(CHOOSE_NEXT_STEPS_PROMPT, messages, { tools: ask.tools }, budget, signal)
  } catch (error) {
    if (!(error instanceof ModelFault) || (error.kind !== 'no_tools' && error.kind !== 'too_long')) throw error
    return undefined
  }
  if (reply.calls.length > 0) {
    calling.calls += 1
    calling.silent = 0
    return { steps: reply.calls.map(({ tool, input }) => ({ ...(input as object), tool })) }
  }
  const written = choiceIn(reply.text, ask)
  if (written) return written
  // A model that has called tools before has nothing to call.
  if (calling.calls > 0) return {}
  calling.silent += 1
  if (calling.silent >= MAX_REPLIES_WITHOUT_TOOL_CALL)
    talk.endpoint.learn(new ModelFault('no_tools', 'the endpoint calls no tools'))
  return undefined
}

async function writtenChoice(
  ask: ChooseTask,
  messages: readonly ChatMessage[],
  { chat, budget, signal }: ModelCallContext,
): Promise<unknown> {
  const [first, ...rest] = messages
  const tools = ask.tools.map(
    ({ name, use, slots }) => `- ${name}: ${use}${Object.keys(slots).length > 0 ? ` ${JSON.stringify(slots)}` : ''}`,
  )
  const said: ChatMessage[] = [{ role: 'user', content: `${first!.content}\nTools:\n${tools.join('\n')}` }, ...rest]
  const reply = await chat.ask(CHOOSE_WITHOUT_TOOLS_PROMPT, said, { schema: ask.schema }, budget, signal)
  const choice = choiceIn(reply.text, ask)
  if (choice) return choice
  const again: ChatMessage[] = [
    ...said,
    { role: 'assistant', content: reply.text.slice(0, 20_000) || '(nothing)' },
    { role: 'user', content: 'That is not valid JSON. Answer again with the JSON value alone.' },
  ]
  const { text } = await chat.ask(CHOOSE_WITHOUT_TOOLS_PROMPT, again, 'json', budget, signal)
  const second = choiceIn(text, ask)
  if (second) return second
  throw findModelRefusal(reply.text) ?? new ModelFault('unusable', 'it chose nothing that was offered')
}

/** JSON of the schema, a bare list of numbers, or calls in any dialect. */
function choiceIn(text: string, { schema, tools }: ChooseTask): unknown {
  const offered = tools.map(({ name }) => name)
  const calls = readToolCalls(text, offered)
  if (calls.length > 0) return { steps: calls }
  const value = parseModelJson(text)?.value
  const [first] = Object.keys((schema.properties ?? {}) as object)
  if (Array.isArray(value) && first !== undefined && value.every((one) => Number.isInteger(one)))
    return { [first]: value }
  const names = Object.keys((schema.properties ?? {}) as object)
  return isObject(value) && names.some((name) => Object.hasOwn(value, name)) ? value : undefined
}

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
