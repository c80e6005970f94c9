// Removes deleted pages from an external engine; our own segments drop them on merge or rewrite.

import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { PageSink } from './finder.ts'
import type { SearchIndexStore } from './store/search-index.ts'

const EVERY_MS = 86_400_000
const AGAIN_AFTER_MS = 3_600_000

/** Covers pages removed for any reason: forgotten, gone or expired. */
export async function pruneSink(store: Pick<SearchIndexStore, 'current'>, sink: PageSink): Promise<void> {
  for (let after = 0; ; ) {
    const held = await sink.held(after)
    const last = held.at(-1)
    if (!last) return
    const { versions } = await store.current(held.map(({ number }) => number))
    await sink.drop(held.filter(({ number }) => !versions.has(number)))
    after = last.number
  }
}

/** Daily, for expired pages and for deletions missed while the server was down. */
export function dailyPrune(
  store: SearchIndexStore,
  sink: PageSink,
  { clock, log }: { clock: Clock; log: Log },
): () => Promise<void> {
  let next = 0
  return async () => {
    if (clock.now() < next) return
    try {
      await pruneSink(store, sink)
      next = clock.now() + EVERY_MS
    } catch (error) {
      log.warn({ err: error }, 'the search server could not be freed of pages that are gone; it is tried in an hour')
      next = clock.now() + AGAIN_AFTER_MS
    }
  }
}
