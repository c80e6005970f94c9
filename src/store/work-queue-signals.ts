// Signals between the processes on one PostgreSQL that a message was sent. A lost signal costs a second, because queues
// also poll.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../base/log.ts'
import { WORK_QUEUE_CHANNEL, type WorkQueueSignals } from './work-message-store.ts'

const RECONNECT_MS = 1_000

export const openWorkQueueSignals = (url: string, log: Log): WorkQueueSignals => ({
  listen(onSignal) {
    const ended = new AbortController()
    const listening = (async () => {
      while (!ended.signal.aborted) {
        try {
          await listenOnce(url, onSignal, ended.signal)
        } catch (error) {
          log.warn({ error: error instanceof Error ? error.message : String(error) }, 'the queue lost PostgreSQL')
        }
        await sleep(RECONNECT_MS, undefined, { signal: ended.signal }).catch(() => undefined)
      }
    })()
    return async () => {
      ended.abort()
      await listening
    }
  },
})

/** Until the connection breaks or the signal aborts. */
async function listenOnce(url: string, onSignal: (kind: string) => void, signal: AbortSignal): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'orbweaver queue', keepAlive: true })
  client.on('notification', ({ payload }) => onSignal(payload ?? ''))
  try {
    await new Promise<void>((resolve, reject) => {
      client.on('error', reject)
      client.once('end', resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
      client
        .connect()
        .then(() => client.query(`listen ${WORK_QUEUE_CHANNEL}`))
        .catch(reject)
    })
  } finally {
    await client.end().catch(() => undefined)
  }
}
