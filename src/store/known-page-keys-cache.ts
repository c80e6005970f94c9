// Caches which pages a job holds, because links within a site mostly repeat. Only reads outside transactions are
// cached, so a rollback leaves no wrong entries.

/** Counted over all jobs; they take some 5 MB. */
const MAX_CACHED_KEYS = 50_000

type Ask = (jobId: string, keys: readonly string[]) => Promise<string[]>

/** `known` returns the keys that the job holds; the returned function, those that it does not. */
export function makeUnknownPageKeyFinder(
  known: Ask,
): (jobId: string, keys: readonly string[]) => Promise<ReadonlySet<string>> {
  const byJob = new Map<string, Set<string>>()
  let held = 0

  function remember(jobId: string, keys: readonly string[]): void {
    if (held + keys.length > MAX_CACHED_KEYS) {
      byJob.clear()
      held = 0
    }
    const all = byJob.get(jobId) ?? new Set()
    byJob.set(jobId, all)
    held -= all.size
    for (const key of keys) all.add(key)
    held += all.size
  }

  return async (jobId, keys) => {
    const remembered = byJob.get(jobId)
    const open = new Set(remembered ? keys.filter((key) => !remembered.has(key)) : keys)
    if (open.size === 0) return open
    const found = await known(jobId, [...open])
    remember(jobId, found)
    for (const key of found) open.delete(key)
    return open
  }
}
