// A model's choice of next steps: tool calls where the endpoint supports them, JSON otherwise.

import type { ModelCallContext } from './ask-model.ts'
import type { ChooseTask } from './llm.ts'
import { extractWithModel } from './model-extract.ts'
import { ModelFault } from './model-fault.ts'
import { parseModelJson } from './parse-model-json.ts'
import { CHOOSE_NEXT_STEPS_PROMPT, fencePageText } from './prompts.ts'

/** Responses without a call after which an endpoint counts as having no tools. */
const MAX_REPLIES_WITHOUT_TOOL_CALL = 2

export interface ToolCallingState {
  calls: number
  silent: number
}

export async function chooseNextSteps(
  ask: ChooseTask,
  talk: ModelCallContext,
  calling: ToolCallingState,
): Promise<unknown> {
  const { facts } = talk.endpoint
  const called = facts.tools ? await calledTools(ask, talk, calling) : undefined
  return called ?? extractWithModel({ ...ask, prompt: promptOf(ask) }, talk)
}

const promptOf = ({ prompt, tools }: ChooseTask): string =>
  [prompt, 'Tools:', ...tools.map(({ name, use }) => `- ${name}: ${use}`)].join('\n')

async function calledTools(ask: ChooseTask, talk: ModelCallContext, calling: ToolCallingState): Promise<unknown> {
  const { chat, budget, signal } = talk
  const content = `${fencePageText(ask.text())}\n\n${ask.prompt}`
  try {
    const { calls, text } = await chat.ask(
      CHOOSE_NEXT_STEPS_PROMPT,
      [{ role: 'user', content }],
      { tools: ask.tools },
      budget,
      signal,
    )
    if (calls.length > 0) {
      calling.calls += 1
      calling.silent = 0
      return { steps: calls.map(({ tool, input }) => ({ ...(input as object), tool })) }
    }
    // Some models write their choice as text.
    const said = parseModelJson(text)?.value
    const names = Object.keys((ask.schema.properties ?? {}) as object)
    if (said !== null && typeof said === 'object' && names.some((name) => Object.hasOwn(said, name))) return said
  } catch (error) {
    if (!(error instanceof ModelFault) || (error.kind !== 'no_tools' && error.kind !== 'too_long')) throw error
    return undefined
  }
  // A model that has called tools before has nothing to call.
  if (calling.calls > 0) return {}
  calling.silent += 1
  if (calling.silent >= MAX_REPLIES_WITHOUT_TOOL_CALL)
    talk.endpoint.learn(new ModelFault('no_tools', 'the endpoint calls no tools'))
  return undefined
}
