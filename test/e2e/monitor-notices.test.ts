// How people are told: mail over a real SMTP server with confirmation and one-click unsubscribe, chats, feeds, the log of
// messages without a mail server; and what people do with changes: look back, teach, import, export.
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Site, startSite } from '../site/site.ts'
import { type Json, type Service, startService } from './service.ts'
import { type Calls, newTeam } from './team.ts'
import { until } from './waiting.ts'

const mails: { to: string[]; text: string }[] = []
const chats: { path: string; headers: http.IncomingHttpHeaders; text: string }[] = []
let said = 'The library opens at nine.'
let smtp: SMTPServer
let chat: http.Server
let chatBase: string
let site: Site
let service: Service
let quiet: Service

const LONG = 'This page tells at some length about things that stay as they are, so that it has a body worth reading.'

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let text = ''
      stream.on('data', (chunk) => {
        text += chunk
      })
      stream.on('end', () => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text: decoded(text) })
        done()
      })
    },
  })
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  chat = http.createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      chats.push({ path: request.url ?? '', headers: request.headers, text })
      response.writeHead(200).end()
    })
  })
  chat.listen(0, '127.0.0.1')
  await once(chat, 'listening')
  chatBase = `127.0.0.1:${(chat.address() as AddressInfo).port}`
  site = await startSite({
    '/told': ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(
        `<html><head><title>Library</title></head><body><main><h1>Library</h1><p>${LONG}</p><p>${said}</p></main></body></html>`,
      )
    },
  })
  const env = { ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port},${chatBase}`, ORB_MONITOR_CONFIRM_MS: '10' }
  const { port } = smtp.server.address() as AddressInfo
  service = await startService({
    env: { ...env, ORB_SMTP_URL: `smtp://127.0.0.1:${port}`, ORB_MAIL_FROM: 'Watch <watch@example.org>' },
  })
  quiet = await startService({ env })
})
afterAll(async () => {
  await service?.stop()
  await quiet?.stop()
  await site?.close()
  chat?.close()
  smtp?.close()
})

/** Enough of quoted-printable to read a mail. */
const decoded = (text: string) =>
  text
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

async function check(of: Service, id: string): Promise<Json> {
  const started = (await of.sdk.runMonitor(id)) as Json
  await until(async () => ((await of.sdk.getMonitor(id)) as Json).currentCheckId === null, 20_000)
  return of.sdk.getMonitorCheck(id, started.id)
}

const create = (of: Service, notification: object) =>
  of.sdk.createMonitor({
    name: 'Opening hours',
    // Every hour, and not while a test runs.
    schedule: { cron: `${(new Date().getUTCMinutes() + 30) % 60} * * * *` },
    targets: [{ type: 'scrape', urls: [`${site.url}/told`] }],
    notification,
  } as never) as Promise<Json>

