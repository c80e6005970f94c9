// Checks a database file for damage before it serves requests.
import { Worker } from 'node:worker_threads'
import { BLOCKING_WAIT_MS, connectSqlite } from './sqlite-connection.ts'
import { sqliteErrorCode } from './sqlite-errors.ts'

type IntegrityVerdict = { sound: true } | { sound: false; because: string }

/** Blocks this thread; about 1 GB per second from a warm disk. */
export function checkSqliteIntegrity(path: string): IntegrityVerdict {
  const connection = connectSqlite(path)
  try {
    connection.exec(`pragma busy_timeout = ${BLOCKING_WAIT_MS}`)
    const said = connection.value('pragma quick_check(1)')
    return said === 'ok' ? { sound: true } : { sound: false, because: String(said) }
  } catch (error) {
    const code = sqliteErrorCode(error)
    if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') return { sound: false, because: code }
    throw error
  } finally {
    connection.close()
  }
}

/** From source there is no compiled script, so it runs in this thread. */
export function checkSqliteIntegrityInWorker(path: string, script = compiledScript): Promise<IntegrityVerdict> {
  if (!script) return Promise.resolve(checkSqliteIntegrity(path))
  return new Promise((resolve, reject) => {
    const thread = new Worker(script, { workerData: path })
    thread.unref()
    thread.on('message', resolve)
    thread.on('error', reject)
    thread.on('exit', () => reject(new Error('the thread that looks through the database ended early')))
  })
}

const compiledScript = import.meta.url.endsWith('.js')
  ? new URL('./check-sqlite-integrity-worker.js', import.meta.url)
  : undefined
