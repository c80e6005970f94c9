// The DevTools socket of a session, which any caller can speak to. Every method of the protocol is sent with values that
// would reach files, other sessions or the whole browser; and what people use Playwright and Puppeteer for still works.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import puppeteer, { type Page as PuppeteerPage } from 'puppeteer-core'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { protocolDomains } from '../../scripts/cdp-protocol.mjs'
import { connectToSession } from './connect-to-session.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { newTeam } from './team.ts'
import { until } from './waiting.ts'

const received: string[] = []
const { site, service, operator } = shared({
  '/': ({ response }) => void response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE),
  '/data': ({ response }) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'),
  '/file': ({ response }) =>
    void response.writeHead(200, { 'content-disposition': 'attachment; filename=report.csv' }).end('a,b\n1,2\n'),
  '/leak': async ({ request, response }) => {
    for await (const chunk of request) received.push(String(chunk))
    response.end()
  },
})

/** Sends on whatever files it is given. */
const PAGE = `<!doctype html><title>Tools</title><body style="margin:0">
<div id=drop style="width:300px;height:200px">drop</div>
<div id=drag draggable=true style="width:80px;height:40px">drag me</div>
<input id=text aria-label=Name><input id=box type=checkbox><input id=file type=file multiple>
<select id=list><option>one<option>two</select><button id=go onclick="document.title=text.value">Go</button>
<a id=next href="/?next">Next</a> <a id=save href="/file">Save</a> <a id=pop href="/?pop" target=_blank>Pop</a>
<button id=ask onclick="document.title=String(confirm('sure?'))">Ask</button><iframe src="/data"></iframe>
<script>
const read = async (files) => { for (const one of files) fetch('/leak', { method: 'POST', body: await one.text() }) }
addEventListener('dragover', (event) => { event.preventDefault(); window.isDraggedOver = true })
addEventListener('drop', (event) => {
  event.preventDefault()
  document.title = 'dropped ' + event.dataTransfer.getData('text/plain')
  read(event.dataTransfer.files)
})
addEventListener('dragstart', (event) => event.dataTransfer.setData('text/plain', 'moved'))
addEventListener('change', (event) => read(event.target.files ?? []))
</script>`

const open = async (): Promise<Json> => (await service.call('POST', '/v2/browser', {})).json
const close = ({ id }: Json) => service.call('DELETE', `/v2/browser/${id}`)

type Calls<P> = Record<string, (page: P) => Promise<unknown>>
const csv = { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('by content') }

