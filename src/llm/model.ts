// A language model behind an OpenAI-compatible endpoint. Long pages are read in pieces, answers are checked and asked for
// again once, and when the model cannot answer at all, what extraction found stands in, with a warning that says why.
import type { Log } from '../base/log.ts'
import { type Chat, openChat, SPENT } from './chat.ts'
import { type Endpoint, type EndpointSettings, openEndpoint } from './endpoint.ts'
import { asFound } from './extractive.ts'
import { ModelFault } from './fault.ts'
import type { AnswerAsk, HighlightAsk, Llm, ModelAnswer, ModelTask } from './llm.ts'
import { type Calling, choose } from './model-choose.ts'
import { extract } from './model-extract.ts'
import { askJson, overPieces, type Talk } from './talk.ts'
import { type TokenCounts, tokenRun } from './tokens.ts'
import { ANSWER, CLEAN, HIGHLIGHT, isNothing, JOIN, PASSAGES, page, SUMMARISE } from './words.ts'

export interface ModelSettings extends EndpointSettings {
  log: Log
}

/** The longest that one question may take; its caller's deadline is mostly nearer. */
const PATIENCE_MS = 300_000

export function openModel({ log, ...settings }: ModelSettings): Llm {
  const endpoint = openEndpoint(settings)
  const chat = openChat(settings, endpoint)
  const calling: Calling = { calls: 0, silent: 0 }

  /** Runs one question; a model that fails is stood in for. */
  async function told<T>(
    ask: ModelTask<T>,
    signal: AbortSignal,
    work: (talk: Talk) => Promise<T>,
  ): Promise<ModelAnswer<T>> {
    const usage = { inputTokens: 0, outputTokens: 0, calls: 0 }
    const endsAt = performance.now() + Math.min(PATIENCE_MS, ask.patienceMs ?? PATIENCE_MS)
    const tokens = tokenRun.getStore()
    const talk: Talk = {
      chat,
      endpoint: tokens ? shortened(endpoint, tokens) : endpoint,
      budget: { usage, endsAt, tokens },
      warnings: [],
      isPartial: false,
      source: ask.source,
      signal,
    }
    try {
      if (tokens?.isSpent) throw new ModelFault('spent', SPENT)
      const value = await work(talk)
      return { value, by: 'model', warnings: talk.warnings, usage, fleeting: talk.isPartial }
    } catch (error) {
      if (!(error instanceof ModelFault)) throw error
      tokens?.standIn()
      if (error.kind !== 'spent')
        log.warn(
          { model: settings.model, fault: error.kind, error: error.message },
          'the language model gave no answer',
        )
      const because = `The language model gave no usable answer (${error.message}): this was extracted from the page without it.`
      return { ...asFound(ask, because), usage, fleeting: true }
    }
  }

  return {
    by: 'model',
    name: `${settings.url} ${settings.model}`,
    facts: () => endpoint.facts,
    probe: (signal) => endpoint.probe(signal),
    extract: (ask, signal) => told(ask, signal, (talk) => extract(ask, talk)),
    choose: (ask, signal) => told<unknown>(ask, signal, (talk) => choose(ask, talk, calling)),
    answer: (ask, signal) => told(ask, signal, (talk) => answer(ask, talk)),
    summarise: (ask, signal) => told(ask, signal, (talk) => summarise(ask.text(), talk)),
    highlight: (ask, signal) => told(ask, signal, (talk) => highlight(ask, talk)),
    clean: (ask, signal) => told(ask, signal, (talk) => clean(chat, ask.text(), talk)),
  }
}

/** Pieces of a page are no longer than the work at hand may read at once. */
const shortened = (endpoint: Endpoint, { pageChars }: TokenCounts): Endpoint => ({
  ...endpoint,
  pieceChars: () => Math.min(endpoint.pieceChars(), pageChars),
})

const say = async (system: string, content: string, { chat, budget, signal }: Talk): Promise<string> =>
  (await chat.ask(system, [{ role: 'user', content }], 'text', budget, signal)).text.trim()

