// What the rows of trust stand on: a service of their own on a free port, the hermetic site of the tests, a resolver that
// knows no name, so that nothing leaves the machine.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { startUntil } from '../../process.mjs'

export const root = join(import.meta.dirname, '../../..')
export const KEY = 'fc-0123456789abcdef0123456789abcdef'

/** `allowed`: further ports of this machine that may be visited; `flags`: of node. */
export async function openContext({ pages = {}, env = {}, allowed = [], flags = [] } = {}) {
  const { module: site } = await runnerImport(join(root, 'test/site/site.ts'))
  const { module: names } = await runnerImport(join(root, 'test/site/dns.ts'))
  const web = await site.startSite(pages)
  const dns = await names.startDns({ answers: {} })
  const dataDir = mkdtempSync(join(tmpdir(), 'orb-prove-trust-'))
  const service = await startUntil(
    [...flags, join(root, 'dist/main.js'), 'start'],
    /ready\s+http:\/\/localhost:(\d+)/,
    {
      ...{ ORB_PORT: '0', ORB_DATA_DIR: dataDir, ORB_API_KEY: KEY, ORB_LOG_LEVEL: 'warn' },
      ...{
        ORB_ALLOW_PRIVATE: [web.port, ...allowed].map((port) => `127.0.0.1:${port}`).join(','),
        ORB_ALLOW_PRIVATE_FOR: 'everyone',
        ORB_DNS_SERVERS: dns.address,
      },
      ...env,
    },
  )
  const url = `http://127.0.0.1:${service.found[1]}`
  const call = async (method, path, body, { key = KEY, timeoutMs = 90_000 } = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    let json
    try {
      json = JSON.parse(text)
    } catch {
      json = undefined
    }
    return { status: response.status, text, json }
  }
  return {
    ...{ web, url, call, pid: service.child.pid },
    output: () => service.output(),
    /** Lines of its log that hold these words. */
    logged: (words) =>
      service
        .output()
        .split('\n')
        .filter((line) => line.includes(words)),
    async close() {
      service.child.kill('SIGKILL')
      rmSync(dataDir, { recursive: true, force: true })
      await Promise.all([web.close(), dns.close()])
    },
  }
}

export const row = (what, bar, measured, ok) => ({ what, bar, measured: String(measured), ok })

export const percentile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
