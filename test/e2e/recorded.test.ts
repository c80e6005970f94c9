// Runs whose model requests were answered by hand (test/recorded), replayed: the whole way from the page to the answer, with
// what a careful model said. A prompt that changed shows here, with the request that has no answer any more.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashRequest, makeRecordedResponse, readRecordings } from '../model/recordings.ts'
import { type ModelServer, startModel } from '../model/server.ts'
import { agents, type RecordedRun, scrapes } from '../recorded/runs.ts'
import { agentPages } from '../site/agent-web.ts'
import { type Site, startSite } from '../site/site.ts'
import { type Json, type Service, startService } from './service.ts'
import { until } from './waiting.ts'

let site: Site
const CHANGED = 'no recorded answer'
const recordings = readRecordings(join(import.meta.dirname, '../recorded/requests'))

let model: ModelServer
let service: Service
beforeAll(async () => {
  site = await startSite(agentPages)
  model = await startModel((request) => {
    const recorded = recordings.get(hashRequest(request))
    if (recorded) return { raw: JSON.stringify(makeRecordedResponse(recorded, request)) }
    return { status: 404, body: { error: { message: CHANGED } } }
  })
  service = await startService({
    env: {
      ORB_ALLOW_PRIVATE: `127.0.0.1:${site.port}`,
      ...{ ORB_LLM_URL: model.url, ORB_LLM_MODEL: 'recorded' },
    },
  })
})
afterAll(async () => {
  await service?.stop()
  await model?.close()
  await site?.close()
})

/** Patterns hold for the text of a value; numbers and names must be equal. */
function expectLike(actual: Json, expected: unknown): void {
  if (expected instanceof RegExp) expect(typeof actual === 'string' ? actual : JSON.stringify(actual)).toMatch(expected)
  else if (Array.isArray(expected)) {
    const list = Array.isArray(actual) ? actual : (Object.values(actual ?? {}).find(Array.isArray) ?? [])
    expect(list).toHaveLength(expected.length)
    for (const [at, one] of expected.entries()) expectLike(list[at], one)
  } else if (expected !== null && typeof expected === 'object')
    for (const [name, one] of Object.entries(expected)) expectLike(actual?.[name], one)
  else expect(actual).toEqual(expected)
}

const name = ({ name: words }: RecordedRun) => words

describe('a page that a model reads', () => {
  it.each(scrapes.map((run) => [name(run), run] as const))('%s', async (_name, { paths, formats, expected }) => {
    const { json } = await service.call('POST', '/v2/scrape', { url: site.url + paths[0], formats, maxAge: 0 })
    expect(json.data?.warning ?? '', JSON.stringify(json)).not.toContain(CHANGED)
    expectLike(json.data, expected)
  })
})

describe('a run that a model leads', () => {
  it.each(agents.map((run) => [name(run), run] as const))('%s', async (_name, { paths, agent, expected }) => {
    const { json } = await service.call('POST', '/v2/agent', { ...agent, urls: paths.map((path) => site.url + path) })
    let run: Json
    await until(async () => {
      run = (await service.call('GET', `/v2/agent/${json.id}`)).json
      return run.status !== 'processing'
    })
    expect(run.warning ?? '').not.toContain(CHANGED)
    expectLike(run, expected)
  })
})
