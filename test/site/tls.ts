// Servers with good and bad certificates. The certificates are fixtures that last until 2125 (and one that ended in
// 2021); `../fixtures/tls/make.sh` made them.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'

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
  const server = https.createServer({ cert, key, ...old }, ({ url }, response) => {
    hits++
    if (url === '/never') return
    const head = url === '/waits' ? '<script src="/never"></script>' : ''
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><title>Secure</title>${head}<h1>A page behind TLS</h1>`)
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

/** A guard that looks at how visitors greet: whoever does not begin like Chrome meets a block page. */
export async function startChoosy(): Promise<TlsSite> {
  const [cert, key] = await Promise.all([fixture('good.crt'), fixture('server.key')])
  let hits = 0
  const welcome = new Set<number | undefined>()
  const inside = https.createServer({ cert, key }, ({ socket }, response) => {
    hits++
    const blocked = !welcome.has(socket.remotePort)
    response.writeHead(blocked ? 403 : 200, {
      'content-type': 'text/html; charset=utf-8',
      ...(blocked ? { 'cf-mitigated': 'challenge' } : {}),
    })
    response.end(blocked ? '<p>Checking your browser.</p>' : '<h1>Well greeted</h1><p>The guard knows its own.</p>')
  })
  inside.listen(0, '127.0.0.1')
  await once(inside, 'listening')
  const gate = net.createServer((visitor) => {
    visitor.once('data', (hello) => {
      // Chrome begins its list of ciphers with an invented one (RFC 8701), two equal bytes that end in `a`.
      const at = 5 + 4 + 2 + 32 + 1 + (hello[43] ?? 0) + 2
      const greased = hello[at] === hello[at + 1] && ((hello[at] ?? 0) & 0x0f) === 0x0a
      const within = net.connect((inside.address() as AddressInfo).port, '127.0.0.1', () => {
        if (greased) welcome.add(within.localPort)
        within.write(hello)
        visitor.pipe(within).pipe(visitor)
      })
      for (const [one, other] of [[visitor, within] as const, [within, visitor] as const])
        one.on('error', () => {}).on('close', () => other.destroy())
    })
  })
  gate.listen(0, '127.0.0.1')
  await once(gate, 'listening')
  const { port } = gate.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    hits: () => hits,
    names: () => [],
    close: () =>
      new Promise((resolve) => {
        inside.close()
        inside.closeAllConnections()
        gate.close(() => resolve())
      }),
  }
}
