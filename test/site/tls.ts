// Servers with good and bad certificates. The certificates are fixtures that last until 2125 (and one that ended in
// 2021); `../fixtures/tls/make.sh` made them.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import https from 'node:https'
import type { AddressInfo } from 'node:net'

export type TlsKind = 'good' | 'self-signed' | 'expired' | 'wrong-host' | 'old'

export interface TlsSite {
  url: string
  port: number
  hits(): number
  /** Server names that clients asked for, in order. */
  names(): readonly string[]
  close(): Promise<void>
}

const fixture = (name: string): Promise<string> => readFile(new URL(`../fixtures/tls/${name}`, import.meta.url), 'utf8')

/** The authority that signed all but the self-signed certificate. */
export const testAuthority = (): Promise<string> => fixture('authority.crt')

export async function startTls({ kind }: { kind: TlsKind }): Promise<TlsSite> {
  const name = kind === 'old' ? 'good' : kind
  const [cert, key] = await Promise.all([fixture(`${name}.crt`), fixture('server.key')])
  let hits = 0
  const names: string[] = []
  // `old`: TLS 1.0 and nothing newer, with the ciphers of its time.
  const old =
    kind === 'old' ? ({ minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const) : {}
  const server = https.createServer({ cert, key, ...old }, (_request, response) => {
    hits++
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end('<!doctype html><title>Secure</title><h1>A page behind TLS</h1>')
  })
  server.on('secureConnection', (socket) => names.push(socket.servername || ''))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    hits: () => hits,
    names: () => names,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
