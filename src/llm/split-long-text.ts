// Splits texts that exceed a model's context between paragraphs, and merges the answers.
import { isObject } from '../base/values.ts'

/** Longer pages are truncated after this many pieces. */
const MAX_PIECES = 12

export function splitIntoPieces(text: string, size: number, most = MAX_PIECES) {
  const pieces: string[] = []
  let from = 0
  while (from < text.length && pieces.length < most) {
    const end = from + size >= text.length ? text.length : cutBefore(text, from, from + size)
    pieces.push(text.slice(from, end))
    from = end
  }
  return { pieces: pieces.length > 0 ? pieces : [''], left: text.length - from }
}

/** The last paragraph, line or word end in the second half of the piece. */
function cutBefore(text: string, from: number, to: number): number {
  const half = from + (to - from) / 2
  for (const mark of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(mark, to - mark.length)
    if (at > half) return at + mark.length
  }
  return to
}

/** Merges answers to pieces: the first non-empty scalar, lists joined without duplicates. */
export function mergeAnswers(answers: readonly unknown[], depth = 0): unknown {
  const said = answers.filter((answer) => answer !== null && answer !== undefined && answer !== '')
  const [first] = said
  if (Array.isArray(first)) {
    const known = new Set<string>()
    return said
      .filter(Array.isArray)
      .flat()
      .filter((item) => {
        const text = JSON.stringify(item)
        if (known.has(text)) return false
        known.add(text)
        return true
      })
  }
  if (isObject(first) && depth < 40) {
    const objects = said.filter(isObject)
    const names = [...new Set(objects.flatMap((one) => Object.keys(one)))].filter((name) => name !== '__proto__')
    const valuesOf = (name: string) => objects.map((one) => one[name])
    return Object.fromEntries(names.map((name) => [name, mergeAnswers(valuesOf(name), depth + 1)]))
  }
  return first ?? answers[0] ?? null
}
