// What weak models and broken endpoints answer with, one after the other on the same page: whatever they say, the caller gets
// an answer, and no fewer values than without a model.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAULT_PAGE, FAULT_SCHEMA, GOOD_JSON, type ModelFaultCase, modelFaults } from '../model/faults.ts'
import { type Answer, type ChatRequest, type ModelServer, startModel } from '../model/server.ts'
import { type Site, startSite } from '../site/site.ts'
import { type Json, type Service, startService } from './service.ts'

const GOOD_TEXT = 'It costs 48.50 euros.'
const BROKEN: ModelFaultCase = { name: 'none', json: { status: 400 }, text: { status: 400 } }

let fault: ModelFaultCase = BROKEN
let site: Site
let model: ModelServer
let service: Service

function script(request: ChatRequest): Answer {
  const system = request.messages[0]!.content
  if (/You quote the passages/.test(system)) {
    const answer = fault.text ?? JSON.stringify({ passages: ['made in Bergen since 1987'] })
    return typeof answer === 'function' ? answer(request) : answer
  }
  const isJson = /JSON/.test(system)
  const answer = (isJson ? fault.json : fault.text) ?? (isJson ? GOOD_JSON : GOOD_TEXT)
  return typeof answer === 'function' ? answer(request) : answer
}

beforeAll(async () => {
  site = await startSite({
    '/lamp': ({ response }) => void response.setHeader('content-type', 'text/html').end(FAULT_PAGE),
  })
  model = await startModel(script)
  service = await startService({
    env: {
      ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`,
      ORB_LLM_URL: model.url,
      ORB_LLM_MODEL: 'weak',
      ORB_LLM_TIMEOUT: '2',
    },
  })
})
afterAll(async () => {
  await service?.stop()
  await model?.close()
  await site?.close()
})

const FORMATS = [
  { type: 'json', schema: FAULT_SCHEMA },
  { type: 'question', question: 'What does the large lamp cost?' },
  { type: 'highlights', query: 'where is it made' },
  'summary',
]

let turn = 0
/** A model of another name is another one: nothing that was learnt about the last one holds. */
async function readWith(one: ModelFaultCase): Promise<Json> {
  fault = one
  const chosen = await service.call('PUT', '/v2/admin/model', { url: model.url, model: `weak-${turn++}` })
  expect(chosen.status, JSON.stringify(chosen.json)).toBe(200)
  const { status, json } = await service.call('POST', '/v2/scrape', {
    url: `${site.url}/lamp`,
    formats: FORMATS,
    maxAge: 0,
  })
  expect(status, JSON.stringify(json)).toBe(200)
  return json.data
}

const leaves = (value: Json, path = ''): string[] =>
  value === null || value === undefined || value === ''
    ? []
    : typeof value === 'object'
      ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${path}.${name}`))
      : [path]

describe('a model or an endpoint with a fault', () => {
  let rules: Json
  beforeAll(async () => {
    rules = await readWith(BROKEN)
  })

  it('is read about by rules, when it says nothing at all', () => {
    expect(rules.json).toMatchObject({ name: 'Harbour lamp', price: 48.5, sku: 'HL-200' })
    expect(leaves(rules.json).length).toBeGreaterThan(5)
    expect([rules.answer, rules.highlights, rules.summary].every(Boolean)).toBe(true)
  })

  it.each(modelFaults.map((one) => [one.name, one] as const))('%s costs no value', async (_name, one) => {
    const data = await readWith(one)
    const found = leaves(data.json)
    expect(
      leaves(rules.json).filter((path) => !found.includes(path)),
      JSON.stringify(data.json),
    ).toEqual([])
    expect(data.json, JSON.stringify(data)).toMatchObject({ price: 48.5, sku: 'HL-200', inStock: true })
    expect(JSON.stringify(data.json).length).toBeLessThan(2000)
    expect(data.json.sizes.slice(0, 2)).toMatchObject(rules.json.sizes)
    for (const format of ['answer', 'highlights', 'summary']) expect(data[format], format).toBeTruthy()
    expect(data.answer).toMatch(/48[.,]50/)
  })
})
