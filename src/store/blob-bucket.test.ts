// Blobs in a bucket, against a third-party server of the protocol, and against one that fails.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import S3rver from '@20minutes/s3rver'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openBucket } from './blob-bucket.ts'
import type { BlobStorage } from './blob-storage.ts'
import { newId } from './id.ts'

const keys = { bucket: 'orb', region: 'us-east-1', accessKey: 'S3RVER', secretKey: 'S3RVER', virtualHost: false }
const ANY = Number.POSITIVE_INFINITY
const { signal } = new AbortController()

describe('a bucket', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orb-s3-'))
  let server: S3rver
  let files: BlobStorage
  let endpoint: string
  beforeAll(async () => {
    server = new S3rver({
      address: '127.0.0.1',
      port: 0,
      silent: true,
      directory: folder,
      configureBuckets: [{ name: 'orb' }],
    })
    endpoint = `http://127.0.0.1:${(await server.run()).port}`
    files = openBucket({ ...keys, endpoint })
  })
  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('keeps bytes, gives them whole and in part, to every machine, and loses them when told to', async () => {
    const id = newId(Date.now())
    const bytes = randomBytes(100_000)
    expect(await files.write(id, bytes, ANY)).toBe(100_000)
    const elsewhere = openBucket({ ...keys, endpoint })
    expect(Buffer.from((await elsewhere.read(id))!).equals(bytes)).toBe(true)
    const part = await buffer((await elsewhere.stream(id, { start: 10, end: 19 }))!)
    expect(part.equals(bytes.subarray(10, 20))).toBe(true)
    await files.remove(id)
    expect(await files.read(id)).toBeUndefined()
    expect(await files.stream(id)).toBeUndefined()
    await files.remove(id)
  })

  it('takes a stream of unknown length in parts, and holds little of it', async () => {
    const id = newId(Date.now())
    const piece = randomBytes(1024 * 1024)
    async function* many() {
      for (let n = 0; n < 40; n++) yield piece
    }
    expect(await files.write(id, many(), ANY)).toBe(40 * piece.length)
    const whole = await buffer((await files.stream(id))!)
    expect(whole.length).toBe(40 * piece.length)
    expect(whole.subarray(39 * piece.length).equals(piece)).toBe(true)
    await files.remove(id)
  })

  it('keeps nothing of what is too large, nor of what broke off', async () => {
    async function* broken() {
      for (let n = 0; n < 34; n++) yield Buffer.alloc(1024 * 1024)
      throw new Error('the site went away')
    }
    const [large, torn] = [newId(Date.now()), newId(Date.now())]
    await expect(files.write(large, Buffer.alloc(11), 10)).rejects.toThrow(/more than 10 bytes/)
    await expect(files.write(torn, broken(), ANY)).rejects.toThrow('the site went away')
    expect(await files.read(large)).toBeUndefined()
    expect(await files.read(torn)).toBeUndefined()
  })

  it('lists what is ours, and leaves alone what is not', async () => {
    const ids = Array.from({ length: 3 }, () => newId(Date.now()))
    for (const id of ids) await files.write(id, Buffer.from(id), ANY)
    const found: string[] = []
    for await (const file of files.list(signal)) {
      found.push(file.name)
      expect(Math.abs((await file.modifiedAt()) - Date.now())).toBeLessThan(600_000)
      await file.remove()
    }
    expect(found.sort()).toEqual(ids.sort())
    for await (const file of files.list(signal)) expect(file.name).toBe('nothing is left')
  })

  it('signs links that work without a key, and none to what is gone', async () => {
    const id = newId(Date.now())
    await files.write(id, Buffer.from('seen'), ANY)
    const direct = openBucket({ ...keys, endpoint, directLinks: true })
    const link = await direct.link!(id, 'image/png')
    const answer = await fetch(link!)
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, 'image/png', 'seen'])
    expect((await fetch(link!.replace(id, newId(Date.now())))).status).toBe(403)
    await files.remove(id)
    expect(await direct.link!(id, 'image/png')).toBeUndefined()
    expect(files.link).toBeUndefined()
  })

  it('that is missing, or whose key is wrong, is said by name', async () => {
    const missing = openBucket({ ...keys, endpoint, bucket: 'nowhere' })
    await expect(missing.read(newId(0))).rejects.toThrow(/bucket nowhere at 127\.0\.0\.1:\d+ does not exist/)
    const locked = openBucket({ ...keys, endpoint, secretKey: 'wrong' })
    await expect(locked.read(newId(0))).rejects.toThrow(/returned status 403 \(SignatureDoesNotMatch\)/)
  })
})

