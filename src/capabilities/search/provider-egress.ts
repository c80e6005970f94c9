// The providers' egress, with the same policy as every fetch. URLs from the operator may be in a private network.
import { decodeText } from '../../content/decode-text.ts'
import { type EgressOptions, openEgress } from '../../fetch/egress.ts'
import { makeBrowserHeaders } from '../../fetch/http-engine.ts'
import { ProviderError, type ProviderFetch } from './provider.ts'

const MAX_BYTES = 3 * 1024 * 1024
const AGENT = 'Orbweaver/1 (self-hosted web data service)'

interface WebOptions extends Pick<EgressOptions, 'allowPrivate' | 'dnsServers' | 'proxies' | 'trust' | 'log'> {
  named: readonly string[]
}

export function openProviderFetch({ named, allowPrivate, dnsServers, proxies, trust = [], log }: WebOptions) {
  const egress = openEgress({
    allowPrivate: [...allowPrivate, ...named.map((address) => new URL(address).host)],
    dnsServers,
    proxies,
    trust,
    log,
    limits: { dnsMs: 3_000, connectMs: 3_000 },
  })
  const ask: ProviderFetch = async ({ url, method = 'GET', headers = {}, body, asBrowser = false }, signal) => {
    const own = asBrowser
      ? makeBrowserHeaders({ headers, languages: ['en-US', 'en'], mobile: false })
      : {
          'user-agent': AGENT,
          accept: 'application/json, */*;q=0.5',
          'accept-encoding': 'gzip, deflate, br',
          ...headers,
        }
    const response = await egress.fetch(
      {
        url,
        method,
        headers: body === undefined ? own : { 'content-type': 'application/json', ...own },
        ...(body === undefined ? {} : { body: Buffer.from(body) }),
        skipTlsVerification: false,
        proxy: 'basic',
        maxRedirects: 3,
        maxBytes: MAX_BYTES,
      },
      signal,
    )
    if (response.truncated)
      throw new ProviderError('changed', `its response is larger than ${MAX_BYTES / 1024 / 1024} MB`)
    const text = decodeText(response.body, response.headers['content-type']).text
    return { status: response.status, headers: response.headers, text }
  }
  return { ask, close: () => egress.close() }
}
