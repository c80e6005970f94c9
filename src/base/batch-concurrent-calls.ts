// Runs calls that wait for the same thing together: those that arrive while a run with their key is under way share the
// next one.

/** Bounds the time that the transaction of one run takes. */
const MAX_CALLS_PER_RUN = 32

interface Call<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * `run` gets calls with one key and returns a function that gives each its result. It must be atomic: a group that fails
 * is run again one by one, so that each call gets its own error. `gather` delays the first run, so that others can join.
 */
export function batchConcurrentCalls<Item, Result>(
  run: (items: readonly [Item, ...Item[]], key: string) => Promise<(item: Item) => Result>,
  gather?: () => Promise<unknown>,
): (key: string, item: Item) => Promise<Result> {
  const waiting = new Map<string, Call<Item, Result>[]>()

  async function finish(key: string, calls: readonly Call<Item, Result>[]): Promise<void> {
    const [first, ...rest] = calls
    if (!first) return
    try {
      const resultOf = await run([first.item, ...rest.map(({ item }) => item)], key)
      for (const { item, resolve } of calls) resolve(resultOf(item))
    } catch (error) {
      if (rest.length === 0) return first.reject(error)
      for (const call of calls) await finish(key, [call])
    }
  }

  async function drain(key: string, calls: Call<Item, Result>[]): Promise<void> {
    if (gather) await gather()
    while (calls.length > 0) await finish(key, calls.splice(0, MAX_CALLS_PER_RUN))
    waiting.delete(key)
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const call = { item, resolve, reject }
      const calls = waiting.get(key)
      if (calls) return void calls.push(call)
      const opened = [call]
      waiting.set(key, opened)
      void drain(key, opened)
    })
}
