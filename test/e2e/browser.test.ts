// Pages that need a browser, through the released SDK on the real service: which ones are rendered, and what comes of it.
import { describe, expect, it } from 'vitest'
import { drawnKinds, drawnSentence, servedKinds } from '../site/drawn.ts'
import { heldPage } from '../site/held.ts'
import { plainPage } from '../site/plain-page.ts'
import { sampleRows } from '../soak.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { failure } from './team.ts'
import { until } from './waiting.ts'

const { page: held, hold } = heldPage()
const READINGS = Array.from({ length: 60 }, (_, n) => `Reading ${n} of the gauge was taken by hand.`).join(' ')
const sent = (script: string) =>
  plainPage(
    'Readings',
    `<h1>Readings</h1><p>${READINGS}</p><script>const main = document.querySelector('main'); ${script}</script>`,
  )
const { site, service } = shared({
  '/held': held,
  '/files': ({ response }) =>
    void response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'pass=1' }).end(`<main><h1>Files</h1>
      <a id="report" href="/files/report" target="_blank">Report</a>
      <a id="note" href="data:text/plain,short%20note" download="note.txt">Note</a>
      <button id="table" onclick="const url = window.URL.createObjectURL(new Blob(['item,count\\nLamp,3\\n'], { type: 'text/csv' }));
        Object.assign(document.createElement('a'), { href: url, download: 'table.csv' }).click(); window.URL.revokeObjectURL(url)">Table</button></main>`),
  // Made while it is waited for.
  '/files/report': async ({ request, response }) => {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    response
      .writeHead(request.headers.cookie?.includes('pass=1') ? 200 : 403, {
        'content-type': 'text/html',
        'content-disposition': 'attachment; filename="report.html"',
      })
      .end('<h1>Report</h1><p>The gauge stood at four metres.</p>')
  },
  '/challenged': ({ request, response }) => {
    const isSolved = request.headers.cookie?.includes('human=1')
    response
      .writeHead(isSolved ? 200 : 403, {
        'content-type': 'text/html',
        ...(isSolved ? {} : { 'cf-mitigated': 'challenge' }),
      })
      .end(
        isSolved
          ? '<main><h1>Vault</h1><p>The vault is open to people.</p></main>'
          : `<button onclick="document.cookie = 'human=1; path=/'; location.reload()">I am human</button>`,
      )
  },
  '/emptied': sent(`main.innerHTML = '<p>No readings yet</p>'`),
  '/filled-late': sent(`
    const text = main.innerHTML
    main.textContent = ''
    fetch('/slow?ms=1500').then(() => { main.innerHTML = text.replaceAll('by hand', 'by script') })`),
  '/routed': sent(`history.replaceState(null, '', '/routed/login'); main.innerHTML = '<p>Please sign in first</p>'`),
  '/whole': sent(''),
  '/gone': ({ response }) => void response.writeHead(410, { 'content-type': 'text/html', 'content-length': 0 }).end(),
})

/** For pages that come home, however busy the machine is: browsers run behind everything else. */
const PATIENT_MS = 200_000
// biome-ignore lint/suspicious/noExplicitAny: the SDK's own option types would forbid the wrong inputs that are tested.
const scrape = (path: string, options: any = {}): Promise<Json> =>
  service.sdk.scrape(site.url + path, { maxAge: 0, timeout: PATIENT_MS, ...options })
const explain = async (document: Json): Promise<Json> =>
  (await service.call('GET', `/v2/scrape/${document.metadata.scrapeId}?explain=true`)).json.explain