const playwrightCalls: Calls<Page> = {
  goto: (page) => page.goto(site.url),
  title: async (page) => expect(await page.title()).toBe('Tools'),
  content: async (page) => expect(await page.content()).toContain('drag me'),
  evaluate: async (page) => expect(await page.evaluate(() => 1 + 1)).toBe(2),
  evaluateHandle: async (page) => (await page.evaluateHandle('document.body')).dispose(),
  addInitScript: (page) => page.addInitScript('window.begun = true'),
  reload: async (page) => {
    await page.reload()
    expect(await page.evaluate('window.begun')).toBe(true)
  },
  fill: (page) => page.fill('#text', 'filled'),
  click: async (page) => {
    await page.click('#go')
    expect(await page.title()).toBe('filled')
  },
  dblclick: (page) => page.dblclick('#go'),
  hover: (page) => page.hover('#go'),
  focus: (page) => page.focus('#text'),
  'keyboard.type': (page) => page.keyboard.type(' more'),
  'keyboard.press': (page) => page.keyboard.press('Enter'),
  'mouse.wheel': (page) => page.mouse.wheel(0, 50),
  check: (page) => page.check('#box'),
  selectOption: async (page) => expect(await page.selectOption('#list', 'two')).toEqual(['two']),
  setInputFiles: async (page) => {
    await page.setInputFiles('#file', [csv])
    await expect.poll(() => received).toContain('by content')
  },
  'setInputFiles by a path of the program': async (page) => {
    await page.setInputFiles('#file', import.meta.filename)
    await expect.poll(() => received.join()).toContain('DevTools socket of a session')
  },
  'setInputFiles to nothing': (page) => page.setInputFiles('#file', []),
  fileChooser: async (page) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('#file')])
    await chooser.setFiles(csv)
  },
  dragAndDrop: async (page) => {
    await page.dragAndDrop('#drag', '#drop')
    await expect.poll(() => page.title()).toBe('dropped moved')
  },
  screenshot: async (page) => expect((await page.screenshot()).length).toBeGreaterThan(500),
  'screenshot of an element': async (page) => void (await page.locator('#drop').screenshot()),
  'screenshot of all': (page) => page.screenshot({ fullPage: true, type: 'jpeg' }),
  pdf: async (page) => expect((await page.pdf()).subarray(0, 4).toString()).toBe('%PDF'),
  route: async (page) => {
    await page.route('**/data', (route) => route.fulfill({ body: '{"a":2}' }))
    expect(await page.evaluate('fetch("/data").then((r) => r.json())')).toEqual({ a: 2 })
    await page.unroute('**/data')
  },
  'route, going on': async (page) => {
    await page.route('**/data', (route) => route.continue({ headers: { 'x-more': '1' } }))
    expect(await page.evaluate('fetch("/data").then((r) => r.json())')).toEqual({ a: 1 })
    await page.unroute('**/data')
  },
  'waitForResponse, its body': async (page) => {
    const [response] = await Promise.all([page.waitForResponse('**/data'), page.evaluate('void fetch("/data")')])
    expect(await response.json()).toEqual({ a: 1 })
  },
  download: async (page) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save')])
    expect(download.suggestedFilename()).toBe('report.csv')
    expect(await download.failure()).toBeTruthy()
  },
  popup: async (page) => {
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('#pop')])
    await popup.waitForLoadState()
    await popup.close()
  },
  dialog: async (page) => {
    page.once('dialog', (dialog) => void dialog.accept())
    await page.click('#ask')
    expect(await page.title()).toBe('true')
  },
  frames: async (page) => expect(await page.frames()[1]?.content()).toContain('"a":1'),
  goBack: async (page) => {
    await page.click('#next')
    await page.waitForURL('**/?next')
    await page.goBack()
    await page.goForward()
  },
  cookies: async (page) => {
    const context = page.context()
    await context.addCookies([{ name: 'c', value: '1', url: site.url }])
    expect(await context.cookies()).toMatchObject([{ name: 'c' }])
    await context.clearCookies()
  },
  storageState: (page) => page.context().storageState({ indexedDB: true }),
  grantPermissions: (page) => page.context().grantPermissions(['geolocation'], { origin: site.url }),
  setGeolocation: (page) => page.context().setGeolocation({ latitude: 1, longitude: 2 }),
  setOffline: async (page) => {
    await page.context().setOffline(true)
    await page.context().setOffline(false)
  },
  setExtraHTTPHeaders: (page) => page.setExtraHTTPHeaders({ 'x-a': 'b' }),
  setViewportSize: async (page) => {
    await page.setViewportSize({ width: 800, height: 600 })
    expect(await page.evaluate('innerWidth')).toBe(800)
  },
  emulateMedia: (page) => page.emulateMedia({ colorScheme: 'dark', media: 'print' }),
  exposeFunction: async (page) => {
    await page.exposeFunction('double', (n: number) => n * 2)
    expect(await page.evaluate('double(4)')).toBe(8)
  },
  addScriptTag: (page) => page.addScriptTag({ content: 'window.added = 1' }),
  addStyleTag: (page) => page.addStyleTag({ content: 'body { color: red }' }),
  console: async (page) => {
    const [message] = await Promise.all([page.waitForEvent('console'), page.evaluate('console.log("said")')])
    expect(message.text()).toBe('said')
  },
  getByRole: async (page) => expect(await page.getByRole('button', { name: 'Go' }).count()).toBe(1),
  ariaSnapshot: async (page) => expect(await page.locator('body').ariaSnapshot()).toContain('Go'),
  coverage: async (page) => {
    await page.coverage.startJSCoverage()
    await page.coverage.startCSSCoverage()
    await page.coverage.stopJSCoverage()
    await page.coverage.stopCSSCoverage()
  },
  setContent: (page) => page.setContent('<h1>Own</h1>'),
  requestGC: (page) => page.requestGC(),
  newPage: async (page) => (await page.context().newPage()).close(),
  newCDPSession: async (page) => {
    const session = await page.context().newCDPSession(page)
    expect((await session.send('Performance.getMetrics')).metrics).toBeTruthy()
    await session.detach()
  },
}

