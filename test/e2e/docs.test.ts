// The docs as a reader meets them: /docs in a real browser, tried out; /llms.txt; and the older routes in OpenAPI.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { problems } from '../../src/base/problem.ts'
import { findBrowserBinary } from '../../src/fetch/open-browser-services.ts'
import { type Json, request } from './service.ts'
import { shared } from './shared.ts'

const { site, service } = shared()

describe('/docs/api in a browser', () => {
  let browser: Browser | undefined
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orb-docs-'))
    const binary = await findBrowserBinary(process.env.ORB_CHROMIUM, folder).catch(() => undefined)
    if (!binary) return
    const { PATH = '', HOME = '' } = process.env
    const env = { PATH, HOME, ...binary.env }
    browser = await chromium.launch({ executablePath: binary.path, args: ['--no-sandbox'], env })
  })
  afterAll(() => browser?.close())

  it('renders without a complaint, also narrow, and runs examples with the session of the dashboard or a key', async ({
    skip,
  }) => {
    if (!browser) return skip('no Chromium on this machine')
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    page.setDefaultTimeout(110_000)
    await page.goto(service.url)
    await page.getByLabel('API key').fill(service.key)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    // A request that the page itself ended by leaving did not fail.
    page.on('requestfailed', (failed) => {
      if (failed.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(`${failed.url()} failed`)
    })
    await page.goto(`${service.url}/docs/api`)

    const active = page.locator('#operations-Crawl-getV2CrawlActive')
    await active.locator('.opblock-summary-control').click()
    await active.locator('.try-out__btn').click()
    await active.locator('.execute').click()
    const status = active.locator('.live-responses-table .response .response-col_status').first()
    await status.waitFor()
    await expect.poll(() => status.textContent()).toMatch(/^200/)
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)

    await page.context().clearCookies()
    await page.locator('.authorize').first().click()
    await page.locator('.auth-container input').fill(service.key)
    await page.locator('.auth-container button.authorize').click()
    await page.locator('.auth-container button.btn-done').click()

    const scrape = page.locator('#operations-Scrape-postV2Scrape')
    await scrape.locator('.opblock-summary-control').click()
    expect(await scrape.locator('.opblock-description').textContent()).toContain(
      'npx orbweaver scrape https://example.com',
    )
    await scrape.locator('.try-out__btn').click()
    const body = scrape.locator('textarea.body-param__text')
    expect(JSON.parse(await body.inputValue())).toEqual({ url: 'https://example.com', formats: ['markdown', 'links'] })
    await body.fill(JSON.stringify({ url: `${site.url}/article` }))
    await scrape.locator('.execute').click()
    const answer = scrape.locator('.live-responses-table .response')
    await answer.waitFor()
    await expect.poll(() => answer.locator('.response-col_status').first().textContent()).toMatch(/^200/)
    await expect.poll(() => answer.textContent()).toContain('"success": true')
    expect(complaints).toEqual([])
    await page.close()
  })
})

describe('the pages at /docs', () => {
  const page = (path: string) => request(service.url + path, 'GET', undefined, {})

  it('are there without a key, linked with each other, and nothing on them leads nowhere', async () => {
    const { status, text } = await page('/docs')
    expect(status).toBe(200)
    const links = new Set([...text.matchAll(/href="(\/docs\/[\w-]+)"/g)].map(([, path = '']) => path))
    expect(links.size).toBeGreaterThan(20)
    for (const path of links) {
      const answer = await page(path)
      expect(answer.status, path).toBe(200)
      for (const [, to = ''] of answer.text.matchAll(/(?:href|src)="(\/docs\/[\w.-]+)[^"]*"/g))
        if (!links.has(to)) {
          links.add(to)
          expect((await page(to)).status, `${path} links to ${to}`).toBe(200)
        }
    }
    for (const path of ['/docs/nowhere', '/nowhere']) {
      expect((await page(path)).json, path).toMatchObject({ success: false })
      const shown = await request(service.url + path, 'GET', undefined, { accept: 'text/html,*/*' })
      expect([shown.status, shown.text], path).toEqual([404, expect.stringContaining('There is no such page')])
    }
  })

  it('explain every failure where its answer says', async () => {
    const refused = await service.call('POST', '/v2/scrape', { url: 'https://example.com', format: 'x' })
    expect(refused.json.hint).toBe('Not known: "format" (did you mean "formats"?)')
    const { pathname, hash } = new URL(refused.json.help)
    const { text } = await page(pathname)
    expect(text).toContain(`id="${hash.slice(1)}"`)
    for (const name of Object.keys(problems)) expect(text, name).toContain(`id="${name}"`)
  })

  it('can be searched', async () => {
    const { json } = await page('/docs/search.json')
    expect((json as unknown as Json[]).some(({ page: name, text }) => name === 'crawling' && /robots/.test(text))).toBe(
      true,
    )
  })
})

describe('/openapi.json', () => {
  let document: Json
  beforeAll(async () => {
    document = (await service.call('GET', '/openapi.json')).json
  })

  it('lists the routes of versions 0 and 1 as deprecated, and no other', () => {
    for (const [path, operations] of Object.entries<Json>(document.paths))
      for (const [method, { deprecated = false }] of Object.entries<Json>(operations))
        expect({ path, method, deprecated }).toEqual({ path, method, deprecated: /^\/v[01]\//.test(path) })
    expect(document.paths['/v1/scrape'].post.tags).toEqual(['Version 1'])
    expect(document.paths['/v1/scrape'].post.requestBody.content['application/json'].schema).toMatchObject({
      description: expect.stringMatching(/Requests of version 1/),
    })
  })

  it('every example in it is taken by the schema that it stands for', async () => {
    const examples = Object.entries<Json>(document.paths).flatMap(([path, operations]) => {
      const example = operations.post?.requestBody?.content?.['application/json']?.example
      return example ? [{ path, example }] : []
    })
    expect(examples.length).toBeGreaterThan(5)
    // Sent to an address that is refused before anything is fetched: a wrong example would be another 400.
    for (const { path, example } of examples.filter(({ example: { url } }) => url)) {
      const { json } = await service.call('POST', path, { ...example, url: 'http://127.0.0.2/' })
      expect(json.code, `${path}: ${JSON.stringify(json)}`).not.toBe('BAD_REQUEST')
    }
  })

  it('shows samples that work where it was asked for', () => {
    const { description } = document.paths['/v2/scrape'].post
    expect(description).toContain(`${service.url}/v2/scrape`)
    expect(JSON.stringify(document)).not.toContain('localhost:3002')
  })

  it('names each operation once', () => {
    const ids = Object.values<Json>(document.paths).flatMap((operations) =>
      Object.values<Json>(operations).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })
})

it('/llms.txt tells a language model how to call this very service, without a key', async () => {
  const { status, text, headers } = await request(`${service.url}/llms.txt`, 'GET', undefined, {})
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^text\/plain/)
  expect(text).toContain(`POST ${service.url}/v2/scrape`)
  expect(text).toMatch(/- `POST \/v2\/crawl`: Crawl a site\. Needs `url`\./)
  expect(text).toContain(`${service.url}/mcp`)
  expect(text).not.toContain('/v2/admin')
})
