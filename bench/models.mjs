// Records runs with a model, answers from recordings, and shows what a change of a prompt altered.
//
//   node bench/models.mjs serve FOLDER [--port 8790] [--to URL]
//                                                        an endpoint that answers from FOLDER; other requests go to the endpoint
//                                                        URL (key: ORB_LLM_KEY) and are recorded, or wait for an `answer` in
//                                                        FOLDER/open/HASH.json
//   node bench/models.mjs show FOLDER                    the recorded requests: job, size, answer
//   node bench/models.mjs changed FOLDER NEWER           which requests of FOLDER are not in NEWER, and the lines that differ
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openModules } from '../scripts/typescript-modules.mjs'

const modules = await openModules()
const {
  readRecordings: recordedIn,
  hashRequest: requestHash,
  makeRecordedResponse: responseOf,
} = await modules.load('test/model/recordings.ts')

const LOOK_MS = 300
const [command, folder, ...rest] = process.argv.slice(2)
const option = (name) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined)

/** The first words of the system prompt name the job. */
const jobOf = ({ messages }) => messages[0]?.content.split(/[.:]/, 1)[0].slice(0, 70) ?? ''
const charsOf = ({ messages, tools, response_format }) =>
  messages.reduce((sum, { content }) => sum + content.length, 0) +
  JSON.stringify(tools ?? '').length +
  JSON.stringify(response_format ?? '').length
const answerOf = ({ answer, response }) => {
  const message = response?.choices?.[0]?.message
  const said = answer ?? message?.content ?? message?.tool_calls?.map(({ function: call }) => call)
  return typeof said === 'string' ? said : JSON.stringify(said ?? null)
}

async function answered(request) {
  const hash = requestHash(request)
  const known = recordedIn(folder).get(hash)
  if (known?.answer !== undefined || known?.response !== undefined) return responseOf(known, request)
  const to = option('--to')
  if (to) return recorded(to, hash, request)
  const path = join(folder, 'open', `${hash}.json`)
  const { messages, tools, response_format } = request
  mkdirSync(join(folder, 'open'), { recursive: true })
  writeFileSync(path, `${JSON.stringify({ request: { messages, tools, response_format } }, undefined, 2)}\n`)
  console.log(`${hash} is open: ${jobOf(request)} (${charsOf(request)} characters)`)
  for (;;) {
    await wait(LOOK_MS)
    try {
      const { answer } = JSON.parse(readFileSync(path, 'utf8'))
      if (answer !== undefined) return responseOf({ answer }, request)
    } catch {
      // The file is being written.
    }
  }
}

async function recorded(url, hash, request) {
  const key = process.env.ORB_LLM_KEY
  const headers = { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) }
  const reply = await fetch(`${url}/chat/completions`, { method: 'POST', headers, body: JSON.stringify(request) })
  const response = await reply.json()
  if (reply.ok) writeFileSync(join(folder, `${hash}.json`), `${JSON.stringify({ request, response }, undefined, 2)}\n`)
  return response
}

function serve() {
  mkdirSync(folder, { recursive: true })
  const port = Number(option('--port') ?? 8790)
  const server = createServer(async (request, response) => {
    const send = (status, body) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.method === 'GET') return send(200, { data: [{ id: 'by-hand' }] })
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    send(200, await answered(JSON.parse(Buffer.concat(chunks).toString())))
  })
  server.requestTimeout = 0
  server.listen(port, '127.0.0.1', () => console.log(`ORB_LLM_URL=http://127.0.0.1:${port}/v1 ORB_LLM_MODEL=by-hand`))
}

function show() {
  for (const [hash, recorded] of recordedIn(folder))
    console.log(
      `${hash}  ${recorded.file}\n  ${jobOf(recorded.request)}, ${charsOf(recorded.request)} characters\n  → ${answerOf(recorded).slice(0, 160)}`,
    )
}

/** The recorded request of the same job that shares most lines is taken for the older form. */
function changed() {
  const [before, after] = [recordedIn(folder), recordedIn(rest[0])]
  const linesOf = ({ request }) => request.messages.flatMap(({ content }) => content.split('\n'))
  const fresh = [...after].filter(([hash]) => !before.has(hash)).map(([, one]) => one)
  let count = 0
  for (const [hash, one] of before) {
    if (after.has(hash)) continue
    count += 1
    const own = new Set(linesOf(one))
    const shared = (other) => linesOf(other).filter((line) => own.has(line)).length
    const [nearest] = fresh.toSorted((a, b) => shared(b) - shared(a))
    console.log(`${one.file}: ${jobOf(one.request)}`)
    if (!nearest) continue
    const now = new Set(linesOf(nearest))
    for (const line of own) if (!now.has(line)) console.log(`  - ${line.slice(0, 160)}`)
    for (const line of now) if (!own.has(line)) console.log(`  + ${line.slice(0, 160)}`)
  }
  console.log(`${count} of ${before.size} recorded requests changed`)
  process.exitCode = count > 0 ? 1 : 0
}

const commands = { serve, show, changed }
if (!commands[command] || !folder) {
  console.error('usage: node bench/models.mjs serve|show|changed FOLDER …')
  process.exitCode = 2
} else commands[command]()
if (command !== 'serve') await modules.close()