describe('a bucket that fails', () => {
  let server: Server
  let respond: (response: ServerResponse, request: IncomingMessage) => void
  let seen: string[] = []
  let endpoint: string
  /** For one that answers, however busy the machine is. */
  const LONG_MS = 60_000
  const open = (patienceMs = LONG_MS) => openBucket({ ...keys, endpoint, patienceMs })
  const saying = (status: number, body = '', headers = {}) => {
    respond = (response) => response.writeHead(status, headers).end(body)
  }
  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push(`${request.method} ${new URL(request.url!, endpoint).search}`)
      request.resume().on('end', () => respond(response, request))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    seen = []
  })
  afterAll(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })

  it('for a moment is asked again', async () => {
    respond = (response) => response.writeHead(seen.length <= 2 ? 503 : 200).end()
    await open().write(newId(0), Buffer.from('a'), ANY)
    expect(seen).toHaveLength(3)
  })

  it('for longer is a 503 that says so', async () => {
    saying(503, '<Error><Code>SlowDown</Code></Error>')
    const broken = expect(open().read(newId(0))).rejects
    await broken.toMatchObject({ kind: 'unavailable' })
    await expect(open().read(newId(0))).rejects.toThrow(/returned status 503 \(SlowDown\)/)
  })

  it('to be reached is one as well', async () => {
    const away = openBucket({ ...keys, endpoint: 'http://127.0.0.1:1' })
    await expect(away.read(newId(0))).rejects.toThrow(/cannot be reached/)
  })

  it('because it is full says so, and nothing is kept', async () => {
    saying(507, '<Error><Code>StorageFull</Code></Error>')
    await expect(open().write(newId(0), Buffer.from('a'), ANY)).rejects.toThrow(/returned status 507 \(StorageFull\)/)
    saying(403, '<Error><Code>QuotaExceeded</Code></Error>')
    await expect(open().write(newId(0), Buffer.from('a'), ANY)).rejects.toThrow(/returned status 403 \(QuotaExceeded\)/)
  })

  it('to answer in time, or stops in the middle, is given up', async () => {
    respond = () => undefined
    let sent = 0
    const counted: typeof fetch = (...request) => {
      sent += 1
      return fetch(...request)
    }
    const slow = openBucket({ ...keys, endpoint, patienceMs: 300, fetch: counted })
    await expect(slow.read(newId(0))).rejects.toThrow(/cannot be reached/)
    expect(sent).toBe(4)
    respond = (response) => response.writeHead(200, { 'content-length': '10' }).write('half')
    await expect(open(2000).read(newId(0))).rejects.toThrow(/broke off in the middle/)
    const stream = await open(2000).stream(newId(0))
    await expect(buffer(stream!)).rejects.toThrow(/stopped sending/)
  })

  it('to send the bytes it was given is found out', async () => {
    saying(200, 'damaged', { 'x-amz-meta-sha256': '0'.repeat(64) })
    await expect(open().read(newId(0))).rejects.toThrow(/damaged the object/)
    expect(seen).toHaveLength(2)
  })

  it('to speak the protocol is not believed', async () => {
    const large = async function* () {
      for (let n = 0; n < 34; n++) yield Buffer.alloc(1024 * 1024)
    }
    saying(200, '<html>Welcome to nginx</html>')
    await expect(open().write(newId(0), large(), ANY)).rejects.toThrow(/did not begin an upload in parts/)
    seen = []
    saying(200, '<UploadId>u</UploadId>')
    await expect(open().write(newId(0), large(), ANY)).rejects.toThrow(/took a part of an upload without naming it/)
    expect(seen.at(-1)).toBe('DELETE ?uploadId=u')
    respond = (response, { method, url }) =>
      response
        .writeHead(200, { etag: '"x"' })
        .end(method === 'POST' && !url?.includes('uploads') ? '<Error></Error>' : '<UploadId>u</UploadId>')
    await expect(open().write(newId(0), large(), ANY)).rejects.toThrow(/did not join the parts/)
    for await (const file of open().list(signal)) expect(file.name).toBe('nothing')
  })
})
