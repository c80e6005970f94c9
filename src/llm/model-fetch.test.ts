import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, type ChatRequest, type ModelServer, startModel } from '../../test/model/server.ts'
import { startProxy } from '../../test/site/proxy.ts'
import { startTls, testAuthority } from '../../test/site/tls.ts'
import { silentLog } from '../base/log.ts'
import { makeModelFetch } from './model-fetch.ts'
import { openOpenAiCompatibleLlm } from './openai-compatible-llm.ts'

const never = new AbortController().signal
let server: ModelServer
afterEach(() => server?.close())

async function open(script: (request: ChatRequest) => Answer, more: object = {}) {
  server = await startModel(script)
  return openOpenAiCompatibleLlm({ url: server.url, model: 'm', key: 'k', log: silentLog, ...more })
}
const answer = { text: () => 'The lamp costs 49 euros.', question: 'What does it cost?', found: 'nothing' }

describe('an endpoint that only streams', () => {
  const ONLY = {
    status: 400,
    body: { error: { message: 'This model requires stream=true: only streaming is served.' } },
  }
  it('is asked to, once known without another try, and its pieces are one answer', async () => {
    const llm = await open(({ stream }) => (stream ? { streamed: 'It costs 49 euros, lamp and all.' } : ONLY))
    const first = await llm.answer(answer, never)
    expect(first).toMatchObject({ value: 'It costs 49 euros, lamp and all.', by: 'model' })
    expect(first.usage).toMatchObject({ inputTokens: 100, outputTokens: 20 })
    await llm.answer(answer, never)
    expect(server.requests.map(({ stream }) => stream === true)).toEqual([false, true, true])
  })

  it('may call tools in pieces, and break off', async () => {
    const llm = await open(() => ({ streamed: { name: 'read', input: { links: [1, 22] } } }))
    const tools = [{ name: 'read', use: 'Reads.', slots: { links: { type: 'array' } } }]
    const choice = await llm.choose({ text: () => '1. A', prompt: 'go', tools, schema: {}, found: null }, never)
    expect(choice.value).toEqual({ steps: [{ tool: 'read', links: [1, 22] }] })
    await server.close()
    const broken = await open(() => ({ streamed: 'It costs 49', cut: true }))
    const cut = await broken.answer(answer, never)
    expect([cut.by, cut.warnings.join()]).toEqual(['model', expect.stringContaining('cut off')])
  })
})

describe('the connection to an endpoint', () => {
  it('goes through the proxy, with its login', async () => {
    const proxy = await startProxy({ login: 'me:secret' })
    const llm = await open(() => 'It costs 49 euros.', { proxy: proxy.url })
    expect((await llm.answer(answer, never)).by).toBe('model')
    await llm.probe(never)
    expect(proxy.tunnels()).toContain(new URL(server.url).host)
    await proxy.close()
  })

  it('trusts the certificates that it is given, and no others', async () => {
    const secure = await startTls({ kind: 'good' })
    const get = async (certificates?: string) =>
      (await makeModelFetch({ timeoutMs: 5000, certificates })(secure.url.replace('127.0.0.1', 'localhost'))).status
    await expect(get()).rejects.toThrow()
    expect(await get(await testAuthority())).toBe(200)
    await secure.close()
  })
})
