// Words that compare: superlatives, and bounds such as "over 20". One place for prompts to a page, questions and the
// agent.
import comparatives from './comparatives.json' with { type: 'json' }

interface Superlative {
  way: -1 | 1
  kind: 'money' | 'date' | 'number'
}

const SUPERLATIVES = new Map<string, Superlative>(
  ([-1, 1] as const).flatMap((way) =>
    Object.entries(comparatives[way < 0 ? 'least' : 'most']).flatMap(([kind, words]) =>
      words.split(' ').map((word) => [word, { way, kind: kind as Superlative['kind'] }] as const),
    ),
  ),
)

const isSuperlative = (word: string): boolean => SUPERLATIVES.has(word.toLowerCase())

export function findSuperlative(text: string): Superlative | undefined {
  const words = text.toLowerCase().split(/[^\p{L}]+/u)
  const found = words.flatMap(
    (word, at) => SUPERLATIVES.get(`${word}_${words[at + 1]}`) ?? SUPERLATIVES.get(word) ?? [],
  )
  const [first, second] = found
  if (first?.way === -1 && first.kind === 'number' && second) return { way: -1, kind: second.kind }
  return found.find(({ kind }) => kind !== 'number') ?? first
}

export const removeSuperlatives = (text: string): string =>
  text.replace(/\p{L}+/gu, (word) => (isSuperlative(word) ? ' ' : word))

interface NumericBound {
  isOver: boolean
  rest: string
}

const BOUNDS = ([true, false] as const)
  .flatMap((isOver) => comparatives[isOver ? 'over' : 'under'].map((words) => ({ isOver, words })))
  .sort((one, other) => other.words.length - one.words.length)

/** "rooms under 80 €": which side of the amount is wanted. */
export function findNumericBound(text: string): NumericBound | undefined {
  const lower = ` ${text.toLowerCase()}`
  for (const { isOver, words } of BOUNDS) {
    const at = lower.indexOf(` ${words} `)
    const rest = at < 0 ? '' : text.slice(at + words.length + 1).trimStart()
    if (/^\P{L}{0,3}\d/u.test(rest)) return { isOver, rest }
  }
  return undefined
}
