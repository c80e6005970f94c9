// Model servers of this machine are found by their list of models, and asked nothing else.
import { expect, it } from 'vitest'
import { startModel } from '../../test/model/server.ts'
import { describeLocalModel, findLocalModels } from './find-local-models.ts'

const never = new AbortController().signal
const placeOf = (url: string): string => new URL(url).host

it('finds the first model that can answer, and passes over what is none', async () => {
  const list = { data: [{ id: 'nomic-embed-text' }, { id: 'qwen3:8b' }] }
  const [ollama, other] = await Promise.all([startModel(() => 'never', list), startModel(() => 'never', 404)])
  try {
    const found = await findLocalModels(['127.0.0.1:1', placeOf(other.url), placeOf(ollama.url)], never)
    expect(found).toEqual([{ url: ollama.url, model: 'qwen3:8b' }])
    expect(describeLocalModel(found[0]!)).toContain(`ORB_LLM_URL=${ollama.url} and ORB_LLM_MODEL=qwen3:8b`)
    expect([...ollama.requests, ...other.requests]).toEqual([])
  } finally {
    await Promise.all([ollama.close(), other.close()])
  }
})
