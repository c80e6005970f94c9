// What the web sends: kinds of content, charsets, compressions, statuses, block pages, and hostile servers (faults B).
import { describe, expect, it, onTestFinished } from 'vitest'
import { expectCost } from '../cost.ts'
import { charsetTexts } from '../site/charsets.ts'
import { isSoak, itInSoak, sampleRows } from '../soak.ts'
import { shared } from './shared.ts'

const { site, service } = shared()

/** Long: the first page that needs a browser waits for its start. */
const post = (path: string, options: object = {}) =>
  service.call('POST', '/v2/scrape', { url: site.url + path, maxAge: 0, timeout: 200_000, ...options })
const markdownOf = async (path: string): Promise<string> => {
  const { status, json } = await post(path)
  expect(status, JSON.stringify(json)).toBe(200)
  return json.data.markdown
}

describe('kinds of content', () => {
  it.each([
    ['/data.json', /```json\n/],
    ['/data.xml', /harbour/],
    ['/feed.rss', /Why the tide tables moved[\s\S]*Eleven minutes, every day\./],
    ['/feed.atom', /Gauge drifts in frost[\s\S]*Four people and a frozen tube\./],
    ['/notes.txt', /^High water at noon\.\n\nLow water at six\./],
    ['/notes.md', /^# Notes\n\nHigh water at \*\*noon\*\*\./],
    ['/product', /^# /m],
    ['/forum', /./],
    ['/listing', /./],
    ['/docs', /./],
  ])('%s gives sensible markdown', async (path, expected) => {
    expect(await markdownOf(path)).toMatch(expected)
  })

  it('a file that no reader of this build knows is named', async () => {
    const { status, json } = await post('/picture.png')
    expect(status).toBe(422)
    expect(json.code).toBe('SCRAPE_UNSUPPORTED_FILE_ERROR')
  })

  it('a PDF is read', async () => {
    expect(await markdownOf('/paper.pdf')).toContain('High water at noon')
  })

  it('with `parsers: []` a PDF is handed over in Base64', async () => {
    const { json } = await post('/paper.pdf', { parsers: [] })
    expect(Buffer.from(json.data.markdown, 'base64').toString('latin1')).toMatch(/^%PDF/)
    expect(json.data.metadata.creditsUsed).toBe(1)
  })
})

describe('charsets', () => {
  const ways = Object.keys(charsetTexts).flatMap((charset) =>
    (charset.startsWith('utf-16') ? ['bom'] : ['header', 'meta', 'none']).map((way) => [charset, way] as const),
  )
  it.each(ways)('%s told by %s gives the right text', async (charset, way) => {
    expect(await markdownOf(`/charset/${charset}/${way}`)).toContain(charsetTexts[charset as keyof typeof charsetTexts])
  })

  it('broken bytes become replacement characters in valid JSON', async () => {
    expect(await markdownOf('/charset/broken')).toMatch(/before .*A.*B after/s)
    expect((await post('/charset/lie')).status).toBe(200)
  })
})

describe('compressions', () => {
  it.each(['gzip', 'x-gzip', 'br', 'deflate', 'raw-deflate', 'zstd', 'nested'])('%s is unpacked', async (name) => {
    expect((await markdownOf(`/packed/${name}`)).length).toBeGreaterThan(20)
  })

  it.each(['gzip', 'br', 'deflate', 'zstd', 'nested'])('a %s bomb is an error, and memory stays flat', async (name) => {
    const { status, json } = await post(`/bomb/${name}`)
    expect(status).toBe(500)
    expect(json.code).toBe('SCRAPE_SITE_ERROR')
    expect(json.error).toMatch(/unpacks to more than is allowed/)
  })
})

describe('statuses and redirects', () => {
  it.each([404, 410, 500, 503])('a page that answers %i is a result with that status', async (code) => {
    const { status, json } = await post(`/status/${code}`)
    expect(status).toBe(200)
    expect(json.data.metadata.statusCode).toBe(code)
    expect(json.data.metadata.error).toBeTypeOf('string')
    expect(json.data.markdown).toMatch(`Status ${code}`)
  })

  it('a redirect leads to the final address', async () => {
    const { json } = await post('/redirect/relative')
    expect(json.data.metadata).toMatchObject({ sourceURL: `${site.url}/redirect/relative`, url: `${site.url}/article` })
  })

  it.each(['/redirect/loop', '/redirect/50', '/redirect/file', '/redirect/data'])(
    '%s is a clean error',
    async (path) => {
      const { status, json } = await post(path)
      expect(status).toBe(500)
      expect(json.code).toBe('SCRAPE_SITE_ERROR')
    },
  )
})

describe('block pages', () => {
  const walls = [
    'cloudflare',
    'cloudflare-503',
    'cloudflare-200',
    'turnstile',
    'perimeterx',
    'datadome',
    'akamai',
    'imperva',
    'captcha',
  ]
  it.each(sampleRows(walls, 3))('%s is an error that costs nothing, not content', async (name) => {
    const { status, json } = await post(`/block/${name}`)
    expect(status).toBe(500)
    expect(json.code).toBe('SCRAPE_SITE_ERROR')
    expect(json.error).toMatch(/block or challenge page/)
  })

  it.each(['/plain-403', '/about-bots'])('%s is a result', async (path) => {
    expect((await post(path)).status).toBe(200)
  })
})

describe('hostile servers', () => {
  it.each(['/hostile/drip', '/hostile/stall', '/hostile/silence', '/hostile/drip-headers'])(
    '%s ends in 408 at the timeout',
    async (path) => {
      const { status, json } = await post(path, { timeout: 1000 })
      expect(status).toBe(408)
      expect(json).toMatchObject({ code: 'SCRAPE_TIMEOUT' })
      expect(json.error).toMatch(/^Request Timeout/)
    },
  )

  itInSoak('an endless body is cut, and the page is returned with a warning', async () => {
    const { status, json } = await post('/hostile/endless-body', { formats: ['rawHtml'], timeout: 90_000 })
    expect(status, json.error).toBe(200)
    expect(json.data.warning).toMatch(/The page was cut at 20971520 bytes/)
    expect(json.data.rawHtml).toMatch(/^<p>and on and on it goes/)
  })

  it.each(['/hostile/hang-up', '/hostile/reset', '/hostile/not-http', '/hostile/endless-headers'])(
    '%s is a clean error',
    async (path) => {
      const { status, json } = await post(path, { timeout: 5000 })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(json.success).toBe(false)
      expect(json.code).toMatch(/SCRAPE_(SITE_ERROR|TIMEOUT)/)
    },
  )

  const [nodes, depth, bytes] = isSoak ? [300_000, 100_000, 30_000_000] : [30_000, 20_000, 500_000]
  // The script is large enough for the thread of large pages.
  it.each([
    `/big/nodes?count=${nodes}`,
    `/big/deep?depth=${depth}`,
    '/big/tables',
    '/big/attributes',
    '/big/script?bytes=5000000',
    `/big/html?bytes=${bytes}`,
  ])('%s is read or truncated, and the event loop stays free', async (path) => {
    const slowest = watchHealth()
    const { status, json } = await post(path, { timeout: 200_000 })
    expect(status, JSON.stringify(json).slice(0, 300)).toBe(200)
    expectCost(await slowest()).toBeLessThan(2000)
  })

  it('after all that the service is well and has not grown without bound', async () => {
    const { json } = await service.call('GET', '/health')
    expect(json.status).toBe('ok')
  })
})

/** Asks /health until it is asked, or the test is over; gives the slowest answer in milliseconds. */
function watchHealth(): () => Promise<number> {
  let watching = true
  onTestFinished(async () => {
    watching = false
    await loop
  })
  const loop = (async () => {
    let slowest = 0
    while (watching) {
      const started = performance.now()
      await service.call('GET', '/health')
      slowest = Math.max(slowest, performance.now() - started)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return slowest
  })()
  return () => {
    watching = false
    return loop
  }
}
