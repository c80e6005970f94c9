// One question under way: a text asked about piece by piece, and answers that have to be JSON.
import type { AnswerShape, Budget, Chat, ChatMessage } from './chat.ts'
import type { Endpoint } from './endpoint.ts'
import { ModelFault } from './fault.ts'
import { jsonIn } from './json-text.ts'
import type { PageSource } from './llm.ts'
import { inPieces } from './long-text.ts'

export interface Talk {
  chat: Chat
  endpoint: Endpoint
  budget: Budget
  warnings: string[]
  /** Some answer is less than the model can give another time. */
  isPartial: boolean
  source: PageSource | undefined
  signal: AbortSignal
}

/** Pieces asked about at once. */
const AT_ONCE = 3
/** How often a text may be cut smaller. */
const MAX_CUTS = 3

/** The answers to every piece of a text, a few at a time; pieces too long for the endpoint are cut smaller. */
export async function overPieces<T>(
  text: string,
  talk: Talk,
  one: (piece: string, n: number) => Promise<T>,
  size = talk.endpoint.pieceChars(),
  cuts = 0,
): Promise<T[]> {
  const { pieces, left } = inPieces(text, size)
  const answers: T[] = []
  try {
    for (let n = 0; n < pieces.length; n += AT_ONCE)
      answers.push(...(await Promise.all(pieces.slice(n, n + AT_ONCE).map((piece, m) => one(piece, n + m)))))
  } catch (error) {
    if (error instanceof ModelFault && error.kind === 'spent' && answers.length > 0) {
      talk.isPartial = true
      talk.warnings.push(`Of the page's ${pieces.length} parts ${answers.length} were read: ${error.message}.`)
      return answers
    }
    if (!(error instanceof ModelFault) || error.kind !== 'too_long' || cuts >= MAX_CUTS) throw error
    // By what it said it can read, or else by guessing.
    const said = talk.endpoint.pieceChars()
    return overPieces(text, talk, one, said < size ? said : Math.ceil(size / 4), cuts + 1)
  }
  if (left > 0) talk.warnings.push(`The page is too long for the model: its last ${left} characters were not read.`)
  return answers
}

/** An answer as JSON; what cannot be read is asked for once more. */
export async function askJson(system: string, content: string, shape: AnswerShape, talk: Talk): Promise<unknown> {
  return (await conversation(system, [{ role: 'user', content }], shape, talk)).value
}

export interface Conversation {
  value: unknown
  /** What was said so far, to go on from. */
  messages: ChatMessage[]
}

export async function conversation(
  system: string,
  messages: readonly ChatMessage[],
  shape: AnswerShape,
  talk: Talk,
): Promise<Conversation> {
  const { chat, budget, signal } = talk
  const ask = async (said: readonly ChatMessage[], as: AnswerShape) => {
    const reply = await chat.ask(system, said, as, budget, signal)
    const found = jsonIn(reply.text)
    return { ...reply, found: found && { value: unwrapped(found.value, reply.wrappedAs) } }
  }
  const first = await ask(messages, shape)
  const answered = (text: string): ChatMessage[] => [
    ...messages,
    { role: 'assistant', content: text.slice(0, 20_000) || '(nothing)' },
  ]
  if (first.found) {
    if (first.isCut) {
      talk.isPartial = true
      talk.warnings.push("The model's answer was cut off at its length limit; what came before was kept.")
    }
    return { value: first.found.value, messages: answered(first.text) }
  }
  const again: ChatMessage[] = [
    ...answered(first.text),
    { role: 'user', content: 'That is not valid JSON. Answer again with the JSON value alone.' },
  ]
  // An endpoint whose way of structured output yields nothing may do better without.
  const second = await ask(again, 'json')
  if (!second.found) throw new ModelFault('unusable', 'it did not answer with JSON')
  return { value: second.found.value, messages: answered(second.text) }
}

const unwrapped = (value: unknown, name: string | undefined): unknown =>
  name !== undefined && value !== null && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : value
