// Live sessions through the released SDK and over plain HTTP: the calls, states, errors and bills of the wire contract.
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny'
import { chromium } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { priceOfSession } from '../../src/base/prices.ts'
import type { Page, Pages } from '../site/site.ts'
import { connectToSession } from './connect-to-session.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { until } from './waiting.ts'

const html =
  (body: string): Page =>
  ({ response, request }) => {
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'seen=yes; Path=/; Max-Age=3600' })
    const facts = `<pre id="sent">${JSON.stringify(request.headers)}</pre>`
    response.end(`<!doctype html><meta name=viewport content=width=device-width><title>Counter</title>${body}${facts}`)
  }

const pages: Pages = {
  '/counter': html(
    `<h1>Counter</h1><p id="n">0</p><button id="more" onclick="n.textContent=Number(n.textContent)+1">More</button>
     <label>Name <input id="name"></label><a href="/other" target="_blank">Other</a>`,
  ),
  '/other': html('<h1>Other</h1>'),
  '/data': ({ response }) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'),
}

const { site, service, operator } = shared(pages)
const LONG = 'x'.repeat(100_001)
const NOBODY = '019a0000-0000-7000-8000-000000000000'

describe('a session bound to a scrape', () => {
  it('goes on where the scrape ended, keeps its page between calls, and is gone after it was stopped', async () => {
    const { sdk } = service
    const doc = await sdk.scrape(`${site.url}/counter`, {
      formats: ['markdown'],
      actions: [
        { type: 'click', selector: '#more' },
        { type: 'executeJavascript', script: 'n.textContent = 100' },
      ],
    })
    const id = doc.metadata?.scrapeId ?? ''
    const first = await sdk.interact(id, { code: 'await page.locator("#n").textContent()' })
    expect(first).toMatchObject({ success: true, result: '1', exitCode: 0, killed: false })
    expect(first.cdpUrl).toMatch(/^ws:\/\//)
    expect(first.liveViewUrl).toMatch(/^http:/)
    await sdk.interact(id, { code: 'await page.click("#more"); const kept = 5' })
    const third = await sdk.interact(id, { code: 'kept + Number(await page.textContent("#n"))' })
    expect(third.result).toBe('7')
    const python = await sdk.interact(id, {
      language: 'python',
      code: 'print(page.title())\npage.locator("#n").text_content()',
    })
    expect(python).toMatchObject({ stdout: 'Counter\n', result: '2', exitCode: 0 })
    const shell = await sdk.interact(id, { language: 'bash', code: 'agent-browser get title; echo $((1 + 2))' })
    expect(shell).toMatchObject({ stdout: 'Counter\n3\n', exitCode: 0 })
    const stopped = await sdk.stopInteraction(id)
    expect(stopped.sessionDurationMs).toBeGreaterThan(0)
    // Two credits for the first minute; a busy machine may take longer.
    expect(stopped).toMatchObject({ success: true, creditsBilled: priceOfSession(stopped.sessionDurationMs!, false) })
    await expect(sdk.interact(id, { code: '1' })).rejects.toMatchObject({ status: 410 })
    const again = await service.call('DELETE', `/v2/scrape/${id}/interact`)
    expect(again.status).toBe(200)
    expect(again.json.creditsBilled).toBeUndefined()
  })

  it('inherits headers, device and place', async () => {
    const doc = await service.sdk.scrape(`${site.url}/counter`, {
      mobile: true,
      headers: { 'x-mine': 'yes' },
      location: { country: 'DE' },
    })
    const id = doc.metadata?.scrapeId ?? ''
    const facts = `({ sent: JSON.parse(await page.textContent('#sent'))['x-mine'], ...(await page.evaluate(() => ({
      width: screen.width, zone: Intl.DateTimeFormat().resolvedOptions().timeZone, language: navigator.language }))) })`
    const { result } = await service.sdk.interact(id, { code: facts })
    expect(JSON.parse(result ?? '')).toEqual({ sent: 'yes', width: 390, zone: 'Europe/Berlin', language: 'de-DE' })
    await service.sdk.stopInteraction(id)
  })

  it.each([
    ['POST', '/v2/scrape/nonsense/interact', { code: '1' }, 400, 'Invalid job ID format. Job ID must be a valid UUID.'],
    ['POST', `/v2/scrape/${NOBODY}/interact`, { code: '1' }, 404, 'Job not found.'],
    ['POST', `/v2/scrape/${NOBODY}/interact`, {}, 400, "Either 'code' or 'prompt' must be provided."],
    ['POST', `/v2/scrape/${NOBODY}/interact`, { code: '1', timeout: 301 }, 400, /timeout/],
    ['POST', `/v2/scrape/${NOBODY}/interact`, { code: '1', language: 'ruby' }, 400, /language/],
    ['POST', `/v2/scrape/${NOBODY}/interact`, { code: LONG }, 400, /100000/],
    ['DELETE', `/v2/scrape/${NOBODY}/interact`, undefined, 404, 'Browser session not found.'],
    ['POST', `/v2/browser/${NOBODY}/execute`, { code: '1' }, 404, 'Browser session not found.'],
    ['GET', '/v2/interact/nonsense', undefined, 404, 'Browser session not found.'],
    ['DELETE', `/v2/interact/${NOBODY}`, undefined, 404, 'Browser session not found.'],
    ['POST', '/v2/interact', { ttl: 29 }, 400, /ttl/],
    ['POST', '/v2/browser', { activityTtl: 3601 }, 400, /activityTtl/],
    ['GET', '/v2/browser?status=gone', undefined, 400, /status/],
    ['DELETE', '/v2/browser/profiles/nobody', undefined, 404, 'Profile not found.'],
  ])('%s %s is refused: %#', async (method, path, body, status, error) => {
    const answer = await service.call(method, path, body)
    expect([answer.status, answer.json.error]).toEqual([
      status,
      typeof error === 'string' ? error : expect.stringMatching(error),
    ])
  })

  it('cannot go on with what was not kept', async () => {
    const doc = await service.call('POST', '/v2/scrape', { url: `${site.url}/data` })
    const id = doc.json?.data?.metadata?.scrapeId
    const answer = await service.call('POST', `/v2/scrape/${id}/interact`, { code: '1' })
    expect(answer.status).toBe(409)
  })
})

describe('a session of its own', () => {
  it('is created, listed, used in all languages, and deleted', async () => {
    const { sdk } = service
    const created = await sdk.browser({ ttl: 120, activityTtl: 60 })
    expect(created).toMatchObject({ success: true, id: expect.any(String) })
    const id = created.id ?? ''
    const listed = await sdk.listBrowsers({ status: 'active' })
    expect(listed.sessions?.map((one) => one.id)).toContain(id)
    expect(listed.sessions?.[0]).toMatchObject({ status: 'active', streamWebView: true, createdAt: expect.any(String) })
    const opened = await sdk.browserExecute(id, { code: `agent-browser open ${site.url}/counter` })
    expect(opened.stdout).toContain('Counter')
    const snapshot = await sdk.browserExecute(id, { code: 'snapshot -i' })
    const ref = /@?(e\d+)[^\n]*More|More[^\n]*@(e\d+)/.exec(snapshot.stdout ?? '')
    const clicked = await sdk.browserExecute(id, { code: `click @${ref?.[1] ?? ref?.[2]}` })
    expect(clicked).toMatchObject({ success: true, exitCode: 0 })
    const node = await sdk.browserExecute(id, { language: 'node', code: 'return await page.textContent("#n")' })
    expect(node.result).toBe('1')
    const python = await sdk.browserExecute(id, {
      language: 'python',
      code: 'await page.fill("#name", "orb")\nvalue = await page.input_value("#name")\nprint(value)',
    })
    expect(python).toMatchObject({ stdout: 'orb\n', stderr: '', exitCode: 0 })
    const deleted = await sdk.deleteBrowser(id)
    const creditsBilled = priceOfSession(deleted.sessionDurationMs!, false)
    expect(deleted).toMatchObject({ success: true, creditsBilled })
    const got = await service.call('GET', `/v2/interact/${id}`)
    expect(got.json).toMatchObject({ success: true, status: 'destroyed', cdpUrl: '', creditsBilled })
    await expect(sdk.browserExecute(id, { code: 'true' })).rejects.toMatchObject({ status: 410 })
  })

  it('returns the files that its pages hand out', async () => {
    const { id } = (await service.call('POST', '/v2/browser', {})).json
    const files: Json[] = []
    const run = async (code: string) => {
      const body = { code, language: 'node', downloads: { parse: true } }
      const { json } = await service.call('POST', `/v2/browser/${id}/execute`, body)
      expect(json).toMatchObject({ success: true })
      expect(json.warning).toBeUndefined()
      return files.push(...(json.downloads ?? []))
    }
    const inPage = (script: string) => `await page.evaluate(${JSON.stringify(script)})`
    // One after the other: a browser may drop the first of two that begin at once.
    await run(`await page.goto('${site.url}/counter')`)
    await run(
      inPage(`const url = URL.createObjectURL(new Blob(['a,b'], { type: 'text/csv' }))
      Object.assign(document.createElement('a'), { href: url, download: 'table.csv' }).click()
      URL.revokeObjectURL(url)`),
    )
    await until(async () => (await run('1')) >= 1)
    await run(inPage(`Object.assign(document.createElement('a'), { href: '/data', download: 'data.json' }).click()`))
    await until(async () => (await run('1')) >= 2)
    const named = Object.fromEntries(files.map((file: Json) => [file.name, file]))
    expect(named['data.json']).toMatchObject({ bytes: 7, contentType: 'application/json' })
    expect(await (await fetch(named['table.csv'].url)).text()).toBe('a,b')
    expect(named['table.csv'].markdown).toMatch(/\| a \| b \|/)
    await service.call('DELETE', `/v2/browser/${id}`)
  })

  it('lets code read the files that its pages hand out', async () => {
    const { id } = (await service.call('POST', '/v2/browser', {})).json
    const run = async (language: string, code: string) =>
      (await service.call('POST', `/v2/browser/${id}/execute`, { code, language })).json
    const script = (url: string) =>
      JSON.stringify(`setTimeout(() => Object.assign(document.createElement('a'), ${url}).click(), 200)`)
    const table = script(
      `{ download: 'table.csv', href: URL.createObjectURL(new Blob(['a,b'], { type: 'text/csv' })) }`,
    )
    const node = await run(
      'node',
      `const { readFile } = require('node:fs/promises')
      await page.goto('${site.url}/counter')
      const [file] = await Promise.all([page.waitForEvent('download'), page.evaluate(${table})])
      await file.saveAs('kept.csv')
      JSON.stringify([await file.failure(), await readFile(await file.path(), 'utf8'), await readFile('kept.csv', 'utf8')])`,
    )
    expect(node.result, JSON.stringify(node)).toBe('[null,"a,b","a,b"]')
    const python = await run(
      'python',
      `async with page.expect_download() as info:
    await page.evaluate(${script(`{ download: 'data.json', href: '/data' }`)})
file = await info.value
print(open(await file.path()).read())`,
    )
    expect(python.stdout, JSON.stringify(python)).toBe('{"a":1}\n')
    const opened = await run(
      'python',
      `with page.expect_popup() as info:
    page.evaluate("void window.open('/counter')")
print(info.value.title())
info.value.close()
try:
    with page.expect_download(timeout=100):
        pass
except Exception as error:
    print('Timeout' in str(error))
try:
    page.expect_download(lambda one: True)
except Exception as error:
    print(error)`,
    )
    expect(opened.stdout, JSON.stringify(opened)).toMatch(/^Counter\nTrue\nexpect_download takes no predicate/)
    const missing = await run(
      'node',
      `const [none] = await Promise.all([page.waitForEvent('download'), page.evaluate(${script(`{ download: 'x', href: 'blob:${site.url}/none' }`)})])
      await none.failure()`,
    )
    expect(missing.result ?? missing.error, JSON.stringify(missing)).toMatch(/fetch/i)
    await service.call('DELETE', `/v2/browser/${id}`)
  })

  it('its recording is an HLS playlist for each tab, once the session has ended', async () => {
    const { id } = (await service.call('POST', '/v2/interact', { recordSession: true })).json
    const replay = `/v2/interact/${id}/replay`
    expect((await service.call('GET', replay)).status).toBe(404)
    const show = async (tab: string, path: string) => {
      const code = `const tab = ${tab}; await tab.goto('${site.url}${path}')
        for (let n = 0; n < 4; n++) { await tab.evaluate('document.body.append("More ")'); await tab.waitForTimeout(500) }`
      const ran = (await service.call('POST', `/v2/interact/${id}/execute`, { code: `{ ${code} }`, timeout: 120 })).json
      expect(ran.exitCode, JSON.stringify(ran)).toBe(0)
    }
    await show('page', '/counter?replayed')
    await show('await page.context().newPage()', '/other')
    await service.call('DELETE', `/v2/interact/${id}`)
    const { pages: shown, pageCount } = (await service.call('GET', replay)).json
    expect(shown.map(({ pageUrl }: Json) => pageUrl)).toEqual([`${site.url}/counter?replayed`, `${site.url}/other`])
    expect([pageCount, shown[1].url]).toEqual([2, `${replay}/1`])
    expect(shown[1].startTimeMs).toBeGreaterThan(shown[0].startTimeMs)
    expect((await service.call('GET', `/v2/browser/${id}/replay`)).json.pageCount).toBe(2)
    expect((await service.call('GET', `${replay}/x`)).status).toBe(400)
    const links: string[] = []
    for (const { url, startTimeMs, endTimeMs } of shown) {
      const { text, headers } = await service.call('GET', url)
      expect(headers.get('content-type')).toBe('application/vnd.apple.mpegurl')
      expect(text).toMatch(/^#EXTM3U\n[\s\S]*#EXT-X-PLAYLIST-TYPE:VOD[\s\S]*#EXT-X-ENDLIST\n$/)
      const link = /^http.*/m.exec(text)![0]
      links.push(link)
      const parts = []
      for (const [, bytes, at] of text.matchAll(/BYTERANGE[:=]"?(\d+)@(\d+)/g)) {
        const part = await fetch(link, { headers: { range: `bytes=${at}-${Number(at) + Number(bytes) - 1}` } })
        expect(part.status).toBe(206)
        parts.push(Buffer.from(await part.arrayBuffer()))
      }
      const video = new Input({ source: new BufferSource(Buffer.concat(parts)), formats: ALL_FORMATS })
      const track = (await video.getPrimaryVideoTrack())!
      expect(['avc', 'vp9']).toContain(track.codec)
      expect((await track.computePacketStats()).packetCount).toBeGreaterThan(0)
      expect(Math.abs((await video.computeDuration()) * 1000 - (endTimeMs - startTimeMs))).toBeLessThan(1500)
    }
    expect((await service.call('GET', `${replay}/7`)).status).toBe(404)
    // Forgetting a page that it shows forgets the recording and the video that was made of it.
    const forgotten = await operator.call('POST', '/v2/admin/forget', { url: `${site.url}/counter?replayed` })
    expect(forgotten.json, forgotten.text).toMatchObject({ success: true })
    for (const path of [replay, `${replay}/0`]) expect((await service.call('GET', path)).status).toBe(404)
    for (const link of links) expect((await fetch(link)).status).toBe(404)
    const silent = (await service.call('POST', '/v2/interact', { recordSession: false })).json
    await service.call('DELETE', `/v2/interact/${silent.id}`)
    expect((await service.call('GET', `/v2/interact/${silent.id}/replay`)).status).toBe(404)
  })

  it('tells how code went', async () => {
    const { id } = (await service.call('POST', '/v2/interact', {})).json
    const run = async (code: string, language = 'node', timeout = 100): Promise<Json> =>
      (await service.call('POST', `/v2/interact/${id}/execute`, { code, language, timeout })).json
    expect(await run('undefined')).toMatchObject({ result: null, stdout: '', exitCode: 0 })
    expect(await run('({ a: [1] })')).toMatchObject({ result: '{"a":[1]}' })
    expect(await run('console.log("out"); console.error("err")')).toMatchObject({ stdout: 'out\n', stderr: 'err\n' })
    const failed = await run('const x = 1;\nthrow new Error("no luck")')
    expect(failed).toMatchObject({
      success: true,
      exitCode: 1,
      result: null,
      error: expect.stringContaining('no luck'),
    })
    expect((await run('const = 2')).stderr).toMatch(/SyntaxError/)
    expect(await run('process.exit(3)')).toMatchObject({ exitCode: 3, killed: false })
    expect(await run('for (;;) {}', 'node', 1)).toMatchObject({ killed: true, exitCode: 137 })
    expect(await run('1 + 1')).toMatchObject({ result: '2' })
    expect(await run('x = 41\nx + 1', 'python')).toMatchObject({ result: '42' })
    expect(await run('x', 'python')).toMatchObject({ result: '41' })
    expect((await run('1 / 0', 'python')).stderr).toMatch(/ZeroDivisionError/)
    expect(await run('import sys; sys.exit(4)', 'python')).toMatchObject({ exitCode: 4 })
    expect(await run('cd /tmp; v=7; exit_later() { return 9; }', 'bash')).toMatchObject({ exitCode: 0 })
    expect(await run('pwd; echo $v; exit_later', 'bash')).toMatchObject({ stdout: '/tmp\n7\n', exitCode: 9 })
    expect((await run('echo $CDP_URL', 'bash')).stdout).toMatch(/^ws:\/\//)
    expect(await run('--help', 'bash')).toMatchObject({ stdout: expect.stringContaining('snapshot') })
    expect((await service.call('DELETE', `/v2/interact/${id}`)).status).toBe(200)
  })

  it('is driven by Playwright through its address, and shows nothing else', async () => {
    const one = (await service.call('POST', '/v2/interact', {})).json
    const other = (await service.call('POST', '/v2/interact', {})).json
    const { browser, page } = await connectToSession(one.cdpUrl)
    await page.goto(`${site.url}/counter`)
    expect(await page.title()).toBe('Counter')
    const { browser: beside } = await connectToSession(other.cdpUrl)
    expect(beside.contexts().flatMap((all) => all.pages().map((each) => each.url()))).toEqual(['about:blank'])
    await expect(page.goto('file:///etc/passwd')).rejects.toThrow(/cannot be opened/)
    const secret = new URL(one.cdpUrl)
    secret.pathname = secret.pathname.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    await expect(chromium.connectOverCDP(secret.href)).rejects.toThrow(/403/)
    await Promise.all([browser.close(), beside.close()])
    await service.call('DELETE', `/v2/browser/${one.id}`)
    await expect(chromium.connectOverCDP(one.cdpUrl)).rejects.toThrow(/410/)
    await service.call('DELETE', `/v2/browser/${other.id}`)
  })

  it('remembers under a name, for one writer at a time', async () => {
    const open = (body: object) => service.call('POST', '/v2/browser', { profile: { name: 'shop' }, ...body })
    const first = await open({})
    const busy = await open({})
    expect([busy.status, busy.json.error]).toEqual([409, 'Another session is currently writing to this profile.'])
    expect((await service.call('DELETE', '/v2/browser/profiles/shop')).status).toBe(409)
    const run = async (id: string, code: string) =>
      (await service.call('POST', `/v2/browser/${id}/execute`, { code, language: 'node' })).json.result
    await run(
      first.json.id,
      `await page.goto('${site.url}/counter'); await page.evaluate(() => localStorage.setItem('a', 'kept'))`,
    )
    await service.call('DELETE', `/v2/browser/${first.json.id}`)
    const second = await open({ profile: { name: 'shop', saveChanges: false } })
    const look = `await page.goto('${site.url}/counter'); await page.evaluate(() => document.cookie + ' ' + localStorage.getItem('a'))`
    expect(await run(second.json.id, look)).toBe('seen=yes kept')
    await service.call('DELETE', `/v2/browser/${second.json.id}`)
    const { profiles } = (await service.call('GET', '/v2/interact/profiles')).json
    expect(profiles).toMatchObject([{ name: 'shop', inUse: false }])
    expect((await service.call('DELETE', '/v2/browser/profiles/shop')).json).toEqual({ success: true })
    expect((await service.call('GET', '/v2/interact/profiles')).json.profiles).toEqual([])
  })
})

describe('words', () => {
  it('are done on the page, told step by step, and cost more for the whole session', async () => {
    const doc = await service.sdk.scrape(`${site.url}/counter`, { formats: ['markdown'] })
    const id = doc.metadata?.scrapeId ?? ''
    const done = await service.sdk.interact(id, { prompt: 'click More' })
    expect(done).toMatchObject({ success: true, exitCode: 0, killed: false })
    expect(done.output).toMatch(/More/)
    expect((await service.sdk.interact(id, { code: 'await page.textContent("#n")' })).result).toBe('1')
    const typed = await service.sdk.interact(id, { prompt: 'type "Ada"' })
    expect(typed.output).toMatch(/Put "Ada" into "Name"/)
    const not = await service.sdk.interact(id, { prompt: 'click Unsubscribe from the newsletter' })
    expect(not.success).toBe(false)
    const { creditsBilled, sessionDurationMs } = await service.sdk.stopInteraction(id)
    expect(creditsBilled).toBe(priceOfSession(sessionDurationMs!, true))
  })
})

/** One who looks on, once the first picture and what is known about it are there. */
async function sit(id: string, link: string) {
  const { ticket } = (await (await fetch(`${link}?ticket=1`)).json()) as { ticket: string }
  const address = `${service.url.replace(/^http/, 'ws')}/live/${id}/socket/${ticket}`
  const socket = new WebSocket(address)
  const pictures: Buffer[] = []
  const facts: Json[] = []
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isBinary) return void facts.push(JSON.parse(String(data)))
    pictures.push(data)
    socket.send('{"shown":1}')
  })
  await vi.waitFor(() => expect(Math.min(pictures.length, facts.length)).toBeGreaterThan(0), { timeout: 120_000 })
  return { socket, pictures, facts, address }
}

describe('the live view', () => {
  it('shows many who come at once the same pictures, each of them once', async () => {
    const made = (await service.call('POST', '/v2/interact', {})).json
    const run = (code: string) => service.call('POST', `/v2/interact/${made.id}/execute`, { code })
    await run(`await page.goto('${site.url}/counter')`)
    const { headers } = await fetch(made.liveViewUrl)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
    const crowd = await Promise.all(Array.from({ length: 12 }, () => sit(made.id, made.liveViewUrl)))
    const still = await sit(made.id, made.liveViewUrl)
    crowd.push(still)
    // Nothing moves any more: what comes now comes from the one change that follows.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    for (const { pictures } of crowd) pictures.splice(0)
    await run(`await page.evaluate(() => { document.body.style.background = '#024' })`)
    await vi.waitFor(() => expect(crowd.every(({ pictures }) => pictures.length > 0)).toBe(true), { timeout: 120_000 })
    await new Promise((resolve) => setTimeout(resolve, 1500))
    // One screencast for all; one each would send a dozen.
    for (const { pictures } of crowd) expect(pictures.length).toBeLessThanOrEqual(4)
    await vi.waitFor(() => expect(still.facts.at(-1)).toMatchObject({ watchers: 13, drivers: 0 }), { timeout: 120_000 })
    for (const { socket } of crowd) socket.close()
    await service.call('DELETE', `/v2/interact/${made.id}`)
  })

  it('shows the page, lets a driver act and a watcher only watch, and takes each ticket once', async () => {
    const made = (await service.call('POST', '/v2/interact', {})).json
    const run = async (code: string) =>
      (await service.call('POST', `/v2/interact/${made.id}/execute`, { code })).json.result
    await run(`await page.goto('${site.url}/counter')`)
    const own = await connectToSession(made.cdpUrl)
    const box = await own.page.locator('#more').boundingBox()
    if (!box) throw new Error('there is no button')
    const click = ({ socket, facts }: Awaited<ReturnType<typeof sit>>) => {
      // The window of a full Chromium is 1280 × 800 with its frame; the page is smaller.
      const { width, height } = facts.at(-1)
      const at = { x: (box.x + box.width / 2) / width, y: (box.y + box.height / 2) / height }
      for (const type of ['mousePressed', 'mouseReleased'])
        socket.send(JSON.stringify({ type, ...at, button: 'left', buttons: 1, clicks: 1 }))
    }
    const watcher = await sit(made.id, made.liveViewUrl)
    expect(watcher.pictures[0]?.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
    expect(watcher.facts.at(-1)).toMatchObject({ url: `${site.url}/counter`, tabs: [{ current: true }] })
    click(watcher)
    const driver = await sit(made.id, made.interactiveLiveViewUrl)
    click(driver)
    await vi.waitFor(async () => expect(await run('await page.textContent("#n")')).toBe('1'), { timeout: 120_000 })
    const again = new WebSocket(driver.address)
    await expect(new Promise((_, reject) => again.on('error', reject))).rejects.toThrow(/403/)
    const page = await fetch(made.interactiveLiveViewUrl)
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([200, expect.stringContaining('nonce')])
    expect((await fetch(`${made.liveViewUrl.slice(0, -1)}_`)).status).toBe(404)
    for (const { socket } of [watcher, driver]) socket.close()
    await own.browser.close()
    await service.call('DELETE', `/v2/interact/${made.id}`)
    const ended = await fetch(made.liveViewUrl, { headers: { accept: 'text/html' } })
    expect([ended.status, ended.headers.get('content-type')]).toEqual([410, 'text/html; charset=utf-8'])
    expect(await ended.text()).toContain('has been destroyed')
  })
})
