// Every question, put to endpoints that speak as the servers do that people run: right, or honestly stood in for.
import { describe, expect, it } from 'vitest'
import { dialects } from '../../test/model/dialects.ts'
import { startModel } from '../../test/model/server.ts'
import { silentLog } from '../base/log.ts'
import { describeModelEndpoint } from './index.ts'
import type { Llm } from './llm.ts'
import { openOpenAiCompatibleLlm } from './openai-compatible-llm.ts'

const never = new AbortController().signal
const FACT = 'The customs house of 1784 was designed by Eleanor Marsh.'
const SHORT = `# Harbour\n\n${FACT}\n\nBoats leave daily.`
/** The fact stands where an endpoint that reads too little does not see it. */
const LONG = `# Harbour\n\n${'Boats of every kind come and go here all day long.\n\n'.repeat(500)}${FACT}\n\n${'The quay is long and grey.\n\n'.repeat(500)}`
const SCHEMA = {
  type: 'object',
  properties: { designer: { type: 'string', format: 'name', minLength: 1 }, year: { type: 'integer' } },
}

async function withModel<T>(dialect: (typeof dialects)[number], use: (model: Llm) => Promise<T>): Promise<T> {
  const server = await startModel(dialect.script, dialect.models)
  try {
    const model = openOpenAiCompatibleLlm({ url: server.url, model: 'tiny', key: undefined, log: silentLog })
    await model.probe(never)
    return await use(model)
  } finally {
    await server.close()
  }
}

/** Right, and by the model; or what extraction found, with a warning that says why. */
const honest = (isBad: boolean, value: unknown) =>
  isBad
    ? expect.objectContaining({
        by: 'extractive',
        doNotCache: true,
        warnings: [expect.stringMatching(/returned no usable response/)],
      })
    : expect.objectContaining({ by: 'model', value })

for (const dialect of dialects)
  describe(dialect.name, () => {
    for (const [length, page] of [
      ['short', SHORT],
      ['long', LONG],
    ] as const)
      it(`answers about a ${length} page, or is stood in for`, async () => {
        await withModel(dialect, async (model) => {
          const text = () => page
          const relevant = () => (length === 'long' ? `# Harbour\n\n${FACT}` : undefined)
          const json = await model.extract({ schema: SCHEMA, prompt: undefined, text, found: null }, never)
          expect(json).toEqual(honest(dialect.isBad, { designer: 'Eleanor Marsh', year: 1784 }))
          const quoted = await model.highlight({ query: 'the designer', text, found: [], relevant }, never)
          expect(quoted).toEqual(honest(dialect.isBad, [FACT]))
          const answer = await model.answer({ question: 'Who designed it?', text, found: null, relevant }, never)
          // What a chatty model says in words cannot be told from an answer.
          if (!dialect.isBad) expect(answer.value).toContain('Eleanor Marsh')
          const summary = await model.summarise({ text, found: null }, never)
          if (!dialect.isBad) expect(summary.value).toContain('Eleanor Marsh')
          expect(`${answer.value} ${summary.value}`).not.toMatch(/<think|Let me see/)
        })
      })

    it('is asked without detours the second time', async () => {
      const server = await startModel(dialect.script, dialect.models)
      const model = openOpenAiCompatibleLlm({ url: server.url, model: 'tiny', key: undefined, log: silentLog })
      const ask = { schema: SCHEMA, prompt: undefined, text: () => SHORT, found: null }
      await model.extract(ask, never)
      const before = server.requests.length
      await model.extract(ask, never)
      // One request; an endpoint that cannot follow this schema says so each time, a bad model is asked twice.
      expect(server.requests.length - before).toBeLessThanOrEqual(dialect.isBad ? 2 : 1)
      await server.close()
    })
  })

describe('what is known of an endpoint', () => {
  it('is told in a sentence', async () => {
    const notes = await withModel(dialects.find(({ name }) => name === 'vLLM')!, async (model) =>
      describeModelEndpoint(model),
    )
    expect(notes).toEqual(['The language model tiny answers with JSON by schema and reads 8192 tokens.'])
  })

  it('includes a wrong key, a model that is not there, and a server that is not', async () => {
    const facts = async (models: unknown) => {
      const server = await startModel(() => '', models)
      const model = openOpenAiCompatibleLlm({ url: server.url, model: 'tiny', key: 'k', log: silentLog })
      await model.probe(never)
      await server.close()
      const now = model.facts()?.trouble
      await model.probe(never)
      return [now, model.facts()?.trouble]
    }
    const [refused, gone] = await facts(401)
    expect(refused).toMatch(/refused the key \(401\)/)
    expect(gone).toMatch(/cannot be reached/)
    expect((await facts({ data: [{ id: 'a' }, { id: 'b' }] }))[0]).toMatch(/lists no model "tiny"; it has a, b/)
    expect((await facts(404))[0]).toBeUndefined()
  })
})
