// Checks a database file for damage before it serves requests.
import { Worker } from 'node:worker_threads'
import { connect, sqliteCode } from './libsql.ts'

type SoundnessVerdict = { sound: true } | { sound: false; because: string }

/** Blocks this thread; about 1 GB per second from a warm disk. */
export function checkSoundness(path: string): SoundnessVerdict {
  const connection = connect(path)
  try {
    connection.exec('pragma busy_timeout = 5000')
    const said = connection.value('pragma quick_check(1)')
    return said === 'ok' ? { sound: true } : { sound: false, because: String(said) }
  } catch (error) {
    const code = sqliteCode(error)
    if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') return { sound: false, because: code }
    throw error
  } finally {
    connection.close()
  }
}

/** From source there is no compiled script, so it runs in this thread. */
export function checkSoundnessInWorker(path: string, script = compiledScript): Promise<SoundnessVerdict> {
  if (!script) return Promise.resolve(checkSoundness(path))
  return new Promise((resolve, reject) => {
    const thread = new Worker(script, { workerData: path })
    thread.unref()
    thread.on('message', resolve)
    thread.on('error', reject)
    thread.on('exit', () => reject(new Error('the thread that looks through the database ended early')))
  })
}

const compiledScript = import.meta.url.endsWith('.js') ? new URL('./soundness-worker.js', import.meta.url) : undefined