describe('choosing', () => {
  it.each(drawnKinds)('renders a page that scripts draw: %s', async (kind) => {
    const document = await scrape(`/drawn/${kind}/4`)
    expect(document.markdown).toContain(drawnSentence(kind, 4))
    const { engine, steps } = await explain(document)
    expect(engine).toBe('browser')
    expect(steps.find((step: Json) => step.step === 'judge')).toMatchObject({ because: 'shell', want: 'rendered' })
  })

  it.each(servedKinds)('reads a page that comes whole without a browser: %s', async (kind) => {
    const document = await scrape(`/served/${kind}/5`)
    expect(document.markdown).toContain(drawnSentence(kind, 5))
    expect((await explain(document)).engine).toBe('http')
  })

  it('fastMode never renders, and says what is missing', async () => {
    const document = await scrape('/drawn/root/1', { fastMode: true })
    expect((await explain(document)).engine).toBe('http')
    expect(document.warning).toMatch(/was not rendered/)
    const error = await failure(scrape('/article', { fastMode: true, formats: ['screenshot'] }))
    expect(error.status).toBe(400)
  })

  it('a page that hides itself is read as it was sent where it may not be rendered', async () => {
    const document = await scrape('/drawn/veil/2', { fastMode: true })
    expect(document.markdown).toContain('On this page you will find the reports of all gauges')
    expect(document.warning).toMatch(/hides itself until its scripts have run, and it was not rendered/)
  })

  it('goes to the browser at once where the last pages were drawn by scripts', async () => {
    for (let n = 10; n < 15; n++) await scrape(`/drawn/table/${n}`)
    const before = site.visits().filter((path) => path === '/drawn/table/15').length
    const { steps } = await explain(await scrape('/drawn/table/15'))
    expect(site.visits().filter((path) => path === '/drawn/table/15').length).toBe(before + 1)
    expect(steps.find((step: Json) => step.step === 'choose').because).toMatch(/drawn by scripts/)
  })

  it.each([
    ['read', {}],
    ['drawn', { formats: ['markdown', 'rawHtml', { type: 'screenshot', fullPage: true }] }],
  ])('a rendered page has no less text than the server sent: %s', async (_how, options) => {
    const document = await scrape('/emptied', { waitFor: 1, ...options })
    expect(document.markdown).toMatch(/^# Readings\n\nReading 0 .*Reading 59 of the gauge/)
    expect(document.warning).toMatch(/less text than the server had sent/)
    expect((await explain(document)).steps).toContainEqual(expect.objectContaining({ step: 'browser', asSent: true }))
    if (document.rawHtml) expect(document.rawHtml).toContain('Reading 59 of the gauge')
  })

  it('text that scripts rightly take away stays away', async () => {
    const late = await scrape('/filled-late', { waitFor: 1 })
    expect(late.markdown).toContain('Reading 59 of the gauge was taken by script.')
    const routed = await scrape('/routed', { waitFor: 1 })
    expect(routed.markdown).toContain('Please sign in first')
    const script = "document.querySelector('main p').textContent = 'Taken away on request'"
    const acted = await scrape('/whole', { actions: [{ type: 'executeJavascript', script }] })
    expect(acted.markdown).toContain('Taken away on request')
    for (const { warning = '' } of [late, routed, acted]) expect(warning).not.toMatch(/less text/)
  })

  it('a page that blocks every visit is an error after the browser has tried too', async () => {
    const error = await failure(scrape('/block/cloudflare', { timeout: 100_000 }))
    expect(error).toMatchObject({ status: 500, code: 'SCRAPE_SITE_ERROR' })
  })
})

describe('tiers', () => {
  it('auto goes up to the enhanced tier when the basic one is blocked, in disguise before the browser', async () => {
    const document = await scrape('/browser/guarded')
    expect(document.markdown).toMatch(/The guard has seen enough/)
    expect(document.metadata.proxyUsed).toBe('stealth')
    const { engine, steps } = await explain(document)
    expect(engine).toBe('http')
    expect(steps.filter((step: Json) => step.step === 'judge')).toHaveLength(2)
    expect(steps.find((step: Json) => step.step === 'choose')).toMatchObject({ proxy: 'enhanced' })
    expect(steps.filter((step: Json) => step.step === 'http').at(-1)).toMatchObject({ status: 200, proxy: 'enhanced' })
  })

  it('enhanced visits that nobody was refused teach nothing: auto still begins with the basic tier', async () => {
    for (const n of [1, 2, 3]) await scrape(`/served/root/${n}`, { proxy: 'enhanced' })
    const document = await scrape('/served/root/9')
    expect(document.metadata.proxyUsed).toBe('basic')
    expect((await explain(document)).steps.filter((step: Json) => step.proxy === 'enhanced')).toEqual([])
  })

  it('auto draws with the enhanced browser what the disguise was let in to', async () => {
    const document = await scrape('/browser/guarded-drawn')
    expect(document.markdown).toMatch(/Drawn for whoever was let in/)
    expect(document.metadata.proxyUsed).toBe('stealth')
    const { engine, steps } = await explain(document)
    expect(engine).toBe('browser')
    expect(steps.filter((step: Json) => step.step === 'judge').map((step: Json) => step.because)).toEqual([
      'blocked',
      'blocked',
      'shell',
    ])
  })

  it('enhanced runs scripts in the world of the page, and does not look like a program', async () => {
    const script = '[typeof facts, navigator.webdriver, navigator.userAgentData.brands.length]'
    const { actions, metadata } = await scrape('/browser/device', {
      proxy: 'enhanced',
      actions: [{ type: 'executeJavascript', script }],
    })
    expect(actions.javascriptReturns).toEqual([{ type: 'array', value: ['function', false, 3] }])
    expect(metadata.proxyUsed).toBe('stealth')
  })
})

// Together: much of their time is waiting.
describe.concurrent('rendering', () => {
  it('waits on top of the smart wait when told to', async () => {
    const started = performance.now()
    await scrape('/article', { waitFor: 700 })
    expect(performance.now() - started).toBeGreaterThan(700)
  })

  it.each(sampleRows(['chain', 'faded', 'moved', 'seen', 'sized', 'faded-slowly', 'faded-slot', 'faded-late'], 3))(
    'draws frames for a page that waits for them: %s',
    async (way) => {
      const { markdown } = await scrape(`/browser/framed/${way}`, { waitFor: 1, onlyMainContent: false })
      expect(markdown).toMatch(/Drawn at last/)
    },
  )

  it('folds in open shadow roots and frames of the same origin', async () => {
    const { markdown } = await scrape('/browser/nested', { waitFor: 1 })
    expect(markdown).toMatch(/## Slotted title/)
    expect(markdown).toMatch(/Text in the shadow\./)
    expect(markdown).toMatch(/Text in the frame\./)
  })

  it('wakes lazy images and follows a page that grows, within bounds', async () => {
    expect((await scrape('/browser/lazy', { formats: ['images'], waitFor: 1 })).images).toContain(
      `${site.url}/img/7.png`,
    )
    const { markdown } = await scrape('/browser/endless', { waitFor: 1 })
    const items = markdown.match(/Item \d+/g).length
    expect(items).toBeGreaterThan(10)
    expect(items).toBeLessThan(500)
  })

  it('refuses the cookie wall: it is gone, and the site was told no', async () => {
    const { markdown } = await scrape('/browser/cookies', { waitFor: 1, onlyMainContent: false })
    expect(markdown).toMatch(/Your choice was: no/)
    expect(markdown).not.toMatch(/812 partners/)
  })

  it('refuses by the steps of the provider where no button says no, and leaves the question when told to', async () => {
    const { markdown, screenshot } = await scrape('/browser/hidden-refusal', {
      formats: ['markdown', 'screenshot'],
      onlyMainContent: false,
    })
    expect(markdown).toMatch(/Allowed: nothing/)
    expect(markdown).not.toMatch(/731 partners/)
    expect(screenshot).toMatch(/^http/)
    const left = await scrape('/browser/hidden-refusal', { waitFor: 1, blockAds: false, onlyMainContent: false })
    expect(left.markdown).toMatch(/731 partners/)
  })

  it('sends the headers of the caller to the site, cookies included', async () => {
    const headers = { 'X-Harbour': 'seven', Cookie: 'berth=12', 'User-Agent': 'mine/2' }
    const { markdown } = await scrape('/browser/headers', { waitFor: 1, headers, onlyMainContent: false })
    expect(markdown.match(/"x-harbour":"seven"/g)).toHaveLength(2)
    expect(markdown.match(/berth=12/g)).toHaveLength(2)
    expect(markdown.match(/"user-agent":"mine\/2"/g)).toHaveLength(2)
  })

  it('names one version of Chromium in plain requests and in the browser', async () => {
    const versions = async (body: object) => {
      const { markdown } = await scrape('/browser/headers', { ...body, onlyMainContent: false })
      return [
        ...new Set([...markdown.matchAll(/Chrome\/(\d+)|Chrom\w+\W+v=\W+(\d+)/g)].map((found) => found[1] ?? found[2])),
      ]
    }
    const [plain, drawn] = [await versions({}), await versions({ waitFor: 1 })]
    expect(plain).toHaveLength(1)
    expect(plain).toEqual(drawn)
  })

  it('is a phone when told to be one', async () => {
    const seen = JSON.parse(
      (await scrape('/browser/device', { mobile: true })).markdown.match(/\{.*\}/)[0].replaceAll('\\', ''),
    )
    expect(seen.ua).toMatch(/Mobile Safari/)
    expect(seen.width).toBe(390)
    expect(seen.touch).toBeGreaterThan(0)
  })

  it('is where the location says', async () => {
    const location = { country: 'JP', languages: ['ja-JP'] }
    const seen = JSON.parse(
      (await scrape('/browser/device', { actions: [{ type: 'wait', selector: '[data-placed]' }], location })).markdown
        .match(/\{.*\}/)[0]
        .replaceAll('\\', ''),
    )
    expect(seen).toMatchObject({ zone: 'Asia/Tokyo', language: 'ja-JP', webdriver: false })
    expect(seen.latitude).toBeCloseTo(35.68, 1)
  })

  it('hands a file that is met in the browser to the readers', async () => {
    const document = await scrape('/paper.pdf', { waitFor: 1, parsers: [] })
    const isPaper = ({ markdown }: Json) => /^%PDF/.test(Buffer.from(markdown, 'base64').toString('latin1'))
    expect(isPaper(document)).toBe(true)
    for (const formats of [['markdown'], ['markdown', 'screenshot']])
      expect(isPaper(await scrape('/browser/to-paper', { waitFor: 1, parsers: [], formats }))).toBe(true)
    const error = await failure(scrape('/paper.pdf', { actions: [{ type: 'scrape' }] }))
    expect(error).toMatchObject({ status: 400, code: 'SCRAPE_ACTIONS_NOT_SUPPORTED' })
  })

  it('reads a page that breaks what scripts stand on, and one that is made of frames', async () => {
    for (const formats of [['markdown'], ['markdown', 'screenshot']])
      expect((await scrape('/browser/broken-world', { waitFor: 1, formats })).markdown).toMatch(/A page that breaks/)
    expect((await scrape('/browser/frames', { waitFor: 1, onlyMainContent: false })).markdown).toMatch(/in the frame/)
  })

  it('does not take a page that moves its address along for one that never arrives', async () => {
    for (const formats of [['markdown'], ['markdown', 'screenshot']]) {
      const { markdown, metadata } = await scrape('/browser/steps', { waitFor: 1, formats })
      expect(markdown).toContain('while it stays')
      expect(metadata.url).toMatch(/#29$/)
    }
  })

  it.each([{ formats: ['markdown'] }, { formats: ['markdown', 'screenshot'] }, { proxy: 'enhanced' }])(
    'keeps the status of an error without a body, which a full Chromium replaces by a page of its own: %j',
    async (options) => {
      const { markdown, metadata } = await scrape('/gone', { waitFor: 1, ...options })
      expect(markdown).toBe('')
      expect(metadata).toMatchObject({ statusCode: 410, url: `${site.url}/gone` })
    },
  )

  it('keeps the status of the page and the redirects that led to it', async () => {
    expect((await scrape('/status/404', { waitFor: 1 })).metadata).toMatchObject({
      statusCode: 404,
      error: 'Not Found',
    })
    expect((await scrape('/browser/login', { waitFor: 1 })).metadata.statusCode).toBe(401)
    const headers = { Authorization: 'Basic YTpi' }
    expect((await scrape('/browser/login', { waitFor: 1, headers })).markdown).toMatch(/Welcome/)
  })
})

describe.concurrent('actions', () => {
  it('runs every kind in order and returns what they made', async () => {
    const document = await scrape('/browser/doing', {
      formats: ['markdown', { type: 'screenshot', fullPage: true, quality: 60, viewport: { width: 800, height: 600 } }],
      actions: [
        { type: 'wait', milliseconds: 50 },
        { type: 'wait', selector: '#late' },
        { type: 'click', selector: '#more' },
        { type: 'click', selector: '.each', all: true },
        { type: 'click', selector: '.nothing', all: true },
        { type: 'click', selector: '#name' },
        { type: 'write', text: 'Ada' },
        { type: 'press', key: 'ENTER' },
        { type: 'scroll', direction: 'down' },
        { type: 'scroll', direction: 'up', selector: '#box' },
        { type: 'screenshot' },
        { type: 'screenshot', fullPage: true, quality: 50 },
        { type: 'scrape' },
        { type: 'executeJavascript', script: 'return { a: [1, null], b: document.title }' },
        { type: 'executeJavascript', script: '6 * 7' },
        { type: 'executeJavascript', script: 'undefined' },
        { type: 'pdf', format: 'A5', landscape: true, scale: 0.8 },
      ],
    })
    expect(document.markdown).toMatch(/clicked/)
    expect(document.markdown.match(/\beach\b/g)).toHaveLength(2)
    expect(document.markdown).toMatch(/hello Ada/)
    const { screenshots, scrapes, javascriptReturns, pdfs } = document.actions
    expect(scrapes).toEqual([{ url: `${site.url}/browser/doing`, html: expect.stringContaining('hello Ada') }])
    expect(javascriptReturns).toEqual([
      { type: 'object', value: { a: [1, null], b: 'scrolled' } },
      { type: 'number', value: 42 },
      { type: 'undefined', value: null },
    ])
    const types = await Promise.all([...screenshots, ...pdfs, document.screenshot].map(typeOf))
    expect(types).toEqual(['image/png', 'image/jpeg', 'application/pdf', 'image/jpeg'])
    expect(document.screenshot).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v2\/media\//)
  })

  it('all four arrays are there even when the actions make nothing', async () => {
    const { actions } = await scrape('/article', { actions: [{ type: 'wait', milliseconds: 1 }] })
    expect(actions).toEqual({ screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] })
  })

  it.each([
    [
      'a click on nothing',
      [
        { type: 'wait', milliseconds: 1 },
        { type: 'click', selector: '#nope' },
      ],
      /^Action 1 \(click\) failed: nothing matched "/,
    ],
    ['writing without a focus', [{ type: 'write', text: 'x' }], /^Action 0 \(write\).*focus/],
    ['a script that throws', [{ type: 'executeJavascript', script: 'throw new Error("boom")' }], /^Action 0 .*boom/],
    ['a selector that is none', [{ type: 'click', selector: 'a[' }], /^Action 0 \(click\)/],
  ])('%s names the action and the reason', async (_name, actions, message) => {
    const error = await failure(scrape('/browser/doing', { actions }))
    expect(error).toMatchObject({ status: 500, code: 'SCRAPE_ACTION_ERROR' })
    expect(error.message).toMatch(message)
  })
})

const typeOf = async (link: string): Promise<string | null> => {
  const response = await fetch(link)
  expect(response.status).toBe(200)
  await response.arrayBuffer()
  return response.headers.get('content-type')
}

describe('screenshots', () => {
  it('are links that nobody can guess', async () => {
    const { screenshot } = await scrape('/article', { formats: ['screenshot'] })
    expect(await typeOf(screenshot)).toBe('image/png')
    expect((await fetch(`${screenshot.slice(0, -1)}${screenshot.endsWith('A') ? 'B' : 'A'}`)).status).toBe(404)
  })

  it('of a page of 60,000 pixels are cut, with a warning', async () => {
    const document = await scrape('/browser/tall', { formats: [{ type: 'screenshot', fullPage: true, quality: 20 }] })
    expect(document.warning).toMatch(/60\d{3} pixels: the screenshot shows its first 16384 only/)
    const bytes = Buffer.from(await (await fetch(document.screenshot)).arrayBuffer())
    expect(jpegHeight(bytes)).toBe(16_384)
  })

  it('travel in the answer when nothing may be kept', async () => {
    const { screenshot } = await scrape('/article', { formats: ['screenshot'], zeroDataRetention: true })
    expect(screenshot).toMatch(/^data:image\/png;base64,iVBOR/)
  })

  it('of letters that this machine has no font for come with a warning, and /health says so too', async () => {
    const { warning = '' } = await scrape('/browser/han', { formats: ['screenshot'] })
    const { notes } = (await service.call('GET', '/health')).json
    expect([/No font for Chinese/.test(warning)]).toEqual([
      notes.some((note: string) => /No font for Chinese/.test(note)),
    ])
  })

  it('are asked for once', async () => {
    const { status, json } = await service.call('POST', '/v2/scrape', {
      url: site.url,
      formats: ['screenshot', { type: 'screenshot' }],
    })
    expect(status).toBe(400)
    expect(json.error).toBe('You may only specify one screenshot format')
  })
})

/** Height from the frame header of a JPEG. */
function jpegHeight(bytes: Buffer): number {
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2))
    if ([0xc0, 0xc1, 0xc2].includes(bytes[at + 1] ?? 0)) return bytes.readUInt16BE(at + 5)
  return 0
}