describe('mail', () => {
  it('asks first, tells what changed, and stops at one click', async () => {
    const made = await create(service, {
      email: { enabled: true, recipients: ['ada@example.org'], includeDiffs: true },
    })
    await until(() => mails.length === 1)
    expect(mails[0]).toMatchObject({
      to: ['ada@example.org'],
      text: expect.stringMatching(/Someone entered this address/),
    })
    const pending = (await service.sdk.getMonitor(made.id)) as Json
    expect(pending.emailRecipientSubscriptions).toEqual([
      { email: 'ada@example.org', status: 'pending', source: 'opt_in' },
    ])
    const token = /email\/confirm\/([\w-]+)/.exec(mails[0]!.text)![1]!
    expect(token.length).toBeLessThanOrEqual(64)
    const asked = await fetch(`${service.url}/v2/monitor/email/confirm/${token}`)
    expect(await asked.text()).toContain('<form method="post">')
    expect(((await service.sdk.getMonitor(made.id)) as Json).emailRecipientSubscriptions[0].status).toBe('pending')
    const open = (path: string, body: object) =>
      fetch(service.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const yes = await open('/v2/monitor/email/confirm', { token })
    expect(await yes.json()).toMatchObject({
      success: true,
      result: 'confirmed',
      email: 'ada@example.org',
      monitorName: 'Opening hours',
    })
    expect(((await (await open('/v2/monitor/email/confirm', { token })).json()) as Json).result).toBe(
      'already_confirmed',
    )
    const forged = await open('/v2/monitor/email/confirm', { token: `${token.slice(0, -4)}AAAA` })
    expect(forged.status).toBe(404)
    expect(((await forged.json()) as Json).error).toBe('not_found')
    await check(service, made.id)
    expect(mails).toHaveLength(1)
    said = 'The library opens at ten.'
    const changed = await check(service, made.id)
    expect(changed.notificationStatus.email).toMatchObject({ attempted: true, recipients: 1 })
    await until(() => mails.length === 2)
    const { text } = mails[1]!
    expect(text).toMatch(/Subject: Opening hours: Library was changed/)
    expect(text).toMatch(/List-Unsubscribe:\s+<http/)
    expect(text).toMatch(/List-Unsubscribe-Post: List-Unsubscribe=One-Click/)
    expect(text).toContain('+The library opens at ten.')
    expect(text).toMatch(/background:#e6ffec/)
    const stop = /List-Unsubscribe:\s+<([^>]+)>/.exec(text)![1]!
    const gone = await fetch(service.url + new URL(stop).pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(gone.status).toBe(200)
    said = 'The library opens at eleven.'
    await check(service, made.id)
    expect(((await service.sdk.getMonitor(made.id)) as Json).emailRecipientSubscriptions[0].status).toBe('unsubscribed')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(mails).toHaveLength(2)
  })

  it('asks a stranger once a day, in fixed words, and never again after a refusal', async () => {
    const other = await newTeam(service, 'mail cannon')
    const LURE = 'Your bank: sign in at http://phish.example'
    const before = mails.length
    const create = async (of: Calls, email: string) => {
      const { json } = await of('POST', '/v2/monitor', {
        name: LURE,
        schedule: { text: 'hourly' },
        targets: [{ type: 'scrape', urls: [`${site.url}/told`] }],
        notification: { email: { enabled: true, recipients: [email] } },
      })
      return json.data.id as string
    }
    const latest = async (of: Calls, id: string) => (await of('GET', `/v2/monitor/${id}/messages`)).json.data[0]
    await create(service.call, 'eve@example.org')
    await until(() => mails.length === before + 1)
    const again = [
      { of: service.call, id: await create(service.call, 'Eve@example.org') },
      { of: other.call, id: await create(other.call, 'eve@example.org') },
      { of: other.call, id: await create(other.call, 'eve+news@example.org') },
    ]
    for (const { of, id } of again) await until(async () => /contacted today/.test((await latest(of, id))?.error ?? ''))
    expect(mails).toHaveLength(before + 1)
    const { text } = mails[before]!
    expect(text).toMatch(/^Subject: Confirm e-mail about changed web pages\r?$/m)
    expect(text).not.toMatch(/bank|phish/)
    const never = new URL(/List-Unsubscribe:\s+<([^>]+)>/.exec(text)![1]!).pathname
    expect(await (await fetch(service.url + never)).text()).toContain('Never ask me again')
    expect((await fetch(service.url + never, { method: 'POST', body: 'List-Unsubscribe=One-Click' })).status).toBe(200)
    const refused = await create(other.call, 'eve@example.org')
    await until(async () => (await latest(other.call, refused))?.state === 'dead')
    expect((await latest(other.call, refused)).error).toMatch(/refused all further requests/)
    const { emailRecipientSubscriptions: shown } = (await other.call('GET', `/v2/monitor/${refused}`)).json.data
    expect(shown).toMatchObject([{ email: 'eve@example.org', status: 'unsubscribed' }])
    expect(mails).toHaveLength(before + 1)
  })

  it('a test is sent at once and says who did not take it', async () => {
    const nobody = await create(service, {})
    const refused = await service.call('POST', `/v2/monitor/${nobody.id}/test`)
    expect(refused).toMatchObject({ status: 400, json: { error: expect.stringContaining('has no receivers') } })
    await service.call('PATCH', `/v2/monitor/${nobody.id}`, {
      webhook: { url: `http://${chatBase}/hook`, metadata: { of: 'mine' } },
      notification: {
        email: { enabled: true, recipients: ['tess@example.org'] },
        channels: [`ntfy+http://127.0.0.1:9/topic`],
      },
    })
    await service.call('POST', '/v2/admin/webhook-secret')
    const { json } = await service.call('POST', `/v2/monitor/${nobody.id}/test`)
    expect(json.data).toMatchObject([
      { channel: 'webhook', sent: true },
      { channel: 'email', to: 'tess@example.org', sent: false, error: 'The recipient has not confirmed: pending' },
      { channel: 'ntfy', sent: false, error: expect.any(String) },
    ])
    const { headers, text } = chats.at(-1)!
    expect(JSON.parse(text)).toMatchObject({ type: 'monitor.test', metadata: { of: 'mine' } })
    expect(headers['x-webhook-signature']).toMatch(/^sha256=[0-9a-f]{64}$/)
    const stranger = await newTeam(service, 'curious')
    expect((await stranger.call('POST', `/v2/monitor/${nobody.id}/test`)).status).toBe(404)
  })

  it('without a server stands in the log of messages', async () => {
    const made = await create(quiet, { email: { enabled: true, recipients: ['bob@example.org'] } })
    const messages = async () => (await quiet.call('GET', `/v2/monitor/${made.id}/messages`)).json.data
    await until(async () => (await messages())[0]?.state === 'logged')
    expect((await messages())[0]).toMatchObject({
      channel: 'email',
      to: 'bob@example.org',
      error: expect.stringMatching(/ORB_SMTP_URL/),
    })
  })
})

describe('chats and feeds', () => {
  it('are told of a change, each in its own way', async () => {
    const channels = [`http://${chatBase}/slack`, `discord://${chatBase}/discord/a/b`, `ntfy+http://${chatBase}/topic`]
    const made = await create(service, { channels })
    await check(service, made.id)
    said = 'The library is closed.'
    const before = chats.length
    await check(service, made.id)
    await until(() => chats.length >= before + 3)
    const at = (path: string) => chats.find((one) => one.path.startsWith(path))!
    expect(JSON.parse(at('/slack').text).text).toContain('The library is closed.')
    expect(JSON.parse(at('/discord').text).content).toContain('CHANGED')
    expect(at('/topic')).toMatchObject({ headers: { title: expect.stringContaining('Opening hours') } })
    const tested = await service.call('POST', `/v2/monitor/${made.id}/test`)
    expect(tested.json.data).toEqual(channels.map((to) => expect.objectContaining({ to, sent: true })))
    expect(
      chats
        .slice(-3)
        .map(({ text }) => text)
        .join(),
    ).toMatch(/Opening hours: a test/)
    const feed = await fetch(made.feedUrl)
    expect(feed.headers.get('content-type')).toMatch(/atom/)
    expect(await feed.text()).toMatch(/<entry>.*changed: Library/s)
    const { url } = (await service.call('GET', '/v2/monitor/feeds')).json.data
    expect(await (await fetch(url)).text()).toContain('Monitors of default')
    expect((await fetch(`${url.slice(0, -3)}AAA`)).status).toBe(404)
  })
})

describe('what people do with changes', () => {
  it('look back, see both texts, and teach what does not matter', async () => {
    const made = await create(service, {})
    await check(service, made.id)
    said = 'The library hums.'
    await check(service, made.id)
    const [page] = (await service.call('GET', `/v2/monitor/${made.id}/history?limit=5`)).json.data
    expect(page.status).toBe('changed')
    const both = (await service.call('GET', `/v2/monitor/${made.id}/pages/${page.id}`)).json.data
    expect(both.before).toContain('The library is closed.')
    expect(both.after).toContain('The library hums.')
    const taught = await service.call('POST', `/v2/monitor/${made.id}/pages/${page.id}/feedback`, { mattered: false })
    expect(taught.json.data.places).toBeGreaterThan(0)
    said = 'The library sings.'
    const next = await check(service, made.id)
    expect(next.pages[0]).toMatchObject({ status: 'same', suppressed: [{ reason: expect.stringMatching(/you said/) }] })
  })

  it('bring lists along and take them with them', async () => {
    const data = {
      'a1-b2': {
        url: 'https://example.com/a',
        title: 'A',
        include_filters: ['.price'],
        ignore_text: ['Ad', '/\\d+ views/'],
        time_between_check: { hours: 5 },
      },
      'c3-d4': { url: 'ftp://example.com' },
    }
    const taken = await quiet.call('POST', '/v2/monitor/import', { data })
    expect(taken.json.skipped).toMatchObject([{ because: expect.stringMatching(/http/) }])
    expect(taken.json.data[0]).toMatchObject({
      name: 'A',
      watch: { only: ['.price'], ignoreText: ['Ad'], ignorePatterns: ['\\d+ views'] },
      scheduleInWords: expect.stringMatching(/4|6/),
    })
    const yaml =
      'name: "News"\nurl: https://example.com/news\nfilter:\n  - css: main\n---\nurl: https://example.com/two\n'
    const fromYaml = (await quiet.call('POST', '/v2/monitor/import', { data: yaml, schedule: 'daily' })).json.data
    expect(fromYaml).toMatchObject([{ name: 'News', watch: { only: ['main'] } }, { name: 'https://example.com/two' }])
    const along = (await quiet.call('GET', '/v2/monitor/export')).json
    const again = await quiet.call('POST', '/v2/monitor/import', { data: along })
    expect(again.json.data).toHaveLength(along.monitors.length)
    // Who gets mail of an imported monitor is asked as if it had been made here.
    const mailed = again.json.data.find(({ notification }: Json) => notification?.email?.enabled)
    const messages = async () => (await quiet.call('GET', `/v2/monitor/${mailed.id}/messages`)).json.data
    await until(async () => (await messages())[0]?.state === 'logged')
    expect((await messages())[0].to).toBe('bob@example.org')
  })
})
