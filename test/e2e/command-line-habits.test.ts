// The habits of the command line: help in groups, typos understood, files and pipes, pictures and front matter, the dashboard
// opened and MCP clients connected.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { launch, request, runToEnd } from './service.ts'
import { shared } from './shared.ts'
import { until } from './waiting.ts'

const folder = mkdtempSync(join(tmpdir(), 'orb-habits-'))
const { site, service } = shared()
const orb = (...args: string[]) => runToEnd({ ORB_URL: service.url, ORB_API_KEY: service.key }, args)

/** With something coming through the pipe. */
function piped(input: string, ...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const env = { PATH: process.env.PATH ?? '', ORB_URL: service.url, ORB_API_KEY: service.key }
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../dist/main.js'), ...args], { env })
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.err += chunk
  })
  child.stdin.end(input)
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...output })))
}

describe('help', () => {
  it('is in groups, plain in a pipe, and a family has a page of its own', async () => {
    const { out, code } = await orb('help')
    expect(code).toBe(0)
    for (const group of ['Get pages', 'Work with pages', 'Run the service', 'Keys and teams'])
      expect(out).toContain(group)
    expect(out.split('\n').length).toBeLessThan(90)
    expect(out).not.toContain('\u001b')
    const family = await orb('help', 'monitor')
    expect(family).toMatchObject({ code: 0, out: expect.stringContaining('orb monitor create') })
  })

  it('has an example for every command, and those of the service are taken as they are', async () => {
    const { out } = await orb('completion', 'bash')
    expect(out.length).toBeGreaterThan(100)
    for (const name of ['scrape', 'keys create', 'monitor create', 'agent status', 'login', 'connect'])
      expect((await orb('help', ...name.split(' '))).out, name).toMatch(new RegExp(`^Example: orb ${name}`, 'm'))
  })

  it('understands a slip of the fingers', async () => {
    expect((await orb('scarpe', site.url)).err).toMatch(/Did you mean `orb scrape`\?/)
    expect((await orb('scrape', site.url, '--fromats', 'html')).err).toMatch(/did you mean --formats\?/)
    expect((await orb('help', 'crwal')).err).toMatch(/Did you mean `orb help crawl`\?/)
  })
})

