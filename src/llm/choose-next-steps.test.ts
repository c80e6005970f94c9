// A choice by native tool calls where the endpoint has them, and in JSON where it has not: learnt once, told in the facts.
import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, type ChatRequest, type ModelServer, startModel } from '../../test/model/server.ts'
import { silentLog } from '../base/log.ts'
import { describeModelEndpoint } from './index.ts'
import type { ToolSpec } from './llm.ts'
import { openOpenAiCompatibleLlm } from './openai-compatible-llm.ts'

let server: ModelServer | undefined
afterEach(() => server?.close())
const never = new AbortController().signal
const TOOLS: ToolSpec[] = [
  { name: 'scrape', use: 'Reads the page of a link.', slots: { link: { type: 'integer' } } },
  { name: 'search', use: 'Searches the web.', slots: {} },
]
const SCHEMA = {
  type: 'object',
  properties: {
    visit: { type: 'array', items: { type: 'integer' } },
    steps: { type: 'array', items: { type: 'object', properties: { tool: { type: 'string' } } } },
  },
}
const ask = {
  text: () => '1. About <https://e.example/about>',
  prompt: 'Choose what to do next.',
  tools: TOOLS,
  schema: SCHEMA,
  found: null,
}
async function modelThat(script: (request: ChatRequest, n: number) => Answer) {
  server = await startModel(script)
  return openOpenAiCompatibleLlm({ url: server.url, model: 'm', key: undefined, log: silentLog })
}
const refusal = (message: string, status = 400): Answer => ({ status, body: { error: { message } } })

describe('an endpoint that calls tools', () => {
  it('is offered them by their schemas, and its calls are the choice', async () => {
    const model = await modelThat(() => ({
      calls: [
        { name: 'scrape', input: { link: 1 } },
        { name: 'search', input: {} },
      ],
    }))
    const answer = await model.choose(ask, never)
    expect(answer).toMatchObject({
      by: 'model',
      value: { steps: [{ tool: 'scrape', link: 1 }, { tool: 'search' }] },
      usage: { calls: 1 },
    })
    const [request] = server!.requests
    expect(request?.response_format).toBeUndefined()
    expect(request?.tools?.map(({ function: { name, parameters } }) => [name, parameters])).toEqual([
      ['scrape', expect.objectContaining({ type: 'object', properties: { link: { type: 'integer' } } })],
      ['search', expect.objectContaining({ type: 'object', properties: {} })],
    ])
    expect(request?.messages.at(-1)?.content).toMatch(/<page>\n.*About.*\n<\/page>/)
  })

  it('hands on calls of tools that nobody offered, for whoever asked to refuse', async () => {
    const model = await modelThat(() => ({ calls: [{ name: 'fetch', input: { url: 'http://10.0.0.1/' } }] }))
    expect((await model.choose(ask, never)).value).toEqual({ steps: [{ tool: 'fetch', url: 'http://10.0.0.1/' }] })
  })

  it('chooses nothing by calling nothing, once it has called something', async () => {
    const model = await modelThat((_, n) => (n === 0 ? { calls: [{ name: 'search', input: {} }] } : 'That is all.'))
    await model.choose(ask, never)
    expect(await model.choose(ask, never)).toMatchObject({ by: 'model', value: {}, usage: { calls: 1 } })
  })

  it('may write its choice down instead', async () => {
    const model = await modelThat(() => '{"visit":[1]}')
    expect(await model.choose(ask, never)).toMatchObject({ value: { visit: [1] }, usage: { calls: 1 } })
  })
})

describe('an endpoint without tools', () => {
  it.each([
    ['Ollama', refusal('registry.ollama.ai/library/tiny:latest does not support tools')],
    ['vLLM', refusal('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set')],
    ['llama.cpp', refusal('tools param requires --jinja flag', 500)],
    ['a strict proxy', refusal('Unrecognized request argument supplied: tools')],
  ])('%s is asked in JSON, and not offered any again', async (_name, answer) => {
    const model = await modelThat(({ tools }) => (tools ? answer : '{"visit":[1],"steps":[]}'))
    expect(await model.choose(ask, never)).toMatchObject({ by: 'model', value: { visit: [1] } })
    await model.choose(ask, never)
    expect(server!.requests.map(({ tools }) => tools !== undefined)).toEqual([true, false, false])
    expect(server!.requests[1]?.messages.at(-1)?.content).toContain('- scrape: Reads the page of a link.')
    expect(describeModelEndpoint(model)[0]).toContain('calls no tools')
  })

  it('that says nothing of it is found out by its silence', async () => {
    const model = await modelThat(({ response_format }, n) =>
      response_format ? '{"visit":[1]}' : n < 2 ? 'I would read the first.' : '{"mood":"fine"}',
    )
    for (let n = 0; n < 4; n++) expect((await model.choose(ask, never)).value).toEqual({ visit: [1] })
    expect(server!.requests.filter(({ tools }) => tools)).toHaveLength(2)
  })

  it('that fails otherwise is stood in for', async () => {
    const model = await modelThat(() => ({ status: 401 }))
    expect(await model.choose(ask, never)).toMatchObject({ by: 'extractive', value: null })
  })
})

it("an answer in a call of a tool of the model's own making is an answer", async () => {
  const model = await modelThat(() => ({ calls: [{ name: 'json', input: { name: 'Lamp', price: 49 } }] }))
  const schema = { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } }
  const answer = await model.extract({ text: () => 'Lamp, 49', schema, prompt: undefined, found: null }, never)
  expect(answer).toMatchObject({ by: 'model', value: { name: 'Lamp', price: 49 } })
})