/** Of another team's page, in the same browser at the same time, nothing is in it. */
const expectTraceOf = (trace: Buffer | Uint8Array | undefined, own: string, other: string) => {
  const text = Buffer.from(trace ?? []).toString()
  const { traceEvents } = JSON.parse(text) as { traceEvents: Json[] }
  expect(traceEvents.length).toBeGreaterThan(20)
  expect(text).toContain(own)
  expect(text).not.toContain(other)
}

const puppeteerCalls: Calls<PuppeteerPage> = {
  goto: (page) => page.goto(site.url),
  title: async (page) => expect(await page.title()).toBe('Tools'),
  evaluate: async (page) => expect(await page.evaluate('1 + 1')).toBe(2),
  $eval: async (page) => expect(await page.$eval('#go', (one) => one.textContent)).toBe('Go'),
  type: (page) => page.type('#text', 'typed'),
  click: async (page) => {
    await page.click('#go')
    expect(await page.title()).toBe('typed')
  },
  hover: (page) => page.hover('#go'),
  select: (page) => page.select('#list', 'two'),
  'locator.fill': (page) => page.locator('#text').fill('filled'),
  drag: async (page) => {
    const [from, to] = [await page.$('#drag'), await page.$('#drop')]
    if (!from || !to) throw new Error('the page has lost its parts')
    // Puppeteer would release the button at once, whether or not Chromium has begun to drag.
    await from.drag(to)
    const isDraggedOver = () => to.hover().then(() => page.evaluate('window.isDraggedOver'))
    await expect.poll(isDraggedOver).toBe(true)
    await to.drop(from)
    await expect.poll(() => page.title()).toBe('dropped moved')
  },
  screenshot: async (page) => expect((await page.screenshot()).length).toBeGreaterThan(500),
  pdf: async (page) =>
    expect(
      Buffer.from(await page.pdf())
        .subarray(0, 4)
        .toString(),
    ).toBe('%PDF'),
  setRequestInterception: async (page) => {
    await page.setRequestInterception(true)
    page.once('request', (request) => void request.respond({ body: '{"a":3}' }))
    expect(await page.evaluate('fetch("/data").then((r) => r.json())')).toEqual({ a: 3 })
    await page.setRequestInterception(false)
  },
  cookies: async (page) => {
    await page.browserContext().setCookie({ name: 'd', value: '2', domain: '127.0.0.1' })
    expect(await page.browserContext().cookies()).toMatchObject([{ name: 'd' }])
  },
  emulate: (page) => page.setViewport({ width: 400, height: 700, isMobile: true, hasTouch: true }),
  setUserAgent: (page) => page.setUserAgent({ userAgent: 'Tools' }),
  metrics: async (page) => expect((await page.metrics()).Documents).toBeGreaterThan(0),
  'accessibility.snapshot': async (page) => expect(await page.accessibility.snapshot()).toBeTruthy(),
  exposeFunction: (page) => page.exposeFunction('twice', (n: number) => n * 2),
  setContent: (page) => page.setContent('<h1>Own</h1>'),
  tracing: async (page) => {
    await page.tracing.start({ screenshots: true })
    await page.goto(`${site.url}/?traced`)
    expectTraceOf(await page.tracing.stop(), '/?traced', '/?nowhere')
  },
  'createCDPSession of the browser': async (page) => {
    const session = await page.browser().target().createCDPSession()
    expect((await session.send('Browser.getVersion')).product).toContain('Chrome')
    await session.detach()
  },
}

/** Every call on the same page; what does not work is named. */
async function failures<P>(calls: Calls<P>, page: P): Promise<string[]> {
  const failed: string[] = []
  for (const [name, call] of Object.entries(calls)) {
    await call(page).catch((error: Error) => failed.push(`${name}: ${error.message.slice(0, 300)}`))
  }
  return failed
}

