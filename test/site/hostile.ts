// Answers that never end, end too soon, or are no HTTP at all: written to the bare socket, past the server's own care.
import { stream } from './big.ts'
import type { Page, Pages } from './site.ts'

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

const PAGE = '<!doctype html><title>Cut</title><h1>A page that was cut</h1><p>Its beginning is here.</p>'
const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'

export const hostilePages: Pages = {
  '/hostile/endless-body': (scene) => {
    scene.response.writeHead(200, { 'content-type': 'text/html' })
    const chunk = '<p>and on and on it goes, this page that has no end</p>\n'.repeat(1000)
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
  '/hostile/one-byte-chunks': ({ request: { socket }, count }) => {
    socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n`)
    const piece = '1\r\nx\r\n'.repeat(10_000)
    const more = () => {
      while (!socket.destroyed) {
        count(10_000)
        if (!socket.write(piece)) {
          socket.once('drain', more)
          return
        }
      }
    }
    more()
  },
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
