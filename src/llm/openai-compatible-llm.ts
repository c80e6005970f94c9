// A language model behind an OpenAI-compatible endpoint.
import type { Log } from '../base/log.ts'
import { askForEachPiece, askJson, contextLimitText, type ModelCallContext, REPEATED } from './ask-model.ts'
import { chooseNextSteps, type ToolCallingState } from './choose-next-steps.ts'
import { cutRepetition } from './cut-repetition.ts'
import { answerWithExtraction } from './extractive-llm.ts'
import { findQuotes } from './find-quotes.ts'
import type { AnswerTask, HighlightTask, Llm, ModelAnswer, ModelMeter, ModelTask, TokenUsage } from './llm.ts'
import { type ModelEndpoint, type ModelEndpointSettings, openModelEndpoint } from './model-endpoint.ts'
import type { ModelExchange } from './model-exchange.ts'
import { extractWithModel } from './model-extract.ts'
import { findModelRefusal, ModelFault } from './model-fault.ts'
import { makeModelFetch } from './model-fetch.ts'
import type { Chat } from './model-request-types.ts'
import { LinkNumbers } from './number-links.ts'
import {
  ANSWER_FROM_NOTES_PROMPT,
  ANSWER_PROMPT,
  CLEAN_PROMPT,
  fencePageText,
  fenceStructuredData,
  HIGHLIGHT_PROMPT,
  isNotOnPageAnswer,
  JOIN_PROMPT,
  PASSAGES_SCHEMA,
  SUMMARISE_PROMPT,
} from './prompts.ts'
import { openChat, TOKENS_SPENT_TEXT } from './send-chat-requests.ts'
import { currentTokenBudget, type TokenBudget } from './token-budget.ts'

export interface ModelSettings extends ModelEndpointSettings {
  log: Log
  timeoutMs?: number | undefined
  proxy?: string | undefined
  certificates?: string | undefined
  small?: string | undefined
  price?: TokenPrice | undefined
  smallPrice?: TokenPrice | undefined
  meter?: ModelMeter | undefined
  onExchange?: ((exchange: ModelExchange) => void) | undefined
}

type TokenPrice = { input: number; output: number }

const TIMEOUT_MS = 120_000
/** Sequential requests per question: pieces of a long page, and continuations. */
const MAX_SEQUENTIAL_REQUESTS = 8

interface Served {
  model: string
  endpoint: ModelEndpoint
  chat: Chat
  calling: ToolCallingState
  price: TokenPrice | undefined
}

