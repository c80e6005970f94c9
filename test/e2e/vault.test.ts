// The vault: sign-ins are typed where they belong and nowhere else, and nothing that is stored or returned has them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type Pages, type Site, startSite } from '../site/site.ts'
import { holders } from './raw-bytes.ts'
import { openReceiver } from './receiver.ts'
import { type Service, startService } from './service.ts'
import { until } from './waiting.ts'

const USER = 'marker-user-7f31'
const PASSWORD = 'marker-pass-9c02'
const KEY = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

let codes: string[] = []
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

let site: Site
let service: Service

beforeAll(async () => {
  site = await startSite(pages)
  service = await startService({ env: { ORB_VAULT_LOOPBACK_HTTP: 'on', ORB_ALLOW_PRIVATE: '127.0.0.1,localhost' } })
  const entry = { domain: '127.0.0.1', username: USER, password: PASSWORD, totp: `otpauth://totp/shop?secret=${KEY}` }
  expect((await service.call('PUT', '/v2/vault/shop', entry)).status).toBe(200)
})
afterAll(async () => {
  await service?.stop()
  await site?.close()
})

async function signIn(url: string) {
  await service.call('PUT', '/v2/flow/sign-in', {
    steps: [
      { type: 'open', url },
      { type: 'login', vault: 'shop' },
    ],
  })
  return service.call('POST', '/v2/flow/sign-in/run', { formats: ['markdown', 'rawHtml'] })
}

const execute = (id: string, code: string) =>
  service.call('POST', `/v2/interact/${id}/execute`, { code, language: 'node' })

/** A recorded session that shows this page. */
async function session(path: string, webhook?: object) {
  const { id, liveViewUrl } = (await service.call('POST', '/v2/interact', { recordSession: true, webhook })).json
  await execute(id, `await page.goto('${site.url}${path}')`)
  const prompt = async (text: string) =>
    (await service.call('POST', `/v2/interact/${id}/prompt`, { prompt: text, timeout: 90 })).json
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
    const { json } = await signIn(`${site.url}/login`)
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
    expect(listed.entries).toMatchObject([{ name: 'shop', domain: '127.0.0.1' }])
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
    expect(json).toMatchObject({ code: 'FLOW_STEP_FAILED', error: expect.stringContaining('the field is of') })
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
    const entry = { domain: '127.0.0.1', username: USER, password: PASSWORD }
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
    const { json } = await signIn(`${site.url}/login`)
    expect(json.error).toContain('the vault has no entry "shop"')
    const bad = { domain: 'https://x.com/', username: 'a', password: 'b', totp: 'otpauth://hotp/x' }
    const refused = await service.call('PUT', '/v2/vault/shop', bad)
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.json)).toMatch(/must be a host[\s\S]*otpauth/)
  })
})
