// What the dashboard stands on, without a browser: its files and their headers, sessions and who may have one, the jobs of
// every kind, downloads, and a PDF's page as a picture.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { gunzipSync, gzipSync, inflateSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import { parquetReadObjects } from 'hyparquet'
import { beforeAll, describe, expect, it } from 'vitest'
import * as pdfs from '../documents/pdfs.mjs'
import { LINKED_PAGES, linkedPages } from '../site/linked.ts'
import { type Json, startService } from './service.ts'
import { pageContext } from './test-context.ts'
import { finished } from './waiting.ts'

/** All but the one that robots.txt forbids. */
const PAGES = LINKED_PAGES - 1
const { site, service } = pageContext({
  ...linkedPages,
  '/robots.txt': ({ response }) => void response.end('User-agent: *\nDisallow: /linked/7\n'),
})

const port = () => new URL(service.url).port

/** A request with headers that fetch would not let us send. */
function raw(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: unknown,
): Promise<{ status: number; headers: http.IncomingHttpHeaders; json: Json }> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const request = http.request(
      service.url + path,
      { method, headers: { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers } },
      (response) => {
        let answer = ''
        response.on('data', (chunk) => {
          answer += chunk
        })
        response.on('end', () => {
          const json = answer.startsWith('{') ? JSON.parse(answer) : undefined
          resolve({ status: response.statusCode ?? 0, headers: response.headers, json })
        })
      },
    )
    request.on('error', reject)
    request.end(text)
  })
}
const own = () => ({ host: `localhost:${port()}`, origin: `http://localhost:${port()}` })
const code = () => /#code=([\w-]+)/.exec(service.printed())?.[1] ?? ''
async function signedIn() {
  const { headers, json, status } = await raw('POST', '/api/session', own(), { key: service.key })
  expect(status).toBe(200)
  const setCookie = headers['set-cookie']?.[0] ?? ''
  return { setCookie, cookie: setCookie.split(';')[0] ?? '', proof: json.data.proof as string }
}

describe('acting for another team', () => {
  it('is the operator’s alone, through the dashboard alone, and gives no more than the team has', async () => {
    const { json: made } = await service.call('POST', '/v2/admin/teams', { name: 'others', credits: 50 })
    const team = made.data.id
    const { cookie, proof } = await signedIn()
    const session = { cookie, 'x-orb-session': proof }
    const me = async (headers: Record<string, string>) => (await raw('GET', '/v2/admin/me', headers)).json
    expect((await me({ ...session, 'x-orb-team': team })).data).toMatchObject({ isOperator: false, team: { id: team } })
    expect((await me(session)).data).toMatchObject({ isOperator: true, team: { name: 'default' } })
    const asOther = { ...session, 'x-orb-team': team }
    const body = { url: `${site.url}/linked/1`, formats: ['markdown'] }
    const { json: scraped } = await raw('POST', '/v2/scrape', asOther, body)
    expect((await raw('GET', `/v2/scrape/${scraped.scrape_id}`, asOther)).status).toBe(200)
    expect((await raw('GET', `/v2/scrape/${scraped.scrape_id}`, session)).status).toBe(404)
    const { json: left } = await raw('GET', '/v2/team/credit-usage', asOther)
    expect(left.data.remainingCredits).toBe(49)
    // What is the operator's stays with its own team.
    expect((await raw('PATCH', `/v2/admin/teams/${team}`, asOther, { credits: 1_000_000 })).status).toBe(403)
    expect((await raw('GET', '/v2/admin/teams', asOther)).json.data).toHaveLength(1)
    // Nobody else changes sides: not another team, not a key without the right, and no key by itself.
    const theirs = await raw('POST', '/api/session', own(), { key: made.key })
    const their = { cookie: theirs.headers['set-cookie']![0]!.split(';')[0]!, 'x-orb-session': theirs.json.data.proof }
    const { json: mine } = await service.call('GET', '/v2/admin/me')
    expect((await raw('GET', '/v2/admin/me', { ...their, 'x-orb-team': mine.data.team.id })).status).toBe(404)
    const plain = (await service.call('POST', '/v2/admin/keys', { name: 'plain' })).json.key
    const low = await raw('POST', '/api/session', own(), { key: plain })
    const lower = { cookie: low.headers['set-cookie']![0]!.split(';')[0]!, 'x-orb-session': low.json.data.proof }
    expect((await raw('GET', '/v2/team/credit-usage', { ...lower, 'x-orb-team': team })).status).toBe(404)
    const byKey = await me({ authorization: `Bearer ${service.key}`, 'x-orb-team': team })
    expect(byKey.data).toMatchObject({ isOperator: true, team: { name: 'default' } })
    expect((await raw('GET', '/v2/admin/me', { ...session, 'x-orb-team': 'nonsense' })).status).toBe(404)
  })
})

