import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { readLocalContext } from './model-endpoint.ts'

const OLLAMA = { '/api/version': { version: '0.12.3' } }
const SHOWN = { model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40960 } }

async function contextFrom(replies: Record<string, object>, model = 'qwen3:8b'): Promise<number | undefined> {
  const server = createServer((request, response) => {
    const reply = replies[request.url ?? '']
    response.statusCode = reply ? 200 : 404
    response.end(JSON.stringify(reply ?? { error: 'not found' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  try {
    return await readLocalContext(url, model, fetch, new AbortController().signal)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

describe('the context length', () => {
  it.each([
    [
      'a running model of Ollama',
      { ...OLLAMA, '/api/ps': { models: [{ name: 'qwen3:8b', context_length: 16384 }] } },
      16384,
    ],
    ['num_ctx of Ollama', { ...OLLAMA, '/api/show': { ...SHOWN, parameters: 'stop "x"\nnum_ctx    8192' } }, 8192],
    ['the default of Ollama', { ...OLLAMA, '/api/show': SHOWN }, 4096],
    ['a small model of Ollama', { ...OLLAMA, '/api/show': { model_info: { 'tiny.context_length': 2048 } } }, 2048],
    [
      'a loaded model of LM Studio',
      { '/api/v0/models/qwen3%3A8b': { max_context_length: 32768, loaded_context_length: 12000 } },
      12000,
    ],
    ['a model that LM Studio would load', { '/api/v0/models/qwen3%3A8b': { max_context_length: 32768 } }, 4096],
    ['another server', { '/api/version': { data: [] } }, undefined],
  ])('of %s is read', async (_name, replies, expected) => {
    expect(await contextFrom(replies)).toBe(expected)
  })

  it('is not requested from hosted endpoints', async () => {
    const send = () => Promise.reject(new Error('a request was sent'))
    expect(await readLocalContext('https://models.example/v1', 'm', send, new AbortController().signal)).toBeUndefined()
  })
})
