// The Search screen in a real Chromium: hits with their words marked, verticals, time, who answered, the call as code, and
// a scrape of what was chosen. The open web is a local server that speaks SearXNG; another provider answers with a captcha.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dashboardContext, lookAt, lookAtState } from './dashboard-page.ts'
import { until } from './waiting.ts'

const page = (title: string, body: string, head = '') =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>${body}</main></body></html>`
const PAGES: Record<string, string> = {
  '/gauges/pressure': page(
    'Pressure gauges',
    '<p>A pressure gauge measures the pressure of a gas or a liquid. Calibrate it once a year against a dead weight tester, and after every fall.</p><img src="/bourdon-640x480.jpg" alt="Bourdon tube of a pressure gauge">',
  ),
  '/gauges/level': page('Level sensors', '<p>A level sensor tells how full a tank is. It needs no calibration.</p>'),
  '/news/factory': page(
    'Gauge factory opens in Rotterdam',
    '<p>A new factory for pressure gauges opened its doors. It employs three hundred people.</p>',
    '<meta property="article:published_time" content="2026-10-20T08:00:00Z">',
  ),
}

const web = createServer((request, response) => {
  if (request.url?.startsWith('/duckduckgo')) return void response.end('<html>solve this captcha</html>')
  response.setHeader('content-type', 'application/json')
  const hit = {
    url: 'https://example.org/calibration/guide',
    title: 'How to calibrate a gauge',
    content:
      'A guide to calibrating gauges of every kind, with tables of intervals and the standards that they follow.',
  }
  response.end(JSON.stringify({ results: [hit] }))
})
beforeAll(() => new Promise<void>((done) => web.listen(0, '127.0.0.1', done)))
const { service, at } = dashboardContext({
  pages: Object.fromEntries(
    Object.entries(PAGES).map(([path, html]) => [
      path,
      ({ response }) => void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html),
    ]),
  ),
  env: () => {
    const base = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
    return {
      ORB_SEARCH_PROVIDERS: 'searxng,duckduckgo',
      ORB_SEARCH_BASES: `duckduckgo=${base}/duckduckgo`,
      ORB_SEARXNG_URL: `${base}/searxng`,
    }
  },
  async prepare(begun, { url }) {
    const urls = Object.keys(PAGES).map((path) => url + path)
    await begun.sdk.batchScrape(urls, { options: { formats: ['markdown'] }, pollInterval: 1 })
    await until(async () => {
      const { json } = await begun.call('POST', '/v2/search?own=true', { query: 'pressure level sensor' })
      return json.data?.web.length === 3
    })
  },
  contextOptions: { viewport: { width: 1440, height: 900 } },
})
afterAll(() => {
  web.closeAllConnections()
  web.close()
})

const atSearch = () => at('search')

const ask = async (shown: Page, query: string): Promise<void> => {
  await shown.getByLabel('Search query').fill(query)
  await shown.keyboard.press('Enter')
}
const choice = (shown: Page, label: string) =>
  shown.locator('label', { hasText: new RegExp(`^${label}`) }).locator('select')
const hits = (shown: Page) => shown.getByRole('region', { name: 'Hits' })

it('shows hits of the web and of what was fetched, their words marked, and who answered', async () => {
  const shown = await atSearch()
  expect(await lookAtState(shown, 'search-empty')).toEqual([])
  await ask(shown, 'calibrate pressure gauge')
  await hits(shown).getByRole('link', { name: 'Pressure gauges' }).waitFor()
  await hits(shown).getByRole('link', { name: 'How to calibrate a gauge' }).waitFor()
  expect(
    await hits(shown)
      .locator('mark', { hasText: /^Calibrate$/ })
      .count(),
  ).toBeGreaterThan(0)
  expect(await hits(shown).getByText('from pages fetched here').count()).toBeGreaterThan(0)
  const asked = shown.getByRole('region', { name: 'Searched providers' })
  await asked.getByText('Pages fetched here').waitFor()
  await asked.getByText('failed').waitFor()
  const providers = shown.getByRole('region', { name: 'Providers of the open web' })
  await providers.getByText('paused').waitFor()
  await shown.getByRole('tab', { name: 'TypeScript' }).click()
  await shown.getByText('calibrate pressure gauge').last().waitFor()
  await expect.poll(() => shown.getByLabel('The call in TypeScript').textContent()).toContain('client.search(')
  expect(await lookAt(shown, 'search-hits')).toEqual([])
})

it('searches only what was fetched, by kind and by time', async () => {
  const shown = await atSearch()
  await ask(shown, 'pressure gauge')
  await hits(shown).getByRole('link', { name: 'Pressure gauges' }).waitFor()
  await choice(shown, 'In').selectOption('only what was fetched here')
  await until(async () => (await hits(shown).getByRole('link', { name: 'How to calibrate a gauge' }).count()) === 0)
  expect(await shown.getByText('The open web was not searched').count()).toBe(0)
  await shown.getByRole('tab', { name: 'News' }).click()
  await hits(shown).getByRole('link', { name: 'Gauge factory opens in Rotterdam' }).waitFor()
  expect(await hits(shown).getByRole('link', { name: 'Pressure gauges' }).count()).toBe(0)
  await choice(shown, 'From').selectOption('the last hour')
  await hits(shown).getByText('Nothing was found', { exact: true }).waitFor()
  await choice(shown, 'From').selectOption('any time')
  await shown.getByRole('tab', { name: 'Images' }).click()
  await hits(shown).getByRole('link', { name: 'Bourdon tube of a pressure gauge' }).waitFor()
  await hits(shown).getByText('640 × 480').waitFor()
})

it('scrapes the hits that were chosen', async () => {
  const shown = await atSearch()
  await choice(shown, 'In').selectOption('only what was fetched here')
  await ask(shown, 'gauge sensor')
  await hits(shown).getByRole('checkbox', { name: 'Choose Pressure gauges' }).check()
  await hits(shown).getByRole('checkbox', { name: 'Choose Level sensors' }).check()
  await hits(shown).getByRole('button', { name: 'Scrape these 2' }).click()
  await shown.waitForURL(/#\/jobs\//)
  const id = /jobs\/([\w-]+)/.exec(shown.url())?.[1]
  const { json } = await service.call('GET', `/v2/batch/scrape/${id}`)
  expect(json.total).toBe(2)
})

it('says why nothing can be answered', async () => {
  const shown = await atSearch()
  await ask(shown, 'xylophone site:127.0.0.1')
  await hits(shown).getByText('Nothing was found', { exact: true }).waitFor()
  await shown
    .getByText(/Not all sources responded|no page that was fetched here matches/)
    .first()
    .waitFor()
})
