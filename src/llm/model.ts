// A language model behind an OpenAI-compatible endpoint. Long pages are read in pieces, answers are checked and asked for
// again once, and when the model cannot answer at all, what extraction found stands in, with a warning that says why.
import type { Log } from '../base/log.ts'
import { type Budget, type Chat, type ChatSettings, type Message, openChat } from './chat.ts'
import { checkFor } from './conform.ts'
import { asFound } from './extractive.ts'
import { ModelFault } from './fault.ts'
import { jsonIn } from './json-text.ts'
import type { Ask, ExtractAsk, Llm, Told } from './llm.ts'
import { inPieces, merged, PIECE_CHARS } from './long-text.ts'
import { ANSWER, CLEAN, EXTRACT, HIGHLIGHT, isNothing, JOIN, page, SUMMARISE } from './words.ts'

export interface ModelSettings extends ChatSettings {
  log: Log
}

/** The longest that one question may take, when its caller has that much time. */
const PATIENCE_MS = 60_000
/** Pieces asked about at once. */
const AT_ONCE = 3

/** One question under way. */
interface Talk {
  budget: Budget
  warnings: string[]
  /** Some answer is less than the model can give another time. */
  isPartial: boolean
  signal: AbortSignal
}

export function openModel({ log, ...settings }: ModelSettings): Llm {
  const chat = openChat(settings)

  /** Runs one question; a model that fails is stood in for. */
  async function told<T>(ask: Ask<T>, signal: AbortSignal, work: (talk: Talk) => Promise<T>): Promise<Told<T>> {
    const usage = { inputTokens: 0, outputTokens: 0, calls: 0 }
    const endsAt = performance.now() + Math.min(PATIENCE_MS, ask.patienceMs ?? PATIENCE_MS)
    const talk: Talk = { budget: { usage, endsAt }, warnings: [], isPartial: false, signal }
    try {
      const value = await work(talk)
      return { value, by: 'model', warnings: talk.warnings, usage, fleeting: talk.isPartial }
    } catch (error) {
      if (!(error instanceof ModelFault)) throw error
      log.warn({ model: settings.model, fault: error.kind, error: error.message }, 'the language model gave no answer')
      const because = `The language model gave no usable answer (${error.message}): this was extracted from the page without it.`
      return { ...asFound(ask, because), usage, fleeting: true }
    }
  }

  const say = async (system: string, content: string, talk: Talk) =>
    (await chat.ask(system, [{ role: 'user', content }], false, talk.budget, talk.signal)).text.trim()

  return {
    by: 'model',
    name: `${settings.url} ${settings.model}`,
    extract: (ask, signal) => told(ask, signal, (talk) => extract(chat, ask, talk)),
    answer: (ask, signal) =>
      told(ask, signal, async (talk) => {
        const answers = await overPieces(ask.text(), talk, (piece) =>
          say(ANSWER, `${page(piece)}\n\nQuestion: ${ask.question}`, talk),
        )
        if (answers.every((answer) => answer === '')) throw new ModelFault('unusable', 'its answer was empty')
        const useful = answers.filter((answer) => answer !== '' && !isNothing(answer))
        if (useful.length < 2) return useful[0] ?? null
        return say(`${JOIN} ${ANSWER}`, `${useful.map(page).join('\n')}\n\nQuestion: ${ask.question}`, talk)
      }),
    summarise: (ask, signal) =>
      told(ask, signal, async (talk) => {
        const parts = await overPieces(ask.text(), talk, (piece) => say(SUMMARISE, page(piece), talk))
        if (parts.every((part) => part === '')) throw new ModelFault('unusable', 'its answer was empty')
        return parts.length === 1 ? parts[0]! : say(`${JOIN} ${SUMMARISE}`, page(parts.join('\n\n')), talk)
      }),
    highlight: (ask, signal) =>
      told(ask, signal, async (talk) => {
        const text = ask.text()
        const quotes = await overPieces(text, talk, async (piece) =>
          askJson(chat, HIGHLIGHT, `${page(piece)}\n\nQuery: ${ask.query}`, talk),
        )
        return verbatim(quotes.flat(), text)
      }),
    clean: (ask, signal) =>
      told(ask, signal, async (talk) => {
        const text = ask.text()
        const kept = 'The text is too long for the model to clean, so `onlyCleanContent` was skipped.'
        if (text.length > PIECE_CHARS / 2) {
          talk.warnings.push(kept)
          return text
        }
        const { text: cleaned, isCut } = await chat.ask(
          CLEAN,
          [{ role: 'user', content: page(text) }],
          false,
          talk.budget,
          signal,
        )
        if (!isCut && cleaned.trim() !== '') return cleaned.trim()
        talk.warnings.push(kept)
        return text
      }),
  }
}

