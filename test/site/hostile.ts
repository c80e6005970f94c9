// Answers that never end, end too soon, or are no HTTP at all: written to the bare socket, past the server's own care.
import { stream } from './big.ts'
import type { Page, Pages } from './page.ts'

/** Bytes as they are, then nothing or the end of the connection. */
const raw =
  (text: string | (() => string), then: 'close' | 'reset' | 'hold'): Page =>
  ({ request: { socket } }) => {
    socket.write(typeof text === 'string' ? text : text(), 'latin1', () => {
      if (then === 'close') socket.end()
      if (then === 'reset') socket.resetAndDestroy()
    })
  }

/** The same few bytes again and again, one at a time. */
const drip =
  (head: string, piece: string, everyMs: number): Page =>
  ({ request: { socket }, count }) => {
    socket.write(head)
    const timer = setInterval(() => {
      count(piece.length)
      socket.write(piece)
    }, everyMs)
    socket.on('close', () => clearInterval(timer))
  }

const GZIP_HEAD = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
const GZIP_BLOCK = [0, 1, 0, 254, 255, 120]

/** A body in chunks of one byte each, without end. */
const crumbs =
  (headers: string, byteAt: (at: number) => number): Page =>
  ({ request: { socket }, count }) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${headers}Transfer-Encoding: chunked\r\n\r\n`)
    let at = 0
    const more = () => {
      while (!socket.destroyed) {
        const piece = Buffer.alloc(6 * 10_000)
        for (let line = 0; line < piece.length; line += 6) piece.set([49, 13, 10, byteAt(at++), 13, 10], line)
        count(10_000)
        if (!socket.write(piece)) {
          socket.once('drain', more)
          return
        }
      }
    }
    more()
  }

const PAGE = '<!doctype html><title>Cut</title><h1>A page that was cut</h1><p>Its beginning is here.</p>'
const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'

export const hostilePages: Pages = {
  '/hostile/endless-body': (scene) => {
    scene.response.writeHead(200, { 'content-type': 'text/html' })
    // Few elements: the test is about the length of the body, not about what reading it costs.
    const chunk = `<p>${'and on and on it goes, this page that has no end\n'.repeat(1000)}`
    stream(scene, () => chunk)
  },
  '/hostile/drip': drip(`${OK}Content-Length: 1000000\r\n\r\n`, 'x', 20),
  '/hostile/stall': raw(`${OK}Content-Length: 100000\r\n\r\n${PAGE}`, 'hold'),
  '/hostile/silence': ({ request }) => {
    request.socket.setTimeout(0)
  },
  '/hostile/drip-headers': drip('HTTP/1.1 200 OK\r\n', 'X-More: 1\r\n', 20),
  '/hostile/endless-headers': ({ request: { socket }, count }) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const line = `X-More: ${'a'.repeat(1000)}\r\n`
    const more = () => {
      while (!socket.destroyed) {
        count(line.length)
        if (!socket.write(line)) {
          socket.once('drain', more)
          return
        }
      }
    }
    more()
  },
  '/hostile/endless-interim': drip('', 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n', 5),
  '/hostile/one-byte-chunks': crumbs('', (at) => 120 + (at % 2)),
  // The same under gzip: one stored block after another, so the body never ends.
  '/hostile/one-byte-gzip': crumbs('Content-Encoding: gzip\r\n', (at) => GZIP_HEAD[at] ?? GZIP_BLOCK[(at - 10) % 6]!),
  '/hostile/early-close': raw(`${OK}Content-Length: 100000\r\n\r\n${PAGE}`, 'close'),
  '/hostile/early-close-chunked': raw(
    `${OK}Transfer-Encoding: chunked\r\n\r\n${PAGE.length.toString(16)}\r\n${PAGE}\r\n`,
    'close',
  ),
  '/hostile/early-close-empty': raw(`${OK}Content-Length: 100000\r\n\r\n`, 'close'),
  '/hostile/short-length': raw(`${OK}Content-Length: 40\r\n\r\n${PAGE}`, 'close'),
  '/hostile/no-length': raw(`${OK}Connection: close\r\n\r\n${PAGE}`, 'close'),
  '/hostile/hang-up': raw('', 'close'),
  '/hostile/reset': raw('HTTP/1.1 200', 'reset'),
  '/hostile/not-http': raw('SSH-2.0-OpenSSH_9.7\r\n', 'hold'),
  '/hostile/header-newline': raw(`${OK}X-A: one\nX-B: two\r\nContent-Length: 2\r\n\r\nok`, 'close'),
  '/hostile/proto-header': raw(`${OK}__proto__: polluted\r\nconstructor: x\r\nContent-Length: 2\r\n\r\nok`, 'close'),
}
