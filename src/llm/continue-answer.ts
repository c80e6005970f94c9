// Continues an answer that was cut off at the length limit, and joins the parts.

import { cutRepetition } from './cut-repetition.ts'
import { ModelFault } from './model-fault.ts'
import type { AnswerShape, Chat, ModelReply } from './model-request-types.ts'
import { isCompleteJson } from './parse-model-json.ts'
import { CONTINUE_PROMPT } from './prompts.ts'

const MAX_CONTINUED = 3
const MAX_OVERLAP = 200
const MIN_OVERLAP = 8

export async function askUntilComplete(ask: Chat['ask'], request: Parameters<Chat['ask']>): Promise<ModelReply> {
  const [system, messages, shape, budget, signal] = request
  const first = await ask(...request)
  let { text, isCut } = first
  // To go on would repeat the same again.
  const once = isCut ? cutRepetition(text) : text
  if (once !== text) return { ...first, text: once }
  if (isCut && text === '' && first.calls.length === 0)
    throw new ModelFault('unusable', 'its answer was cut off at the length limit while it was still thinking')
  for (let n = 0; isCut && n < MAX_CONTINUED && !isWhole(text, shape); n++) {
    const said = [
      ...messages,
      { role: 'assistant' as const, content: text },
      { role: 'user' as const, content: CONTINUE_PROMPT },
    ]
    // The first part is useful even if the rest fails.
    const more = await ask(system, said, 'text', budget, signal).catch((error: unknown) => {
      if (error instanceof ModelFault) return undefined
      throw error
    })
    if (!more || more.text === '') break
    text = joinAnswers(text, more.text, shape)
    isCut = more.isCut
  }
  return { ...first, text, isCut: isCut && !isWhole(text, shape) }
}

const isJson = (shape: AnswerShape): boolean => shape === 'json' || (typeof shape === 'object' && 'schema' in shape)

/** Parseable JSON is complete, whatever the finish reason. */
const isWhole = (text: string, shape: AnswerShape): boolean => isJson(shape) && isCompleteJson(text)

/** Some models repeat the last words, and some begin again. */
function joinAnswers(text: string, more: string, shape: AnswerShape): string {
  if (isJson(shape) && isCompleteJson(more)) return more
  const rest = isJson(shape) ? more.replace(/^```(?:json)?\s*/i, '') : more
  for (let length = Math.min(MAX_OVERLAP, text.length, rest.length); length >= MIN_OVERLAP; length--)
    if (text.endsWith(rest.slice(0, length))) return text + rest.slice(length)
  const isWordBreak = !isJson(shape) && /\p{L}$/u.test(text) && /^\p{Lu}/u.test(rest)
  return `${text}${isWordBreak ? ' ' : ''}${rest}`
}
