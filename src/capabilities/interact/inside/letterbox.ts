// How `agent-browser` asks for a step where it may open no socket: it lays its question into a folder, this process passes
// it on, and the answer lies beside it.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { dial } from './place.ts'

/** Only where its folder was named to the programs in here. */
const FOLDER = process.argv[5]
const LOOK_MS = 10

export function servePosts(): void {
  if (FOLDER === undefined) return
  mkdirSync(FOLDER, { recursive: true })
  const taken = new Set<string>()
  setInterval(() => {
    if (!existsSync(FOLDER)) return
    for (const name of readdirSync(FOLDER)) {
      if (!name.endsWith('.ask') || taken.has(name)) continue
      taken.add(name)
      const path = join(FOLDER, name)
      const body = readFileSync(path)
      rmSync(path, { force: true })
      void passOn(body).then((answer) => {
        taken.delete(name)
        writeFileSync(`${path}.draft`, answer)
        renameSync(`${path}.draft`, path.replace(/ask$/, 'answer'))
      })
    }
  }, LOOK_MS)
}

function passOn(body: Buffer): Promise<Buffer> {
  const failed = Buffer.from('{"stdout":"","stderr":"the browser of this session does not answer","exitCode":1}')
  return new Promise((resolve) => {
    const options = { method: 'POST', path: '/agent-browser', createConnection: () => dial() as Socket }
    const asked = request(options, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => resolve(Buffer.concat(parts)))
      answer.on('error', () => resolve(failed))
    })
    asked.on('error', () => resolve(failed))
    asked.end(body)
  })
}
