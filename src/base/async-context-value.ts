// What a call passes on to the work it starts. All values share one AsyncLocalStorage: each further one costs time at
// every promise of the process.
import { AsyncLocalStorage } from 'node:async_hooks'

type Values = Readonly<Record<symbol, unknown>>

const storage = new AsyncLocalStorage<Values>()

export class AsyncContextValue<T> {
  readonly #name = Symbol('call value')

  /** Applies to all async work started within. */
  run<R>(value: T, work: () => R): R {
    const outer = storage.getStore()
    // Nested calls mostly set what is set already.
    if (outer !== undefined && outer[this.#name] === value) return work()
    return storage.run({ ...outer, [this.#name]: value }, work)
  }

  getStore(): T | undefined {
    return storage.getStore()?.[this.#name] as T | undefined
  }
}
