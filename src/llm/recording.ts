// Records model requests and responses, one file each, for bench/models to judge and replay. Headers, and thus keys,
// are not written.
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface RecordedRequest {
  messages: readonly { role: string; content: string }[]
  tools?: unknown
  response_format?: unknown
}

/** Identifies a request by its content, independent of the model. */
export const requestHash = ({ messages, tools, response_format }: RecordedRequest): string =>
  createHash('sha256')
    .update(
      JSON.stringify([messages.map(({ role, content }) => [role, content]), tools ?? null, response_format ?? null]),
    )
    .digest('hex')
    .slice(0, 12)

export function recordInto(folder: string, ask: typeof fetch = fetch): typeof fetch {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  let count = 0
  return async (url, init) => {
    const began = Date.now()
    const request = JSON.parse(String(init?.body ?? '{}')) as RecordedRequest
    const path = join(folder, `${String(++count).padStart(4, '0')}-${requestHash(request)}.json`)
    const keep = (answer: object) => {
      const entry = { at: new Date(began).toISOString(), ms: Date.now() - began, request, ...answer }
      writeFileSync(path, `${JSON.stringify(entry, undefined, 2)}\n`, { mode: 0o600 })
    }
    try {
      const response = await ask(url, init)
      const text = await response.text()
      keep({ status: response.status, response: jsonOr(text) })
      return new Response(text, { status: response.status, headers: response.headers })
    } catch (error) {
      keep({ error: (error as Error).message })
      throw error
    }
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
