// The tools of agent runs beyond reading a page: each chosen by the rules where it serves, each by a model, and each under
// the same policy, cap and cancel. Through the released SDK.
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ModelServer, startModel } from '../model/server.ts'
import { chapters, ferries, toolPages } from '../site/agent-tools-web.ts'
import { itInSoak } from '../soak.ts'
import type { Json } from './service.ts'
import { type SharedService, shared } from './shared.ts'
import { until } from './waiting.ts'

const strangers: string[] = []
const stranger = http.createServer((request, response) => {
  strangers.push(request.url ?? '')
  response.end('<title>Elsewhere</title><dl><dt>Phone</dt><dd>+1 000 000 000</dd></dl>')
})
/** What "Load more" loads comes when this is resolved. */
let ferriesCome = Promise.resolve()
function holdFerries(): () => void {
  let release = () => {}
  ferriesCome = new Promise((resolve) => {
    release = resolve
  })
  return () => release()
}
const MORE = '/loch/ferries.json'
const { site, service, operator, killAndStart } = shared(
  { ...toolPages, [MORE]: (scene) => ferriesCome.then(() => toolPages[MORE]!(scene)) },
  { names: { 'desk.example.org': { a: ['127.0.0.1'] } } },
)
beforeAll(async () => {
  stranger.listen(0, '127.0.0.1')
  await once(stranger, 'listening')
})
afterAll(() => {
  stranger.close()
  stranger.closeAllConnections()
})

const elsewhere = () => (stranger.address() as AddressInfo).port
const at = (path: string) => `${site.url}/loch/${path}`
const props = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
const record = (...names: string[]) => ({ type: 'object', properties: props(...names) })
const listOf = (name: string, properties: object) => ({
  type: 'object',
  properties: { [name]: { type: 'array', items: { type: 'object', properties } } },
})
const ferrySchema = listOf('ferries', { name: { type: 'string' }, price: { type: 'number' } })

async function run(body: object): Promise<{ answer: Json; events: Json[]; tools: string[] }> {
  const { json } = await service.call('POST', '/v2/agent', body)
  expect(json.success, JSON.stringify(json)).toBe(true)
  await until(async () => (await service.call('GET', `/v2/agent/${json.id}`)).json.status !== 'processing', 90_000)
  const answer = (await service.call('GET', `/v2/agent/${json.id}`)).json
  const { events } = (await service.sdk.getAgentTrace(json.id)) as Json
  const tools = events.filter(({ type }: Json) => type === 'tool_call.started').map(({ toolName }: Json) => toolName)
  return { answer, events, tools }
}

const paid = async (on: SharedService) =>
  (await on.call('GET', '/v2/team/credit-usage/historical')).json.periods.at(-1)?.creditsUsed ?? 0

