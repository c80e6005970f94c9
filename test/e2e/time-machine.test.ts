// /r/<url>@<date> on both stores: what a page said then, what changed between two times, which versions there are; and that
// a page which is forgotten is forgotten with its past.
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Pages } from '../site/site.ts'
import { onEachStore } from './each-store.ts'
import { until } from './waiting.ts'

/** What the page of each test says; undefined: it is gone. */
const prices = new Map<string, string | undefined>()
const pages: Pages = {
  '/kettle/*': ({ response, url }) => {
    const price = prices.get(url.pathname)
    response.writeHead(price === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(
      `<!doctype html><html lang="en"><title>Kettle</title><main><h1>Kettle</h1><p>It whistles, and it costs ${price} euros at the door of the shop.</p><p>Made of copper since the year of the flood.</p></main></html>`,
    )
  },
}

onEachStore(pages, ({ site, service, databaseUrl, skip }) => {
  const path = () => (databaseUrl() ? '/kettle/postgres' : '/kettle/sqlite')
  const url = () => site.url + path()
  const past = (when: string) =>
    fetch(`${service.url}/r/${url()}@${when}`, { headers: { authorization: `Bearer ${service.key}` } })

  /** Nothing asks for versions in between: all of them are made by the first question. */
  async function read(): Promise<string> {
    await service.call('POST', '/v2/scrape', { url: url(), formats: ['markdown'], maxAge: 0 })
    return new Date().toISOString()
  }

  it.skipIf(skip)('tells what a page said at a time, and what changed between two', async () => {
    prices.set(path(), '10')
    expect((await past('now')).status).toBe(404)
    const first = await read()
    await read()
    prices.set(path(), '12')
    const second = await read()

    const then = await past(first)
    expect(then.status).toBe(200)
    expect(then.headers.get('content-type')).toContain('text/markdown')
    expect(await then.text()).toContain('costs 10 euros')
    expect(Date.parse(then.headers.get('x-seen-from') ?? '')).toBeLessThan(Date.parse(first))
    expect(await (await past(second)).text()).toContain('costs 12 euros')
    expect(await (await past(second.slice(0, 10))).text()).toContain('costs 12 euros')

    const diff = await (await past(`${first}..now`)).text()
    expect(diff).toMatch(/^-.*costs 10 euros/m)
    expect(diff).toMatch(/^\+.*costs 12 euros/m)
    expect(diff).not.toMatch(/^[-+].*copper/m)
    expect(await (await past(`${first}..${first}`)).text()).toContain('Nothing changed')

    // Two looks at the same text are one version.
    const list = await (await past('')).text()
    expect(list.match(/^- \[/gm)).toHaveLength(2)
    expect(list).toContain('Kettle')
  })

  it.skipIf(skip)('verifies words, with their span, hash and the day of their change', async () => {
    const verify = async (body: object) => service.call('POST', '/v2/verify', { url: url(), ...body })
    const quote = 'it costs 10 EUROS at the door'
    const changed = (await verify({ quote })).json.data
    expect(changed).toMatchObject({ verdict: 'changed', quote: 'it costs 10 euros at the door', verbatim: false })
    expect(changed.diff).toMatch(/^-.*costs 10 euros/m)
    expect(Date.parse(changed.changedOn)).toBeGreaterThan(Date.parse(changed.foundIn.since))
    const then = (await verify({ quote, at: changed.foundIn.seenAt })).json.data
    expect(then.verdict).toBe('found')
    const { link, bytes, sha256 } = then.version
    const archived = Buffer.from(
      await (await fetch(link, { headers: { authorization: `Bearer ${service.key}` } })).arrayBuffer(),
    )
    expect([archived.byteLength, createHash('sha256').update(archived).digest('hex')]).toEqual([bytes, sha256])
    expect(archived.toString().slice(then.span.start, then.span.end)).toBe(then.quote)
    const now = (await verify({ quote: 'Made of copper since the year' })).json.data
    expect(now).toMatchObject({ verdict: 'found', verbatim: true })
    expect((await verify({ quote: 'it costs 11 euros' })).json.data.verdict).toBe('not_there')
    expect((await verify({ quote: 'whistles and it costs 12 euros and more' })).json.data.verdict).toBe('not_there')
    const statuses = [{ quote: '…' }, {}, { quote, claim: quote }, { quote, at: '2026-13-41' }].map(verify)
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([400, 400, 400, 400])
    expect((await verify({ claim: 'It costs 12 euros' })).status).toBe(409)
    expect((await verify({ quote, at: '2020-01-01' })).status).toBe(404)
  })

  it.skipIf(skip)('says what is wrong with a time, and costs nothing', async () => {
    const before = (await service.call('GET', '/v2/team/credit-usage')).json.data.remainingCredits
    const early = await past('2020-01-01')
    expect(early.status).toBe(404)
    expect(await early.text()).toContain('no version of')
    expect((await past('2026-13-41')).status).toBe(400)
    await past('now')
    expect((await service.call('GET', '/v2/team/credit-usage')).json.data.remainingCredits).toBe(before)
  })

  it.skipIf(skip)('keeps what a page said when it is gone, and forgets it with the page', async () => {
    prices.delete(path())
    await service.call('POST', '/v2/scrape', { url: url(), formats: ['markdown'], maxAge: 0 })
    // Once the index has let go of it, a search finds it no more.
    const hits = async () =>
      (await service.call('POST', '/v2/search?own=true', { query: 'kettle whistles' })).json.data?.web ?? []
    await until(async () => (await hits()).length === 0, 20_000)
    expect(await (await past('now')).text()).toContain('costs 12 euros')
    await service.call('POST', '/v2/admin/forget', { url: url() })
    expect((await past('now')).status).toBe(404)
  })
})
