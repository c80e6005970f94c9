// The IP allowlist of a team: IPv4 and IPv6 addresses and CIDR blocks. IPv4-mapped IPv6 addresses count as IPv4.
import ipaddr from 'ipaddr.js'
import { isAddressInCidrBlock } from '../base/cidr-block.ts'
import { Problem } from '../base/problem.ts'
import type { Caller } from './keys.ts'

/** `::ffff:192.0.2.1` becomes 192.0.2.1. */
export function normalizeIpAddress(text: string): string {
  const bare = text.replace(/%.*$/, '')
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : bare
}

export function isAddressAllowed(list: readonly string[], address: string): boolean {
  if (list.length === 0) return true
  return list.some((entry) => isAddressInCidrBlock(entry, address))
}

export function assertAddressAllowed({ ipAllow }: Pick<Caller, 'ipAllow'>, address: string): void {
  if (!isAddressAllowed(ipAllow, address))
    throw new Problem('forbidden', {
      because: `Request blocked: IP address ${normalizeIpAddress(address)} is not on this team's allowed IP list.`,
    })
}