describe('the files of the page', () => {
  it('are served to browsers under a policy that runs nothing but them; others get a sentence', async () => {
    const page = await fetch(service.url, { headers: { accept: 'text/html' } })
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    const html = await page.text()
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/)
    for (const [, path] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const asset = await fetch(new URL(path ?? '', service.url))
      expect(asset.status).toBe(200)
      expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    }
    expect(await (await fetch(service.url)).text()).toMatch(/^Orbweaver .* a web data service/)
    expect((await fetch(`${service.url}/assets/..%2f..%2fmain.js`)).status).toBe(404)
  })

  it('are less than 200 kB together when they are packed', () => {
    const folder = join(import.meta.dirname, '../../dist/dashboard/assets')
    const sizes = readdirSync(folder).map((name) => gzipSync(readFileSync(join(folder, name))).length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(200_000)
  })
})

describe('a session', () => {
  it('comes in two halves that are worth nothing alone', async () => {
    const { setCookie, cookie, proof } = await signedIn()
    expect(setCookie).toMatch(/; HttpOnly; SameSite=Strict$/)
    expect(setCookie).not.toContain(service.key)
    const ask = (headers: Record<string, string>) => raw('GET', '/v2/jobs', { ...own(), ...headers })
    expect((await ask({ cookie, 'x-orb-session': proof })).status).toBe(200)
    expect((await ask({ cookie })).status).toBe(401)
    expect((await ask({ 'x-orb-session': proof })).status).toBe(401)
    expect((await ask({ cookie, 'x-orb-session': `${proof.slice(0, -2)}AA` })).status).toBe(401)
    expect((await ask({ cookie: `${cookie.slice(0, -4)}AAAA`, 'x-orb-session': proof })).status).toBe(401)
    const other = await signedIn()
    expect((await ask({ cookie, 'x-orb-session': other.proof })).status).toBe(401)
  })

  it.each<[string, () => Record<string, string>]>([
    [
      'a name that was made to resolve here',
      () => ({ host: `evil.test:${port()}`, origin: `http://evil.test:${port()}` }),
    ],
    ['a page of another origin', () => ({ ...own(), origin: 'http://evil.test' })],
    ['a page of another port', () => ({ ...own(), origin: 'http://localhost:1' })],
    ['no page at all', () => ({ host: `localhost:${port()}` })],
    ['a sandboxed page', () => ({ ...own(), origin: 'null' })],
    ['a proxy', () => ({ ...own(), 'x-forwarded-for': '203.0.113.9' })],
    ['another proxy', () => ({ ...own(), forwarded: 'for=203.0.113.9' })],
  ])('is not given to %s, whatever code it brings', async (_who, headers) => {
    const { status, headers: answered } = await raw('POST', '/api/session', headers(), { code: code() })
    expect(status).toBe(403)
    expect(answered['set-cookie']).toBeUndefined()
  })

  it('is given for the code that was printed at start, once, and to nobody who only says he is here', async () => {
    expect((await raw('POST', '/api/session', own(), { local: true })).status).toBe(400)
    expect((await raw('POST', '/api/session', own(), { code: 'guessed' })).status).toBe(403)
    expect((await raw('GET', '/api/session', own())).json.data).toEqual({ signedIn: false, local: true, oidc: false })
    expect((await raw('POST', '/api/session', own(), { code: code() })).json.data.signedIn).toBe(true)
    expect((await raw('POST', '/api/session', own(), { code: code() })).status).toBe(403)
    expect((await raw('GET', '/api/session', own())).json.data).toEqual({ signedIn: false, local: false, oidc: false })
  })

  it('is over after signing out, whoever kept its halves', async () => {
    const { cookie, proof } = await signedIn()
    const ask = () => raw('GET', '/v2/jobs', { ...own(), cookie, 'x-orb-session': proof })
    expect((await ask()).status).toBe(200)
    expect((await raw('DELETE', '/api/session', { ...own(), cookie, 'x-orb-session': proof })).status).toBe(200)
    expect((await ask()).status).toBe(401)
  })

  it('is not to be had by a scrape of the service itself, though loopback is allowed', async () => {
    const open = await startService({ env: { ORB_ALLOW_PRIVATE: '127.0.0.1,localhost,::1' } })
    try {
      const port = new URL(open.url).port
      for (const host of ['127.0.0.1', 'localhost', '127.1.2.3', '[::ffff:127.0.0.1]', '0.0.0.0'])
        for (const options of [{}, { waitFor: 1 }]) {
          const url = `http://${host}:${port}/health`
          const { status, json } = await open.call('POST', '/v2/scrape', {
            url,
            maxAge: 0,
            timeout: 120_000,
            ...options,
          })
          expect([status, json.code], `${url} ${JSON.stringify(options)}`).toEqual([403, 'UNSUPPORTED_SITE'])
        }
    } finally {
      await open.stop()
    }
  })

  it('is never given by a code where the service may be reached from elsewhere', async () => {
    const behind = await startService({ env: { ORB_PUBLIC_URL: 'https://data.example.org' } })
    try {
      const host = `localhost:${new URL(behind.url).port}`
      const asked = await fetch(`${behind.url}/api/session`)
      expect(((await asked.json()) as Json).data).toEqual({ signedIn: false, local: false, oidc: false })
      const { status } = await behind.call('POST', '/api/session', { code: 'x' }, { origin: `http://${host}` })
      expect(status).toBe(403)
      const pasted = (origin: string) => behind.call('POST', '/api/session', { key: behind.key }, { origin })
      expect((await pasted(`http://${host}`)).status).toBe(403)
      const good = await pasted('https://data.example.org')
      expect(good.status).toBe(200)
      expect(good.headers.get('set-cookie')).toMatch(/; Secure$/)
    } finally {
      await behind.stop()
    }
  })

  it('ends with the key it was made of', async () => {
    const made = await service.call('POST', '/v2/admin/keys', { name: 'short-lived' })
    const { headers, json } = await raw('POST', '/api/session', own(), { key: made.json.key })
    const both = {
      cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '',
      'x-orb-session': json.data.proof as string,
    }
    expect((await raw('GET', '/v2/jobs', { ...own(), ...both })).status).toBe(200)
    await service.call('DELETE', `/v2/admin/keys/${made.json.data.id}`)
    expect((await raw('GET', '/v2/jobs', { ...own(), ...both })).status).toBe(401)
  })
})

