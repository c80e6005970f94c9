// What hostile or broken servers may cost: bytes, time, memory. And every content encoding, honest or not.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectCost } from '../../test/cost.ts'
import { compressedText, longText } from '../../test/site/compressions.ts'
import { type Site, startSite } from '../../test/site/site.ts'
import { startDeadline } from '../base/deadline.ts'
import { silentLog } from '../base/log.ts'
import { type Egress, type EgressLimits, type EgressResponse, openEgress } from './egress.ts'

const never = new AbortController().signal
const MIB = 1024 * 1024
const failed = (because: RegExp) =>
  expect.objectContaining({ kind: 'site_failed', message: expect.stringMatching(because) })

let site: Site
let egress: Egress
const opened: Egress[] = []

const open = (limits: Partial<EgressLimits> = {}): Egress => {
  const made = openEgress({
    allowPrivate: [`127.0.0.1:${site.port}`],
    dnsServers: [],
    proxies: { basic: [], enhanced: [] },
    log: silentLog,
    limits,
  })
  opened.push(made)
  return made
}

const get = (path: string, signal = never, through = egress): Promise<EgressResponse> =>
  through.fetch({ url: site.url + path, headers: {}, skipTlsVerification: true, proxy: 'basic' }, signal)

const text = ({ body }: EgressResponse): string => Buffer.from(body).toString()

/** The largest growth of this process while `work` ran; the site lives in it too, so the true figure is smaller. */
async function growth(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 5)
  await work()
  clearInterval(timer)
  return Math.max(most, process.memoryUsage.rss()) - before
}

beforeAll(async () => {
  site = await startSite()
  egress = open()
})

afterAll(async () => {
  await Promise.all(opened.map((made) => made.close()))
  await site.close()
})

describe('content encodings', () => {
  it.each(['gzip', 'x-gzip', 'br', 'deflate', 'raw-deflate', 'zstd', 'zstd-two-frames', 'nested', 'nested-three'])(
    'undoes %s',
    async (name) => {
      const response = await get(`/packed/${name}`)
      expect(text(response)).toBe(compressedText)
      expect(response.warnings).toEqual([])
    },
  )

  it.each(['gzip', 'br', 'deflate', 'raw-deflate', 'zstd'])('undoes %s around a long page', async (name) => {
    const response = await get(`/packed/long-${name}`)
    expect(text(response)).toBe(longText())
    expect(Number(response.headers['content-length'])).toBeGreaterThan(40_000)
  })

  it('refuses more than three encodings around one body', async () => {
    await expect(get('/packed/nested-four')).rejects.toEqual(failed(/more than 3 content encodings/))
  })

  it('names an encoding that it does not know', async () => {
    await expect(get('/packed/unknown')).rejects.toEqual(failed(/"compress" is unknown/))
  })

  it('reads a plain body under a gzip header, and says so', async () => {
    const response = await get('/packed/lie')
    expect(text(response)).toBe(compressedText)
    expect(response.warnings).toEqual([expect.stringMatching(/not compressed/)])
  })

  it('takes an empty body under a gzip header for an empty body', async () => {
    expect((await get('/packed/empty')).body).toHaveLength(0)
  })

  it('keeps what could be read of a damaged body', async () => {
    const response = await get('/packed/damaged')
    expect(text(response)).toContain('Packed page')
    expect(response.warnings).toEqual([expect.stringMatching(/damaged/)])
  })

  it('keeps what could be read of a body that was packed only by half', async () => {
    expect(text(await get('/packed/half'))).toContain('Packed page')
  })

  it('gives the body memory of its own, so that it can be handed to another thread', async () => {
    for (const path of ['/packed/gzip', '/article']) {
      const { body } = await get(path)
      expect(body.byteOffset).toBe(0)
      expect(body.buffer.byteLength).toBe(body.byteLength)
    }
  })
})

describe('bombs', () => {
  it.each(['gzip', 'br', 'deflate', 'zstd', 'nested'])('stops the %s bomb with flat memory', async (name) => {
    // The size alone: should the page come through after all, the report must not print megabytes.
    const size = () => get(`/bomb/${name}`).then(({ body }) => body.length)
    const grown = await growth(() => expect(size()).rejects.toEqual(expect.objectContaining({ kind: 'bomb' })))
    expect(grown).toBeLessThan(200 * MIB)
  })

  it('refuses a zstd frame that asks for a window of gigabytes', async () => {
    await expect(get('/bomb/zstd-window')).rejects.toEqual(failed(/damaged/))
  })

  it('stops zstd blocks that are all work and no output, and leaves others their turn meanwhile', async () => {
    let longest = 0
    let last = performance.now()
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 1)
    const response = await get('/bomb/zstd-tiny')
    clearInterval(timer)
    expect(response.warnings).toEqual([expect.stringMatching(/damaged/)])
    expect(response.body.length).toBeLessThan(1000)
    expectCost(longest).toBeLessThan(250)
  })

  it('cuts a large page that is no bomb', async () => {
    const response = await get('/packed/large')
    expect(response.truncated).toBe(true)
    expect(response.body).toHaveLength(20 * MIB)
    expect(response.warnings).toEqual([expect.stringMatching(/cut at 20971520 bytes/)])
  })
})

