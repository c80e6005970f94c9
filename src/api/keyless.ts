// Which requests without a key are answered: those of programs in the networks of ORB_KEYLESS.
import type { IncomingHttpHeaders } from 'node:http'
import type { Store } from '../store/index.ts'
import { isAllowed } from '../teams/ip-list.ts'
import { ensureKeylessKey } from '../teams/keyless.ts'
import type { KeylessKey } from './auth.ts'
import { clientAddress } from './client-address.ts'

export async function openKeyless(
  store: Store,
  { keyless, trustedProxies }: { keyless: readonly string[]; trustedProxies: readonly string[] },
): Promise<KeylessKey> {
  if (keyless.length === 0) return () => undefined
  const key = await ensureKeylessKey(store)
  return (request) => {
    const isProxied = trustedProxies.length > 0 && isAllowed(trustedProxies, request.socket.remoteAddress ?? '')
    if (!isProgram(request.headers, isProxied)) return undefined
    return isAllowed(keyless, clientAddress(request, trustedProxies)) ? key : undefined
  }
}

/**
 * Browsers name themselves: a page of another site that is open inside the network must not call for its author. After
 * a proxy that is not trusted, the address is the proxy's and says nothing of the caller.
 */
function isProgram(headers: IncomingHttpHeaders, isProxied: boolean): boolean {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return false
  const isForwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip'].some((name) => headers[name] !== undefined)
  return !isForwarded || isProxied
}
