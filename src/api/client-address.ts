// Where a request comes from: the other end of its connection, or, when that is a proxy the operator trusts, what the
// proxy says. Nothing a client writes itself is believed.
import type { IncomingMessage } from 'node:http'
import { isAllowed, plainAddress } from '../teams/ip-list.ts'

/** `trusted` are addresses and CIDR blocks of proxies; empty: none. */
export function clientAddress(
  request: Pick<IncomingMessage, 'socket' | 'headers'>,
  trusted: readonly string[],
): string {
  const said = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  let address = request.socket.remoteAddress ?? ''
  // From the nearest proxy outwards; the first that is not trusted is the client.
  while (trusted.length > 0 && said.length > 0 && isAllowed(trusted, address)) address = said.pop() ?? address
  return plainAddress(address)
}
