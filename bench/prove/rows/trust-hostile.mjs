// The hostile tenant and its site, in a process of their own as they would be on machines of their own: selectors that cost,
// values that are deep, pages that are huge, pages that storm, bodies that drip. It tells its port, is told whom to trouble
// and by which ways, and tells how much it has asked for when it is told to stop.
import { createServer, request } from 'node:http'
import net from 'node:net'
import { getPriority, setPriority } from 'node:os'
import { sleep } from '../../process.mjs'

const AT_ONCE = 8
const SLOW_BODIES = 100
const words = 'The lock keeper writes down every boat that passes. '
const html = { 'content-type': 'text/html' }

const PAGES = {
  selectors: [html, Buffer.from(`<div>${'<p><b><i>x</i></b></p>'.repeat(18_000)}</div>`)],
  json: [
    { 'content-type': 'application/json' },
    Buffer.from(`${`{"${'k'.repeat(40)}":`.repeat(4500)}1${'}'.repeat(4500)}`),
  ],
  huge: [html, Buffer.from(`<title>Huge</title>${`<p>${words.repeat(4)}</p>\n`.repeat(90_000)}`)],
  storm: [
    html,
    Buffer.from('<h1>Storm</h1><script>for (let n = 0; n < 2000; n++) fetch("/slow/" + n).catch(() => {})</script>'),
  ],
}

const OPTIONS = {
  selectors: { includeTags: [':has(* * * * * *)'], onlyMainContent: false },
  json: { onlyCleanContent: true },
  huge: {},
  storm: { waitFor: 1 },
}

// What it costs is not to be taken from those it troubles: elsewhere it would not be.
setPriority(Math.min(19, getPriority() + 5))
let over = false
const site = createServer(async (asked, response) => {
  const [, way] = new URL(asked.url, 'http://x').pathname.split('/')
  const [headers, body] = PAGES[way] ?? [{}, '{}']
  if (way === 'slow') await sleep(3000)
  response.writeHead(200, headers).end(body)
})
site.listen(0, '127.0.0.1', () => process.send({ port: site.address().port }))

process.once('message', async ({ url, key, ways }) => {
  const sockets = ways.includes('drip') ? Array.from({ length: SLOW_BODIES }, () => drip(url, key)) : []
  const pages = ways.filter((way) => way in PAGES)
  let done = 0
  const clients = Array.from({ length: pages.length > 0 ? AT_ONCE : 0 }, async (_, client) => {
    for (let at = 0; !over; at++) {
      const way = pages[(client + at) % pages.length]
      const page = `http://127.0.0.1:${site.address().port}/${way}/${client}-${at}`
      await ask(`${url}/v2/scrape`, key, { url: page, ...OPTIONS[way], maxAge: 0, timeout: 20_000 })
      done += 1
    }
  })
  process.once('message', async () => {
    over = true
    for (const socket of sockets) socket.destroy()
    await Promise.race([Promise.all(clients), sleep(30_000)])
    process.send({ done })
    process.disconnect()
    process.exit(0)
  })
})

/** Asks, and lets the answer go by. */
function ask(url, key, body) {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const asked = request(url, { method: 'POST', headers, timeout: 60_000 }, (answer) => {
      answer.resume()
      answer.once('close', resolve)
    })
    asked.once('error', resolve)
    asked.end(JSON.stringify(body))
  })
}

function drip(url, key) {
  const { hostname, port } = new URL(url)
  const socket = net.connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(
    `POST /v2/scrape HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n{`,
  )
  const more = setInterval(() => socket.writable && socket.write(' '), 500)
  socket.on('close', () => clearInterval(more))
  return socket
}
