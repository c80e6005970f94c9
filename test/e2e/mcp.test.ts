// The MCP server as agents meet it: the official client of the protocol, over HTTP and over `orb mcp`.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernStdioTransport } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closedPort, runToEnd, startService } from './service.ts'
import { shared } from './shared.ts'
import { until } from './waiting.ts'

const LINES = 4000
/** The client gives up after a minute; a busy machine may take longer to start a browser. */
const PATIENT = { timeout: 240_000 }
const longPages = {
  '/long': ({ response }: { response: import('node:http').ServerResponse }) => {
    const lines = Array.from({ length: LINES }, (_, at) => `<p>Paragraph number ${at} of a page that is long. 🕸</p>`)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><title>Long</title><main><h1>Long</h1>${lines.join('')}</main>`)
  },
}

const clients: Client[] = []
const { site, operator: service } = shared(longPages)
afterAll(async () => {
  for (const client of clients) await client.close()
})

async function connected(transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport as Parameters<Client['connect']>[0])
  clients.push(client)
  return client
}

const overHttp = (key = service.key) =>
  connected(
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  )

const overStdio = (env: Record<string, string> = {}) =>
  connected(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(import.meta.dirname, '../../dist/main.js'), 'mcp'],
      env: { PATH: process.env.PATH ?? '', ORB_URL: service.url, ORB_API_KEY: service.key, ...env },
      stderr: 'ignore',
    }),
  )

const call = async (client: Client, name: string, args: Record<string, unknown> = {}) => {
  const result = (await client.callTool({ name, arguments: args }, undefined, PATIENT)) as CallToolResult
  const [first] = result.content
  return { isError: result.isError === true, text: first?.type === 'text' ? first.text : '' }
}

describe.each([
  ['over HTTP', () => overHttp()],
  ['over orb mcp', () => overStdio()],
])('%s', (_name, connect) => {
  let client: Client
  beforeAll(async () => {
    client = await connect()
  })

  it('offers the capabilities as tools with short schemas, and the whole of each as a resource', async () => {
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['scrape', 'crawl', 'crawl_status', 'crawl_cancel', 'map', 'batch', 'read_on']),
    )
    expect(names).not.toContain('webhooks_deliveries')
    const scrape = tools.find(({ name }) => name === 'scrape')
    expect(scrape?.inputSchema.required).toEqual(['url'])
    expect(scrape?.inputSchema.properties).toHaveProperty('options')
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain('orbweaver://tools/monitor_import')
    const { contents } = await client.readResource({ uri: 'orbweaver://tools/scrape' })
    const { inputSchema } = JSON.parse((contents[0] as { text: string }).text)
    expect(inputSchema.properties.timeout).toMatchObject({ maximum: 300_000 })
    expect(inputSchema.properties).not.toHaveProperty('useMock')
    await expect(client.readResource({ uri: 'orbweaver://tools/dance' })).rejects.toThrow(/Resource not found/)
  })

  it('takes rarer options beside the others or in `options`, and tells of one that there is not', async () => {
    const url = `${site.url}/article`
    const kept = await call(client, 'scrape', { url, options: { onlyMainContent: false, storeInCache: false } })
    expect(kept, kept.text).toMatchObject({ isError: false })
    expect((await call(client, 'scrape', { url, options: { danceing: 1 } })).text).toMatch(/danceing/)
    expect((await call(client, 'scrape', { url, options: 'fast' })).text).toMatch(/options: must be an object/)
  })

  it('runs the tool that a typed request means', async () => {
    const done = await call(client, 'do', { request: `links on ${site.url}/article` })
    expect(done, done.text).toMatchObject({ isError: false, text: expect.stringContaining('Ran scrape (Links)') })
    expect(await call(client, 'do', { request: '' })).toMatchObject({ isError: true })
  })

  it('describes and calls every other operation by one tool', async () => {
    const { text } = await call(client, 'more_tools', { tool: 'monitor_import' })
    expect(JSON.parse(text).inputSchema.required).toEqual(['data'])
    const formats = await call(client, 'more_tools', { tool: 'parse_formats', arguments: {} })
    expect(formats).toMatchObject({ isError: false, text: expect.stringContaining('pdf') })
    const wrong = await call(client, 'more_tools', { tool: 'parse_format', arguments: {} })
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('Did you mean parse_formats?') })
  })

  it('scrapes a page to markdown with its facts', async () => {
    const { isError, text } = await call(client, 'scrape', { url: `${site.url}/article` })
    expect(isError).toBe(false)
    expect(text).toMatch(/^# /m)
    expect(text).toContain('"statusCode":200')
  })

  it('tells a failure in the words of the service, as an error of the tool', async () => {
    const wrong = await call(client, 'scrape', { url: 'ftp://example.com' })
    expect(wrong).toMatchObject({ isError: true })
    expect(wrong.text).toMatch(/^Invalid URL/)
    const unknown = await call(client, 'scrape', { url: site.url, format: 'markdown' })
    expect(unknown.text).toMatch(/Unrecognized key.*BAD_REQUEST[\s\S]*format/)
    const id = '019a0000-0000-7000-8000-000000000000'
    const missing = await call(client, 'crawl_status', { id })
    expect(missing.text).toMatch(/^Job not found/)
    // Whatever the route calls it, and by the name of the route too.
    expect((await call(client, 'agent_status', { id })).text).toMatch(/^Agent job not found/)
    expect((await call(client, 'agent_status', { jobId: id })).text).toMatch(/^Agent job not found/)
    expect((await call(client, 'crawl_status', { crawlId: id })).text).toMatch(/crawlId: there is no such argument/)
    expect((await call(client, 'crawl_status')).text).toMatch(/id: is missing; crawl_status takes id/)
  })

  it('searches what was scraped, in words an agent can read', async () => {
    await call(client, 'scrape', { url: `${site.url}/article` })
    let text = ''
    await until(async () => {
      text = (await call(client, 'search', { query: 'tide tables', limit: 2 })).text
      return text.includes('/article')
    })
    expect(text).toMatch(/^1\. \S/m)
    expect(text).toContain(`${site.url}/article`)
  })

  it('starts a crawl, tells how it stands and gives its pages', async () => {
    const { text } = await call(client, 'crawl', { url: `${site.url}/article`, limit: 2 })
    const { id } = JSON.parse(text) as { id: string }
    let status = ''
    await until(async () => {
      status = (await call(client, 'crawl_status', { id })).text
      return /"status":"completed"/.test(status)
    })
    expect(status).toContain(`<!-- ${site.url}/article -->`)
  })

  it('says what was deleted', async () => {
    const monitor = { name: 'Tides', schedule: { text: 'daily' }, targets: [{ type: 'scrape', urls: [site.url] }] }
    const { json } = await service.call('POST', '/v2/monitor', monitor)
    const { id } = json.data
    const gone = await call(client, 'monitor_delete', { id })
    expect(gone).toMatchObject({ isError: false, text: expect.stringMatching(new RegExp(`^Done: .*\\(id ${id}\\)`)) })
  })

  it('parses a file by its address, its bytes, or the reference of an upload', async () => {
    const { tools } = await client.listTools()
    expect(tools.find(({ name }) => name === 'parse')?.inputSchema.required).toEqual([])
    const web = await call(client, 'parse', { url: `${site.url}/files/paper.pdf` })
    expect(web, web.text).toMatchObject({ isError: false, text: expect.stringContaining('"totalPages"') })
    const content = Buffer.from('<h1>A note</h1><p>Carried in the message, grüße.</p>').toString('base64')
    const bytes = await call(client, 'parse', { content, filename: 'note.html', onlyMainContent: false })
    expect(bytes, bytes.text).toMatchObject({ isError: false, text: expect.stringContaining('message, grüße') })
    const announced = JSON.parse((await call(client, 'parse_upload_url', { filename: 'n.html' })).text)
    const { uploadUrl, uploadRef } = announced.data ?? announced
    await fetch(uploadUrl, { method: 'PUT', body: '<p>Sent before, and referred to.</p>' })
    expect((await call(client, 'parse', { uploadRef })).text).toContain('Sent before')
  })

  it('says what is wrong with a file that cannot be taken', async () => {
    for (const [given, sentence] of [
      [{}, /Give one of `url`.*None was given/],
      [{ url: site.url, content: 'aGk=' }, /`url` and `content` were given/],
      [{ content: 'aGk=' }, /filename: is missing/],
      [{ content: 'not base64!', filename: 'a.html' }, /content: must be the bytes/],
      [{ content: 'aGk=', filename: 'a.html', dance: true }, /dance|Unrecognized/],
    ] as const)
      expect(await call(client, 'parse', given)).toMatchObject({
        isError: true,
        text: expect.stringMatching(sentence),
      })
  })

  it('a tool that does not exist is named as such, with those that do', async () => {
    await expect(client.callTool({ name: 'dance' })).rejects.toThrow(/no tool "dance".*scrape/)
  })
})

describe('orb mcp', () => {
  it('takes the path of a file of the machine it runs on', async () => {
    const client = await overStdio()
    const { tools } = await client.listTools()
    expect(tools.find(({ name }) => name === 'parse')?.inputSchema.properties).toHaveProperty('path')
    const path = join(mkdtempSync(join(tmpdir(), 'orb-mcp-')), 'note.html')
    writeFileSync(path, '<h1>A note</h1><p>From the disk of the agent.</p>')
    expect((await call(client, 'parse', { path })).text).toContain('From the disk of the agent.')
    const missing = await call(client, 'parse', { path: '/nowhere/at-all.pdf' })
    expect(missing).toEqual({ isError: true, text: 'the file /nowhere/at-all.pdf cannot be read (ENOENT)' })
    expect((await call(client, 'parse', { path: tmpdir() })).text).toMatch(/is not a file/)
  })
})

describe('a screenshot', () => {
  it('comes as a picture, its link beside it', async () => {
    const client = await overHttp()
    const shot = {
      name: 'scrape',
      arguments: { url: `${site.url}/article`, formats: ['screenshot'], timeout: 200_000 },
    }
    const result = (await client.callTool(shot, undefined, PATIENT)) as CallToolResult
    const [words, picture] = result.content
    expect(picture).toMatchObject({ type: 'image', mimeType: 'image/png' })
    expect(
      Buffer.from((picture as { data: string }).data, 'base64')
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
    expect((words as { text: string }).text).toMatch(/"screenshot":"http.*\/v2\/media\//)
  })
})

describe('the keeping of the service', () => {
  it('is for administrators to read, and for nobody else to see', async () => {
    const operator = await overHttp()
    expect((await operator.listTools()).tools.map(({ name }) => name)).toContain('admin')
    const usage = await call(operator, 'admin', { tool: 'team_credit_usage', arguments: {} })
    expect(usage).toMatchObject({ isError: false, text: expect.stringContaining('remainingCredits') })
    expect((await call(operator, 'admin', { tool: 'admin_keys', arguments: { name: 'x' } })).isError).toBe(true)
    const made = await service.call('POST', '/v2/admin/keys', { name: 'no rights', rights: [] })
    const plain = await overHttp(made.json.data.key ?? made.json.key)
    expect((await plain.listTools()).tools.map(({ name }) => name)).not.toContain('admin')
    await expect(plain.callTool({ name: 'admin', arguments: { tool: 'admin_usage' } })).rejects.toThrow(
      /no tool "admin"/,
    )
  })
})

describe('an answer that is long', () => {
  it('comes in parts that together are the whole', async () => {
    const client = await overHttp()
    let { text } = await call(client, 'scrape', { url: `${site.url}/long` })
    let whole = ''
    for (let parts = 1; ; parts += 1) {
      expect(text.length).toBeLessThan(41_000)
      const [, body = text, cursor] =
        /^([\s\S]*)\n\n\[\d+ of \d+ characters so far\..*cursor "([^"]+)"\.\]$/.exec(text) ?? []
      whole += body
      if (!cursor) {
        expect(parts).toBeGreaterThan(3)
        break
      }
      ;({ text } = await call(client, 'read_on', { cursor }))
    }
    expect(whole.match(/Paragraph number \d+ of a page that is long\. 🕸/g)).toHaveLength(LINES)
    expect(whole).toMatch(/"statusCode":200/)
  })

  it('is for the team that asked for it alone', async () => {
    const client = await overHttp()
    const { text } = await call(client, 'scrape', { url: `${site.url}/long` })
    const cursor = /cursor "([^"]+)"/.exec(text)?.[1]
    const made = await runToEnd({ ORB_DATA_DIR: service.dataDir }, ['teams', 'create', 'others'])
    const other = await overHttp(/first key: (fc-\w+)/.exec(made.out)?.[1] ?? '')
    expect((await call(client, 'read_on', { cursor })).isError).toBe(false)
    expect(await call(other, 'read_on', { cursor })).toMatchObject({ isError: true })
    expect((await call(other, 'read_on', { cursor: 'nonsense' })).text).toMatch(/unknown or has expired/)
  })
})

describe('the door', () => {
  it('needs a key', async () => {
    await expect(overHttp('fc-00000000000000000000000000000000')).rejects.toThrow()
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const accept = { accept: 'application/json, text/event-stream', authorization: '' }
    expect((await service.call('POST', '/mcp', message, accept)).status).toBe(401)
  })

  it('answers pages of its own address and of this machine, and no others', async () => {
    const from = async (origin: string) =>
      (
        await service.call(
          'POST',
          '/mcp',
          { jsonrpc: '2.0', id: 1, method: 'ping' },
          {
            accept: 'application/json, text/event-stream',
            origin,
          },
        )
      ).status
    expect(await from(service.url)).toBe(200)
    expect(await from('http://localhost:6274')).toBe(200)
    expect(await from('https://evil.example')).toBe(403)
    expect(await from('null')).toBe(403)
  })

  it('keeps no sessions, and says so', async () => {
    for (const method of ['GET', 'DELETE']) expect((await service.call(method, '/mcp')).status).toBe(405)
    const accept = { accept: 'application/json, text/event-stream' }
    const many = Array.from({ length: 21 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
    expect((await service.call('POST', '/mcp', many, accept)).json.error).toMatch(/at most 20 messages/)
    const nonsense = await service.call('POST', '/mcp', { hello: 1 }, accept)
    expect(nonsense.status).toBe(400)
    expect(nonsense.json.error.message).toMatch(/not a valid JSON-RPC message/)
  })

  it('a key that is restricted may use the tools of what it may reach, and no others', async () => {
    const { json } = await service.call('POST', '/v2/admin/keys', { name: 'maps only', endpoints: ['map'] })
    const client = await overHttp(json.data.key ?? json.key)
    expect((await call(client, 'map', { url: site.url, limit: 2 })).isError).toBe(false)
    const refused = await call(client, 'scrape', { url: `${site.url}/article` })
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringMatching(/restricted to the following endpoints: map/),
    })
  })

  it('an agent that goes away ends the work for it', async () => {
    const narrow = await startService({ env: { ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`, ORB_CONCURRENCY: '1' } })
    try {
      const gone = new AbortController()
      const hits = site.hits('/slow')
      const request = fetch(`${narrow.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${narrow.key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'scrape', arguments: { url: `${site.url}/slow?ms=40000` } },
        }),
        signal: gone.signal,
      }).catch(() => undefined)
      await until(() => site.hits('/slow') > hits)
      gone.abort()
      await request
      // The only slot is free again, before that page would have come.
      const { status } = await narrow.call('POST', '/v2/scrape', { url: `${site.url}/article`, timeout: 45_000 })
      expect(status).toBe(200)
    } finally {
      await narrow.stop()
    }
  })

  it('a service that is not there is an error for the client of orb mcp, not a silence', async () => {
    const nowhere = `http://127.0.0.1:${await closedPort()}`
    await expect(overStdio({ ORB_URL: nowhere })).rejects.toThrow(/127\.0\.0\.1:\d+.*ECONNREFUSED/)
    await expect(overStdio({ ORB_API_KEY: 'fc-00000000000000000000000000000000' })).rejects.toThrow(
      /key is missing or wrong/,
    )
  })
})

