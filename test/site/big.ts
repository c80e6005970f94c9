// Pages that are too big in one way or another, streamed so that the server stays small.
import type { Page, Pages, Scene } from './page.ts'

const CHUNK = 65_536

/** Writes what `next` gives until it gives nothing or the client is gone. */
export function stream({ response, count }: Scene, next: () => string | Buffer | undefined): void {
  const more = () => {
    for (;;) {
      if (response.destroyed || response.socket?.destroyed) return
      const chunk = next()
      if (chunk === undefined) {
        response.end()
        return
      }
      count(chunk.length)
      if (!response.write(chunk)) {
        response.once('drain', more)
        return
      }
    }
  }
  more()
}

const repeated =
  (head: string, unit: string, times: (url: URL) => number, tail: string): Page =>
  (scene) => {
    scene.response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    const perChunk = Math.max(1, Math.floor(CHUNK / unit.length))
    let left = times(scene.url)
    let started = false
    let ended = false
    stream(scene, () => {
      if (!started) {
        started = true
        return head
      }
      if (left > 0) {
        const now = Math.min(left, perChunk)
        left -= now
        return unit.repeat(now)
      }
      if (ended) return undefined
      ended = true
      return tail
    })
  }

const HEAD = '<!doctype html><html><head><title>Big</title></head><body><h1>A big page</h1>'
const paragraph =
  '<p>The gauge at the lower lock reported one reading, and the reading was like the one before it.</p>\n'
const asked = (name: string, fallback: number) => (url: URL) => Number(url.searchParams.get(name)) || fallback

export const bigPages: Pages = {
  // `?bytes=`, 200 MB unless told.
  '/big/html': repeated(
    HEAD,
    paragraph,
    (url) => Math.ceil(asked('bytes', 200_000_000)(url) / paragraph.length),
    '</body></html>',
  ),
  // Large, and quickly read.
  '/big/script': repeated(
    `${HEAD}<p>One paragraph</p><script>`,
    '// one line of a program, and nothing else\n',
    (url) => Math.ceil(asked('bytes', 5_000_000)(url) / 43),
    '</script></body></html>',
  ),
  '/big/nodes': repeated(HEAD, '<i>a</i>', asked('count', 1_000_000), '</body></html>'),
  '/big/deep': repeated(HEAD, '<div>', asked('depth', 100_000), 'the bottom'),
  '/big/tables': repeated(HEAD, '<table><tr><td>', asked('depth', 500), 'cell'),
  '/big/attributes': (scene) => {
    scene.response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    const names = Array.from({ length: 100_000 }, (_, index) => `a${index}="v"`).join(' ')
    scene.response.end(`${HEAD}<p ${names}>one paragraph with many attributes</p></body></html>`)
  },
  // Random bytes under the name of a page.
  '/big/binary': (scene) => {
    scene.response.writeHead(200, { 'content-type': 'text/html' })
    const chunk = Buffer.from(Array.from({ length: CHUNK }, (_, at) => (at * 2_654_435_761) >>> 24))
    let left = Math.ceil(asked('bytes', 2_000_000_000)(scene.url) / CHUNK)
    stream(scene, () => (left-- > 0 ? chunk : undefined))
  },
}
