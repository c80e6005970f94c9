// Who is told by webhooks: keeps every letter that came, as JSON.
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from './service.ts'

export interface Receiver {
  url: string
  /** For ORB_ALLOW_PRIVATE. */
  host: string
  letters: Json[]
  close(): void
}

export async function openReceiver(): Promise<Receiver> {
  const letters: Json[] = []
  const server = http.createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    letters.push(JSON.parse(text))
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url: `http://${host}/hook`, host, letters, close: () => void server.close() }
}