describe('a client of revision 2026-07-28', () => {
  const connect = async (transport: ModernTransport | ModernStdioTransport = modernHttp()) => {
    const client = new ModernClient(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    await client.connect(transport)
    return client
  }
  const modernHttp = () =>
    new ModernTransport(new URL(`${service.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${service.key}` } },
    })

  it('calls tools through orb mcp', async () => {
    const client = await connect(
      new ModernStdioTransport({
        command: process.execPath,
        args: [join(import.meta.dirname, '../../dist/main.js'), 'mcp'],
        env: { PATH: process.env.PATH ?? '', ORB_URL: service.url, ORB_API_KEY: service.key },
        stderr: 'ignore',
      }),
    )
    const { content } = await client.callTool({ name: 'scrape', arguments: { url: `${site.url}/article` } }, PATIENT)
    expect(JSON.stringify(content)).toContain('/article')
    await client.close()
  })

  it('lists tools, resources and prompts, and reads one thing by its id', async () => {
    const client = await connect()
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('scrape')
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('orbweaver://crawl_status/{id}')
    const prompt = await client.getPrompt({ name: 'extract', arguments: { url: site.url, fields: 'name, price' } })
    expect(JSON.stringify(prompt.messages)).toContain('name, price')
    await expect(client.getPrompt({ name: 'extract', arguments: { url: site.url } })).rejects.toThrow(
      /fields: is missing/,
    )
    const crawl = await service.call('POST', '/v2/crawl', { url: `${site.url}/article`, limit: 1 })
    const { contents } = await client.readResource({ uri: `orbweaver://crawl_status/${crawl.json.id}` })
    expect(JSON.stringify(contents)).toMatch(/scraping|completed/)
    await expect(client.readResource({ uri: 'orbweaver://crawl_status/unknown' })).rejects.toThrow(/not found/i)
    await client.close()
  })

  it('waits for a job with progress, and cancelling ends the job', async () => {
    const client = await connect()
    const reports: number[] = []
    const params = (path: string) => ({ name: 'crawl', arguments: { url: `${site.url}${path}`, limit: 2 } })
    const done = await client.callTool(params('/article'), {
      ...PATIENT,
      onprogress: ({ progress }) => void reports.push(progress),
    })
    expect(JSON.stringify(done.content)).toContain('\\"status\\":\\"completed\\"')
    const cancelled = new AbortController()
    const waiting = client.callTool(params('/slow?ms=40000'), {
      ...PATIENT,
      signal: cancelled.signal,
      onprogress: () => cancelled.abort(),
    })
    await expect(waiting).rejects.toThrow()
    await until(async () => {
      const { json } = await service.call('GET', '/v2/crawl/active')
      return !JSON.stringify(json).includes('/slow?ms=40000')
    })
    await client.close()
  })
})
