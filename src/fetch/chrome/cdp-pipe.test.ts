import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { openCdpPipe } from './cdp-pipe.ts'

interface Asked {
  id: number
  method: string
  sessionId?: string
}

/** A wire whose other end is in our hands. */
function pair() {
  const [to, from] = [new PassThrough(), new PassThrough()]
  const writes: Asked[][] = []
  to.on('data', (chunk: Buffer) =>
    writes.push(
      String(chunk)
        .split('\0')
        .filter(Boolean)
        .map((text) => JSON.parse(text)),
    ),
  )
  const say = (message: object) => from.write(`${JSON.stringify(message)}\0`)
  return { wire: openCdpPipe(to, from), to, from, writes, say }
}
const soon = () => new Promise((resolve) => setTimeout(resolve, 5))
const failure = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: Error) => error.message,
  )

it('gives each question its own answer, whatever their order, and writes those of one breath at once', async () => {
  const { wire, writes, say } = pair()
  const asked = [wire.browser.send('Browser.getVersion'), wire.browser.send('Target.getTargets')]
  await soon()
  expect(writes).toHaveLength(1)
  const [first, second] = writes[0] as [Asked, Asked]
  say({ id: second.id, result: { targetInfos: [] } })
  say({ id: first.id, result: { product: 'Chrome/1' } })
  expect(await Promise.all(asked)).toEqual([{ product: 'Chrome/1' }, { targetInfos: [] }])
})

it('puts messages together again that the pipe cut in two, in the middle of a letter too', async () => {
  const { wire, from } = pair()
  const received: unknown[] = []
  wire.session('page').on('Page.frameNavigated', (event) => received.push(event))
  const whole = Buffer.from(`${JSON.stringify({ sessionId: 'page', method: 'Page.frameNavigated', params: '港口' })}\0`)
  for (const byte of Buffer.concat([whole, whole])) from.write(Buffer.of(byte))
  await soon()
  expect(received).toEqual(['港口', '港口'])
})

it('says of a question what was wrong with it', async () => {
  const { wire, writes, say } = pair()
  const asked = failure(wire.browser.send('Page.navigate', { url: 'x' }))
  await soon()
  say({ id: writes[0]?.[0]?.id, error: { message: 'Cannot navigate to invalid URL' } })
  expect(await asked).toBe('Page.navigate: Cannot navigate to invalid URL')
})

it('lets nobody wait for a page that is gone, and leaves the others alone', async () => {
  const { wire, writes, say } = pair()
  const [page, other] = [wire.session('page'), wire.session('other')]
  const lost = failure(page.send('Page.enable'))
  const kept = other.send('Page.enable')
  await soon()
  say({ method: 'Target.detachedFromTarget', params: { sessionId: 'page' } })
  expect(await lost).toMatch(/Target closed/)
  expect(await failure(page.send('Page.enable'))).toMatch(/Target closed/)
  say({ id: writes[0]?.[1]?.id, result: {} })
  expect(await kept).toEqual({})
})

it.each([
  ['closes its end', (from: PassThrough) => from.destroy()],
  ['says what is no message', (from: PassThrough) => from.write('{"id":1,\0')],
])('ends with a browser that %s', async (_, end) => {
  const { wire, from } = pair()
  const asked = failure(wire.browser.send('Browser.getVersion'))
  await soon()
  end(from)
  expect(await asked).toMatch(/with its browser/)
  expect(wire.ended.aborted).toBe(true)
  expect(await failure(wire.session('page').send('Page.enable'))).toMatch(/Target closed/)
})
