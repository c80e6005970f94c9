// Thousands of connections that say nothing, or say it slowly, from one address and from 64: callers with a key and health
// checks are answered all the while.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { sleep } from '../../process.mjs'
import { KEY, openContext, percentile, row } from './trust-context.mjs'

const CONNECTIONS = 8192
const ADDRESSES = [1, 64]
const CALLS = 150
const EVERY_MS = 50
const AT_ONCE = 128
const REOPEN_MS = 5000
/** A byte now and then keeps a connection from being idle. */
const DRIP_MS = 2000
const ANSWERED_MS = 10_000

export async function connections({ scale }) {
  const rows = []
  for (const addresses of ADDRESSES) rows.push(...(await besieged(addresses, scale)))
  return rows
}

async function besieged(addresses, scale) {
  const count = Math.round(CONNECTIONS * scale)
  const calls = Math.max(20, Math.round(CALLS * scale))
  const { url, close } = await openContext()
  const attacker = fork(import.meta.filename, { env: { ...process.env, PROVE_ATTACKER: 'yes' } })
  try {
    const { port } = new URL(url)
    await once(attacker, 'message')
    attacker.send({ port: Number(port), count, addresses })
    await once(attacker, 'message')
    const took = { keyed: [], health: [] }
    let failed = 0
    for (let at = 0; at < calls; at += 1) {
      for (const [name, path, headers] of [
        ['keyed', '/v2/team/credit-usage', `Authorization: Bearer ${KEY}\r\n`],
        ['health', '/health', ''],
      ]) {
        const started = performance.now()
        const answer = await asked(Number(port), path, headers)
        if (!answer.startsWith('HTTP/1.1 200')) failed += 1
        took[name].push(performance.now() - started)
      }
      await sleep(EVERY_MS)
    }
    attacker.send('count')
    const [{ open, opened }] = await once(attacker, 'message')
    const p99 = (name) => `${percentile(took[name], 0.99).toFixed(0)} ms`
    const from = addresses === 1 ? 'one address' : `${addresses} addresses`
    return [
      row(
        `${count} silent and slow connections from ${from}: failed new connections of a caller with a key and of /health`,
        '0',
        `${failed} of ${2 * calls}`,
        failed === 0,
      ),
      row(
        `${count} silent and slow connections from ${from}: p99 of a caller with a key, of /health (${opened} opened, ${open} held)`,
        '–',
        `${p99('keyed')}, ${p99('health')}`,
        true,
      ),
    ]
  } finally {
    attacker.kill('SIGKILL')
    await close()
  }
}

/** One request on a connection of its own; the answer's beginning, or why there is none. */
function asked(port, path, headers) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const end = (text) => {
      socket.destroy()
      resolve(text)
    }
    socket.setTimeout(ANSWERED_MS, () => end('no response in time'))
    socket.on('error', (error) => end(error.message)).on('close', () => end('closed without an answer'))
    socket.once('data', (bytes) => end(String(bytes)))
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}Connection: close\r\n\r\n`)
  })
}

/** In a process of its own: what it is busy with must not delay the callers. */
async function attack() {
  process.send('ready')
  const [{ port, count, addresses }] = await once(process, 'message')
  const kinds = [
    '',
    'GET /v2/team/credit-usage HTTP/1.1\r\nX-Slow: ',
    `POST /v2/scrape HTTP/1.1\r\nHost: a\r\nContent-Length: 9000\r\n\r\n{`,
  ]
  const held = new Set()
  let opened = 0
  const hold = (n) =>
    new Promise((resolve) => {
      const socket = connect({
        port,
        host: '127.0.0.1',
        localAddress: `127.0.0.${addresses === 1 ? 1 : 2 + (n % addresses)}`,
      })
      socket.on('error', () => {})
      socket.once('connect', () => {
        opened += 1
        held.add(socket)
        if (kinds[n % kinds.length]) socket.write(kinds[n % kinds.length])
        resolve()
      })
      socket.once('close', () => {
        held.delete(socket)
        resolve()
        setTimeout(() => hold(n), REOPEN_MS)
      })
    })
  for (let n = 0; n < count; n += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - n) }, (_, at) => hold(n + at)))
  setInterval(() => {
    for (const socket of held) if (socket.bytesWritten > 0) socket.write('a')
  }, DRIP_MS)
  process.send({})
  for (;;) {
    await once(process, 'message')
    process.send({ open: held.size, opened })
  }
}

if (process.env.PROVE_ATTACKER) await attack()