describe('jobs of every kind', () => {
  let id: string
  beforeAll(async () => {
    const body = { url: `${site.url}/linked/0`, crawlEntireDomain: true, includePaths: ['^/linked/'] }
    const { json } = await service.call('POST', '/v2/crawl', {
      ...body,
      scrapeOptions: { formats: ['markdown', 'links'] },
    })
    id = json.id
    await finished(service, json.url)
  })
  const download = async (format: string) => {
    const answer = await fetch(`${service.url}/v2/jobs/${id}/download?format=${format}`, {
      headers: { authorization: `Bearer ${service.key}` },
    })
    return { answer, bytes: new Uint8Array(await answer.arrayBuffer()) }
  }

  it('are listed, and each page is told with what became of it and why', async () => {
    const { json } = await service.call('GET', '/v2/jobs?kind=crawl')
    expect(json.data[0]).toMatchObject({ id, kind: 'crawl', status: 'completed', completed: PAGES, queued: 0 })
    const one = await service.call('GET', `/v2/jobs/${id}`)
    expect(one.json.data).toEqual(json.data[0])
    const pages: Json[] = []
    for (let after = ''; ; ) {
      const part = (await service.call('GET', `/v2/jobs/${id}/pages?limit=25&after=${encodeURIComponent(after)}`)).json
      pages.push(...part.data)
      if (part.next === null) break
      after = part.next
    }
    expect(pages.filter(({ state }) => state === 'done')).toHaveLength(PAGES)
    expect(pages.find(({ url }) => url.endsWith('/linked/7'))).toMatchObject({
      state: 'dropped',
      why: 'robots.txt forbids it',
    })
    expect(new Set(pages.map(({ url }) => url)).size).toBe(pages.length)
  })

  it('of another team do not exist', async () => {
    const team = await service.call('POST', '/v2/admin/teams', { name: 'strangers' })
    const headers = { authorization: `Bearer ${team.json.key}` }
    for (const path of ['', '/pages', '/download'])
      expect((await service.call('GET', `/v2/jobs/${id}${path}`, undefined, headers)).status).toBe(404)
    expect((await service.call('GET', '/v2/jobs', undefined, headers)).json.data).toEqual([])
  })

  it('are downloaded as lines of JSON', async () => {
    const { answer, bytes } = await download('jsonl')
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="crawl-${id}.jsonl"`)
    const documents = new TextDecoder()
      .decode(bytes)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(documents).toHaveLength(PAGES)
    expect(new Set(documents.map(({ metadata }) => metadata.sourceURL)).size).toBe(PAGES)
  })

  it('are downloaded as CSV', async () => {
    const { answer, bytes } = await download('csv')
    expect(answer.headers.get('content-type')).toBe('text/csv')
    const [head, ...rows] = new TextDecoder().decode(bytes).trimEnd().split('\n')
    expect(head).toBe('url,title,statusCode')
    expect(rows).toHaveLength(PAGES)
    expect(rows).toContain(`${site.url}/linked/0,Page 0,200`)
  })

  it('are downloaded as a zip of markdown', async () => {
    const files = unzipSync((await download('markdown')).bytes)
    expect(Object.keys(files)).toHaveLength(PAGES)
    const [name, bytes] = Object.entries(files).find(([path]) => path.endsWith('/linked/0.md')) ?? []
    expect(name).toBe(`127.0.0.1-${site.port}/linked/0.md`)
    expect(new TextDecoder().decode(bytes)).toContain('# Page 0')
  })

  it('are downloaded as WARC, whose records are as long as they say, after a page was scraped again', async () => {
    await service.call('POST', '/v2/scrape', { url: `${site.url}/linked/0`, maxAge: 0 })
    const bytes = Buffer.from((await download('warc')).bytes)
    const types: string[] = []
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf('\r\n\r\n', at)
      const head = bytes.toString('utf8', at, end)
      expect(head).toMatch(/^WARC\/1\.1\r\n/)
      types.push(/WARC-Type: (\w+)/.exec(head)?.[1] ?? '')
      const length = Number(/Content-Length: (\d+)/.exec(head)?.[1])
      const block = bytes.toString('utf8', end + 4, end + 4 + length)
      if (types.at(-1) === 'response') expect(block).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n<!doctype html>/s)
      at = end + 4 + length
      expect(bytes.toString('utf8', at, at + 4)).toBe('\r\n\r\n')
      at += 4
    }
    expect(types).toEqual(['warcinfo', ...Array.from({ length: PAGES }, () => 'response')])
  })

  it('are downloaded as a WACZ whose index leads to each page, and whose files have the digests that it names', async () => {
    const files = unzipSync((await download('wacz')).bytes)
    const text = (name: string) => Buffer.from(files[name] ?? []).toString()
    const sha = (bytes?: Uint8Array) =>
      `sha256:${createHash('sha256')
        .update(bytes ?? '')
        .digest('hex')}`
    const { resources, wacz_version } = JSON.parse(text('datapackage.json'))
    expect(wacz_version).toBe('1.1.1')
    expect(JSON.parse(text('datapackage-digest.json')).hash).toBe(sha(files['datapackage.json']))
    for (const { path, hash, bytes } of resources as Json[])
      expect([hash, bytes]).toEqual([sha(files[path]), files[path]?.length])
    const warc = Buffer.from(files['archive/data.warc.gz'] ?? [])
    const index = text('indexes/index.cdx').trimEnd().split('\n')
    expect(index).toEqual([...index].sort())
    expect(text('pages/pages.jsonl').trimEnd().split('\n')).toHaveLength(PAGES + 1)
    expect(index).toHaveLength(PAGES)
    for (const line of index) {
      const { url, offset, length, status } = JSON.parse(line.slice(line.indexOf('{')))
      const record = gunzipSync(warc.subarray(Number(offset), Number(offset) + Number(length))).toString()
      expect(record).toContain(`WARC-Target-URI: ${url}\r\n`)
      expect(record).toContain(`HTTP/1.1 ${status} OK`)
    }
  })

  it('are read as Parquet by another program', async () => {
    const { bytes } = await download('parquet')
    const rows = await parquetReadObjects({ file: bytes.slice().buffer })
    expect(rows).toHaveLength(PAGES)
    expect(rows).toContainEqual({ url: `${site.url}/linked/0`, title: 'Page 0', statusCode: 200 })
  })
})

describe("a PDF's page as a picture", () => {
  async function draw(bytes: Buffer, query = '') {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)]), 'file.pdf')
    return fetch(`${service.url}/v2/parse/page${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}` },
      body: form,
    })
  }

  it('is a PNG of the size that was asked for, and costs nothing', async () => {
    const before = (await service.call('GET', '/v2/admin/usage?by=endpoint')).json.total.credits
    const answer = await draw(await pdfs.invoice(), '?dpi=72')
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('x-total-pages')).toBe('1')
    const png = Buffer.from(await answer.arrayBuffer())
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([595, 842])
    // In colour: its second row of pixels lies in the blue band of the invoice.
    const data = png.indexOf('IDAT')
    const rows = inflateSync(png.subarray(data + 4, data + 4 + png.readUInt32BE(data - 4)))
    expect([...rows.subarray(595 * 3 + 2, 595 * 3 + 5)]).toEqual([26, 51, 204])
    expect((await service.call('GET', '/v2/admin/usage?by=endpoint')).json.total.credits).toBe(before)
    const part = Buffer.from(await (await draw(await pdfs.invoice(), '?dpi=72&bbox=0.5,0,1,0.1')).arrayBuffer())
    expect([part.readUInt32BE(16), part.readUInt32BE(20)]).toEqual([298, 85])
  })

  it.each<[string, () => Promise<Buffer>, string, RegExp]>([
    ['an area beyond the page', () => pdfs.invoice(), '?bbox=0,0,2,1', /bbox.*four numbers from 0 to 1/],
    ['a page it does not have', () => pdfs.invoice(), '?page=9', /it has 1 pages, and page 9 was requested/],
    ['no PDF', async () => Buffer.from('hello'), '', /it is not a PDF, or it is damaged/],
    ['a size beyond reason', () => pdfs.invoice(), '?dpi=9000', /dpi.*between 36 and 200/],
  ])('is refused in words: %s', async (_what, make, query, words) => {
    const answer = await draw(await make(), query)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(((await answer.json()) as Json).error).toMatch(words)
  })
})
