// A server that speaks OpenAI's `/audio/transcriptions`: reads the form as the API documents it, and answers `verbose_json`.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Transcriber {
  url: string
  requests: { fields: Record<string, string>; file: { name: string; bytes: Uint8Array }; key: string | undefined }[]
  close(): void
}

export async function startTranscriber(): Promise<Transcriber> {
  const requests: Transcriber['requests'] = []
  const server = createServer(async (request, response) => {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.method !== 'POST' || request.url !== '/v1/audio/transcriptions')
      return void reply(404, { error: { message: 'no such path' } })
    const body = new Response(new Uint8Array(await buffer(request)), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    })
    const form = await body.formData()
    const file = form.get('file')
    if (!(file instanceof File)) return void reply(400, { error: { message: "'file' is a required property" } })
    const fields = Object.fromEntries(
      [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    )
    const key = request.headers.authorization
    requests.push({ fields, file: { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }, key })
    if (fields.language === 'xx') return void reply(400, { error: { message: 'unsupported language' } })
    const segments = [
      { id: 0, start: 0, end: 1.5, text: ' Good morning.' },
      { id: 1, start: 1.5, end: 3, text: ' Mind the tide.' },
    ]
    reply(200, { task: 'transcribe', language: 'english', duration: 3, text: 'Good morning. Mind the tide.', segments })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, requests, close: () => void server.close() }
}
