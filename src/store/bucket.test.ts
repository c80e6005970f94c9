// Blobs in a bucket, against a third-party server of the protocol, and against one that fails.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import S3rver from '@20minutes/s3rver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BlobFiles } from './blob-files.ts'
import { openBucket } from './bucket.ts'
import { newId } from './id.ts'

const keys = { bucket: 'orb', region: 'us-east-1', accessKey: 'S3RVER', secretKey: 'S3RVER', virtualHost: false }
const ANY = Number.POSITIVE_INFINITY
const { signal } = new AbortController()

describe('a bucket', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orb-s3-'))
  let server: S3rver
  let files: BlobFiles
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

  it('that is missing, or whose key is wrong, is said by name', async () => {
    const missing = openBucket({ ...keys, endpoint, bucket: 'nowhere' })
    await expect(missing.read(newId(0))).rejects.toThrow(/bucket nowhere at 127\.0\.0\.1:\d+ does not exist/)
    const locked = openBucket({ ...keys, endpoint, secretKey: 'wrong' })
    await expect(locked.read(newId(0))).rejects.toThrow(/answered 403 \(SignatureDoesNotMatch\)/)
  })
})

describe('a bucket that fails', () => {
  let server: Server
  let failures = 0
  let seen = 0
  let endpoint: string
  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume().on('end', () => {
        seen += 1
        response.statusCode = failures-- > 0 ? 503 : 200
        response.end('<Error><Code>SlowDown</Code></Error>')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  it('for a moment is asked again', async () => {
    failures = 2
    seen = 0
    await openBucket({ ...keys, endpoint }).write(newId(0), Buffer.from('a'), ANY)
    expect(seen).toBe(3)
  })

  it('for longer is a 503 that says so', async () => {
    failures = 100
    await expect(openBucket({ ...keys, endpoint }).read(newId(0))).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(openBucket({ ...keys, endpoint }).read(newId(0))).rejects.toThrow(/answered 503 \(SlowDown\)/)
  })

  it('to be reached is one as well', async () => {
    const away = openBucket({ ...keys, endpoint: 'http://127.0.0.1:1' })
    await expect(away.read(newId(0))).rejects.toThrow(/cannot be reached/)
  })
})
