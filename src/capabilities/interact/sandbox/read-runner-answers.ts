// Reads a sandbox program's answers: one JSON line per call. Hostile code can write here too, so invalid or endless
// lines count as answers without a result.
import type { Readable } from 'node:stream'

export type RunnerAnswer = { result: string | null; exitCode: number; truncated: boolean }

const MAX_RESULT_CHARS = 1_000_000
/** JSON escapes a character with at most six characters. */
const MAX_LINE_CHARS = 8 * MAX_RESULT_CHARS

export function makeAnswerReader(stream: Readable): () => Promise<RunnerAnswer> {
  const waiting: RunnerAnswer[] = []
  let parts: string[] = []
  let chars = 0
  let deliver: ((outcome: RunnerAnswer) => void) | undefined
  const answer = (outcome: RunnerAnswer) => {
    if (deliver) deliver(outcome)
    else if (waiting.length < 100) waiting.push(outcome)
    deliver = undefined
  }
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const lines = chunk.split('\n')
    for (const [at, text] of lines.entries()) {
      chars += text.length
      if (chars <= MAX_LINE_CHARS) parts.push(text)
      if (at === lines.length - 1) return
      answer(chars <= MAX_LINE_CHARS ? outcomeIn(parts.join('')) : { result: null, exitCode: 1, truncated: true })
      parts = []
      chars = 0
    }
  })
  stream.on('error', () => {})
  return () =>
    new Promise((resolve) => {
      const first = waiting.shift()
      if (first) resolve(first)
      else deliver = resolve
    })
}

function outcomeIn(line: string): RunnerAnswer {
  try {
    const { result, exitCode, truncated } = JSON.parse(line) as Partial<RunnerAnswer>
    const text = typeof result === 'string' && result !== '' ? result : null
    return {
      result: text?.slice(0, MAX_RESULT_CHARS) ?? null,
      exitCode: Number.isInteger(exitCode) ? (exitCode as number) : 0,
      truncated: truncated === true || (text?.length ?? 0) > MAX_RESULT_CHARS,
    }
  } catch {
    return { result: null, exitCode: 1, truncated: false }
  }
}
