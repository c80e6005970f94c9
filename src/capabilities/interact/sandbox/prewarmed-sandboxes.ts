// Sandboxes started ahead, one per language in use, so that a session's first code does not wait for a runtime.

import type { CodeLanguage } from './code-language.ts'
import type { UnboundSandbox } from './language-sandbox.ts'

const IDLE_MS = 30_000
/** The session that took the last one starts first. */
const STOCK_DELAY_MS = 1000

export function openPrewarmedSandboxes(make: (language: CodeLanguage) => Promise<UnboundSandbox>) {
  const waiting = new Map<CodeLanguage, Promise<UnboundSandbox>>()
  /** Node is the API's default; others are added on first use. */
  const inUse = new Set<CodeLanguage>(['node'])
  let sessions = 0
  let idle: NodeJS.Timeout | undefined
  let closed = false
  const stock = () => {
    if (closed || sessions === 0) return
    for (const language of inUse) {
      if (waiting.has(language)) continue
      const made = make(language)
      waiting.set(language, made)
      // The next `take` reports the failure.
      made.catch(() => waiting.delete(language))
    }
  }
  const clear = async () => {
    const all = [...waiting.values()]
    waiting.clear()
    await Promise.allSettled(all.map(async (made) => (await made).close()))
  }
  return {
    begin() {
      sessions += 1
      clearTimeout(idle)
      stock()
    },
    end() {
      sessions -= 1
      if (sessions === 0) idle = setTimeout(() => void clear(), IDLE_MS).unref()
    },
    async take(language: CodeLanguage) {
      inUse.add(language)
      const made = waiting.get(language)
      waiting.delete(language)
      const ready = await made?.catch(() => undefined)
      // Later, so that it does not compete with the sandbox just taken.
      setTimeout(stock, STOCK_DELAY_MS).unref()
      if (ready?.isAlive()) return ready
      await ready?.close()
      return make(language)
    },
    async close() {
      closed = true
      clearTimeout(idle)
      await clear()
    },
  }
}