describe.concurrent('profiles', () => {
  it('remember cookies and storage from scrape to scrape, unless told not to save', async () => {
    const visit = async (saveChanges: boolean) =>
      (await scrape('/browser/storage', { profile: { name: 'harbour', saveChanges } })).markdown
    expect(await visit(false)).toMatch(/cookie none, storage nothing/)
    expect(await visit(true)).toMatch(/cookie none, storage nothing/)
    expect(await visit(false)).toMatch(/cookie visit=1, storage kept/)
  })

  it('let one scrape save at a time; the second is told 409, a reader is not', async () => {
    const profile = { name: 'busy', saveChanges: true }
    const release = hold()
    const first = scrape('/held', { profile, waitFor: 1, timeout: 120_000 })
    await until(() => site.hits('/held') > 0)
    expect((await failure(scrape('/article', { profile }))).status).toBe(409)
    await scrape('/article', { profile: { ...profile, saveChanges: false } })
    release()
    await first
    await scrape('/article', { profile })
  })

  it('begin with cookies and storage of another browser, which are never returned', async () => {
    const put = (content: unknown, more: object = {}) =>
      service.call('PUT', '/v2/interact/profiles/brought', { content, ...more })
    const text = `${site.host}\tFALSE\t/\tFALSE\t0\tvisit\tbrought\nother.example\tFALSE\t/\tFALSE\t0\tx\t1`
    const { json } = await put(text, { domains: [site.host] })
    expect(json).toEqual({ success: true, data: { name: 'brought', cookies: 1, origins: 0, skipped: 1 } })
    const visit = async () =>
      (await scrape('/browser/storage', { profile: { name: 'brought', saveChanges: false } })).markdown
    expect(await visit()).toMatch(/cookie visit=brought, storage nothing/)
    const localStorage = [{ name: 'mark', value: 'carried' }]
    expect((await put({ cookies: [], origins: [{ origin: site.url, localStorage }] })).json.data.origins).toBe(1)
    expect(await visit()).toMatch(/cookie none, storage carried/)
    expect((await put('not a cookie')).json.error).toMatch(/`content`: it has no usable cookie/)
    expect((await service.call('GET', '/v2/interact/profiles')).text).not.toContain('carried')
  })

  it('keep the old state when a save is interrupted', async () => {
    const profile = { name: 'kept' }
    await scrape('/browser/storage', { profile })
    await failure(scrape('/browser/storage', { profile, actions: [{ type: 'click', selector: '#nope' }] }))
    expect((await scrape('/browser/storage', { profile })).markdown).toMatch(/storage kept/)
  })
})

