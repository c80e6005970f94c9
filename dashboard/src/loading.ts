// What a screen knows of something it asked for: still waiting, there, or refused; and asking again.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

export interface Loaded<T> {
  value: T | undefined
  error: Error | undefined
  loading: boolean
  again(): void
}

/** Asks when the page opens and whenever `what` changes; with `everyMs`, again and again while the page is seen. */
export function useLoaded<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  what: readonly unknown[],
  everyMs?: number,
): Loaded<T> {
  const [state, setState] = useState<{ value?: T | undefined; error?: Error | undefined; loading: boolean }>({
    loading: true,
  })
  const asking = useRef(ask)
  asking.current = ask
  const [turn, setTurn] = useState(0)
  const again = useCallback(() => setTurn((before) => before + 1), [])
  useEffect(() => {
    const gone = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const run = async () => {
      try {
        const value = await asking.current(gone.signal)
        if (!gone.signal.aborted) setState({ value, loading: false })
      } catch (error) {
        // What was there stays: one answer that got lost is no reason to empty the screen.
        if (!gone.signal.aborted) setState(({ value }) => ({ value, error: error as Error, loading: false }))
      }
      if (everyMs && !gone.signal.aborted) timer = setTimeout(next, everyMs)
    }
    const next = () => {
      if (document.hidden) timer = setTimeout(next, everyMs)
      else void run()
    }
    void run()
    return () => {
      gone.abort()
      clearTimeout(timer)
    }
  }, [...what, turn, everyMs])
  return { value: state.value, error: state.error, loading: state.loading, again }
}
