// Agent runs with a language model over a long time: the tokens that an effort allows, and conversations of many turns.
import { afterEach, describe, expect, it } from 'vitest'
import { estimateTokens } from '../../src/llm/token-budget.ts'
import { type Answer, type ChatRequest, type ModelServer, startModel } from '../model/server.ts'
import { agentPages } from '../site/agent-web.ts'
import { type Pages, startSite } from '../site/site.ts'
import { itInSoak } from '../soak.ts'
import type { Json } from './service.ts'
import { shared } from './shared.ts'
import { type Member, newTeam } from './team.ts'
import { until } from './waiting.ts'

const company = {
  type: 'object',
  properties: { founder: { type: 'string' }, founded: { type: 'integer' }, email: { type: 'string' } },
}
const NOTHING = '{"founder":null,"founded":null,"email":null}'
const said = ({ messages }: ChatRequest): string => messages.map(({ content }) => content).join('\n')
const isChoice = (request: ChatRequest): boolean => said(request).includes('At most ')

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

const {
  site,
  operator: service,
  killAndStart,
} = shared({
  ...agentPages,
  ...lights,
  '/dead': ({ response }) => void response.destroy(),
})
/** Each test has a model and a team of its own. */
let model: ModelServer
let team: Member
afterEach(async () => {
  await service.call('DELETE', '/v2/admin/model')
  await model?.close()
})

async function open(script: (request: ChatRequest, n: number) => Answer): Promise<void> {
  model = await startModel(script)
  const { status, text } = await service.call('PUT', '/v2/admin/model', { url: model.url, model: 'scripted' })
  expect(status, text).toBe(200)
  team = await newTeam(service, `of ${model.url}`)
}

const start = async (body: object): Promise<Json> => {
  const { status, json } = await team.call('POST', '/v2/agent', body)
  expect([status, json.success], JSON.stringify(json)).toEqual([200, true])
  return json
}
async function ended(id: string): Promise<Json> {
  let run: Json
  await until(async () => {
    run = (await team.call('GET', `/v2/agent/${id}`)).json
    return run.status !== 'processing'
  })
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
  })

  it('are held outside of the model; then the rules finish the run, and say so', async () => {
    await open(() => ({ text: NOTHING, promptTokens: 99_900 }))
    const { id } = await start({ ...asked(), effort: 'low' })
    const run = await ended(id)
    expect(model.requests).toHaveLength(1)
    expect(model.requests[0]?.max_tokens).toBe(2000)
    expect(run).toMatchObject({ status: 'completed', tokens: { used: 99_920, most: 100_000 } })
    expect(run.data).toMatchObject({ founder: 'Mary Fell', founded: 1987 })
    expect(run.sources.founder.by).toBe('rules')
    expect(run.warning).toContain('The 100000 model tokens of this effort were used up')
    const { events } = (await team.sdk.getAgentTrace(id)) as Json
    const reported = events.filter(({ type, message }: Json) => type === 'progress.reported' && /used up/.test(message))
    expect(reported).toHaveLength(1)
    const { json } = await team.call('GET', `/v2/agent/${id}/replay`)
    expect(json).toMatchObject({ isSame: true })
  })

  itInSoak('are counted over a kill as its finished steps tell', async () => {
    let hangs = true
    let answered = 0
    await open((request) => {
      if (hangs && isChoice(request)) return 'hang'
      answered += 1
      return { text: isChoice(request) ? '{"visit":[1]}' : NOTHING, promptTokens: 40_000 }
    })
    const { id } = await start({ ...asked(), effort: 'low' })
    await until(() => model.requests.some(isChoice), 60_000)
    const started = killAndStart()
    hangs = false
    await started
    const run = await ended(id)
    expect(answered).toBe(3)
    expect(run).toMatchObject({ status: 'completed', tokens: { used: 3 * 40_020 } })
    expect(run.warning).toContain('used up')
  })
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
    expect(estimateTokens(text)).toBeLessThanOrEqual(12_000)
    expect(text).toContain(`Turn 30. Asked: Find the keeper of the lighthouse of Skerry30. ${why}`)
    expect(text).not.toContain('Turn 2. Asked')
    const { json } = await team.call('GET', `/v2/agent/${id}/replay`)
    expect(json).toMatchObject({ isSame: true, steps: [{ tool: 'recall' }] })
  })
})

/** A model by its jobs: reading a page for data, answering about one, choosing, composing. */
interface Jobs {
  read?(text: string): Answer
  answer?(text: string): Answer
  choose?(text: string, link: (path: string) => number): Answer
  compose?(text: string): Answer
}
const FINISH: Answer = { calls: [{ name: 'finish', input: {} }] }
const reads = (...links: number[]): Answer => ({ calls: [{ name: 'read', input: { links } }] })