/** Of a page that is longer than the model reads at once, what speaks of the question is enough. */
function textFor(ask: AnswerAsk | HighlightAsk, talk: Talk): string {
  const text = ask.text()
  const chosen = text.length > talk.endpoint.pieceChars() ? ask.relevant?.() : undefined
  if (chosen === undefined || chosen.length >= text.length) return text
  talk.warnings.push(
    `The page is too long for the model: of its ${text.length} characters the ${chosen.length} nearest to the question were read.`,
  )
  return chosen
}

async function answer(ask: AnswerAsk, talk: Talk): Promise<string | null> {
  const question = `Question: ${ask.question}`
  const answers = await overPieces(textFor(ask, talk), talk, (piece) =>
    say(ANSWER, `${page(piece, talk.source)}\n\n${question}`, talk),
  )
  if (answers.every((one) => one === '')) throw new ModelFault('unusable', 'its answer was empty')
  const useful = answers.filter((one) => one !== '' && !isNothing(one))
  if (useful.length < 2) return useful[0] ?? null
  return say(`${JOIN} ${ANSWER}`, `${useful.map((one) => page(one)).join('\n')}\n\n${question}`, talk)
}

async function summarise(text: string, talk: Talk): Promise<string> {
  const parts = await overPieces(text, talk, (piece) => say(SUMMARISE, page(piece, talk.source), talk))
  const said = parts.filter((part) => part !== '')
  if (said.length === 0) throw new ModelFault('unusable', 'its answer was empty')
  return said.length === 1 ? said[0]! : say(`${JOIN} ${SUMMARISE}`, page(said.join('\n\n')), talk)
}

async function highlight(ask: HighlightAsk, talk: Talk): Promise<readonly string[]> {
  const quotes = await overPieces(textFor(ask, talk), talk, (piece) =>
    askJson(HIGHLIGHT, `${page(piece, talk.source)}\n\nQuery: ${ask.query}`, { schema: PASSAGES }, talk),
  )
  const said = quotes.map(listIn)
  if (said.every((list) => list === undefined))
    throw new ModelFault('unusable', 'it did not answer with a list of passages')
  const given = said.flatMap((list) => list ?? [])
  const kept = verbatim(given, ask.text())
  if (given.length > 0 && kept.length === 0)
    throw new ModelFault('unusable', 'none of the passages it quoted stands on the page')
  return kept
}

/** A list, or the one list in an object, whatever it is called there. */
function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'object' ? textIn(item) : item))
  if (value === null || typeof value !== 'object') return typeof value === 'string' ? [value] : undefined
  const lists = Object.values(value).filter(Array.isArray)
  return lists.length === 1 ? listIn(lists[0]) : undefined
}

const textIn = (item: object | null): unknown => Object.values(item ?? {}).find((part) => typeof part === 'string')

async function clean(chat: Chat, text: string, talk: Talk): Promise<string> {
  const kept = 'The text is too long for the model to clean, so `onlyCleanContent` was skipped.'
  if (text.length > talk.endpoint.pieceChars() / 2) {
    talk.warnings.push(kept)
    return text
  }
  const messages = [{ role: 'user' as const, content: page(text, talk.source) }]
  const { text: cleaned, isCut } = await chat.ask(CLEAN, messages, 'text', talk.budget, talk.signal)
  if (!isCut && cleaned.trim() !== '') return cleaned.trim()
  talk.warnings.push(kept)
  return text
}

/** Only what stands on the page, in its order. */
function verbatim(quotes: readonly unknown[], text: string): string[] {
  const flat = text.replace(/\s+/g, ' ')
  return quotes
    .filter((quote): quote is string => typeof quote === 'string' && quote.trim() !== '')
    .map((quote) => ({ quote, at: flat.indexOf(quote.trim().replace(/\s+/g, ' ')) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ quote }) => quote.trim())
}