describe('by rules', () => {
  it('presses what shows more of a list until there is no more, in a browser that can be watched', async () => {
    const before = await paid(service)
    const release = holdFerries()
    const id = (
      await service.call('POST', '/v2/agent', {
        prompt: 'List all ferries with name and price',
        urls: [at('ferries')],
        schema: ferrySchema,
      })
    ).json.id
    let seen: Json
    await until(async () => {
      const { json } = await service.call('GET', `/v2/agent/${id}/trace?liveView=true`)
      seen ??= json.activeBrowserSessions[0]
      if (seen) release()
      return json.events.at(-1).type === 'run.finished'
    })
    expect(seen).toMatchObject({ viewport: { width: 1280, height: 800 } })
    expect(seen.liveViewUrl).toContain(`/live/${seen.id}/view/`)
    const answer = (await service.call('GET', `/v2/agent/${id}`)).json
    expect(answer.data.ferries).toEqual(expect.arrayContaining(ferries))
    expect(answer.data.ferries).toHaveLength(ferries.length)
    const { json } = await service.call('GET', `/v2/agent/${id}/trace?liveView=true`)
    expect(json.activeBrowserSessions).toEqual([])
    const reported = json.events.filter(({ type }: Json) => type.startsWith('browser.session.'))
    expect(reported.map(({ type, sessionId }: Json) => [type, sessionId])).toEqual([
      ['browser.session.started', seen.id],
      ['browser.session.finished', seen.id],
    ])
    // A page, a minute of a browser, and the page as it was then; nothing beside the run is paid.
    expect(answer.creditsUsed).toBe(5 + 2 + 5)
    expect((await paid(service)) - before).toBe(answer.creditsUsed)
    const { sessions } = (await service.call('GET', '/v2/browser')).json
    expect(sessions.find((one: Json) => one.id === seen.id)).toMatchObject({ status: 'destroyed' })
    const replay = (await service.call('GET', `/v2/agent/${id}/replay`)).json
    expect(replay).toMatchObject({ isSame: true })
  })

  it('presses the button that shows what is missing', async () => {
    const { answer, tools } = await run({
      prompt: 'What is the phone number of the Loch Office',
      urls: [at('office')],
      schema: record('phone'),
    })
    expect([answer.data, tools]).toEqual([{ phone: '+44 1631 555 027' }, ['scrape', 'interact']])
    expect(answer.sources.phone.quote).toContain('555 027')
  })

  it('uses the search box of a site', async () => {
    const { answer, tools } = await run({
      prompt: 'Find the boat of "Mairi Campbell"',
      urls: [at('people')],
      schema: record('boat'),
    })
    expect(answer.data).toEqual({ boat: 'Kittiwake' })
    expect(tools).toContain('interact')
    expect(site.visits().filter((path) => path.startsWith('/loch/find'))).toEqual(
      expect.arrayContaining([expect.stringMatching(/q=mairi/i)]),
    )
  })

  it('reads a document to where the fact stands', async () => {
    const { answer, tools } = await run({
      prompt: 'How many passengers were there, and who is the harbour master',
      urls: [at('report.pdf')],
      schema: { type: 'object', properties: { passengers: { type: 'integer' }, harbourMaster: { type: 'string' } } },
    })
    expect([answer.data, tools]).toEqual([{ passengers: 48_213, harbourMaster: 'Effie Morrison' }, ['parse']])
    expect(answer.creditsUsed).toBe(9 + 4)
  })

  it('crawls when many pages of one site are asked for', async () => {
    const { answer, tools } = await run({
      prompt: 'List title and author of every page of the handbook',
      urls: [at('handbook/')],
      schema: listOf('pages', props('title', 'author')),
    })
    expect(tools[0]).toBe('crawl')
    expect(answer.data.pages.map(({ title }: Json) => title).sort()).toEqual([...chapters].sort())
    expect(site.visits()).not.toContain('/loch/handbook/../people')
  })

  it('reads many given addresses in one step', async () => {
    const names = ferries.slice(0, 6).map(({ name }) => name)
    const { answer, tools } = await run({
      prompt: 'List the ferries with name and price',
      urls: names.map((name) => at(`ferry/${name.split(' ')[0]!.toLowerCase()}`)),
      schema: ferrySchema,
    })
    expect(tools[0]).toBe('extract')
    expect(answer.data.ferries.map(({ name }: Json) => name).sort()).toEqual([...names].sort())
  })
})