const led =
  ({ read, answer, choose, compose }: Jobs) =>
  (request: ChatRequest): Answer => {
    const [system, ...rest] = request.messages
    const text = rest.map(({ content }) => content).join('\n')
    const link = (path: string) =>
      Number([...text.matchAll(/^(\d+)\. .*<(\S+)>/gm)].find(([, , url]) => url === path)?.[1] ?? 0)
    if (system!.content.includes('from notes that were taken')) return compose?.(text) ?? ''
    if (request.tools) return choose?.(text, link) ?? FINISH
    if (system!.content.startsWith('You answer a question')) return answer?.(text) ?? 'NOT_ON_THIS_PAGE'
    return read?.(text) ?? NOTHING
  }

const traceOf = async (id: string): Promise<Json[]> => ((await team.sdk.getAgentTrace(id)) as Json).events

describe('a model that takes longer than the page may', () => {
  it('does every format itself: the time of the page stands still meanwhile', async () => {
    const slowly = (answer: Answer): Answer => ({ afterMs: 10_500, answer })
    await open(({ messages: [system, user] }) => {
      if (system!.content.startsWith('You quote')) return slowly('{"passages":["Tarn Boats was founded in 1987."]}')
      if (user!.content.includes('JSON Schema')) return slowly('{"founder":"Mary Fell","founded":1987,"email":null}')
      return slowly('Mary Fell founded it.')
    })
    const formats = [
      'summary',
      { type: 'question', question: 'Who founded it?' },
      { type: 'highlights', query: 'founded' },
      { type: 'json', schema: company },
    ]
    const { json } = await team.call('POST', '/v2/scrape', {
      url: `${site.url}/tarn/about`,
      formats,
      timeout: 10_000,
      maxAge: 0,
    })
    expect(json.data).toMatchObject({
      summary: 'Mary Fell founded it.',
      answer: 'Mary Fell founded it.',
      json: { founder: 'Mary Fell', founded: 1987 },
    })
    expect(json.data.warning ?? '').not.toMatch(/without it/)
  })
})