it('retries a failed page with the profile of a session in which a person solved a challenge', async () => {
  const urls = [`${site.url}/challenged`, `${site.url}/article`]
  const profile = { name: 'solved', saveChanges: false }
  const { json } = await service.call('POST', '/v2/batch/scrape', { urls, maxAge: 0, profile, proxy: 'basic' })
  const ended = async () => {
    await until(async () => (await service.sdk.getBatchScrapeStatus(json.id)).status === 'completed')
    return (await service.sdk.getBatchScrapeStatus(json.id)).data.map(({ markdown }) => markdown).join()
  }
  expect(await ended()).not.toContain('open to people')
  const session = (await service.call('POST', '/v2/interact', { profile: { ...profile, saveChanges: true } })).json
  const code = `await page.goto('${urls[0]}'); await page.getByRole('button').click(); await page.getByText('Vault').waitFor()`
  const solved = await service.call('POST', `/v2/interact/${session.id}/execute`, { code, timeout: 120 })
  expect(solved.json.success, solved.text).toBe(true)
  await service.call('DELETE', `/v2/interact/${session.id}`)
  expect((await service.call('POST', `/v2/batch/scrape/${json.id}/retry`)).json).toMatchObject({ retried: 1 })
  expect(await ended()).toContain('open to people')
})

describe.concurrent('files that a page hands out', () => {
  const actions = ['#report', '#note', '#table'].map((selector) => ({ type: 'click', selector }))

  it('are kept and turned into markdown', async () => {
    const { downloads, warning = '' } = await scrape('/files', { actions, downloads: { parse: true } })
    expect(warning).not.toMatch(/more files than|could not be kept/)
    expect(downloads).toHaveLength(3)
    const named = Object.fromEntries(downloads.map((file: Json) => [file.name, file]))
    expect(named['report.html'].markdown).toContain('# Report')
    expect(named['table.csv'].markdown).toContain('| Lamp | 3 |')
    expect(named['note.txt']).toMatchObject({ bytes: 10, markdown: expect.stringContaining('short note') })
    expect(await (await fetch(named['table.csv'].url)).text()).toBe('item,count\nLamp,3\n')
    expect(named['table.csv'].sha256).toMatch(/^[0-9a-f]{64}$/)
  })

  it('are named in a warning when they were not asked for', async () => {
    const document = await scrape('/files', { actions: actions.slice(2) })
    expect(document.downloads).toBeUndefined()
    expect(document.warning).toContain('table.csv')
    expect((await failure(scrape('/files', { downloads: {} }))).status).toBe(400)
  })
})
