// Loaded into the service by `--import`: says on request (SIGUSR2) how long its event loop was held up at most since the
// last time, and for how much of that its thread had a core. It looks every millisecond, and counts what is late.
import { openSync, readSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  const EVERY_MS = 1
  const cpuMs = threadClock()
  let longest = 0
  let longestCpu = 0
  let last = performance.now()
  let lastCpu = cpuMs()
  setInterval(() => {
    const now = performance.now()
    const cpu = cpuMs()
    longest = Math.max(longest, now - last - EVERY_MS)
    longestCpu = Math.max(longestCpu, cpu - lastCpu)
    last = now
    lastCpu = cpu
  }, EVERY_MS).unref()
  process.on('SIGUSR2', () => {
    console.log(`longest wait ${longest.toFixed(1)} ms, at work ${longestCpu.toFixed(1)} ms`)
    longest = 0
    longestCpu = 0
  })
}

/** Milliseconds that this thread had a core: what others on the machine do is not in it. */
function threadClock() {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`)
  const bytes = Buffer.alloc(64)
  return () => {
    const length = readSync(file, bytes, 0, bytes.length, 0)
    return Number.parseInt(bytes.toString('latin1', 0, length), 10) / 1e6
  }
}
