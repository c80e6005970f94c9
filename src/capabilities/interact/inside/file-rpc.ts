// RPC by files for `agent-browser` where sockets are refused: it writes a request file into a folder, this process
// forwards it and writes the answer file.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { openCdpConnection } from './runner-environment.ts'

/** Set only where sockets are refused. */
const CALL_FILES_FOLDER = process.argv[5]
const POLL_MS = 10

export function serveFileCalls(): void {
  if (CALL_FILES_FOLDER === undefined) return
  mkdirSync(CALL_FILES_FOLDER, { recursive: true })
  const taken = new Set<string>()
  setInterval(() => {
    if (!existsSync(CALL_FILES_FOLDER)) return
    for (const name of readdirSync(CALL_FILES_FOLDER)) {
      if (!name.endsWith('.ask') || taken.has(name)) continue
      taken.add(name)
      const path = join(CALL_FILES_FOLDER, name)
      const body = readFileSync(path)
      rmSync(path, { force: true })
      void forward(body).then((answer) => {
        taken.delete(name)
        writeFileSync(`${path}.draft`, answer)
        renameSync(`${path}.draft`, path.replace(/ask$/, 'answer'))
      })
    }
  }, POLL_MS)
}

function forward(body: Buffer): Promise<Buffer> {
  const failed = Buffer.from('{"stdout":"","stderr":"the browser of this session does not respond","exitCode":1}')
  return new Promise((resolve) => {
    const options = { method: 'POST', path: '/agent-browser', createConnection: () => openCdpConnection() as Socket }
    const sent = request(options, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => resolve(Buffer.concat(parts)))
      answer.on('error', () => resolve(failed))
    })
    sent.on('error', () => resolve(failed))
    sent.end(body)
  })
}