describe('what holds for every tool', () => {
  it('a button leads no further than the addresses that were given', async () => {
    const away = at(`away?to=${encodeURIComponent(`http://127.0.0.1:${elsewhere()}/taken`)}`)
    const { answer, tools } = await run({
      prompt: 'What is the phone number of the Loch Desk',
      urls: [away],
      strictConstrainToURLs: true,
      schema: record('phone'),
    })
    expect(tools).toContain('interact')
    expect(strangers).toEqual([])
    expect(answer.data).toEqual({ phone: null })
  })

  it('a button leads to nothing that the policy on threats refuses', async () => {
    const press = (path: string, more: object) =>
      run({
        prompt: 'What is the phone number of the Loch Desk, desk.example.org',
        urls: [at(`away?to=${encodeURIComponent(`http://desk.example.org:${elsewhere()}/${path}`)}`)],
        schema: record('phone'),
        ...more,
      })
    await press('refused', { threatProtection: { mode: 'manual-only', blacklist: ['desk.example.org'] } })
    expect(strangers.filter((url) => url === '/refused')).toEqual([])
    // The same without a policy: it is the policy that kept it away.
    await press('reached', {})
    expect(strangers).toContain('/reached')
    strangers.length = 0
  })

  it('a crawl stays below the addresses that were given', async () => {
    const before = site.hits('/loch/people')
    const { answer } = await run({
      prompt: 'List title and author of every page of the handbook',
      urls: [at('handbook/')],
      strictConstrainToURLs: true,
      schema: listOf('pages', props('title', 'author')),
    })
    expect(answer.data.pages).toHaveLength(chapters.length)
    expect(site.hits('/loch/people')).toBe(before)
  })

  it.each([
    [
      'interact',
      13,
      { prompt: 'List all ferries with name and price', urls: ['ferries'], schema: ferrySchema },
      'ferries.json',
    ],
    [
      'parse',
      35,
      { prompt: 'Who is the harbour master', urls: ['report.pdf'], schema: record('harbourMaster') },
      'report.pdf',
    ],
    [
      'crawl',
      83,
      {
        prompt: 'List title and author of every page of the handbook',
        urls: ['handbook/'],
        schema: listOf('pages', props('title', 'author')),
      },
      'handbook/mooring',
    ],
  ])('%s is not begun when the cap cannot hold it', async (_tool, maxCredits, body, untouched) => {
    const path = `/loch/${untouched}`
    const hits = site.hits(path)
    const { answer } = await run({ ...body, urls: body.urls.map((one) => at(one)), maxCredits })
    expect(answer).toMatchObject({ status: 'failed', creditsUsed: 0, error: expect.stringContaining('credit limit') })
    expect(site.hits(path)).toBe(hits)
  })

  it('a browser is closed soon after its run is cancelled', async () => {
    const { json } = await service.call('POST', '/v2/agent', {
      prompt: 'What is the phone number of the Loch Pier',
      urls: [at('slow-office')],
      schema: record('phone'),
    })
    const trace = async () => (await service.call('GET', `/v2/agent/${json.id}/trace?liveView=true`)).json
    await until(async () => {
      const { activeBrowserSessions, events } = await trace()
      return activeBrowserSessions.length > 0 && events.some(({ type }: Json) => type === 'browser.session.started')
    }, 60_000)
    expect(await service.sdk.cancelAgent(json.id)).toBe(true)
    await until(async () => (await service.call('GET', `/v2/agent/${json.id}`)).json.status === 'failed')
    const { events, activeBrowserSessions } = await trace()
    expect(activeBrowserSessions).toEqual([])
    const types = events.map(({ type }: Json) => type)
    expect(types.indexOf('browser.session.finished')).toBeLessThan(types.indexOf('run.finished'))
    const { sessions } = (await service.call('GET', '/v2/browser?status=active')).json
    expect(sessions).toEqual([])
  })

  itInSoak('a kill with an open browser costs nothing twice, and the trace says that it is gone', async () => {
    const before = await paid(service)
    const release = holdFerries()
    const { json } = await service.call('POST', '/v2/agent', {
      prompt: 'List all ferries with name and price',
      urls: [at('ferries')],
      schema: ferrySchema,
    })
    const trace = async () => (await service.call('GET', `/v2/agent/${json.id}/trace?liveView=true`)).json
    await until(async () => (await trace()).activeBrowserSessions.length > 0, 60_000)
    await killAndStart()
    release()
    await until(async () => (await service.call('GET', `/v2/agent/${json.id}`)).json.status === 'completed', 90_000)
    const { events } = await trace()
    const sessions = (type: string) =>
      events.filter((one: Json) => one.type === `browser.session.${type}`).map(({ sessionId }: Json) => sessionId)
    expect(sessions('started')).toHaveLength(2)
    expect(sessions('finished').sort()).toEqual(sessions('started').sort())
    // On a busy machine the second browser may come too late as well, and is not paid then.
    const { creditsUsed } = (await service.call('GET', `/v2/agent/${json.id}`)).json
    expect([5, 12]).toContain(creditsUsed)
    expect((await paid(service)) - before).toBe(creditsUsed)
  })
})

describe.each([
  ['by calling tools', true],
  ['in JSON', false],
] as const)('chosen by a model, %s', (_way, callsTools) => {
  let model: ModelServer
  /** What the model says when it is asked what to do next, in turn. */
  let requests: ((text: string) => object)[] = []
  const number = (text: string, path: string) =>
    Number([...text.matchAll(/^(\d+)\. .*<(\S+)>/gm)].find(([, , url]) => url!.endsWith(path))?.[1] ?? 0)
  beforeAll(async () => {
    model = await startModel(({ messages, response_format, tools }) => {
      const text = messages.map(({ content }) => content).join('\n')
      if (tools && !callsTools) return { status: 400, body: { error: { message: 'tools are not supported' } } }
      if (tools) {
        const { steps = [] } = (requests.shift()?.(text) ?? {}) as { steps?: { tool: string }[] }
        const calls = steps.map(({ tool, ...input }) => ({ name: tool, input }))
        return calls.length > 0 ? { calls } : 'Nothing.'
      }
      const schema = JSON.stringify(response_format?.json_schema?.schema ?? text)
      if (schema.includes('"steps"')) return JSON.stringify((requests.shift() ?? (() => ({ visit: [] })))(text))
      // It reads what stands after the name of a field, in a list of names and values.
      const fact = (name: string) => new RegExp(`^\\W*${name}\\W*\\n+\\W*(.+)$`, 'im').exec(text)?.[1]?.trim() ?? null
      return JSON.stringify({
        phone: fact('Phone'),
        boat: fact('Boat'),
        title: fact('Title'),
        author: fact('Author'),
        passengers: /Passengers: (\d+)/.exec(text)?.[1] ?? null,
      })
    })
    const { status, text } = await operator.call('PUT', '/v2/admin/model', { url: model.url, model: 'script' })
    expect(status, text).toBe(200)
  })
  afterAll(async () => {
    await operator.call('DELETE', '/v2/admin/model')
    await model?.close()
  })

  it.each<[string, string, string, (text: string) => object]>([
    [
      'interact',
      'office',
      'phone',
      (text) => ({
        steps: [{ tool: 'interact', link: number(text, 'office'), do: 'press', button: 'Show phone number' }],
      }),
    ],
    ['scrape', 'handbook/', 'author', (text) => ({ steps: [{ tool: 'read', links: [number(text, 'mooring')] }] })],
    ['map', 'handbook/', 'phone', (text) => ({ steps: [{ tool: 'map', link: number(text, 'handbook/') }] })],
  ])('%s', async (tool, path, field, options) => {
    requests = [options]
    const body = { prompt: `Find the ${field}`, urls: [at(path)], schema: record(field), effort: 'low' }
    const { tools, answer } = await run(body)
    expect(tools.slice(0, 2)).toEqual(['scrape', tool])
    if (['interact', 'scrape'].includes(tool)) expect(answer.data[field]).toBeTruthy()
  })

  const handbook = { prompt: 'Find the phone', schema: record('phone'), effort: 'low' }

  it('is not asked for ever when it goes round in circles', async () => {
    requests = Array.from({ length: 200 }, () => () => ({ steps: [{ tool: 'search' }] }))
    const { tools } = await run({ ...handbook, urls: [at('handbook/')] })
    expect(tools.length).toBeLessThan(20)
  })

  it('takes no address, button or tool that is not there', async () => {
    requests = [
      () => ({
        steps: [
          { tool: 'shell', link: 1 },
          { tool: 'crawl', link: 9999 },
          { tool: 'interact', link: 1, do: 'press', button: 'Buy now' },
          { tool: 'scrape', link: `http://127.0.0.1:${elsewhere()}/` },
        ],
      }),
    ]
    const { tools } = await run({ ...handbook, urls: [at('handbook/')] })
    expect(tools).not.toContain('crawl')
    expect(strangers).toEqual([])
  })
})