describe('bodies without end', () => {
  it.each(['/hostile/endless-body', '/big/html', '/big/binary'])('cuts %s at the byte budget', async (path) => {
    const small = open({ pageBytes: 2 * MIB })
    const grown = await growth(async () => {
      const response = await get(path, never, small)
      expect(response).toMatchObject({ status: 200, truncated: true })
      expect(response.body).toHaveLength(2 * MIB)
    })
    expect(grown).toBeLessThan(100 * MIB)
    // The socket was closed: the server could not go on.
    const sentMeanwhile = async () => {
      const before = site.sent(path)
      await new Promise((resolve) => setTimeout(resolve, 50))
      return site.sent(path) - before
    }
    await expect.poll(sentMeanwhile).toBe(0)
    expect(site.sent(path)).toBeLessThan(12 * MIB)
  })

  it.each(['one-byte-chunks', 'one-byte-gzip'])('holds /hostile/%s in little more than its size', async (name) => {
    const small = open({ pageBytes: 256 * 1024 })
    const grown = await growth(async () => {
      expect(await get(`/hostile/${name}`, never, small)).toMatchObject({ truncated: true })
    })
    expect(grown).toBeLessThan(100 * MIB)
  })

  it('gives a document more room than a page', async () => {
    const small = open({ pageBytes: 100, documentBytes: MIB })
    expect((await get('/paper.pdf', never, small)).truncated).toBe(false)
    expect((await get('/article', never, small)).truncated).toBe(true)
  })

  it.each(['drip', 'stall', 'silence', 'drip-headers'])('ends /hostile/%s when time is up', async (name) => {
    const limit = startDeadline(250, never)
    const started = performance.now()
    await expect(get(`/hostile/${name}`, limit.signal)).rejects.toEqual(expect.objectContaining({ kind: 'timeout' }))
    expectCost(performance.now() - started).toBeLessThan(1000)
    const sent = site.sent(`/hostile/${name}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(site.sent(`/hostile/${name}`) - sent).toBeLessThan(30)
  })

  it('ends headers without end at the header budget', async () => {
    await expect(get('/hostile/endless-headers')).rejects.toEqual(failed(/headers/))
    expect(site.sent('/hostile/endless-headers')).toBeLessThan(10 * MIB)
  })

  it('ends interim answers without end', async () => {
    await expect(get('/hostile/endless-interim')).rejects.toEqual(failed(/headers/))
  })
})

describe('answers that break off', () => {
  it.each(['early-close', 'early-close-chunked'])('keeps what arrived before /hostile/%s', async (name) => {
    const response = await get(`/hostile/${name}`)
    expect(text(response)).toContain('Its beginning is here')
    expect(response.warnings).toEqual([expect.stringMatching(/closed the connection early/)])
  })

  it('takes the end of the connection for the end of a body without a length', async () => {
    const response = await get('/hostile/no-length')
    expect(text(response)).toContain('Its beginning is here')
    expect(response.warnings).toEqual([])
  })

  it('keeps to a content length that is too short', async () => {
    expect((await get('/hostile/short-length')).body).toHaveLength(40)
  })

  it.each([
    ['early-close-empty', /before sending its page/],
    ['hang-up', /closed the connection/],
    ['reset', /closed the connection/],
    ['not-http', /not valid HTTP/],
  ])('says what is wrong with /hostile/%s', async (name, because) => {
    await expect(get(`/hostile/${name}`)).rejects.toEqual(failed(because))
  })

  it('says that a connection is refused, without naming the address', async () => {
    const lonely = openEgress({
      allowPrivate: ['127.0.0.0/8'],
      dnsServers: [],
      proxies: { basic: [], enhanced: [] },
      log: silentLog,
    })
    opened.push(lonely)
    const visit = lonely.fetch(
      { url: 'http://127.0.0.1:1/', headers: {}, skipTlsVerification: true, proxy: 'basic' },
      never,
    )
    await expect(visit).rejects.toEqual(failed(/refused the connection/))
    await expect(visit).rejects.toThrow(expect.objectContaining({ message: expect.not.stringContaining('127.0.0.1') }))
  })

  it.each([204, 304])('accepts a %i without a body', async (status) => {
    expect(await get(`/status/${status}`)).toMatchObject({ status, body: new Uint8Array(0) })
  })

  it.each([404, 500, 429])('returns the page that came with a %i', async (status) => {
    const response = await get(`/status/${status}`)
    expect(response.status).toBe(status)
    expect(text(response)).toContain(`Status ${status}`)
  })
})
