// An ordinary tenant beside a hostile one: selectors that cost, values that are deep, pages that are huge, pages that storm,
// bodies that drip. Each tenant has a team of its own and the same plan.
import net from 'node:net'
import { sleep } from '../../process.mjs'
import { ground, percentile, row } from './trust-ground.mjs'

const VISITS = 200
const HOSTILE_AT_ONCE = 8
const SLOW_BODIES = 100

export async function neighbours({ scale }) {
  const visits = Math.max(20, Math.round(VISITS * scale))
  const words = 'The lock keeper writes down every boat that passes. '
  const pages = {
    '/plain/*': ({ response, url }) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<title>Plain</title><h1>${url.pathname}</h1>${`<p>${words.repeat(8)}</p>`.repeat(30)}`)
    },
    '/hostile-selectors/*': ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<div>${'<p><b><i>x</i></b></p>'.repeat(18_000)}</div>`)
    },
    '/hostile-json/*': ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`${`{"${'k'.repeat(40)}":`.repeat(4500)}1${'}'.repeat(4500)}`)
    },
    '/hostile-huge/*': ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<title>Huge</title>${`<p>${words.repeat(4)}</p>\n`.repeat(90_000)}`)
    },
    '/hostile-storm/*': ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(
        '<h1>Storm</h1><script>for (let n = 0; n < 2000; n++) fetch("/hostile-slow/" + n).catch(() => {})</script>',
      )
    },
    '/hostile-slow/*': async ({ response }) => {
      await sleep(3000)
      response.end('{}')
    },
  }
  const { web, url, call, close } = await ground({ pages })
  try {
    const team = async (name) => (await call('POST', '/v2/admin/teams', { name, plan: 'scale' })).json.key
    const [ordinary, hostile] = [await team('ordinary'), await team('hostile')]
    const times = async (name) => {
      const took = []
      for (let at = 0; at < visits; at++) {
        const started = performance.now()
        const { status } = await call(
          'POST',
          '/v2/scrape',
          { url: `${web.url}/plain/${name}-${at}`, maxAge: 0 },
          { key: ordinary },
        )
        took.push(status === 200 ? performance.now() - started : Number.POSITIVE_INFINITY)
        await sleep(20)
      }
      return took
    }
    await times('warm')
    const quiet = percentile(await times('quiet'), 0.95)
    const attack = startAttack({ call, key: hostile, web, url })
    await sleep(3000)
    const health = watchHealth(call)
    const loud = percentile(await times('loud'), 0.95)
    const { p99, worst } = health.stop()
    const done = await attack.stop()
    return [
      row(
        `a hostile tenant (${done} requests) beside an ordinary one: its p95 against its quiet one`,
        '≤ 3 ×',
        `${(loud / quiet).toFixed(1)} × (${quiet.toFixed(0)} ms → ${loud.toFixed(0)} ms)`,
        loud / quiet <= 3,
      ),
      row('… p99 of /health meanwhile', '≤ 200 ms', `${p99.toFixed(0)} ms (worst ${worst.toFixed(0)})`, p99 <= 200),
    ]
  } finally {
    await close()
  }
}

function watchHealth(call) {
  const took = []
  let over = false
  void (async () => {
    while (!over) {
      const started = performance.now()
      await call('GET', '/health').catch(() => undefined)
      took.push(performance.now() - started)
      await sleep(50)
    }
  })()
  return {
    stop() {
      over = true
      return { p99: percentile(took, 0.99), worst: Math.max(...took) }
    },
  }
}

function startAttack({ call, key, web, url }) {
  let over = false
  let done = 0
  const ways = [
    (at) => ({ url: `${web.url}/hostile-selectors/${at}`, includeTags: [':has(* * * * * *)'], onlyMainContent: false }),
    (at) => ({ url: `${web.url}/hostile-json/${at}`, onlyCleanContent: true }),
    (at) => ({ url: `${web.url}/hostile-huge/${at}` }),
    (at) => ({ url: `${web.url}/hostile-storm/${at}`, waitFor: 1 }),
  ]
  const clients = Array.from({ length: HOSTILE_AT_ONCE }, async (_, client) => {
    for (let at = 0; !over; at++) {
      const body = { ...ways[(client + at) % ways.length](`${client}-${at}`), maxAge: 0, timeout: 20_000 }
      await call('POST', '/v2/scrape', body, { key }).catch(() => undefined)
      done += 1
    }
  })
  const { hostname, port } = new URL(url)
  const sockets = Array.from({ length: SLOW_BODIES }, () => {
    const socket = net.connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(
      `POST /v2/scrape HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n{`,
    )
    const drip = setInterval(() => socket.writable && socket.write(' '), 500)
    socket.on('close', () => clearInterval(drip))
    return socket
  })
  return {
    async stop() {
      over = true
      for (const socket of sockets) socket.destroy()
      await Promise.all(clients)
      return done
    },
  }
}
