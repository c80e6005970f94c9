// Bodies of any shape and up to 10 MB, on every route that takes one, with a key and without: how long they hold up the
// event loop, and /health meanwhile. The shapes come from openapi.json.
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { sleep } from '../../process.mjs'
import { KEY, openContext, percentile, root, row } from './trust-context.mjs'

const BYTES = 9_900_000
const HELD_MS = 100
const HEALTH_MS = 200
/** The collector may clean up after earlier bodies; what the body costs is there each time. */
const TRIES = 3
const PROBE = join(root, 'bench/prove/rows/loop-probe.mjs')

const repeated = (part, bytes = BYTES) => part.repeat(Math.max(1, Math.floor(bytes / part.length)))
const list = (part, bytes = BYTES) => {
  const times = Math.max(1, Math.floor(bytes / (part.length + 1)))
  return `[${Array.from({ length: times }, () => part).join(',')}]`
}
const keys = (textOf, bytes = BYTES) => {
  const parts = []
  for (let length = 0, n = 0; length < bytes; n += 1) {
    parts.push(`"k${n}":${textOf(n)}`)
    length += parts.at(-1).length + 1
  }
  return `{${parts.join(',')}}`
}

/** Each makes the text of a value from the number of bytes. */
const VALUES = {
  'a long text': (bytes) => `"${repeated('lorem ipsum ', bytes)}"`,
  'a text of two-byte characters': (bytes) => `"${repeated('é', bytes / 2)}"`,
  'a text of escapes': (bytes) => `"${repeated('\\u0041', bytes)}"`,
  'a text of quotes': (bytes) => `"${repeated('\\"', bytes)}"`,
  'a wide object': (bytes) => keys(() => '1', bytes),
  'an object of maps': (bytes) => keys(() => '{"a":{"b":1}}', bytes),
  'an object of long values': (bytes) => keys(() => `"${'v'.repeat(4000)}"`, bytes),
  'an object with long keys': (bytes) => `{${list(`"${'k'.repeat(2000)}":1`, bytes).slice(1, -1)}}`,
  'a long list of texts': (bytes) => list('"a"', bytes),
  'a long list of addresses': (bytes) => list('"https://example.com/a"', bytes),
  'a long list of objects': (bytes) => list('{"type":"markdown"}', bytes),
  'a list of 24,000 long texts': (bytes) => list(`"https://example.com/${'a'.repeat(380)}"`, bytes),
  'deep lists': (bytes) => `${repeated('[', bytes / 2)}${repeated(']', bytes / 2)}`,
  'deep objects': (bytes) => `${repeated('{"a":', bytes / 6)}1${'}'.repeat(Math.max(1, Math.floor(bytes / 6 / 5)))}`,
  'a long number': (bytes) => repeated('7', bytes),
  blanks: (bytes) => `${repeated(' ', bytes)}1`,
}

export async function bodies({ scale }) {
  const { url, pid, call, output, close } = await openContext({ flags: ['--import', PROBE] })
  const health = watchHealth(`${url}/health`)
  const worst = []
  let sent = 0
  const unanswered = []
  try {
    const { json: api } = await call('GET', '/openapi.json')
    await health.ready
    const shapes = shapesOf(api)
    const step = Math.max(1, Math.round(1 / scale))
    for (const [at, shape] of shapes.entries()) {
      if (at % step !== 0) continue
      const body = Buffer.from(shape.text())
      for (const key of [KEY, undefined]) {
        sent += 1
        const held = await heldBy(shape, body, key)
        if (held.status === undefined) unanswered.push(shape.name)
        worst.push({ ...held, name: `${key ? 'keyed' : 'keyless'} ${shape.name}` })
      }
    }
    const { p99, most, count } = await health.stop()
    worst.sort((a, b) => b.ms - a.ms)
    for (const { name, ms, status } of worst.slice(0, 8)) console.log(`  ${ms.toFixed(0)} ms, ${status}: ${name}`)
    const [first] = worst
    return [
      row(
        `${sent} bodies of up to 10 MB (${shapes.length} shapes, with and without a key): without a response`,
        '0',
        unanswered.length,
        unanswered.length === 0,
      ),
      row(
        'bodies of up to 10 MB: longest block of the event loop, in CPU time',
        `≤ ${HELD_MS} ms`,
        `${first.ms.toFixed(0)} ms (${first.name})`,
        first.ms <= HELD_MS,
      ),
      row(
        `bodies of up to 10 MB: p99 of ${count} requests for /health`,
        `≤ ${HEALTH_MS} ms`,
        `${p99.toFixed(0)} ms (worst ${most.toFixed(0)})`,
        p99 <= HEALTH_MS,
      ),
    ]
  } finally {
    await health.stop()
    await close()
  }

  async function heldBy({ method, path }, body, key) {
    let ms = Number.POSITIVE_INFINITY
    let status
    for (let turn = 0; turn < TRIES && ms > HELD_MS; turn += 1) {
      await longest()
      status = await sendTo(url + path, method, body, key)
      ms = Math.min(ms, await longest())
    }
    return { ms, status }
  }

  async function longest() {
    const before = output().length
    process.kill(pid, 'SIGUSR2')
    for (;;) {
      const found = /longest wait [\d.]+ ms, at work ([\d.]+) ms/.exec(output().slice(before))
      if (found) return Number(found[1])
      await sleep(5)
    }
  }
}