describe('usual calls', () => {
  it('work with Playwright', async () => {
    const session = await open()
    const { browser, page } = await connectToSession(session.cdpUrl)
    expect(await failures(playwrightCalls, page)).toEqual([])
    await browser.close()
    await close(session)
  })

  it('work with Puppeteer', async () => {
    const session = await open()
    const browser = await puppeteer.connect({ browserWSEndpoint: session.cdpUrl, defaultViewport: null })
    const [page] = await browser.pages()
    page?.setDefaultTimeout(110_000)
    expect(await failures(puppeteerCalls, page as PuppeteerPage)).toEqual([])
    await browser.disconnect()
    await close(session)
  })
})

const SECRET = `canary-${randomUUID()}`

/** A folder with files that nobody may read, whose clocks tell whether somebody did. */
function canaries() {
  const folder = join(service.dataDir, 'canaries')
  mkdirSync(folder, { recursive: true })
  const paths = ['a.txt', 'b.html', 'probe'].map((name) => join(folder, name))
  for (const path of paths) writeFileSync(path, SECRET)
  // Older than the last change, so that any reading moves it, also with `relatime`.
  for (const path of paths) utimesSync(path, 1, 2_000_000_000)
  const [text = '', page = '', probe = ''] = paths
  const wasRead = (path: string) => statSync(path).atimeMs > 1000
  readFileSync(probe)
  return {
    path: text,
    url: `file://${page}`,
    clockWorks: wasRead(probe),
    touched: () => [text, page].filter(wasRead),
    listed: () => readdirSync(folder).sort(),
  }
}

interface Foreign {
  path: string
  url: string
  targetId: string
  contextId: string
  sessionId: string
}

interface Field {
  name: string
  type?: string
  $ref?: string
  items?: Field
  enum?: string[]
  optional?: boolean
  properties?: Field[]
}

const domains = protocolDomains()
const commands = domains.flatMap(({ domain, commands: own = [] }) =>
  own.map(({ name, parameters = [] }) => ({ method: `${domain}.${name}`, domain, parameters: parameters as Field[] })),
)

/** A value of the field's type that points where the caller has no business. */
function hostile(domain: string, field: Field, to: Foreign, turn: number, depth = 0): unknown {
  const { name = '', type, $ref, items, properties } = field
  if ($ref) {
    if (/TargetID$/.test($ref)) return to.targetId
    if (/BrowserContextID$/.test($ref)) return to.contextId
    if (/Target\.SessionID$|^SessionID$/.test($ref)) return to.sessionId
    const [home = '', id = ''] = $ref.includes('.') ? $ref.split('.') : [domain, $ref]
    const known = domains.find((one) => one.domain === home)?.types?.find((one) => one.id === id) as Field | undefined
    return known && hostile(home, { ...known, name }, to, turn, depth)
  }
  if (field.enum) return field.enum[turn % field.enum.length]
  if (type === 'array') return depth > 4 ? [] : [hostile(domain, { ...items, name } as Field, to, turn, depth + 1)]
  if (type === 'object')
    return Object.fromEntries(
      (depth > 4 ? [] : (properties ?? [])).map((one) => [one.name, hostile(domain, one, to, turn, depth + 1)]),
    )
  if (type === 'number' || type === 'integer') return 1
  if (type === 'boolean') return true
  return /url|origin|href|data/i.test(name) ? to.url : to.path
}

/** Input comes while the page still answers; what ends the page or the conversation comes last. */
const orderOf = (method: string): number =>
  /^Input/.test(method) ? 0 : /^(Browser\.close|Page\.(close|crash))$/.test(method) ? 2 : 1

