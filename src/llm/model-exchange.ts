// Reports each model request with its response to an observer, such as the test of a model in the dashboard.
import { parseJson } from '../base/attempt.ts'

export type ModelExchange = { request: { messages: readonly { role: string; content: string }[] }; said: string }

export function makeReportingFetch(onExchange: (exchange: ModelExchange) => void, ask: typeof fetch): typeof fetch {
  return async (url, init) => {
    const response = await ask(url, init)
    const text = await response.text()
    const request = JSON.parse(String(init?.body ?? '{}')) as ModelExchange['request']
    onExchange({ request, said: saidIn(text) })
    return new Response(text, { status: response.status, headers: response.headers })
  }
}

function saidIn(text: string): string {
  const { choices } = (parseJson(text) ?? {}) as { choices?: { message?: { content?: unknown } }[] }
  const content = Array.isArray(choices) ? choices[0]?.message?.content : undefined
  return typeof content === 'string' ? content : text.slice(0, 4000)
}