async function sendTo(url, method, body, key) {
  try {
    const headers = { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) }
    const response = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(60_000) })
    await response.arrayBuffer()
    return response.status
  } catch (error) {
    // A caller without a key is answered before it has sent its body, which then cannot be sent.
    return /EPIPE|ECONNRESET|other side closed/.test(String(error.cause)) ? 'cut' : undefined
  }
}

/** Every kind of value as the whole body, in a field of its type, and under a name that is not known, over all routes in turn. */
function shapesOf(api) {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content?.['application/json']?.schema
      return schema
        ? [{ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, 'x'), fields: fieldsOf(schema, api) }]
        : []
    }),
  )
  const shapes = []
  for (const [name, make] of Object.entries(VALUES)) {
    const places = operations.flatMap(({ method, path, fields }) => [
      { method, path, at: 'as the body', text: () => make(BYTES) },
      { method, path, at: 'under an unknown name', text: () => `{"unknown":${make(BYTES)}}` },
      ...fields.map((field) => ({ method, path, at: `in ${field}`, text: () => `{"${field}":${make(BYTES)}}` })),
    ])
    // Every route with some kind of value, every kind on many routes: all of them would take an hour.
    const every = Math.max(1, Math.floor(places.length / 13))
    const offset = shapes.length % every
    for (let n = offset; n < places.length; n += every)
      shapes.push({ ...places[n], name: `${name} ${places[n].at}, ${places[n].method} ${places[n].path}` })
  }
  return shapes
}

function fieldsOf(schema, api) {
  const resolved = schema.$ref ? api.components.schemas[schema.$ref.split('/').at(-1)] : schema
  const parts = [resolved, ...(resolved.anyOf ?? []), ...(resolved.oneOf ?? []), ...(resolved.allOf ?? [])]
  return [...new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)))]
}

/** From a thread of its own: making the bodies must not delay the question. */
function watchHealth(url) {
  const worker = new Worker(
    `const { parentPort, workerData: url } = require('node:worker_threads')
     const times = []
     let on = true
     parentPort.once('message', () => { on = false })
     const ask = async () => {
       while (on) {
         const started = performance.now()
         await fetch(url).then((answer) => answer.text()).catch(() => {})
         times.push(performance.now() - started)
         if (times.length === 1) parentPort.postMessage('ready')
         await new Promise((resolve) => setTimeout(resolve, 20))
       }
       parentPort.postMessage(times)
     }
     ask()`,
    { eval: true, workerData: url },
  )
  const next = () => new Promise((resolve) => worker.once('message', resolve))
  let stopped
  return {
    ready: next(),
    stop() {
      stopped ??= (async () => {
        const said = next()
        worker.postMessage('stop')
        const times = await said
        await worker.terminate()
        return { p99: percentile(times, 0.99), most: Math.max(...times), count: times.length }
      })()
      return stopped
    },
  }
}
