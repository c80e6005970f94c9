// Tool: answers from the earlier conversation with a model. Values that no fact supports are dropped.

import { z } from 'zod'
import { isObject } from '../../../base/values.ts'
import { type ConversationTurn, conversationTurnsOf, writeConversationDigest } from '../conversation-digest.ts'
import type { JsonRecord, JsonValue } from '../notebook.ts'
import { agentStore } from '../store/index.ts'
import { scoreFactSupport } from '../verify-values-by-quotes.ts'
import type { AgentTool, ToolCall } from './agent-tool.ts'

/** Prompt limit in characters, besides the effort's limit. */
const MAX_PROMPT_CHARS = 24_000

export const recallTool: AgentTool<Record<string, never>> = {
  name: 'recall',
  use: 'Looks at what was said before in this conversation.',
  input: z.strictObject({}),
  price: () => 0,
  visits: () => [],
  async call(call, signal) {
    const { has, runId, goal, pageChars } = call
    const run = await agentStore(has.store).get(runId)
    const runs = run ? await agentStore(has.store).thread(run.teamId, run.threadId) : []
    const earlier = conversationTurnsOf(runs.filter(({ turn }) => turn < (run?.turn ?? 0)))
    const text = writeConversationDigest(earlier, [], goal.terms, Math.min(MAX_PROMPT_CHARS, pageChars))
    const facts = text === '' ? [] : findGroundingFacts(await answerFromMemory(call, text, signal), earlier)
    return { result: { tool: 'recall', facts }, credits: 0 }
  },
}

async function answerFromMemory({ has, goal }: ToolCall<unknown>, text: string, signal: AbortSignal) {
  const { prompt, schema, shape } = goal
  const ask = { text: () => text, found: null }
  if (shape === 'answer') {
    const { value } = await has.llm.answer({ ...ask, question: prompt }, signal)
    return { answer: value }
  }
  const { value } = await has.llm.extract({ ...ask, schema, prompt }, signal)
  return isObject(value) ? (value as JsonRecord) : {}
}

/** Answered values that a fact supports, newest first. */
function findGroundingFacts(said: Readonly<Record<string, JsonValue>>, earlier: readonly ConversationTurn[]) {
  const facts = earlier.flatMap((one) => one.facts).reverse()
  return Object.entries(said).flatMap(([path, value]) => {
    if (value === null || typeof value === 'object' || typeof value === 'boolean') return []
    const sure = facts.map((fact) => ({ fact, is: scoreFactSupport(fact, String(value), path === 'answer') }))
    const holder = (sure.find(({ is }) => is === 2) ?? sure.find(({ is }) => is === 1))?.fact
    return holder ? [{ path, value, source: holder.source }] : []
  })
}
