// Model servers of this machine are found by their list of models, and asked nothing else.
import { expect, it } from 'vitest'
import { startModel } from '../../test/model/server.ts'
import { describeLocalModels, findLocalModels } from './find-local-models.ts'

const never = new AbortController().signal
const placeOf = (url: string): string => new URL(url).host

it('finds all models that can answer, and passes over what is none', async () => {
  const list = { data: [{ id: 'nomic-embed-text' }, { id: 'qwen3:8b' }, { id: 'gemma3:4b' }] }
  const [ollama, other] = await Promise.all([startModel(() => 'never', list), startModel(() => 'never', 404)])
  try {
    const found = await findLocalModels(['127.0.0.1:1', placeOf(other.url), placeOf(ollama.url)], never, 60_000)
    expect(found.map(({ url, model }) => [url, model])).toEqual(
      ['qwen3:8b', 'gemma3:4b'].map((name) => [ollama.url, name]),
    )
    const [line, ...others] = describeLocalModels(found)
    expect(line).toContain(`ORB_LLM_URL=${ollama.url} and ORB_LLM_MODEL=qwen3:8b`)
    expect([line?.endsWith('It also has gemma3:4b.'), others]).toEqual([true, []])
    expect([...ollama.requests, ...other.requests]).toEqual([])
  } finally {
    await Promise.all([ollama.close(), other.close()])
  }
})
