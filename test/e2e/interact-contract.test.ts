// The lines of the wire contract about live sessions that no other test stands for: which of two wishes counts, a session
// that a scrape goes on in, what is null and what is empty, links for those who wanted none, and every subcommand that
// released clients send, with the prefix and without it.
import { describe, expect, it } from 'vitest'
import type { Json } from './service.ts'
import { shared } from './shared.ts'

const { site, service } = shared({
  '/form': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><title>Form</title><h1>Form</h1><label>Name <input id="name"></label>
      <button onmouseover="document.title='Hovered'" onclick="document.title='Sent ' + document.querySelector('#name').value">Send</button>
      <p id="keys"></p><div style="height:4000px">Long</div><script>onkeydown = ({ key }) => { keys.textContent += key }</script>`)
  },
  '/next': ({ response }) =>
    void response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<title>Next</title><h1>Next</h1><p>Some words.</p>'),
})

const open = async (body: object = {}): Promise<Json> => (await service.call('POST', '/v2/interact', body)).json
const drop = (id: string) => service.call('DELETE', `/v2/interact/${id}`)
const scraped = async (): Promise<string> =>
  (await service.sdk.scrape(`${site.url}/form`, { formats: ['markdown'] })).metadata?.scrapeId ?? ''

describe('a session bound to a scrape', () => {
  it('takes code before words, overlooks keys that nobody knows, and says nothing where there is nothing', async () => {
    const id = await scraped()
    const body = { code: '1 + 1', prompt: 'click Send', somethingNew: true, profile: { name: 'overlooked' } }
    const both = (await service.call('POST', `/v2/scrape/${id}/interact`, body)).json
    expect(both).toMatchObject({ success: true, result: '2', exitCode: 0 })
    expect(both.output ?? null).toBeNull()
    expect([both.liveUrl, both.sessionUrl]).toEqual([both.liveViewUrl, both.interactiveLiveViewUrl])
    const nothing = await service.sdk.interact(id, { code: 'void 0' })
    expect([nothing.result ?? null, nothing.output ?? null]).toEqual([null, null])
    const failed = await service.sdk.interact(id, { code: 'throw new Error("no luck")' })
    expect(failed).toMatchObject({ success: false, error: expect.stringContaining('no luck') })
    // After words, the result is the page as it stands then.
    const words = await service.sdk.interact(id, { prompt: 'type Ada into Name and click Send' })
    expect(words).toMatchObject({ success: true, result: expect.stringContaining('Send') })
    expect((await service.sdk.interact(id, { code: 'await page.title()' })).result).toBe('Sent Ada')
    expect((await service.call('GET', '/v2/interact/profiles')).json.profiles).toEqual([])
    await service.sdk.stopInteraction(id)
  })

  it('goes on in a session that is open already, of its own team alone', async () => {
    const own = await open()
    await service.call('POST', `/v2/interact/${own.id}/execute`, { code: `await page.goto('${site.url}/next')` })
    const id = await scraped()
    const options = { code: 'await page.title()', existingSessionId: own.id }
    const adopted = (await service.call('POST', `/v2/scrape/${id}/interact`, options)).json
    expect(adopted).toMatchObject({ success: true, sessionId: own.id, result: 'Next' })
    const later = await service.sdk.interact(id, { code: 'page.url()' })
    expect(later.result).toBe(`${site.url}/next`)
    const nobody = { ...options, existingSessionId: '019a0000-0000-7000-8000-000000000000' }
    expect((await service.call('POST', `/v2/scrape/${await scraped()}/interact`, nobody)).status).toBe(404)
    await service.sdk.stopInteraction(id)
    expect((await service.call('GET', `/v2/interact/${own.id}`)).json.status).toBe('destroyed')
  })

  it('takes no data by options that only an older version had, and says so', async () => {
    const reply = await service.call('POST', '/v2/scrape', { url: `${site.url}/form`, jsonOptions: { prompt: 'x' } })
    expect([reply.status, reply.json.warning]).toEqual([200, expect.stringContaining('`jsonOptions`')])
    expect(reply.json.data.json).toBeUndefined()
  })
})

describe('a session of its own', () => {
  it('has links that are texts always, and is listed by state, the newest first', async () => {
    const unseen = await open({ streamWebView: false })
    expect(unseen).toMatchObject({ liveViewUrl: '', interactiveLiveViewUrl: '', cdpUrl: expect.stringMatching(/^ws:/) })
    const seen = await open()
    const { sessions = [] } = await service.sdk.listBrowsers({ status: 'active' })
    expect(sessions.map(({ id }) => id).slice(0, 2)).toEqual([seen.id, unseen.id])
    for (const one of sessions)
      for (const text of [one.cdpUrl, one.liveViewUrl, one.createdAt, one.lastActivity])
        expect(typeof text).toBe('string')
    for (const { id } of [unseen, seen]) await drop(id)
    const ended = (await service.sdk.listBrowsers({ status: 'destroyed' })).sessions ?? []
    expect(ended.map(({ id }) => id)).toEqual(expect.arrayContaining([seen.id, unseen.id]))
    expect(ended.find(({ id }) => id === seen.id)).toMatchObject({ status: 'destroyed', cdpUrl: '', liveViewUrl: '' })
    expect((await service.call('GET', '/v2/browser?status=error')).json).toMatchObject({ success: true, sessions: [] })
  })

  it('knows every subcommand that clients send, bare and with its prefix', async () => {
    const { id } = await open()
    const run = async (code: string): Promise<string> => {
      const reply = await service.sdk.browserExecute(id, { code, language: 'bash' })
      expect([code, reply.exitCode, reply.stderr]).toEqual([code, 0, ''])
      return reply.stdout ?? ''
    }
    const node = async (code: string) => (await service.sdk.browserExecute(id, { code, language: 'node' })).result
    expect(await run(`open ${site.url}/form`)).toContain('Form')
    const refIn = (snapshot: string, name: string) =>
      /@?(e\d+)/.exec(snapshot.split('\n').find((line) => line.includes(name)) ?? '')?.[1]
    expect(await run('agent-browser snapshot')).toContain('Form')
    const snapshot = await run('snapshot -i')
    const [name, send] = [refIn(snapshot, 'Name'), refIn(snapshot, 'Send')]
    expect([name, send]).toEqual([expect.stringMatching(/^e/), expect.stringMatching(/^e/)])
    await run(`fill @${name} "Ada L"`)
    await run(`agent-browser type @${name} " of London"`)
    expect(await node('await page.inputValue("#name")')).toContain('of London')
    await run(`hover @${send}`)
    expect(await run('get title')).toBe('Hovered\n')
    await run('press Escape')
    expect(await run('get text "#keys"')).toContain('Escape')
    await run(`click @${send}`)
    expect(await run('agent-browser get title')).toMatch(/^Sent /)
    await run('scroll down')
    expect(Number(await node('await page.evaluate(() => scrollY)'))).toBeGreaterThan(0)
    expect(await run('get url')).toBe(`${site.url}/form\n`)
    expect(await run('eval "1 + 41"')).toBe('42\n')
    expect((await run('screenshot')).length).toBeGreaterThan(1)
    await run(`open ${site.url}/next`)
    expect(await run('scrape')).toContain('Some words.')
    await run('back')
    expect(await run('get url')).toBe(`${site.url}/form\n`)
    await run('tab new')
    expect((await run('tab list')).trim().split('\n').length).toBeGreaterThanOrEqual(2)
    expect(await run('--help')).toContain('snapshot')
    expect(await run('echo ready; ls /tmp; test -n "$CDP_URL" && echo there')).toMatch(/^ready\n[\s\S]*there\n$/)
    await drop(id)
  })
})
