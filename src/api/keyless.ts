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
 * Browsers are refused: a page of another site must not call in the network's name. Behind an untrusted proxy the
 * address is not the caller's.
 */
function isProgram(headers: IncomingHttpHeaders, isProxied: boolean): boolean {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return false
  const isForwarded = ['x-forwarded-for', 'forwarded', 'x-real-ip'].some((name) => headers[name] !== undefined)
  return !isForwarded || isProxied
}
