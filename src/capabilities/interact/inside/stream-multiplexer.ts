// Multiplexes streams over one pipe, for a sandbox that may open no socket. A frame holds stream number, kind and
// length.
import { Duplex } from 'node:stream'

const DATA = 0
const END = 1
const HEAD_BYTES = 9
const MAX_FRAME_BYTES = 64 * 1024
const MAX_OPEN = 64

export type StreamMultiplexer = ReturnType<typeof openStreamMultiplexer>

/** `onOpen`: the other side opened a stream. */
export function openStreamMultiplexer(under: Duplex, onOpen: (stream: Duplex) => void) {
  const streams = new Map<number, Duplex>()
  let count = 0
  let rest: Buffer = Buffer.alloc(0)

  const frame = (id: number, kind: number, body: Buffer, done: (error?: Error | null) => void) => {
    const head = Buffer.alloc(HEAD_BYTES)
    head.writeUInt32LE(id, 0)
    head.writeUInt8(kind, 4)
    head.writeUInt32LE(body.length, 5)
    under.write(body.length > 0 ? Buffer.concat([head, body]) : head, done)
  }
  const make = (id: number): Duplex => {
    const stream: Duplex = new Duplex({
      // A stream that is not read blocks the others, but memory stays bounded.
      read: () => void under.resume(),
      write(chunk: Buffer, _encoding, done) {
        for (let at = 0; at < chunk.length; at += MAX_FRAME_BYTES) {
          const part = chunk.subarray(at, at + MAX_FRAME_BYTES)
          const isLast = at + MAX_FRAME_BYTES >= chunk.length
          frame(id, DATA, part, isLast ? done : () => {})
        }
        if (chunk.length === 0) done()
      },
      final: (done) => frame(id, END, Buffer.alloc(0), done),
      destroy(error, done) {
        under.resume()
        if (streams.delete(id)) frame(id, END, Buffer.alloc(0), () => {})
        done(error)
      },
    })
    stream.on('error', () => {})
    streams.set(id, stream)
    // CDP clients set these on what they assume is a socket.
    const itself = () => stream
    const timing = { setNoDelay: itself, setKeepAlive: itself, setTimeout: itself }
    return Object.assign(stream, { ...timing, ref: itself, unref: itself })
  }
  const onMessage = (id: number, kind: number, body: Buffer) => {
    let stream = streams.get(id)
    if (!stream && kind === DATA) {
      if (streams.size >= MAX_OPEN) return void under.destroy()
      stream = make(id)
      onOpen(stream)
    }
    if (!stream) return
    if (kind === END) {
      streams.delete(id)
      stream.push(null)
      // A closed stream must not block the others.
      under.resume()
    } else if (!stream.push(body)) under.pause()
  }
  under.on('data', (chunk: Buffer) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    while (rest.length >= HEAD_BYTES) {
      const length = rest.readUInt32LE(5)
      if (length > MAX_FRAME_BYTES) return void under.destroy()
      if (rest.length < HEAD_BYTES + length) return
      const body = Buffer.from(rest.subarray(HEAD_BYTES, HEAD_BYTES + length))
      const [id, kind] = [rest.readUInt32LE(0), rest.readUInt8(4)]
      rest = rest.subarray(HEAD_BYTES + length)
      onMessage(id, kind, body)
    }
  })
  const end = () => {
    for (const stream of streams.values()) stream.destroy()
  }
  under.on('close', end)
  under.on('error', end)
  return {
    open() {
      count += 1
      return make(count)
    },
  }
}
