// The IP allowlist of a team: IPv4 and IPv6 addresses and CIDR blocks. IPv4-mapped IPv6 addresses count as IPv4.
import ipaddr from 'ipaddr.js'
import { isInBlock } from '../base/address-block.ts'
import { Problem } from '../base/problem.ts'
import type { Caller } from './keys.ts'

/** `::ffff:192.0.2.1` becomes 192.0.2.1. */
export function plainAddress(text: string): string {
  const bare = text.replace(/%.*$/, '')
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : bare
}

export function isAllowed(list: readonly string[], address: string): boolean {
  if (list.length === 0) return true
  return list.some((entry) => isInBlock(entry, address))
}

export function assertAddress({ ipAllow }: Pick<Caller, 'ipAllow'>, address: string): void {
  if (!isAllowed(ipAllow, address))
    throw new Problem('forbidden', {
      because: `Request blocked: IP address ${plainAddress(address)} is not on this team's allowed IP list.`,
    })
}
