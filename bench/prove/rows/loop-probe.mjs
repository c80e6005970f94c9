// Loaded into the service by `--import`: says on request (SIGUSR2) how long its event loop was held up at most since the
// last time. It looks every millisecond, and counts what is late.
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  const EVERY_MS = 1
  let longest = 0
  let last = performance.now()
  setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last - EVERY_MS)
    last = now
  }, EVERY_MS).unref()
  process.on('SIGUSR2', () => {
    console.log(`longest wait ${longest.toFixed(1)} ms`)
    longest = 0
  })
}
