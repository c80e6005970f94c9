import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStreamMultiplexer } from './stream-multiplexer.ts'

const path = join(tmpdir(), `orb-mux-${process.pid}.sock`)
const server = createServer()
let near: Duplex
let far: Duplex
beforeAll(async () => {
  server.listen(path)
  await once(server, 'listening')
  const accepted = once(server, 'connection')
  near = connect(path)
  ;[far] = (await accepted) as [Duplex]
})
afterAll(() => {
  near.destroy()
  far.destroy()
  server.close()
})

describe('many conversations over one stream', () => {
  it('each arrives whole and apart from the others, large ones too, and ends with its end', async () => {
    openStreamMultiplexer(far, (stream) => void stream.pipe(stream))
    const { open } = openStreamMultiplexer(near, () => {})
    const echoed = async (size: number, letter: string) => {
      const stream = open()
      stream.end(letter.repeat(size))
      let got = ''
      for await (const chunk of stream) got += chunk
      return got
    }
    const sizes = [1, 1000, 300_000, 2_000_000]
    const all = await Promise.all(sizes.map((size, at) => echoed(size, 'abcd'[at] as string)))
    expect(all.map((text, at) => text === 'abcd'[at]!.repeat(sizes[at]!))).toEqual([true, true, true, true])
  })

  it('is given up when the other side talks nonsense', async () => {
    const gone = once(far, 'close')
    near.write(Buffer.from([1, 0, 0, 0, 0, 255, 255, 255, 255]))
    await gone
    expect(far.destroyed).toBe(true)
  })
})
