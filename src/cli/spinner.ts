// A spinner after two seconds, on a terminal only.
import { makeTextStyler } from './terminal-output.ts'

const AFTER_MS = 2000
const EVERY_MS = 250
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧'] as const

export async function withSpinner<T>(
  what: string,
  work: Promise<T>,
  stream: NodeJS.WriteStream = process.stderr,
): Promise<T> {
  if (!stream.isTTY) return work
  const began = performance.now()
  const paint = makeTextStyler(stream)
  let drawn = 0
  const timer = setInterval(() => {
    const ms = performance.now() - began
    if (ms < AFTER_MS) return
    stream.write(`\r\u001b[K${paint.accent(FRAMES[drawn % FRAMES.length] ?? '')} ${what}, ${Math.round(ms / 1000)} s`)
    drawn += 1
  }, EVERY_MS)
  try {
    return await work
  } finally {
    clearInterval(timer)
    if (drawn > 0) stream.write('\r\u001b[K')
  }
}