describe('a trace', () => {
  it('has the events of its own pages alone, and a browser session reads it', async () => {
    const [own, other] = [await open(), await open()]
    const [mine, theirs] = [await connectToSession(own.cdpUrl), await connectToSession(other.cdpUrl)]
    const visits = async () => {
      await Promise.all([mine.page.goto(`${site.url}/?own`), theirs.page.goto(`${site.url}/?other`)])
      await theirs.page.evaluate('performance.mark("/?other")')
      await mine.page.screenshot()
    }
    await theirs.page.goto(`${site.url}/?other-before`)
    await mine.browser.startTracing(mine.page, { screenshots: true })
    await visits()
    expectTraceOf(await mine.browser.stopTracing(), '/?own', '/?other')
    await mine.browser.startTracing()
    await visits()
    expectTraceOf(await mine.browser.stopTracing(), '/?own', '/?other')
    const session = await mine.browser.newBrowserCDPSession()
    expect((await session.send('Browser.getVersion')).product).toContain('Chrome')
    await expect(session.send('IO.read', { handle: '1' })).rejects.toThrow(/not allowed/)
    await expect(session.send('Tracing.end')).rejects.toThrow(/not started/)
    await Promise.all([mine.browser.close(), theirs.browser.close()])
    await Promise.all([close(own), close(other)])
  })
})

describe('every method of the protocol, with hostile values', () => {
  it('reads no file and writes none', async () => {
    const canary = canaries()
    expect(canary.clockWorks, 'the folder records reading').toBe(true)
    const [mine, other] = [await open(), await open()]
    const theirs = await talk(other.cdpUrl)
    const [before] = (await theirs.ask('Target.getTargets')).result.targetInfos
    const attached = await theirs.ask('Target.attachToTarget', { targetId: before.targetId, flatten: true })
    const to: Foreign = {
      path: canary.path,
      url: canary.url,
      targetId: before.targetId,
      contextId: before.browserContextId,
      sessionId: attached.result.sessionId,
    }
    const ask = await talk(mine.cdpUrl)
    const [own] = (await ask.ask('Target.getTargets')).result.targetInfos
    const { sessionId } = (await ask.ask('Target.attachToTarget', { targetId: own.targetId, flatten: true })).result
    await ask.ask('Page.enable', {}, sessionId)
    await ask.ask('Page.navigate', { url: site.url }, sessionId)
    await until(async () => {
      const { result } = await ask.ask('Runtime.evaluate', { expression: 'document.readyState' }, sessionId)
      return result?.result.value === 'complete'
    })
    let sent = 0
    const barrage = (order: number) =>
      commands
        .filter(({ method }) => orderOf(method) === order)
        .flatMap(({ method, domain, parameters }) =>
          [0, 1, 2, 3].flatMap((turn) => {
            const chosen = turn === 3 ? parameters.filter(({ optional }) => !optional) : parameters
            const params = Object.fromEntries(chosen.map((one) => [one.name, hostile(domain, one, to, turn)]))
            sent += 3
            return [undefined, sessionId, to.sessionId].map((session) => ask.ask(method, params, session))
          }),
        )
    // Some of them make the page silent for good; it has the time to read what it was given.
    for (const order of [0, 1, 2]) await Promise.race([Promise.all(barrage(order)), sleep(2000)])
    expect(sent).toBeGreaterThan(7000)
    expect(canary.touched()).toEqual([])
    expect(canary.listed()).toEqual(['a.txt', 'b.html', 'probe'])
    expect(received.join()).not.toContain(SECRET)
    expect(
      ask
        .received()
        .concat(theirs.received())
        .filter((text) => text.includes(SECRET)),
    ).toEqual([])
    for (const session of [mine, other]) await close(session)
  })

  it('refuses unknown methods, wrong types and deep nesting by name', async () => {
    const session = await open()
    const { ask } = await talk(session.cdpUrl)
    const [own] = (await ask('Target.getTargets')).result.targetInfos
    const { sessionId } = (await ask('Target.attachToTarget', { targetId: own.targetId, flatten: true })).result
    const drag = (data: Json) => ({ type: 'drop', x: 1, y: 1, data: { items: [], dragOperationsMask: 1, ...data } })
    const key = JSON.parse(`${'{"type":"array","array":['.repeat(100)}${']}'.repeat(100)}`)
    const refused: [string, object, RegExp][] = [
      ['Page.openFile', {}, /Page\.openFile is not allowed/],
      ['constructor', {}, /constructor is not allowed/],
      ['Page.navigate', { url: ['file:///etc/passwd'] }, /url must be a string/],
      ['Page.navigate', { url: 'file:///etc/passwd' }, /cannot be opened in a session/],
      ['Input.dispatchDragEvent', drag({ files: ['/etc/passwd'] }), /by their content/],
      ['Input.dispatchDragEvent', drag({ items: [{ mimeType: 'text/uri-list', data: 'file:///etc' }] }), /opened/],
      ['Input.dispatchDragEvent', { ...drag({}), data: [{ files: ['/etc/passwd'] }] }, /data must be an object/],
      ['IndexedDB.deleteObjectStoreEntries', { keyRange: { lower: key } }, /nested too deeply/],
      ['DOM.setFileInputFiles', { files: ['/etc/passwd'], nodeId: 1 }, /by their content/],
      ['Page.addCompilationCache', { url: site.url, data: '' }, /not allowed/],
      ['Storage.getCookies', { browserContextId: 'ABC' }, /browser context/],
    ]
    for (const [method, params, why] of refused)
      expect((await ask(method, params, sessionId)).error?.message, method).toMatch(why)
    const extra = { url: 'about:blank', path: '/etc', ...JSON.parse('{"__proto__":{"url":"file:///etc"}}') }
    expect((await ask('Page.navigate', extra, sessionId)).error).toBeUndefined()
    const cookies = [{ name: 'a', value: 'b', url: site.url, size: 2, session: true, sameParty: false }]
    expect((await ask('Network.setCookies', { cookies }, sessionId)).error).toBeUndefined()
    const { result } = await ask('Network.getCookies', { urls: [site.url] }, sessionId)
    expect(result.cookies).toMatchObject([{ name: 'a', value: 'b' }])
    expect((await ask('Network.deleteCookies', { ...cookies[0] }, sessionId)).error).toBeUndefined()
    expect((await ask('Network.getCookies', { urls: [site.url] }, sessionId)).result.cookies).toEqual([])
    const deep = { functionDeclaration: '() => 1', arguments: [{ value: 'DEEP' }] }
    const { error } = await ask('Runtime.callFunctionOn', deep, sessionId)
    expect(error.message).toMatch(/nested too deeply/)
    await close(session)
  })
})

