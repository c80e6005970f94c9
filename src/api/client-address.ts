// The client's address, and which requests without a key are answered: those of programs in the networks of ORB_KEYLESS.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Store } from '../store/index.ts'
import { isAddressAllowed, normalizeIpAddress } from '../teams/ip-allowlist.ts'
import { ensureKeyForKeylessCallers } from '../teams/keyless-team-key.ts'
import type { FindKeyForKeylessCaller } from './auth.ts'

export async function openKeylessAccess(
  store: Store,
  { keyless, trustedProxies }: { keyless: readonly string[]; trustedProxies: readonly string[] },
): Promise<FindKeyForKeylessCaller> {
  if (keyless.length === 0) return () => undefined
  const key = await ensureKeyForKeylessCallers(store)
  return (request) => {
    const isProxied = trustedProxies.length > 0 && isAddressAllowed(trustedProxies, request.socket.remoteAddress ?? '')
    if (!isProgram(request.headers, isProxied)) return undefined
    return isAddressAllowed(keyless, readClientAddress(request, trustedProxies)) ? key : undefined
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

/** The peer of the socket, or X-Forwarded-For from a trusted proxy; it is ignored from anyone else. */
export function readClientAddress(
  request: Pick<IncomingMessage, 'socket' | 'headers'>,
  trusted: readonly string[],
): string {
  const said = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  let address = request.socket.remoteAddress ?? ''
  // From the nearest proxy outwards; the first untrusted address is the client.
  while (trusted.length > 0 && said.length > 0 && isAddressAllowed(trusted, address)) address = said.pop() ?? address
  return normalizeIpAddress(address)
}
