// A model's choice of next steps: tool calls where the endpoint supports them, JSON otherwise.

import type { Talk } from './ask-model.ts'
import { jsonIn } from './json-text.ts'
import type { ChooseAsk } from './llm.ts'
import { extract } from './model-extract.ts'
import { ModelFault } from './model-fault.ts'
import { CHOOSE, page } from './prompts.ts'

/** Responses without a call after which an endpoint counts as having no tools. */
const MAX_SILENT = 2

export interface Calling {
  calls: number
  silent: number
}

export async function choose(ask: ChooseAsk, talk: Talk, calling: Calling): Promise<unknown> {
  const { facts } = talk.endpoint
  const called = facts.tools ? await calledTools(ask, talk, calling) : undefined
  return called ?? extract({ ...ask, prompt: promptOf(ask) }, talk)
}

const promptOf = ({ prompt, tools }: ChooseAsk): string =>
  [prompt, 'Tools:', ...tools.map(({ name, use }) => `- ${name}: ${use}`)].join('\n')

async function calledTools(ask: ChooseAsk, talk: Talk, calling: Calling): Promise<unknown> {
  const { chat, budget, signal } = talk
  const content = `${page(ask.text())}\n\n${ask.prompt}`
  try {
    const { calls, text } = await chat.ask(CHOOSE, [{ role: 'user', content }], { tools: ask.tools }, budget, signal)
    if (calls.length > 0) {
      calling.calls += 1
      calling.silent = 0
      return { steps: calls.map(({ tool, input }) => ({ ...(input as object), tool })) }
    }
    // Some models write their choice as text.
    const said = jsonIn(text)?.value
    const names = Object.keys((ask.schema.properties ?? {}) as object)
    if (said !== null && typeof said === 'object' && names.some((name) => Object.hasOwn(said, name))) return said
  } catch (error) {
    if (!(error instanceof ModelFault) || (error.kind !== 'no_tools' && error.kind !== 'too_long')) throw error
    return undefined
  }
  // A model that has called tools before has nothing to call.
  if (calling.calls > 0) return {}
  calling.silent += 1
  if (calling.silent >= MAX_SILENT) talk.endpoint.learn(new ModelFault('no_tools', 'the endpoint calls no tools'))
  return undefined
}
