// Fetches small JSON documents from addresses the operator named, such as identity issuers. Only those may be private;
// redirect targets must be public.
import { abortAfter } from '../base/abort-after.ts'
import type { Log } from '../base/log.ts'
import { Problem } from '../base/problem.ts'
import { type Egress, openEgress } from './egress.ts'

const MAX_BYTES = 256 * 1024
const LIMIT_MS = 10_000

interface OperatorForm {
  fields: Readonly<Record<string, string>>
  authorization: string
}

interface OperatorFetch {
  fetchJson(url: string, signal: AbortSignal, form?: OperatorForm): Promise<unknown>
  close(): Promise<void>
}

export function openOperatorFetch(options: {
  addresses: readonly string[]
  dnsServers: readonly string[]
  log: Log
}): OperatorFetch {
  const { addresses, dnsServers, log } = options
  let egress: Egress | undefined
  return {
    async fetchJson(url, signal, form) {
      egress ??= openEgress({
        allowPrivate: addresses.map((address) => new URL(address).host),
        dnsServers,
        log,
      })
      const { status, body, truncated } = await egress.fetch(
        {
          url,
          headers: { accept: 'application/json', ...(form ? formHeaders(form) : {}) },
          ...(form ? { method: 'POST', body: Buffer.from(new URLSearchParams(form.fields).toString()) } : {}),
          skipTlsVerification: false,
          proxy: 'basic',
          maxRedirects: 0,
          maxBytes: MAX_BYTES,
        },
        AbortSignal.any([signal, abortAfter(LIMIT_MS)]),
      )
      if (status !== 200 || truncated)
        throw new Problem('unavailable', { because: `${new URL(url).host} returned ${status}` })
      return JSON.parse(Buffer.from(body).toString('utf8'))
    },
    async close() {
      await egress?.close()
    },
  }
}

const formHeaders = ({ authorization }: OperatorForm) => ({
  authorization,
  'content-type': 'application/x-www-form-urlencoded',
})
