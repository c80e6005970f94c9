// One question to the model: over the pieces of a text, and with JSON answers.
import { cutRepetitionsIn } from './cut-repetition.ts'
import type { PageSource } from './llm.ts'
import type { ModelEndpoint } from './model-endpoint.ts'
import { findModelRefusal, ModelFault } from './model-fault.ts'
import type { AnswerShape, Chat, ChatMessage, RequestBudget } from './model-request-types.ts'
import type { LinkNumbers } from './number-links.ts'
import { parseModelJson } from './parse-model-json.ts'
import { splitIntoPieces } from './split-long-text.ts'

export interface ModelCallContext {
  chat: Chat
  endpoint: ModelEndpoint
  budget: RequestBudget
  warnings: string[]
  /** Some answer is incomplete; another attempt may do better. */
  isPartial: boolean
  source: PageSource | undefined
  links: LinkNumbers
  signal: AbortSignal
}

const AT_ONCE = 3
const MAX_CUTS = 3

/**
 * Answers for every piece, a few in parallel. Too long pieces are split; a failed piece is reported, and the others
 * count.
 */
export async function askForEachPiece<T>(
  whole: string,
  talk: ModelCallContext,
  one: (piece: string, n: number) => Promise<T>,
): Promise<T[]> {
  const text = talk.links.shorten(whole)
  const { pieces, left } = splitIntoPieces(text, talk.endpoint.pieceChars())
  const done: PieceEnd<T>[] = []
  for (let n = 0; n < pieces.length; n += AT_ONCE) {
    const some = pieces.slice(n, n + AT_ONCE)
    done.push(...(await Promise.all(some.map((piece, m) => overPiece(piece, n + m, talk, one, 0)))))
    // A failure of every request is not repeated for the remaining pieces.
    if (done.every(({ answers }) => answers.length === 0)) break
    if (done.some(({ fault }) => fault?.kind === 'spent')) break
  }
  const answers = done.flatMap((end) => end.answers)
  const fault = done.find((end) => end.fault)?.fault
  if (answers.length === 0) throw fault!
  const read = done.filter((end) => end.fault === undefined).length
  if (fault) {
    talk.isPartial = true
    talk.warnings.push(`${read} of the page's ${pieces.length} parts were read: ${fault.message}.`)
  }
  if (left > 0)
    talk.warnings.push(
      `The last ${left} of the page's ${text.length} characters were not read: ${contextLimitText(talk.endpoint)}.`,
    )
  return answers
}

export const contextLimitText = ({ facts }: ModelEndpoint): string =>
  facts.contextTokens
    ? `the model's context has ${facts.contextTokens} tokens`
    : 'the endpoint does not report its context length (ORB_LLM_CONTEXT)'

type PieceEnd<T> = { answers: T[]; fault?: ModelFault }

async function overPiece<T>(
  piece: string,
  n: number,
  talk: ModelCallContext,
  one: (piece: string, n: number) => Promise<T>,
  cuts: number,
): Promise<PieceEnd<T>> {
  try {
    return { answers: [await one(piece, n)] }
  } catch (error) {
    if (!(error instanceof ModelFault)) throw error
    if (error.kind !== 'too_long' || cuts >= MAX_CUTS) return { answers: [], fault: error }
    // By its stated context size, else by a guess.
    const said = talk.endpoint.pieceChars()
    const size = said < piece.length ? said : Math.ceil(piece.length / 4)
    const answers: T[] = []
    for (const part of splitIntoPieces(piece, size).pieces) {
      const end = await overPiece(part, answers.length === 0 ? n : n + 1, talk, one, cuts + 1)
      answers.push(...end.answers)
      if (end.fault) return { answers, fault: end.fault }
    }
    return { answers }
  }
}

export async function askJson(
  system: string,
  content: string,
  shape: AnswerShape,
  talk: ModelCallContext,
): Promise<unknown> {
  return (await askJsonConversation(system, [{ role: 'user', content }], shape, talk)).value
}

export const REPEATED = 'The model repeated itself without end; the repetitions were cut.'

export type JsonConversation = { value: unknown; messages: ChatMessage[] }

export async function askJsonConversation(
  system: string,
  messages: readonly ChatMessage[],
  shape: AnswerShape,
  talk: ModelCallContext,
): Promise<JsonConversation> {
  const { chat, budget, signal, links } = talk
  const ask = async (said: readonly ChatMessage[], as: AnswerShape) => {
    const reply = await chat.ask(system, said, as, budget, signal)
    const found = parseModelJson(reply.text)
    const onCut = () => void talk.warnings.push(REPEATED)
    const value = found && cutRepetitionsIn(unwrapValue(found.value, reply.wrappedAs), onCut)
    return { ...reply, found: found && { value: links.restore(value) } }
  }
  const first = await ask(messages, shape)
  const addAnswer = (text: string): ChatMessage[] => [
    ...messages,
    { role: 'assistant', content: text.slice(0, 20_000) || '(nothing)' },
  ]
  if (first.found) {
    if (first.isCut) {
      talk.isPartial = true
      talk.warnings.push(
        "The model's answer was cut off at its length limit and did not continue; what came before was kept.",
      )
    }
    return { value: first.found.value, messages: addAnswer(first.text) }
  }
  const again: ChatMessage[] = [
    ...addAnswer(first.text),
    { role: 'user', content: 'That is not valid JSON. Answer again with the JSON value alone.' },
  ]
  // An endpoint whose structured output fails may do better without it.
  const second = await ask(again, 'json')
  if (!second.found)
    throw (
      findModelRefusal(second.text) ??
      findModelRefusal(first.text) ??
      new ModelFault('unusable', 'it did not respond with JSON')
    )
  return { value: second.found.value, messages: addAnswer(second.text) }
}

const unwrapValue = (value: unknown, name: string | undefined): unknown =>
  name !== undefined && value !== null && typeof value === 'object' && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : value