describe('a jq filter', () => {
  it('selects from a response and from each line of a job', async () => {
    const title = await orb('scrape', `${site.url}/article`, '--jq', '.data.metadata | .title, (keys | length > 3)')
    expect(title).toMatchObject({ code: 0, out: expect.stringMatching(/^[^"\n]+\ntrue\n$/) })
    const crawl = await orb('crawl', `${site.url}/docs`, '--limit', '1', '--jq', '.metadata.url // empty')
    expect(crawl).toMatchObject({ code: 0, out: `${site.url}/docs\n` })
  })

  it('with a mistake is refused before anything is sent', async () => {
    const { code, err } = await runToEnd({ ORB_URL: 'http://127.0.0.1:1' }, ['scrape', site.url, '--jq', '.data['])
    expect([code, err]).toEqual([2, expect.stringContaining('--jq: jq: error: syntax error')])
  })
})

describe('files and pipes', () => {
  it('waits for a pipe whose other end is slow to write', async () => {
    const env = { PATH: process.env.PATH ?? '', ORB_URL: service.url, ORB_API_KEY: service.key }
    const main = join(import.meta.dirname, '../../dist/main.js')
    const line = `(sleep 2; echo ${site.url}/article) | '${process.execPath}' '${main}' batch -`
    const child = spawn('/bin/sh', ['-c', line], { env })
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        text += chunk
      })
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect([code, text]).toEqual([0, expect.stringContaining('/article')])
  })

  it('addresses come from a file or a pipe, a schema from a file', async () => {
    const list = join(folder, 'urls.txt')
    writeFileSync(list, `# mine\n${site.url}/article\n\n${site.url}/docs\n`)
    const file = await orb('batch', `@${list}`)
    expect(file.code, file.err).toBe(0)
    expect(file.out.trim().split('\n')).toHaveLength(2)
    const pipe = await piped(`${site.url}/article\n${site.url}/docs\n`, 'batch', '-')
    expect(pipe.code, pipe.err).toBe(0)
    expect(pipe.out.trim().split('\n')).toHaveLength(2)
    const schema = join(folder, 'schema.json')
    writeFileSync(
      schema,
      JSON.stringify({ type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }),
    )
    const made = await orb('scrape', `${site.url}/article`, '--schema', `@${schema}`)
    expect(JSON.parse(made.out).data.json.title).toEqual(expect.any(String))
    expect((await orb('batch', '@/nowhere.txt')).err).toMatch(/nowhere\.txt cannot be read \(ENOENT\)/)
  })

  it('-o writes the picture for a screenshot, and a page with its address on top', async () => {
    const picture = join(folder, 'page.png')
    const shot = await orb('scrape', `${site.url}/article`, '--formats', 'screenshot', '-o', picture)
    expect(shot.code, shot.err).toBe(0)
    expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG')
    const text = join(folder, 'page.md')
    await orb('scrape', `${site.url}/article`, '-o', text)
    expect(readFileSync(text, 'utf8')).toMatch(/^---\nurl: "http:\/\/127.*\/article"\ntitle: ".+"\nstatus: 200\n/)
    const none = await orb('scrape', `${site.url}/article`, '-o', picture)
    expect(none).toMatchObject({ code: 2, err: expect.stringMatching(/--formats screenshot/) })
  })

  it('a page that is not there is noted', async () => {
    const { json } = await service.call('GET', '/zoo/index.json')
    const gone = await orb('scrape', `${json.origin}/zoo/missing`)
    expect(gone).toMatchObject({ code: 0, err: expect.stringMatching(/the site returned 404/) })
  })
})

it('monitor create takes an address, a rhythm and a goal', async () => {
  const url = `${site.url}/article`
  const made = await orb('monitor', 'create', url, '--every', '6h', '--goal', 'the tide changes', '--json')
  expect(made.code, made.err).toBe(0)
  const { data } = JSON.parse(made.out)
  expect(data).toMatchObject({ goal: 'the tide changes', name: new URL(url).host, targets: [{ urls: [url] }] })
  expect(data.schedule.cron).toMatch(/^\d+ \d+-23\/6 \* \* \*$/)
  const odd = await orb('monitor', 'create', url, '--every', '7m')
  expect(odd).toMatchObject({ code: 1, err: expect.stringMatching(/does not divide the hour/) })
  expect(await orb('monitor', 'create', url, '--every')).toMatchObject({ code: 2 })
})

describe('open and connect', () => {
  it('login gets a key through the dashboard, and commands use it for that service only', async () => {
    const env = { HOME: mkdtempSync(join(folder, 'home-')), ORB_DATA_DIR: join(folder, 'no-data') }
    const { child, output } = launch(env, ['login', '--service', service.url])
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const asked = () => /code_challenge=([\w-]+)#session_id=(\w+)\n/.exec(output.err)
    await until(() => asked() !== null)
    const [, code_challenge, session_id] = asked()!
    const body = { session_id, code_challenge, name: 'my laptop' }
    expect((await service.call('POST', '/api/auth/cli/complete', body)).status).toBe(200)
    expect([await ended, output.out]).toEqual([0, expect.stringMatching(/^Logged in to /)])
    const me = await runToEnd(env, ['whoami', '--json'])
    expect(JSON.parse(me.out).data.key.name).toBe('my laptop')
    const elsewhere = await runToEnd(env, ['whoami', '--service', service.url.replace('127.0.0.1', 'localhost')])
    expect(elsewhere.code).toBe(1)
    expect((await runToEnd(env, ['logout'])).out).toMatch(/^Logged out of /)
  })

  it('open prints an address that signs in once', async () => {
    const { out, code } = await orb('open', '--print')
    expect(code).toBe(0)
    const signIn = (secret: string) =>
      request(`${service.url}/api/session`, 'POST', { code: secret }, { origin: service.url })
    const secret = /#code=([\w-]+)/.exec(out)?.[1] ?? ''
    expect((await signIn(secret)).json).toMatchObject({ success: true, data: { signedIn: true } })
    expect((await signIn(secret)).status).toBe(403)
    expect((await request(`${service.url}/api/session/code`, 'POST', {}, {})).status).toBe(401)
  })

  it('connect writes the entry of a client and leaves the rest of its settings alone', async () => {
    const file = join(folder, 'mcp.json')
    writeFileSync(file, JSON.stringify({ theme: 'dark', mcpServers: { other: { url: 'http://x' } } }))
    expect((await orb('connect', 'cursor', '--file', file)).code).toBe(0)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      theme: 'dark',
      mcpServers: {
        other: { url: 'http://x' },
        orbweaver: { url: `${service.url}/mcp`, headers: { Authorization: `Bearer ${service.key}` } },
      },
    })
    writeFileSync(file, '{ // a comment\n}')
    expect(await orb('connect', 'cursor', '--file', file)).toMatchObject({ code: 1 })
    expect(readFileSync(file, 'utf8')).toContain('a comment')
    expect((await orb('connect', 'nobody')).err).toMatch(
      /n8n, dify, .*claude, claude-desktop, cursor, vscode, windsurf/,
    )
    expect((await orb('connect', 'n8n')).out).toMatch(/Base URL +http:\S+\/v2\nAPI Key +fc-/)
  })
})

describe('conformance', () => {
  it('holds here, and tells what another service breaks', async () => {
    const { out, code } = await orb('conformance', '--page', `${site.url}/article`)
    expect(code, out).toBe(0)
    expect(out).toMatch(/15 of 15 hold/)
    const other = await orb('conformance', site.url, '--page', `${site.url}/article`, '--json')
    expect(other.code).toBe(1)
    expect(
      other.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).holds),
    ).toContain(false)
  })
})
