// Agent runs with a language model over a long time: the tokens that an effort allows, and conversations of many turns.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { tokensIn } from '../../src/llm/tokens.ts'
import { type Answer, type ChatRequest, type ModelServer, startModel } from '../model/server.ts'
import { agentPages } from '../site/agent-web.ts'
import { type Pages, type Site, startSite } from '../site/site.ts'
import { type Json, type Service, startService } from './service.ts'
import { until } from './waiting.ts'

const company = {
  type: 'object',
  properties: { founder: { type: 'string' }, founded: { type: 'integer' }, email: { type: 'string' } },
}
const NOTHING = '{"founder":null,"founded":null,"email":null}'
const said = ({ messages }: ChatRequest): string => messages.map(({ content }) => content).join('\n')
const isChoice = (request: ChatRequest): boolean => said(request).includes('Choose what to do next')

/** Lighthouses, a page each. */
const lights: Pages = Object.fromEntries(
  Array.from({ length: 31 }, (_, n) => [
    `/light/${n}`,
    ({ response }) =>
      void response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(
          `<title>Skerry${n}</title><main><h1>The lighthouse of Skerry${n}</h1><p>The keeper is Berta Number${n}.</p></main>`,
        ),
  ]),
)

let site: Site
let model: ModelServer
let service: Service
beforeAll(async () => {
  site = await startSite({ ...agentPages, ...lights })
})
afterAll(() => site?.close())
afterEach(async () => {
  await service?.stop()
  await model?.close()
})

const envOf = () => ({
  ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`,
  ORB_LLM_URL: model.url,
  ORB_LLM_MODEL: 'scripted',
})

async function open(script: (request: ChatRequest, n: number) => Answer): Promise<void> {
  model = await startModel(script)
  service = await startService({ env: envOf() })
}

const start = async (body: object): Promise<Json> => {
  const { status, json } = await service.call('POST', '/v2/agent', body)
  expect([status, json.success], JSON.stringify(json)).toEqual([200, true])
  return json
}
async function ended(id: string): Promise<Json> {
  let run: Json
  await until(async () => {
    run = (await service.call('GET', `/v2/agent/${id}`)).json
    return run.status !== 'processing'
  }, 90_000)
  return run
}
const asked = () => ({
  prompt: 'Find who founded Tarn Boats, when, and its e-mail address',
  urls: [`${site.url}/tarn/`],
  schema: company,
})

describe('the tokens of an effort', () => {
  it('are told, and are enough for a common run', async () => {
    await open(() => NOTHING)
    const { id } = await start({ ...asked(), effort: 'low' })
    const run = await ended(id)
    expect(run.tokens).toEqual({ used: 120 * model.requests.length, most: 100_000 })
    expect(run.warning ?? '').not.toContain('tokens')
  }, 120_000)

  it('are held outside of the model; then the rules finish the run, and say so', async () => {
    await open(() => ({ text: NOTHING, promptTokens: 99_900 }))
    const { id } = await start({ ...asked(), effort: 'low' })
    const run = await ended(id)
    expect(model.requests).toHaveLength(1)
    expect(model.requests[0]?.max_tokens).toBe(2000)
    expect(run).toMatchObject({ status: 'completed', tokens: { used: 99_920, most: 100_000 } })
    expect(run.data).toMatchObject({ founder: 'Mary Fell', founded: 1987 })
    expect(run.sources.founder.by).toBe('rules')
    expect(run.warning).toContain('The 100000 tokens that a model may use for this effort were used up')
    const { events } = (await service.sdk.getAgentTrace(id)) as Json
    const told = events.filter(({ type, message }: Json) => type === 'progress.reported' && /used up/.test(message))
    expect(told).toHaveLength(1)
    const { json } = await service.call('GET', `/v2/agent/${id}/replay`)
    expect(json).toMatchObject({ isSame: true })
  }, 120_000)

  it('are counted over a kill as its finished steps tell', async () => {
    let hangs = true
    let answered = 0
    await open((request) => {
      if (hangs && isChoice(request)) return 'hang'
      answered += 1
      return { text: isChoice(request) ? '{"visit":[]}' : NOTHING, promptTokens: 40_000 }
    })
    const { id } = await start({ ...asked(), effort: 'low' })
    await until(() => model.requests.some(isChoice), 60_000)
    const { dataDir } = service
    await service.end('SIGKILL')
    hangs = false
    service = await startService({ env: envOf(), dataDir })
    const run = await ended(id)
    expect(answered).toBe(3)
    expect(run).toMatchObject({ status: 'completed', tokens: { used: 3 * 40_020 } })
    expect(run.warning).toContain('used up')
  }, 150_000)
})

describe('a conversation of thirty turns', () => {
  const keeper = { type: 'object', properties: { keeper: { type: 'string' } } }

  it('is shown to the model short, and still holds the early fact that is asked about', async () => {
    await open((request) => {
      const text = said(request)
      const wanted = /keeper at (Skerry\d+) again/.exec(text)?.[1]
      const recalled = wanted && new RegExp(`keeper: (.+?) — .*/light/${wanted.slice(6)}>`).exec(text)?.[1]
      const read = /The keeper is (Berta Number\d+)\./.exec(text)?.[1]
      return JSON.stringify({ keeper: text.includes('What is known so far') ? (recalled ?? null) : (read ?? null) })
    })
    const why = 'I ask because the register of lights is incomplete. '.repeat(40)
    let threadId: string | undefined
    for (let n = 1; n <= 30; n++) {
      const prompt = `Find the keeper of the lighthouse of Skerry${n}. ${why}`
      const body = { prompt, urls: [`${site.url}/light/${n}`], schema: keeper, effort: 'low' }
      const run = await start({ ...body, ...(threadId ? { threadId } : {}) })
      threadId ??= run.threadId
      expect((await ended(run.id)).data).toEqual({ keeper: `Berta Number${n}` })
    }
    const [visits, requests] = [site.visits().length, model.requests.length]
    const { id, threadTurn } = await start({
      prompt: 'Who was the keeper at Skerry2 again?',
      schema: keeper,
      effort: 'low',
      threadId,
    })
    const run = await ended(id)
    expect(threadTurn).toBe(31)
    expect(run).toMatchObject({ status: 'completed', data: { keeper: 'Berta Number2' }, creditsUsed: 0 })
    expect(run.sources.keeper).toMatchObject({ url: `${site.url}/light/2`, quote: 'The keeper is Berta Number2.' })
    expect(site.visits()).toHaveLength(visits)
    expect(model.requests).toHaveLength(requests + 1)
    const text = said(model.requests.at(-1)!)
    expect(tokensIn(text)).toBeLessThanOrEqual(12_000)
    expect(text).toContain(`Turn 30. Asked: Find the keeper of the lighthouse of Skerry30. ${why}`)
    expect(text).not.toContain('Turn 2. Asked')
    const { json } = await service.call('GET', `/v2/agent/${id}/replay`)
    expect(json).toMatchObject({ isSame: true, steps: [{ tool: 'recall' }] })
  }, 300_000)
})