describe('a run that a model leads', () => {
  it('takes partial answers as notes, and composes the answer once at the end, in the language of the question', async () => {
    await open(
      led({
        answer: (text) =>
          /Mary Fell/.test(text)
            ? 'Gründerin: Mary Fell. Es fehlt die E-Mail.'
            : /oars@/.test(text)
              ? 'oars@tarn.example'
              : 'NOT_ON_THIS_PAGE',
        choose: (text, link) => (text.includes('Notes:') ? FINISH : reads(link('/tarn/about'), link('/tarn/contact'))),
        compose: (text) =>
          /Mary Fell/.test(text) && /oars@/.test(text) ? 'Mary Fell hat sie gegründet; oars@tarn.example.' : 'falsch',
      }),
    )
    const { id } = await start({
      prompt: 'Wer steckt hinter Tarn Boats, und wie schreibt man dorthin?',
      urls: [`${site.url}/tarn/`],
    })
    const run = await ended(id)
    expect(run.data).toEqual({ answer: 'Mary Fell hat sie gegründet; oars@tarn.example.' })
    expect([run.sources.answer.url, run.sources['answer[1]'].url].sort()).toEqual(
      ['about', 'contact'].map((path) => `${site.url}/tarn/${path}`),
    )
    const composed = model.requests.filter(({ messages }) => messages[0]!.content.includes('from notes'))
    expect(composed).toHaveLength(1)
    const { json } = await team.call('GET', `/v2/agent/${id}/replay`)
    expect(json).toMatchObject({ isSame: true })
  })

  it('keeps what a page does not say in so many words and marks it; addresses must be there', async () => {
    await open(
      led({
        read: (text) =>
          /Mary Fell/.test(text)
            ? '{"founder":"M. Fell of Keswick","founded":1987,"email":"mary@tarn.example"}'
            : NOTHING,
      }),
    )
    const { id } = await start({ ...asked(), urls: [`${site.url}/tarn/about`] })
    const run = await ended(id)
    expect(run.data).toEqual({ founder: 'M. Fell of Keswick', founded: 1987, email: null })
    expect(run.sources.founder).toMatchObject({ verified: false, by: 'model' })
    expect(run.sources.founded).not.toHaveProperty('verified')
    expect(run.warning).toContain('do not state these values of the model literally: founder.')
    expect(run.warning).toMatch(/not on the page were left out: email/)
  })

  it('sees links as a person does, and goes on with a list for as long as it wants', async () => {
    const boats = {
      type: 'object',
      properties: {
        boats: {
          type: 'array',
          items: { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } },
        },
      },
    }
    const seen: string[] = []
    await open(
      led({
        read: (text) =>
          JSON.stringify({
            boats: [...text.matchAll(/\[(\w+)\]\([^)]*\/boats\/\w+\)[\s\S]*?\$(\d+)/g)].map(([, name, price]) => ({
              name,
              price: Number(price),
            })),
          }),
        choose(text, link) {
          seen.push(text)
          const next = link('/tarn/boats?page=2')
          return next > 0 ? reads(next) : FINISH
        },
        compose: (text) =>
          JSON.stringify({
            boats: [...text.matchAll(/\{"name":"(\w+)","price":(\d+)\}/g)].map(([, name, price]) => ({
              name,
              price: Number(price),
            })),
          }),
      }),
    )
    const { id } = await start({
      prompt: 'List the boats with their prices',
      urls: [`${site.url}/tarn/boats`],
      schema: boats,
    })
    const run = await ended(id)
    expect(run.data.boats.map(({ name }: Json) => name)).toEqual(['Otter', 'Heron', 'Grebe', 'Teal'])
    expect(run.sources['boats.3.price'].url).toBe(`${site.url}/tarn/boats?page=2`)
    expect(seen[0]).toMatch(/^\d+\. About us <\/tarn\/about> \(menu\)$/m)
    expect(seen[0]).toMatch(/2 items so far/)
    expect(seen[0]).toMatch(/^\d+\. Boats <\/tarn\/boats> \(read already\)$/m)
  })

  it('leaves out a note that the model rejects', async () => {
    await open(
      led({
        read: (text) =>
          /Founder/.test(text)
            ? '{"founder":"Mary Fell","founded":1987,"email":null}'
            : '{"founder":"Rainer Lake","founded":null,"email":null}',
        choose: (text) => {
          const wrong = /^n(\d+)\. founder: Rainer Lake$/m.exec(text)?.[1]
          return wrong ? { calls: [{ name: 'reject', input: { note: Number(wrong) } }] } : FINISH
        },
        compose: () => '{"founder":"Rainer Lake","founded":1987,"email":null}',
      }),
    )
    const { id } = await start({ ...asked(), urls: [`${site.url}/tarn/blog`] })
    const run = await ended(id)
    expect(run.data).toEqual({ founder: null, founded: null, email: null })
  })

  it('is refused when the model refuses the task, costs nothing, and says so in the trace', async () => {
    await open(() => "I'm sorry, but I can't help with that.")
    const { id } = await start(asked())
    const run = await ended(id)
    expect(run).toMatchObject({ status: 'failed', creditsUsed: 0, error: expect.stringContaining('refused the task') })
    expect(run.data).toBeUndefined()
    const events = await traceOf(id)
    expect(events.at(-1)).toMatchObject({
      type: 'run.finished',
      outcome: 'refused',
      retryable: false,
      error: { code: 'refused' },
    })
  })

  it('searches with words that the model wrote from the task alone', async () => {
    await open((request) =>
      request.messages[0]!.content.includes('query of a web search') ? '{"query":"Tarn Boats founder"}' : NOTHING,
    )
    const { id } = await start({ prompt: 'Find who founded Tarn Boats', schema: company, effort: 'low' })
    await ended(id)
    const search = (await traceOf(id)).find(
      ({ type, toolName }) => type === 'tool_call.started' && toolName === 'search',
    )
    expect(search?.parameters).toEqual({ query: 'Tarn Boats founder' })
  })

  it('says why rules stood in for the model', async () => {
    await open(() => ({ status: 401 }))
    const { id } = await start({ ...asked(), effort: 'low' })
    const run = await ended(id)
    expect(run.data).toMatchObject({ founder: 'Mary Fell' })
    const why = /returned no usable response \(the endpoint refused the key/
    expect(run.warning).toMatch(why)
    const told = (await traceOf(id)).filter(({ type, message }) => type === 'progress.reported' && why.test(message))
    expect(told).toHaveLength(1)
  })

  it('reports a page that fails while it goes on', async () => {
    await open(
      led({
        read: (text) => (/Mary Fell/.test(text) ? '{"founder":"Mary Fell","founded":1987,"email":null}' : NOTHING),
      }),
    )
    const { id } = await start({ ...asked(), urls: [`${site.url}/tarn/about`, `${site.url}/dead`] })
    const run = await ended(id)
    expect(run).toMatchObject({ status: 'completed', data: { founder: 'Mary Fell' } })
    const events = await traceOf(id)
    expect(events.find(({ type }) => type === 'error.occurred')).toMatchObject({
      retryable: true,
      error: { source: 'tool', code: 'internal' },
    })
    for (const { retryable } of events) expect(typeof retryable).toBe('boolean')
  })

  it('starts nothing after a cancel that was accepted, and is not paid', async () => {
    let release: (() => void) | undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = await startSite({
      '/first': async ({ response }) => {
        await held
        response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>First</h1><a href="/second">Second</a>')
      },
      '/second': ({ response }) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Second</h1>'),
    })
    try {
      await open(led({ choose: (_text, link) => reads(link('/second')) }))
      const { id } = await start({ prompt: 'Find the founder', urls: [`${slow.url}/first`], schema: company })
      await until(() => slow.hits('/first') > 0)
      expect(await team.sdk.cancelAgent(id)).toBe(true)
      release!()
      const run = await ended(id)
      expect(run).toMatchObject({ status: 'failed', creditsUsed: 0, error: expect.stringContaining('cancelled') })
      const events = await traceOf(id)
      const at = events.findIndex(({ type }) => type === 'run.cancel_requested')
      expect(events.slice(at).filter(({ type }) => type === 'tool_call.started')).toEqual([])
      expect(slow.hits('/second')).toBe(0)
      expect((await team.call('GET', '/v2/team/credit-usage/historical')).json.periods.at(-1)?.creditsUsed ?? 0).toBe(0)
    } finally {
      await slow.close()
    }
  })
})