/** The answers to every piece of a text, a few at a time; a page that is too long for the endpoint is cut smaller, once. */
async function overPieces<T>(
  text: string,
  talk: Talk,
  one: (piece: string, n: number) => Promise<T>,
  size = PIECE_CHARS,
): Promise<T[]> {
  const { pieces, left } = inPieces(text, size)
  const answers: T[] = []
  try {
    for (let n = 0; n < pieces.length; n += AT_ONCE)
      answers.push(...(await Promise.all(pieces.slice(n, n + AT_ONCE).map((piece, m) => one(piece, n + m)))))
  } catch (error) {
    if (error instanceof ModelFault && error.kind === 'too_long' && size === PIECE_CHARS)
      return overPieces(text, talk, one, PIECE_CHARS / 4)
    throw error
  }
  if (left > 0) talk.warnings.push(`The page is too long for the model: its last ${left} characters were not read.`)
  return answers
}

/** An answer as JSON; what cannot be read is asked for once more. */
async function askJson(chat: Chat, system: string, content: string, talk: Talk): Promise<unknown> {
  const messages: Message[] = [{ role: 'user', content }]
  const first = await chat.ask(system, messages, true, talk.budget, talk.signal)
  const found = jsonIn(first.text)
  if (found && !first.isCut) return found.value
  if (found && first.isCut) {
    talk.isPartial = true
    talk.warnings.push("The model's answer was cut off at its length limit; what came before was kept.")
    return found.value
  }
  const again: Message[] = [
    ...messages,
    { role: 'assistant', content: first.text.slice(0, 20_000) || '(nothing)' },
    { role: 'user', content: 'That is not valid JSON. Answer again with the JSON value alone.' },
  ]
  const second = jsonIn((await chat.ask(system, again, true, talk.budget, talk.signal)).text)
  if (!second) throw new ModelFault('unusable', 'it did not answer with JSON')
  return second.value
}

async function extract(chat: Chat, ask: ExtractAsk, talk: Talk): Promise<unknown> {
  const { schema, prompt } = ask
  const task = [
    schema
      ? `JSON Schema of the answer:\n${JSON.stringify(schema)}`
      : 'Answer with a flat JSON object of the main facts.',
    ...(prompt ? [`What is wanted: ${prompt}`] : []),
  ].join('\n\n')
  const facts = ask.facts?.() ?? ''
  const answers = await overPieces(ask.text(), talk, (piece, n) => {
    const data = n === 0 && facts.length > 2 ? `\n\nData that the page states about itself:\n${page(facts)}` : ''
    return askJson(chat, EXTRACT, `${page(piece)}${data}\n\n${task}`, talk)
  })
  const answer = answers.length === 1 ? answers[0] : merged(answers)
  const check = schema && (await checkFor(schema))
  if (!check) return answer
  const faults = check(answer)
  if (faults.length === 0) return answer
  // Once more, with what was wrong.
  const mended = await askJson(
    chat,
    EXTRACT,
    `${task}\n\nThis answer does not fit the schema:\n${JSON.stringify(answer).slice(0, 40_000)}\n\nWhat is wrong:\n${faults.join('\n')}\n\nAnswer with the corrected JSON value alone; use null where a value is not known.`,
    talk,
  )
  const still = check(mended)
  if (still.length > 0) throw new ModelFault('unusable', `its answer does not fit the schema: ${still[0]}`)
  return mended
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
