// Ranks URLs by words: rare words count more than common ones, a title more than a path.
import { makeLoopYielder } from '../../base/yield-in-loops.ts'

type Rankable = { url: string; title?: string; description?: string }

type RankedItem<T> = { item: T; score: number }

const MAX_WORDS = 32
const IN_TITLE = 4
const IN_PATH = 3
const IN_DESCRIPTION = 2
const IN_HOST = 0.5
const ALIKE = 0.4
/** Bonus when all words occur in a row. */
const PHRASE_BONUS = 2

export async function rankByWords<T extends Rankable>(items: readonly T[], search: string): Promise<RankedItem<T>[]> {
  const words = [...new Set(toPlainWords(search).split(' ').filter(Boolean))].slice(0, MAX_WORDS)
  const asked = words.map((word) => ({ whole: ` ${word} `, start: ` ${word.length > 4 ? word.slice(0, -1) : word}` }))
  const row = words.length > 1 ? ` ${words.join(' ')} ` : undefined
  const hits: { at: number; each: number[]; inARow: boolean }[] = []
  const having = words.map(() => 0)
  const turn = makeLoopYielder()
  for (let at = 0; at < items.length; at++) {
    const pause = turn()
    if (pause) await pause
    const fields = fieldsOf(items[at]!)
    const each = asked.map((word) => fields.reduce((sum, field) => sum + field.weight * hit(field.text, word), 0))
    if (each.every((score) => score === 0)) continue
    for (const [n, score] of each.entries()) if (score > 0) having[n]!++
    hits.push({ at, each, inARow: row !== undefined && fields.some(({ text }) => text.includes(row)) })
  }
  const weights = having.map((count) => Math.log(1 + items.length / (1 + count)))
  const scores = new Map(
    hits.map(({ at, each, inARow }) => {
      const sum = each.reduce((total, score, n) => total + score * weights[n]!, 0)
      return [at, inARow ? sum * PHRASE_BONUS : sum]
    }),
  )
  await turn()
  const best = [...scores].sort(([, one], [, other]) => other - one)
  await turn()
  const rest = items.flatMap((item, at) => (scores.has(at) ? [] : [{ item, score: 0 }]))
  return [...best.map(([at, score]) => ({ item: items[at]!, score })), ...rest]
}

function fieldsOf({ url, title = '', description = '' }: Rankable): { text: string; weight: number }[] {
  const host = url.indexOf('//') + 2
  const path = url.indexOf('/', host)
  const fields = [
    { text: padWithSpaces(decodePath(path < 0 ? '' : url.slice(path))), weight: IN_PATH },
    { text: padWithSpaces(url.slice(host, path < 0 ? undefined : path)), weight: IN_HOST },
  ]
  if (title) fields.push({ text: padWithSpaces(title.slice(0, 300)), weight: IN_TITLE })
  if (description) fields.push({ text: padWithSpaces(description.slice(0, 500)), weight: IN_DESCRIPTION })
  return fields
}

/** `price` matches `pricing` and `prices`; very short prefixes do not count. */
function hit(text: string, { whole, start }: { whole: string; start: string }): number {
  if (text.includes(whole)) return 1
  return start.length > 3 && text.includes(start) ? ALIKE : 0
}

const padWithSpaces = (text: string): string => ` ${toPlainWords(text)} `

/** Letters and digits of any script, lower case, without accents, single spaces. */
function toPlainWords(text: string): string {
  const apart = /[A-Z]/.test(text) ? text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ') : text
  // Nearly every URL is ASCII, and the Unicode rules are ten times slower.
  if (!/[^\x00-\x7f]/.test(apart))
    return apart
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()
  return apart
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function decodePath(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