describe('the clipboard', () => {
  it('of one team is not that of another', async () => {
    const stranger = await newTeam(operator, 'clipboard')
    const [mine, theirs] = [await open(), (await stranger.call('POST', '/v2/browser', {})).json]
    const pageOf = async ({ cdpUrl }: Json) => {
      const { page } = await connectToSession(cdpUrl)
      await page.goto(site.url)
      return page
    }
    const [from, to] = [await pageOf(mine), await pageOf(theirs)]
    await from.fill('#text', SECRET)
    await from.focus('#text')
    for (const key of ['Control+a', 'Control+c']) await from.keyboard.press(key)
    const pasted = async (page: Page) => {
      await page.fill('#text', '')
      await page.focus('#text')
      await page.keyboard.press('Control+v')
      return page.inputValue('#text')
    }
    expect(await pasted(from)).toBe(SECRET)
    expect(await pasted(to)).toBe('')
    await close(mine)
    await stranger.call('DELETE', `/v2/browser/${theirs.id}`)
  })
})

/** A socket of its own; what is not answered within a while counts as not answered. */
async function talk(url: string) {
  const socket = new WebSocket(url)
  const waiting = new Map<number, (answer: Json) => void>()
  const received: string[] = []
  socket.on('message', (data) => {
    received.push(String(data))
    const said = JSON.parse(String(data))
    waiting.get(said.id)?.(said)
  })
  socket.on('close', () => {
    for (const answer of waiting.values()) answer({ error: { message: 'closed' } })
  })
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
  let count = 0
  const ask = (method: string, params: object = {}, sessionId?: string): Promise<Json> =>
    new Promise((resolve) => {
      const id = ++count
      const timer = setTimeout(resolve, 60_000, { error: { message: 'no answer' } })
      waiting.set(id, (answer) => {
        clearTimeout(timer)
        resolve(answer)
      })
      const text = JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) })
      socket.send(text.replace('"DEEP"', `${'['.repeat(100_000)}${']'.repeat(100_000)}`))
    })
  return { ask, received: () => received }
}
