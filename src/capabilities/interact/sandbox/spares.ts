// Sandboxes made ahead, one for each language that is wanted here, so that the first code of a session does not wait for a
// runtime to start. There are none when there is no session, and after a while none are left.
import type { LooseBench } from './bench.ts'
import type { CodeLanguage } from './language.ts'

export interface Spares {
  /** A session has begun. */
  begin(): void
  /** It has ended. */
  end(): void
  take(language: CodeLanguage): Promise<LooseBench>
  close(): Promise<void>
}

const IDLE_MS = 30_000

export function openSpares(make: (language: CodeLanguage) => Promise<LooseBench>): Spares {
  const waiting = new Map<CodeLanguage, Promise<LooseBench>>()
  /** What clients send when their caller names none; others come in once they were asked for. */
  const wanted = new Set<CodeLanguage>(['node'])
  let sessions = 0
  let idle: NodeJS.Timeout | undefined
  let closed = false
  const stock = () => {
    if (closed || sessions === 0) return
    for (const language of wanted) {
      if (waiting.has(language)) continue
      const made = make(language)
      waiting.set(language, made)
      // Why it cannot be made is said to whoever asks for one.
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
    async take(language) {
      wanted.add(language)
      const made = waiting.get(language)
      waiting.delete(language)
      const ready = await made?.catch(() => undefined)
      // The next one is made after this one is at work: it is not to wait for its successor.
      setTimeout(stock, 1000).unref()
      if (ready?.alive()) return ready
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
