// Promises that the browser libraries drop: when a browser dies in the middle of their work, some of what they had sent is
// rejected with nobody listening, and Node would end the service for it. Such a loss is told of where it matters (a lease
// that is lost), so here it is only written down; everything else ends the process, as it would without us.
import type { Log } from '../../base/log.ts'

const LIBRARY = /[\\/]node_modules[\\/](?:playwright|patchright)-core[\\/]/

/** Returns what takes the listener away again. */
export function tolerateStrays(log: Log): () => void {
  const onStray = (error: unknown) => {
    const { stack = '', message = '' } = error instanceof Error ? error : {}
    if (!LIBRARY.test(stack) || !/closed|crashed|detached|disconnected/i.test(message)) throw error
    log.warn({ because: message.split('\n', 1)[0] }, 'the browser library lost an answer')
  }
  process.on('unhandledRejection', onStray)
  return () => process.off('unhandledRejection', onStray)
}
