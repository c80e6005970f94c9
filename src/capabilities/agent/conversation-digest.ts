// Compresses a long conversation and run for a model's prompt. The newest turns are kept verbatim, older ones as facts
// with URL and quote, ranked by relevance.

import { stemText } from '../../understanding/passages/stem-terms.ts'
import { splitCamelCase } from './derive-goal.ts'
import { type JsonValue, type ValueSource, valueAt } from './notebook.ts'
import type { AgentRun } from './store/agent-runs.ts'

/** A value with its source and the turn that requested it. */
export interface RememberedFact {
  path: string
  value: JsonValue
  source: ValueSource
  turn?: number
  asked?: string
}

export type ConversationTurn = { turn: number; prompt: string; answer: string; facts: readonly RememberedFact[] }

/** Turns that ended with an answer, oldest first. */
export function conversationTurnsOf(
  runs: readonly Pick<AgentRun, 'turn' | 'state' | 'body' | 'result'>[],
): ConversationTurn[] {
  return runs.flatMap(({ turn, state, body, result }) => {
    if (state !== 'succeeded' || result === null) return []
    const { prompt } = (JSON.parse(body) as { body: { prompt: string } }).body
    const { data, message, sources = {} } = JSON.parse(result) as Result
    const facts = Object.entries(sources).map(([path, source]) => ({
      path,
      value: valueAt(data, path),
      source,
      turn,
      asked: prompt,
    }))
    return [{ turn, prompt, answer: message ?? JSON.stringify(data), facts }]
  })
}

type Result = { data: JsonValue; message?: string; sources?: Record<string, ValueSource> }

export function scoreFactRelevance(
  { path, value, source, asked = '' }: RememberedFact,
  wanted: ReadonlySet<string>,
): number {
  const text = `${splitCamelCase(path.replaceAll('.', ' '))} ${formatValue(value)} ${source.quote ?? ''} ${asked.slice(0, 1000)}`
  return new Set(stemText(text).filter((term) => wanted.has(term))).size
}

const MAX_VALUE = 240
const NEWEST_TURNS = 3
/** Share of the budget that relevant facts may use before the newest turns. */
const RELEVANT_FACTS_SHARE = 0.6

/** A digest of the conversation and findings within a character limit; empty when there is nothing. */
export function writeConversationDigest(
  earlier: readonly ConversationTurn[],
  found: readonly RememberedFact[],
  wanted: ReadonlySet<string>,
  mostChars: number,
): string {
  const facts = removeRepeatedFacts([...[...found].reverse(), ...earlier.flatMap((one) => one.facts).reverse()])
  const ranked = facts
    .map((fact) => ({ fact, score: scoreFactRelevance(fact, wanted) }))
    .sort((one, other) => other.score - one.score)
  const wantedFacts = ranked.filter(({ score }) => score > 0).map(({ fact }) => fact)
  const budget = new TextBudget(mostChars - RESERVED_HEADING_CHARS)
  const first = budget.fill(wantedFacts, lineOf, mostChars * RELEVANT_FACTS_SHARE)
  // Dropping quotes is better than dropping facts.
  const bare = budget.fill(wantedFacts.slice(first.length), (fact) => lineOf(fact, false), mostChars)
  const newest = budget.fill([...earlier].reverse().slice(0, NEWEST_TURNS), verbatim, mostChars)
  const isSaid = new Set(newest.map((_, at) => earlier.at(-1 - at)?.turn))
  const others = ranked.flatMap(({ fact, score }) => (score > 0 || isSaid.has(fact.turn ?? Number.NaN) ? [] : [fact]))
  const rest = budget.fill(others, lineOf, mostChars)
  const left = wantedFacts.length - first.length - bare.length + others.length - rest.length
  const known = [...first, ...bare, ...rest]
  return [
    ...(known.length > 0 ? ['What is known so far:', ...known] : []),
    ...(left > 0 ? [`(and ${left} facts more)`] : []),
    ...(newest.length > 0 ? ['', 'The newest turns of the conversation:', ...newest.reverse()] : []),
  ].join('\n')
}

/** Characters left free for the headings of the digest. */
const RESERVED_HEADING_CHARS = 120

class TextBudget {
  #left: number
  constructor(chars: number) {
    this.#left = chars
  }
  fill<T>(things: readonly T[], line: (thing: T) => string, most: number): string[] {
    const lines: string[] = []
    let used = 0
    for (const thing of things) {
      const text = line(thing)
      if (text.length + 1 > this.#left || used + text.length + 1 > most) break
      lines.push(text)
      used += text.length + 1
      this.#left -= text.length + 1
    }
    return lines
  }
}

function lineOf({ path, value, source, turn }: RememberedFact, withQuote = true): string {
  const words = withQuote && source.quote ? ` — "${collapseWhitespace(source.quote).slice(0, MAX_VALUE)}"` : ''
  const when = turn === undefined ? '' : ` (turn ${turn})`
  return `- ${path}: ${collapseWhitespace(formatValue(value)).slice(0, MAX_VALUE)}${words} <${source.url}>${when}`
}

const verbatim = ({ turn, prompt, answer }: ConversationTurn): string =>
  `Turn ${turn}. Asked: ${prompt}\nAnswered: ${answer}`

const formatValue = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))
const collapseWhitespace = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Deduplicates by value and page; the first one stays. */
function removeRepeatedFacts(facts: readonly RememberedFact[]): RememberedFact[] {
  const known = new Set<string>()
  return facts.filter(({ path, value, source }) => {
    const key = JSON.stringify([path, value, source.url])
    if (value === null || known.has(key)) return false
    known.add(key)
    return true
  })
}