export function openOpenAiCompatibleLlm(given: ModelSettings): Llm {
  const { log, small, timeoutMs = TIMEOUT_MS, proxy, certificates, meter, ...rest } = given
  const settings = { ...rest, fetch: rest.fetch ?? makeModelFetch({ timeoutMs, proxy, certificates }) }
  const makeServed = (model: string, price: TokenPrice | undefined): Served => {
    const endpoint = openModelEndpoint({ ...settings, model })
    const chat = openChat({ ...settings, model, timeoutMs }, endpoint)
    return { model, endpoint, chat, calling: { calls: 0, silent: 0 }, price }
  }
  const main = makeServed(settings.model, settings.price)
  const reader = small === undefined ? main : makeServed(small, settings.smallPrice)

  async function askEndpoint<T>(
    { endpoint, chat, calling, model, price }: Served,
    ask: ModelTask<T>,
    signal: AbortSignal,
    work: (talk: ModelCallContext, calling: ToolCallingState) => Promise<T>,
  ): Promise<ModelAnswer<T>> {
    const usage: TokenUsage = { inputTokens: 0, outputTokens: 0, calls: 0 }
    const endsAt = performance.now() + timeoutMs * MAX_SEQUENTIAL_REQUESTS
    const tokens = currentTokenBudget.getStore()
    const talk: ModelCallContext = {
      chat,
      endpoint: tokens ? shortenInput(endpoint, tokens) : endpoint,
      budget: { usage, endsAt, tokens },
      warnings: [],
      isPartial: false,
      source: ask.source,
      links: new LinkNumbers(),
      signal,
    }
    const countUsage = (): TokenUsage => {
      if (!price) {
        meter?.count(usage)
        return usage
      }
      const cost = (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1_000_000
      tokens?.charge(cost)
      const counted = { ...usage, cost }
      meter?.count(counted)
      return counted
    }
    try {
      if (tokens?.isSpent) throw new ModelFault('spent', TOKENS_SPENT_TEXT)
      const spent = await meter?.spentText()
      if (spent) throw new ModelFault('spent', spent)
      const value = await work(talk, calling)
      tokens?.answers()
      return { value, by: 'model', warnings: talk.warnings, usage: countUsage(), doNotCache: talk.isPartial }
    } catch (error) {
      if (!(error instanceof ModelFault)) throw error
      tokens?.standIn(error)
      if (error.kind !== 'spent')
        log.warn({ model, fault: error.kind, error: error.message }, 'the language model returned no response')
      const because = `The language model returned no usable response (${error.message}): this was extracted from the page without it.`
      return { ...answerWithExtraction(ask, because), usage: countUsage(), doNotCache: true }
    }
  }

  return {
    by: 'model',
    name: [settings.url, settings.model, small].filter(Boolean).join(' '),
    facts: () => main.endpoint.facts,
    smallFacts: () => (small === undefined ? undefined : reader.endpoint.facts),
    async probe(signal) {
      await Promise.all([main.endpoint.probe(signal), small === undefined ? undefined : reader.endpoint.probe(signal)])
    },
    extract: (ask, signal) =>
      askEndpoint((ask.job ?? 'read') === 'read' ? reader : main, ask, signal, (talk) => extractWithModel(ask, talk)),
    choose: (ask, signal) =>
      askEndpoint<unknown>(reader, ask, signal, (talk, calling) => chooseNextSteps(ask, talk, calling)),
    answer: (ask, signal) => askEndpoint(main, ask, signal, (talk) => answer(ask, talk)),
    summarise: (ask, signal) => askEndpoint(main, ask, signal, (talk) => summarise(ask.text(), talk)),
    highlight: (ask, signal) => askEndpoint(reader, ask, signal, (talk) => highlight(ask, talk)),
    clean: (ask, signal) => askEndpoint(reader, ask, signal, (talk) => clean(ask.text(), talk)),
  }
}

/** Limits pieces to what the surrounding work may read per request. */
const shortenInput = (endpoint: ModelEndpoint, { pageChars }: TokenBudget): ModelEndpoint => ({
  ...endpoint,
  pieceChars: () => Math.min(endpoint.pieceChars(), pageChars),
})

async function say(system: string, content: string, talk: ModelCallContext): Promise<string> {
  const { chat, budget, signal } = talk
  const { text, isCut } = await chat.ask(system, [{ role: 'user', content }], 'text', budget, signal)
  const refusal = findModelRefusal(text)
  if (refusal) throw refusal
  if (isCut) {
    talk.isPartial = true
    talk.warnings.push("The model's answer was cut off at its length limit and did not continue.")
  }
  const once = cutRepetition(text.trim())
  if (once !== text.trim()) talk.warnings.push(REPEATED)
  return talk.links.restore(once)
}

/** Maximum pieces for a question about a long page; beyond, only relevant passages are read. */
const MAX_PIECES_OF_QUESTION = 4

function textFor(ask: AnswerTask | HighlightTask, talk: ModelCallContext): string {
  const text = ask.text()
  const most = talk.endpoint.pieceChars() * MAX_PIECES_OF_QUESTION
  const chosen = text.length > most ? ask.relevant?.() : undefined
  if (chosen === undefined || chosen.length >= text.length) return text
  talk.warnings.push(
    `${chosen.length} of the page's ${text.length} characters, the nearest to the question, were read: ${contextLimitText(talk.endpoint)}.`,
  )
  return chosen
}

async function answer(ask: AnswerTask, talk: ModelCallContext): Promise<string | null> {
  const question = `Question: ${ask.question}`
  const answers = await askForEachPiece(textFor(ask, talk), talk, (piece, n) =>
    say(
      ask.isNotes ? ANSWER_FROM_NOTES_PROMPT : ANSWER_PROMPT,
      `${fencePageText(piece, talk.source)}${n === 0 ? fenceStructuredData(talk.links.shorten(ask.facts?.() ?? '')) : ''}\n\n${question}`,
      talk,
    ),
  )
  if (answers.every((one) => one === '')) throw new ModelFault('unusable', 'its answer was empty')
  const useful = answers.filter((one) => one !== '' && !isNotOnPageAnswer(one))
  if (useful.length < 2) return useful[0] ?? null
  const joined = useful.map((one) => fencePageText(one)).join('\n')
  return say(`${JOIN_PROMPT} ${ANSWER_PROMPT}`, `${joined}\n\n${question}`, talk)
}

async function summarise(text: string, talk: ModelCallContext): Promise<string> {
  const parts = await askForEachPiece(text, talk, (piece) =>
    say(SUMMARISE_PROMPT, fencePageText(piece, talk.source), talk),
  )
  const said = parts.filter((part) => part !== '')
  if (said.length === 0) throw new ModelFault('unusable', 'its answer was empty')
  return said.length === 1
    ? said[0]!
    : say(`${JOIN_PROMPT} ${SUMMARISE_PROMPT}`, fencePageText(said.join('\n\n')), talk)
}

async function highlight(ask: HighlightTask, talk: ModelCallContext): Promise<readonly string[]> {
  const quotes = await askForEachPiece(textFor(ask, talk), talk, (piece) => {
    const question = `${fencePageText(piece, talk.source)}\n\nQuery: ${ask.query}`
    return askJson(HIGHLIGHT_PROMPT, question, { schema: PASSAGES_SCHEMA }, talk)
  })
  const said = quotes.map(listIn)
  if (said.every((list) => list === undefined))
    throw new ModelFault('unusable', 'it did not respond with a list of passages')
  const given = said.flatMap((list) => list ?? [])
  const kept = findQuotes(given, ask.text())
  if (given.length > 0 && kept.length === 0)
    throw new ModelFault('unusable', 'none of the passages it quoted stands on the page')
  return kept
}

/** A list, or the only list in an object, under any name. */
function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'object' ? textIn(item) : item))
  if (value === null || typeof value !== 'object') return typeof value === 'string' ? [value] : undefined
  const lists = Object.values(value).filter(Array.isArray)
  return lists.length === 1 ? listIn(lists[0]) : undefined
}

const textIn = (item: object | null): unknown => Object.values(item ?? {}).find((part) => typeof part === 'string')

async function clean(text: string, talk: ModelCallContext): Promise<string> {
  const kept = 'The text is too long for the model to clean, so `onlyCleanContent` was skipped.'
  // The text is both input and output.
  if (text.length > Math.min(talk.endpoint.pieceChars() / 2, talk.endpoint.outputTokens() * 3)) {
    talk.warnings.push(kept)
    return text
  }
  const messages = [{ role: 'user' as const, content: fencePageText(talk.links.shorten(text), talk.source) }]
  const { text: cleaned, isCut } = await talk.chat.ask(CLEAN_PROMPT, messages, 'text', talk.budget, talk.signal)
  const refusal = findModelRefusal(cleaned)
  if (refusal) throw refusal
  if (!isCut && cleaned.trim() !== '') return talk.links.restore(cleaned.trim())
  talk.warnings.push(kept)
  return text
}
