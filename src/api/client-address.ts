// The client's address: the socket's peer, or X-Forwarded-For from a trusted proxy. That header is ignored from anyone
// else.
import type { IncomingMessage } from 'node:http'
import { isAddressAllowed, normalizeIpAddress } from '../teams/ip-allowlist.ts'

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
