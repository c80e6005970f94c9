// Removes deleted pages from an external engine; our own segments drop them on merge or rewrite.

import { type Clock, DAY_MS, HOUR_MS } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { ExternalIndexWriter } from './page-finder.ts'
import type { SearchIndexStore } from './store/search-segments-and-outbox.ts'

const EVERY_MS = DAY_MS
const AGAIN_AFTER_MS = HOUR_MS

/** Covers pages removed for any reason: forgotten, gone or expired. */
export async function pruneExternalEngine(
  store: Pick<SearchIndexStore, 'current'>,
  sink: ExternalIndexWriter,
): Promise<void> {
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
export function startDailyPrune(
  store: SearchIndexStore,
  sink: ExternalIndexWriter,
  { clock, log }: { clock: Clock; log: Log },
): () => Promise<void> {
  let next = 0
  return async () => {
    if (clock.now() < next) return
    try {
      await pruneExternalEngine(store, sink)
      next = clock.now() + EVERY_MS
    } catch (error) {
      log.warn({ err: error }, 'the search server could not be freed of pages that are gone; it is tried in an hour')
      next = clock.now() + AGAIN_AFTER_MS
    }
  }
}
